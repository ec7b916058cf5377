import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { jsonBytesOf } from '../../src/history/json-size.js';
import {
  byteLengthOf,
  excerptOf,
  lengthOf,
  mayContain,
  mayHaveAt,
  repeated,
  SHORT_FORM_MARK,
  shortened,
  shortenedJson,
  TEXT_CHARS_WHOLE_MAX,
  wholeText,
} from '../../src/history/long-text.js';

/** A text that repeats nothing for long. */
function varied(units: number): string {
  return Array.from({ length: units }, (_, at) => String.fromCharCode(97 + ((at * at + at) % 23))).join('');
}

const run = fc
  .tuple(fc.constantFrom('x', 'é', '€', '🚀', '\ud83d', '"'), fc.integer({ min: 1, max: 3_000 }))
  .map(([character, count]) => character.repeat(count));
const text = fc
  .array(fc.oneof(run, fc.string({ unit: 'binary' })), { maxLength: 8 })
  .map((parts) => parts.join(''));

describe('a long text in a history', () => {
  it('is kept unchanged up to the limit', () => {
    const longest = 'x'.repeat(TEXT_CHARS_WHOLE_MAX);
    expect(shortened(longest)).toBe(longest);
    expect(shortened(`${longest}x`)).not.toBe(`${longest}x`);
  });

  it('is fully recovered from its short form when it is made of repetitions', () => {
    fc.assert(
      fc.property(text, (original) => {
        const kept = shortened(original);
        expect(lengthOf(kept)).toBe(original.length);
        expect(byteLengthOf(kept)).toBe(Buffer.byteLength(original));
        expect([original, null]).toContain(wholeText(kept));
        expect(shortened(original)).toBe(JSON.parse(JSON.stringify(kept)));
      }),
    );
  });

  it('counts each repetition to its end, whatever its length', () => {
    const lengths = [...Array.from({ length: 200 }, (_, at) => 64 + at), 4_096, 8_191, 8_192, 1_000_003];
    for (const character of ['x', '🚀'])
      for (const count of lengths) {
        const kept = shortened(`a${character.repeat(count)}b${'-'.repeat(TEXT_CHARS_WHOLE_MAX)}`);
        const { pieces } = JSON.parse(kept.slice(SHORT_FORM_MARK.length)) as { readonly pieces: unknown };
        expect(pieces).toEqual(['a', [character, count], 'b', ['-', TEXT_CHARS_WHOLE_MAX]]);
      }
  });

  it('is short, however long the text is', () => {
    const kept = shortened(`a${'é'.repeat(850_000)}`);
    expect(kept.length).toBeLessThan(150);
    expect(wholeText(kept)).toBe(`a${'é'.repeat(850_000)}`);
    expect(shortened(varied(100_000)).length).toBeLessThan(3_000);
  });

  it('differs wherever the texts differ', () => {
    const one = varied(50_000);
    const other = `${one.slice(0, 25_000)}!${one.slice(25_001)}`;
    expect(shortened(one)).not.toBe(shortened(other));
    expect(shortened('x'.repeat(5_000))).not.toBe(shortened('x'.repeat(5_001)));
  });

  it('is computed without building the text', () => {
    for (const count of [0, 10, 4_096, 4_097, 2_500_000])
      expect(repeated('x', count)).toBe(shortened('x'.repeat(count)));
  });

  it('cannot be imitated by a text that looks like one', () => {
    const feigned = `${SHORT_FORM_MARK}{"chars":9,"bytes":9,"pieces":[["x",9]]}`;
    expect(lengthOf(shortened(feigned))).toBe(feigned.length);
    expect(wholeText(shortened(feigned))).toBe(feigned);
  });

  it('is read as plain text when its form was corrupted', () => {
    expect(lengthOf(`${SHORT_FORM_MARK}{"chars":[redacted]`)).toBe(SHORT_FORM_MARK.length + 19);
  });

  it('is measured and shown within JSON', () => {
    const value = { data: 'x'.repeat(1_000_000), n: [1, 'é'] };
    const kept = shortenedJson(value);
    expect(jsonBytesOf(kept)).toBe(Buffer.byteLength(JSON.stringify(value)));
    expect(excerptOf(repeated('x', 9_000))).toBe(`${'x'.repeat(40)}… (9000 characters)`);
    expect(shortenedJson(JSON.parse('{"__proto__":{"a":1}}'))).toEqual(JSON.parse('{"__proto__":{"a":1}}'));
  });
});

describe('a long text delivered piece by piece', () => {
  function told(whole: string, pieces: readonly string[]): boolean {
    let at = 0;
    for (const piece of pieces) {
      if (!mayHaveAt(shortened(whole), at, shortened(piece))) return false;
      at += piece.length;
    }
    return at === whole.length;
  }

  it.each([
    ['repeated', `a${'🚀'.repeat(20_000)}`],
    ['varied', varied(40_000)],
    ['short', 'hello'],
  ])('%s: is the whole wherever it was cut', (_, whole) => {
    fc.assert(
      fc.property(fc.array(fc.nat(whole.length), { maxLength: 5 }), (cuts) => {
        const borders = [0, ...cuts.sort((a, b) => a - b), whole.length];
        const pieces = borders.slice(1).map((border, index) => whole.slice(borders[index], border));
        expect(told(whole, pieces)).toBe(true);
      }),
    );
  });

  const changed = (whole: string, other: string, at: number): readonly string[] => [
    `${whole.slice(0, at)}${other}${whole.slice(at + 1)}`,
    `${whole}${other}`,
    `${whole.slice(0, at)}${whole.slice(at + 1)}`,
  ];

  it.each([0, 500, 12_345, 29_999])(
    'is not the whole with a character at %i changed, added or lost',
    (at) => {
      const repeating = 'x'.repeat(30_000);
      for (const wrong of changed(repeating, 'y', at))
        expect(told(repeating, [wrong.slice(0, 10_000), wrong.slice(10_000)])).toBe(false);
      for (const wrong of changed(varied(30_000), '!', at)) expect(told(varied(30_000), [wrong])).toBe(false);
    },
  );

  it('is compared where it is known: a text that does not repeat itself at its beginning', () => {
    const [whole] = [varied(30_000)];
    expect(told(whole, [`!${whole.slice(1, 3_000)}`, whole.slice(3_000)])).toBe(false);
    expect(told(whole, [`${whole.slice(0, 2_000)}!${whole.slice(2_001, 3_000)}`, whole.slice(3_000)])).toBe(
      true,
    );
  });

  it('is compared by its digest where only the piece does not repeat itself', () => {
    // Cut within a run, it has too many characters between its runs.
    const whole = Array.from({ length: 30 }, () => `${'x'.repeat(64)}${varied(136)}`).join('');
    const [from, piece] = [1, whole.slice(1)];
    expect([wholeText(shortened(whole)), wholeText(shortened(piece))]).toEqual([whole, null]);
    expect(mayHaveAt(shortened(whole), from, shortened(piece))).toBe(true);
    const wrong = `${piece.slice(0, 5_000)}!${piece.slice(5_001)}`;
    expect(mayHaveAt(shortened(whole), from, shortened(wrong))).toBe(false);
  });

  it('of a history of an earlier version, whose digest is another, is not denied', () => {
    const earlier = `${SHORT_FORM_MARK}{"chars":9000,"bytes":9000,"head":"abc","tail":"xyz","hash":[1,2]}`;
    expect(mayHaveAt(earlier, 0, shortened(`abc${varied(8_997)}`))).toBe(true);
    expect(mayHaveAt(earlier, 0, shortened(`abc${varied(8_998)}`))).toBe(false);
    expect(excerptOf(earlier)).toBe('abc… (9000 characters)');
  });

  it('may contain what it cannot rule out, and nothing longer', () => {
    expect(mayContain(shortened(varied(9_000)), varied(100))).toBe(true);
    expect(mayContain(repeated('x', 9_000), 'xyx')).toBe(false);
    expect(mayContain(repeated('x', 9_000), repeated('x', 9_001))).toBe(false);
  });
});
