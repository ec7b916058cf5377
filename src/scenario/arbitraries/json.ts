import fc from 'fast-check';
import type { Json } from '../../history/events.js';

/**
 * Strings that careless code corrupts: other alphabets, astral and combining characters, escapes,
 * look-alikes.
 */
const TRICKY: readonly string[] = [
  '',
  'čćžšđ',
  '日本語',
  '🚀👩‍👩‍👧',
  'e\u0301',
  '\u0000\u001f\u2028\u2029',
  '"\\/\b\f\n\r\t',
  '</script>',
  '%2F%00',
  'null',
  '__proto__',
  '1e3',
];

/**
 * Any character except unpaired surrogates. fast-check's own `binary` unit builds a table of all characters,
 * which takes a second at each start.
 */
const character = fc
  .oneof(
    { withCrossShrink: true },
    fc.integer({ min: 0x20, max: 0x7e }),
    fc.integer({ min: 0x0, max: 0xd7ff }),
    fc.integer({ min: 0xe000, max: 0x10_ffff }),
  )
  .map((codePoint) => String.fromCodePoint(codePoint));

const text = fc.oneof(fc.constantFrom(...TRICKY), fc.string({ unit: character, maxLength: 12 }));

/**
 * Numbers that every correct JSON library preserves: safe integers and fractions that a double holds exactly.
 */
const number = fc.oneof(
  fc.constantFrom(0, -1, 0.5, 1e21, -1e-7, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER),
  fc.maxSafeInteger(),
);

const key = fc
  .oneof(
    { weight: 1, arbitrary: fc.constantFrom('', 'ключ', 'a.b', 'a b', 'output', 'id', 'status', '0') },
    { weight: 3, arbitrary: fc.string({ unit: 'grapheme-ascii', maxLength: 8 }) },
  )
  .filter((name) => name !== '__proto__');

const { value } = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom<Json>(null, true, false, {}, []),
    number,
    text,
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(key, tie('value'), { maxKeys: 4, noNullPrototype: true }),
  ),
}));

/** Any JSON value, including Unicode and nesting. */
export function json(): fc.Arbitrary<Json> {
  return value;
}

/** A JSON object for `input`, without the names that a scripted worker reads. */
export function jsonObject(): fc.Arbitrary<{ readonly [key: string]: Json }> {
  return fc.dictionary(
    key.filter((name) => name !== 'plan' && name !== 'planOnRetry'),
    value,
    { maxKeys: 5, noNullPrototype: true },
  );
}
