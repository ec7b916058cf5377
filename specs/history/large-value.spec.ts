/** What a history keeps of a body is bounded in size and depth, whatever comes. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bodyOf, ownBodyOf, valueOf } from '../../src/history/body.js';
import type { Json } from '../../src/history/events.js';
import { jsonBytesOf } from '../../src/history/json-size.js';
import {
  abridged,
  LARGE_VALUE_MARK,
  leftOut,
  VALUE_CHARS_MAX,
  VALUE_DEPTH_MAX,
  valuesIn,
} from '../../src/history/large-value.js';
import { sameJson } from '../../src/oracle/observed/recorded-call.js';

const mark = (values: number): object => ({ [LARGE_VALUE_MARK]: values });
const large = (values: number): object => expect.objectContaining(mark(values));
const small = { charsMax: 60, depthMax: 4 };
const short = (value: unknown): unknown => JSON.parse(abridged(JSON.stringify(value), small)!);

describe('a JSON value that is too large', () => {
  it.each<[string, unknown, unknown]>([
    ['nothing', { id: 'a', output: [1, 2] }, { id: 'a', output: [1, 2] }],
    [
      'a long array, and nothing beside it',
      { id: 'a', output: Array(50).fill(1), status: 'b' },
      { id: 'a', output: [large(50)], status: 'b' },
    ],
    [
      'a long object',
      {
        o: Object.fromEntries(
          Array(20)
            .fill(0)
            .map((_, n) => [`k${n}`, n]),
        ),
      },
      { o: large(20) },
    ],
    ['what many small ones come to', [Array(20).fill([1]), 2], [[large(40)], 2]],
    ['what is too deep', { a: [[[[[1, 2]]]]] }, { a: [[[[mark(3)]]]] }],
    ['the whole, if nothing less will do', Array(50).fill(7), [large(50)]],
    ['a long key', { ['k'.repeat(80)]: 1 }, large(1)],
  ])('is left out: %s', (_, value, kept) => {
    expect(short(value)).toEqual(kept);
  });

  it('counts brackets, commas and quotes within strings for nothing', () => {
    const text = JSON.stringify({ a: '[[[[[[{"\\\\"]],,\\', b: '"' });
    expect(abridged(text, { charsMax: 200, depthMax: 4 })).toBe(text);
  });

  it('never exceeds the limits, and nothing changes below them', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 8 }), (value) => {
        const text = JSON.stringify(value);
        expect(abridged(text, { charsMax: 10_000, depthMax: 20 })).toBe(text);
        const kept = abridged(text, small)!;
        const again = JSON.stringify(JSON.parse(kept));
        expect(depthOf(JSON.parse(kept))).toBeLessThanOrEqual(small.depthMax + 2);
        if (typeof value !== 'string') expect(again.length).toBeLessThan(text.length + 140);
      }),
    );
  });

  it.each(['[1,2', '{"a":[}', ']'.repeat(600), `${'['.repeat(600)}{`, '["a'])('is no JSON: %.10s', (text) => {
    expect(abridged(text, { charsMax: 1, depthMax: 1 })).toBeNull();
  });

  it('is the same however it is written', () => {
    const value = { output: Array(20).fill({ a: 1, b: 2 }) };
    const other = { output: Array(20).fill({ b: 2, a: 1 }) };
    expect(JSON.parse(abridged(JSON.stringify(value, null, 4), small)!)).toEqual(short(value));
    expect(short(value)).toEqual(short(other));
  });
});

function depthOf(value: unknown): number {
  if (value === null || typeof value !== 'object') return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}

describe('a body', () => {
  const nested = (depth: number): string => `{"id":"a","output":${'['.repeat(depth)}${']'.repeat(depth)}}`;

  it.each([2_200, 2_000_000])('that is nested %i deep is JSON, and can be gone through', (depth) => {
    const body = bodyOf(nested(depth));
    expect(body).toMatchObject({ as: 'json', bytes: 2 * depth + 20, value: { id: 'a' } });
    expect(depthOf(body.as === 'json' ? body.value : null)).toBeLessThanOrEqual(VALUE_DEPTH_MAX + 2);
    expect(structuredClone(body)).toEqual(body);
  });

  it('with millions of values keeps the members beside them', () => {
    const text = `{"id":"a","status":"COMPLETED","output":[${Array(3_000_000).fill('"x"').join(',')}]}`;
    const value = valueOf(text);
    expect(value).toEqual({ id: 'a', status: 'COMPLETED', output: [large(3_000_000)] });
  });

  it('of the harness is kept unchanged, however large', () => {
    const plan = Array(40)
      .fill(0)
      .map((_, n) => ({ n, of: Array(40_000).fill(n) }));
    const body = ownBodyOf(JSON.stringify({ input: { plan } }));
    expect(body).toMatchObject({ value: { input: { plan } } });
  });

  it('with many long strings is kept unchanged', () => {
    const value = { stream: Array(200).fill('.'.repeat(40_000)) };
    expect(bodyOf(JSON.stringify(value))).toEqual(ownBodyOf(JSON.stringify(value)));
  });

  it('that was too large equals the original as far as can be determined', () => {
    const whole = { output: Array(300_000).fill([1, { a: 2 }]) };
    const kept = valueOf(JSON.stringify(whole));
    expect(leftOut((kept as { output: Json }).output)).toBe(valuesIn(whole.output));
    expect(sameJson(kept, whole)).toBe(true);
    expect(sameJson(kept, { output: whole.output.slice(1) })).toBe(false);
  });

  it('that was too large differs from one of the same size with another value', () => {
    const text = (last: number, indent?: number): string =>
      JSON.stringify({ output: [...Array(60_000).fill({ a: 1, b: 'é' }), last] }, null, indent);
    const [one, same, other] = [text(1), text(1, 2), text(2)].map((body) => valueOf(body));
    expect(sameJson(one, same)).toBe(true);
    expect(sameJson(one, other)).toBe(false);
  });

  it('that was too large is known to the byte', () => {
    const value = { input: { numbers: Array(300_000).fill(0.5), text: 'é'.repeat(9) } };
    expect(jsonBytesOf(valueOf(JSON.stringify(value, null, 1))!)).toBe(
      Buffer.byteLength(JSON.stringify(value)),
    );
    // Of so many values it is what is certain.
    const many = `{"input":[${Array(3_000_000).fill('"é"').join(',')}]}`;
    expect(jsonBytesOf(valueOf(many)!)).toBe(many.length);
  });

  it.each(['1,2,', '"a" 1', '{"a":1,}'])('is no JSON where what is too large is none: %s', (end) => {
    expect(bodyOf(`{"output":[${'1,'.repeat(300_000)}${end}]}`)).toMatchObject({ as: 'text' });
  });

  it('as large as any of a shipped scenario is kept unchanged', () => {
    const value = { stream: Array(2_000).fill({ output: 'a chunk' }) };
    const text = JSON.stringify(value);
    expect(text.length).toBeLessThan(VALUE_CHARS_MAX);
    expect(valueOf(text)).toEqual(value);
  });
});
