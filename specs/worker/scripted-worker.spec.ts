import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Json } from '../../src/history/events.js';
import { endsRun, scriptedWorker } from '../../src/worker/scripted-worker.js';

const of = (input: Json, more: { ranBefore?: boolean; s3Config?: Json } = {}) =>
  scriptedWorker({ input, ranBefore: false, s3Config: null, ...more });

const plan = (...steps: Json[]) => of({ plan: steps });

const success = (output: Json, afterMs = 0) => ({ afterMs, report: { kind: 'success', output } });
const error = (afterMs = 0) => ({ afterMs, report: { kind: 'error', message: expect.any(String) } });
const chunk = (output: Json, afterMs = 0) => ({ afterMs, report: { kind: 'stream', output } });

describe('scripted worker', () => {
  it('succeeds at the end of its plan', () => {
    expect(plan()).toEqual([success({ ok: true })]);
    expect(plan({ sleepMs: 5 }, { sleepMs: 7 })).toEqual([success({ ok: true }, 12)]);
  });

  it('echoes an input without plan at once', () => {
    expect(of({ prompt: 'hello' })).toEqual([success({ echo: { prompt: 'hello' } })]);
    expect(of({})).toEqual([success({ echo: {} })]);
    expect(of([{ plan: [] }])).toEqual([success({ echo: [{ plan: [] }] })]);
    expect(of('plan')).toEqual([success({ echo: 'plan' })]);
    expect(of(null)).toEqual([success({ echo: null })]);
  });

  it('sleeps between its reports', () => {
    expect(plan({ sleepMs: 10 }, { stream: 'a' }, { sleepMs: 0 }, { sleepMs: 20 }, { return: [1] })).toEqual([
      chunk('a', 10),
      success([1], 20),
    ]);
  });

  it('streams and returns anything', () => {
    for (const value of [null, 0, '', [], {}, { error: 'x' }] as Json[]) {
      expect(plan({ stream: value }, { return: value })).toEqual([chunk(value), success(value)]);
    }
  });

  it('makes strings of the requested length', () => {
    expect(plan({ streamBytes: 3 }, { streamBytes: 0 }, { returnBytes: 4 })).toEqual([
      chunk('xxx'),
      chunk(''),
      success({ data: 'xxxx' }),
    ]);
  });

  it('echoes the whole input, and the storage settings as received', () => {
    const input = { plan: [{ echo: true }], extra: [1] };
    expect(of(input)).toEqual([success(input)]);
    const asked = { plan: [{ s3Config: true }] };
    expect(of(asked)).toEqual([success({ s3Config: null })]);
    expect(of(asked, { s3Config: { bucketName: 'b' } })).toEqual([
      success({ s3Config: { bucketName: 'b' } }),
    ]);
  });

  it('fails, crashes and hangs, and then does nothing more', () => {
    expect(plan({ fail: 'no' }, { return: 1 })).toEqual([
      { afterMs: 0, report: { kind: 'error', message: 'no' } },
    ]);
    expect(plan({ sleepMs: 3 }, { crash: true }, { return: 1 })).toEqual([
      { afterMs: 3, report: { kind: 'crash' } },
    ]);
    expect(plan({ stream: 1 }, { hang: true }, { return: 1 })).toEqual([chunk(1)]);
    expect(plan({ return: 1 }, { bogus: 1 })).toEqual([success(1)]);
  });

  it.each<[string, Json]>([
    ['an unknown step', { nap: 1 }],
    ['an empty step', {}],
    ['two members', { sleepMs: 1, return: 1 }],
    ['no object', 'sleep'],
    ['an array', [{ return: 1 }]],
    ['null', null],
    ['a negative sleep', { sleepMs: -1 }],
    ['half a millisecond', { sleepMs: 0.5 }],
    ['a sleep in words', { sleepMs: '1' }],
    ['negative bytes', { streamBytes: -1 }],
    ['half a byte', { returnBytes: 0.5 }],
    ['more bytes than memory', { streamBytes: 2 ** 52 }],
    ['echo of something else', { echo: false }],
    ['s3Config of something else', { s3Config: 1 }],
    ['crash of something else', { crash: null }],
    ['hang of something else', { hang: 'true' }],
    ['a message that is no text', { fail: 1 }],
    ['a member of every object', { toString: 1 }],
  ])('takes %s for a handler error, when that step is reached', (_, step) => {
    expect(plan({ stream: 1 }, { sleepMs: 9 }, step, { return: 1 })).toEqual([chunk(1), error(9)]);
  });

  it.each<[string, Json]>([
    ['an object', { 0: { return: 1 } }],
    ['null', null],
    ['a text', '[]'],
  ])('takes %s in the place of a plan for a handler error', (_, value) => {
    expect(of({ plan: value })).toEqual([error()]);
    expect(of({ plan: [], planOnRetry: value }, { ranBefore: true })).toEqual([error()]);
  });

  it('follows planOnRetry once a worker has run the job before', () => {
    const input = { plan: [{ return: 'first' }], planOnRetry: [{ return: 'again' }] };
    expect(of(input)).toEqual([success('first')]);
    expect(of(input, { ranBefore: true })).toEqual([success('again')]);
    expect(of({ plan: [{ return: 'first' }] }, { ranBefore: true })).toEqual([success('first')]);
    expect(of({ planOnRetry: [{ return: 'again' }] })).toEqual([
      success({ echo: { planOnRetry: [{ return: 'again' }] } }),
    ]);
  });

  it('keeps sums of sleeps exact', () => {
    const [only] = plan({ sleepMs: Number.MAX_SAFE_INTEGER }, { sleepMs: Number.MAX_SAFE_INTEGER });
    expect(Number.isSafeInteger(only!.afterMs)).toBe(true);
  });

  it('never throws, reports in order, and ends at most once', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.array(fc.jsonValue()), fc.boolean(), (any, steps, ranBefore) => {
        for (const input of [any, { plan: any }, { plan: steps }, { plan: steps, planOnRetry: any }]) {
          const timeline = of(input as Json, { ranBefore });
          const ends = timeline.filter(({ report }) => endsRun(report)).length;
          expect(ends).toBe(timeline.length === 0 ? 0 : 1);
          expect(timeline.every(({ afterMs }) => Number.isSafeInteger(afterMs) && afterMs >= 0)).toBe(true);
        }
      }),
    );
  });
});
