/** What is read of a submission piece by piece is what `JSON.parse` reads of the whole. */
import { Buffer } from 'node:buffer';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { WebhookMember } from '../../src/proxy/webhook-member.js';

/** The address that the text has as the one member `webhook`; null: there is none, or the text is no JSON object. */
function found(text: string, pieceBytes: number): string | null {
  const bytes = Buffer.from(text);
  const member = new WebhookMember();
  for (let at = 0; at < bytes.length; at += pieceBytes) member.take(bytes.subarray(at, at + pieceBytes));
  const { literal, isOver } = member;
  if (literal === null || !isOver) return null;
  expect(JSON.parse(bytes.subarray(literal.from, literal.to).toString())).toBe(literal.text);
  return literal.text;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** By the whole. Its names are counted in what a reviver is told, which has each name once: doubled ones are left out. */
function expected(text: string): string | null {
  const value = parsed(text);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null;
  const { webhook } = value as { readonly webhook?: unknown };
  return typeof webhook === 'string' ? webhook : null;
}

const value = fc.oneof(fc.jsonValue({ maxDepth: 3 }), fc.string({ unit: 'binary' }));
const name = fc.oneof({ arbitrary: fc.constantFrom('webhook', 'input', 'policy'), weight: 2 }, fc.string());
/** Written in other ways than `JSON.stringify` does, too. */
const text = fc
  .tuple(fc.dictionary(name, value), fc.constantFrom<string | number>('', 1, '\t'), fc.boolean())
  .map(([object, indent, isEscaped]) => {
    const written = JSON.stringify(object, null, indent);
    return isEscaped ? written.replace('"webhook"', String.raw`"\u0077ebhoo\u006B"`) : written;
  });
/** With a piece of it taken out, or replaced. */
const broken = fc
  .tuple(
    text,
    fc.nat(),
    fc.nat(3),
    fc.constantFrom('', ',', '"', '}', ']', ':', '1', '-', '.', '\\', 'e', 'x', '\n'),
  )
  .map(([whole, at, length, put]) => {
    const from = at % (whole.length + 1);
    return whole.slice(0, from) + put + whole.slice(from + length);
  })
  // Whether a name is there twice, the value does not say.
  .filter((one) => (one.match(/ebhoo/gu) ?? []).length < 2);

test.each([
  ['valid', text],
  ['mostly invalid', broken],
])('of texts that are %s', (_, texts) => {
  fc.assert(
    fc.property(texts, fc.integer({ min: 1, max: 40 }), (one, pieceBytes) => {
      expect(found(one, pieceBytes)).toBe(expected(Buffer.from(one).toString()));
    }),
    { seed: 1, numRuns: 1_000 },
  );
});

test.each([
  ['{"a":01,"webhook":"x"}', null],
  ['{"a":-,"webhook":"x"}', null],
  ['{"a":1.5e+3,"webhook":"x"}', 'x'],
  ['{"a":[1,],"webhook":"x"}', null],
  ['{"a":[}],"webhook":"x"}', null],
  ['{"webhook":"x"}{}', null],
  ['{"webhook":"x"} \n', 'x'],
  ['{"webhook":"x","webhook":"x"}', null],
  ['{"webhook":"x","webhook":1}', null],
  ['{"webhook":{"webhook":"x"}}', null],
  ['{"a":{"webhook":"x"},"webhook":"y"}', 'y'],
  ['{"a":"\u0001","webhook":"x"}', null],
  [String.raw`{"a":"\u12g4","webhook":"x"}`, null],
  [`{"a":${'['.repeat(9_000)}${']'.repeat(9_000)},"webhook":"x"}`, 'x'],
  [`{"a":${'['.repeat(90_000)}${']'.repeat(90_000)},"webhook":"x"}`, null],
  [`{"${'a'.repeat(20_000)}":1,"webhook":"x"}`, 'x'],
])('of %s', (one, address) => {
  for (const pieceBytes of [1, 7, 1 << 20]) expect(found(one, pieceBytes)).toBe(address);
});
