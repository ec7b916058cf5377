import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { processorMs } from '../support/processor-time.js';
import { createDeadlineTimer } from '../../src/server/clock/deadline-timer.js';
import { isNestedDeeperThan } from '../../src/server/calls/read-body.js';
import { createKeyCheck } from '../../src/server/calls/keys.js';
import { createPendingWork } from '../../src/server/pending-work.js';
import { parseTarget } from '../../src/server/calls/request-target.js';

describe('nesting of JSON', () => {
  const depthOf = (value: unknown): number =>
    typeof value === 'object' && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depthOf)) : 0;

  it('is measured by brackets outside strings', () => {
    const strings = fc.string({ unit: fc.constantFrom('[', '{', '"', '\\', ']', 'ü', ' '), maxLength: 12 });
    const nested = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 6 },
        strings,
        fc.integer(),
        fc.array(tie('value')),
        fc.dictionary(strings, tie('value')),
      ),
    })).value;
    fc.assert(
      fc.property(nested, fc.nat(8), (value, depthMax) => {
        const json = Buffer.from(JSON.stringify(value));
        // Below that length the answer is known without looking.
        const padded = Buffer.concat([json, Buffer.alloc(depthMax, ' ')]);
        expect(isNestedDeeperThan(padded, depthMax)).toBe(depthOf(value) > depthMax);
      }),
    );
  });

  it('is found in broken JSON, too, and quickly', () => {
    const startMs = processorMs();
    expect(isNestedDeeperThan(Buffer.from('['.repeat(5_000)), 2_000)).toBe(true);
    expect(isNestedDeeperThan(Buffer.from(`"${'['.repeat(5_000)}`), 2_000)).toBe(false);
    expect(isNestedDeeperThan(Buffer.from(`["${'\\"'.repeat(10_000_000)}"]`), 2_000)).toBe(false);
    expect(processorMs() - startMs).toBeLessThan(2_000);
  });
});

describe('a request target', () => {
  it.each([
    ['/v2/a/health', { path: '/v2/a/health', query: {} }],
    ['/v2/a/runsync?wait=1000', { path: '/v2/a/runsync', query: { wait: '1000' } }],
    ['/a?wait=1&wait=2', { path: '/a', query: { wait: '1' } }],
    ['/a?', { path: '/a', query: {} }],
    ['/a?b=%20+%2B', { path: '/a', query: { b: '  +' } }],
    ['/a%20b/../c', { path: '/a%20b/../c', query: {} }],
    ['http://host:1/a?b=c', { path: '/a', query: { b: 'c' } }],
    ['http://host', { path: '/', query: {} }],
  ])('%s', (target, expected) => {
    const parsed = parseTarget(target);
    expect(parsed && { path: parsed.path, query: { ...parsed.query } }).toEqual(expected);
  });

  it.each(['/%', '/%zz', '/%ff', '/a?b=%', '/%00', '*', 'nonsense', ''])('%s is none', (target) => {
    expect(parseTarget(target)).toBeNull();
  });

  it('a parameter called __proto__ is a parameter', () => {
    expect(Object.keys(parseTarget('/a?__proto__=1')!.query)).toEqual(['__proto__']);
  });
});

describe('the deadline timer', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  function setUp() {
    const rings: number[] = [];
    const alarm = createDeadlineTimer(
      (atMs) => atMs - Date.now(),
      () => rings.push(Date.now()),
    );
    return { alarm, rings, zeroMs: Date.now() };
  }

  it('fires at the earliest instant it was set to', () => {
    const { alarm, rings, zeroMs } = setUp();
    alarm.set(zeroMs + 500);
    alarm.set(zeroMs + 200);
    alarm.set(zeroMs + 300);
    vi.advanceTimersByTime(1_000);
    expect(rings).toEqual([zeroMs + 200]);
  });

  it('does not fire at once for an instant beyond the range of a timer', () => {
    const { alarm, rings, zeroMs } = setUp();
    alarm.set(zeroMs + 2 ** 33);
    vi.advanceTimersByTime(2 ** 31 - 2);
    expect(rings).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(rings).toHaveLength(1);
  });

  it('fires for what is overdue, and not after it was cancelled', () => {
    const { alarm, rings, zeroMs } = setUp();
    alarm.set(zeroMs - 5);
    vi.advanceTimersByTime(1);
    expect(rings).toHaveLength(1);
    alarm.set(zeroMs + 10);
    alarm.cancel();
    vi.advanceTimersByTime(100);
    expect(rings).toHaveLength(1);
  });
});

it('pending work keeps the instant open until all of it has settled, including later additions', async () => {
  const pendingWork = createPendingWork();
  let second: () => void = () => undefined;
  pendingWork.add(
    Promise.reject(new Error('fails')).finally(() =>
      pendingWork.add(new Promise<void>((resolve) => (second = resolve))),
    ),
  );
  let settled = false;
  const all = pendingWork.settled().then(() => (settled = true));
  await new Promise((resolve) => setImmediate(resolve));
  expect(settled).toBe(false);
  expect(pendingWork.size).toBe(1);
  second();
  await all;
  expect(pendingWork.size).toBe(0);
});

it.each([
  ['one', true],
  ['Bearer one', true],
  ['bearer two', true],
  ['two ', true],
  [undefined, false],
  ['', false],
  ['Bearer', false],
  ['on', false],
  ['one two', false],
  ['Basic one', false],
])('the key in %j: %s', (authorization, accepted) => {
  expect(createKeyCheck(['one', 'two'])(authorization)).toBe(accepted);
});
