/** Refusals beyond section 8 make calls fewer, as far as they have to do with the number of calls. */
import { describe, expect, it } from 'vitest';
import { Pace } from '../../src/schedule/pace.js';
import { ClientRateLimiter } from '../../src/schedule/rate-limiter.js';
import type { Operation } from '../../src/spec/types.js';

/** Lets in so many calls within any second. */
function gateway(perSecond: number) {
  const letIn: number[] = [];
  return (nowMs: number): boolean => {
    const isRefused = letIn.filter((atMs) => atMs > nowMs - 1_000).length >= perSecond;
    if (!isRefused) letIn.push(nowMs);
    return isRefused;
  };
}

/** Makes calls as soon as it may, at most so many in a second, and is answered at once. */
function play(forMs: number, mostPerSecond: number, isRefused: (nowMs: number, call: number) => boolean) {
  let nowMs = 0;
  const limiter = new ClientRateLimiter(() => nowMs);
  const refusedMs: number[] = [];
  const paces: number[] = [];
  let calls = 0;
  let readyMs = 0;
  for (; nowMs < forMs; nowMs += 1) {
    if (nowMs < readyMs || limiter.waitMs('health') !== 0) continue;
    readyMs = nowMs + 1_000 / mostPerSecond;
    limiter.begin('health');
    const refused = isRefused(nowMs, (calls += 1));
    if (refused) refusedMs.push(nowMs);
    // What is answered was sent a moment before.
    if (limiter.answered({ op: 'health', sentMs: nowMs - 0.1, isRefused: refused }))
      paces.push(limiter.reducedTo!);
    limiter.end('health');
  }
  return { refusedMs, paces, calls, reducedTo: limiter.reducedTo };
}

describe('behind a gateway', () => {
  it.each([5, 20, 60])('that allows %i calls a second, few calls are refused after the first', (allowed) => {
    const isRefused = gateway(allowed);
    const { refusedMs, paces, calls, reducedTo } = play(120_000, 200, isRefused);
    expect(paces[0]).toBeLessThanOrEqual(allowed);
    expect(refusedMs.length).toBeLessThan(30);
    expect(refusedMs.length / calls).toBeLessThan(0.03);
    // It recovers as far as the gateway allows.
    expect(calls).toBeGreaterThan(0.4 * allowed * 120);
    expect(reducedTo).toBeLessThan(1.3 * allowed);
  });

  it('that allows none for a while, calls wait for longer and longer', () => {
    const isRefused = gateway(20);
    const { refusedMs, calls } = play(200_000, 200, (nowMs) =>
      nowMs > 20_000 && nowMs < 80_000 ? true : isRefused(nowMs),
    );
    expect(refusedMs.filter((atMs) => atMs > 20_000 && atMs < 80_000).length).toBeLessThan(9);
    expect(calls).toBeGreaterThan(1_000);
  });
});

it('a refusal that comes before any other answer slows the calls that were not made yet', () => {
  const nowMs = 1_000;
  const pace = new Pace(() => nowMs, 1_000, Infinity);
  for (let call = 0; call < 45; call += 1) pace.begin(true);
  expect(pace.answered({ op: 'run', sentMs: nowMs, isRefused: true })).toBe(true);
  expect(pace.reducedTo).toBe(22);
  expect(pace.waitMs).toBe(1_000);
  // These were under way.
  for (let call = 0; call < 30; call += 1)
    expect(pace.answered({ op: 'run', sentMs: nowMs, isRefused: true })).toBe(false);
  expect(pace.reducedTo).toBe(22);
});

describe('a service that answers some calls with 429 by mistake', () => {
  it.each([
    ['a few of many', (_: number, call: number) => call % 150 === 149],
    ['the first', (_: number, call: number) => call === 1],
  ])('is not called more slowly for long: %s', (_, isRefused) => {
    const { calls } = play(60_000, 20, isRefused);
    expect(calls).toBeGreaterThan(0.55 * 60 * 20);
  });

  it('is not called more slowly for long for a kind of call that it never lets in', () => {
    let nowMs = 0;
    const pace = new Pace(() => nowMs, 1_000, Infinity);
    let reductions = 0;
    for (let call = 0; call < 400; call += 1) {
      nowMs += Math.max(50, pace.waitMs);
      for (const op of ['status', 'run'] as const) {
        pace.begin(true);
        if (pace.answered({ op, sentMs: nowMs - 1, isRefused: op === 'run' })) reductions += 1;
      }
    }
    expect(reductions).toBeLessThan(4);
    expect(pace.reducedTo).toBeGreaterThan(5);
  });

  it('nor for one that it lets in no longer', () => {
    let nowMs = 0;
    const pace = new Pace(() => nowMs, 1_000, Infinity);
    let read = 0;
    for (let call = 0; nowMs < 120_000; call += 1) {
      nowMs += Math.max(50, pace.waitMs);
      const op = call % 4 === 0 ? 'status' : 'cancel';
      pace.begin(true);
      const isRefused = op === 'cancel' && nowMs > 10_000;
      pace.answered({ op, sentMs: nowMs - 1, isRefused });
      if (op === 'status') read += 1;
    }
    expect(read).toBeGreaterThan(0.5 * (120 / 0.05 / 4));
  });
});

describe('a limit of section 8', () => {
  const refusedAfter = (op: Operation, load: number): boolean => {
    const nowMs = 5_000;
    const limiter = new ClientRateLimiter(() => nowMs);
    for (let call = 0; call < 20; call += 1) {
      limiter.begin('health');
      limiter.answered({ op, sentMs: nowMs, isRefused: false });
    }
    for (let call = 0; call < load; call += 1) {
      limiter.begin(op, true);
      limiter.end(op);
    }
    return limiter.answered({ op, sentMs: nowMs - 1, isRefused: true });
  };

  it('explains a refusal where a burst has used it up', () => {
    expect(refusedAfter('status', 2_000)).toBe(false);
    expect(refusedAfter('status', 20)).toBe(true);
  });

  it('may be used up by others where it allows few calls', () => {
    expect(refusedAfter('purge-queue', 0)).toBe(false);
  });
});

it('a burst on purpose holds no other call up for long', () => {
  const nowMs = 0;
  const limiter = new ClientRateLimiter(() => nowMs, { callsPerSecond: 10 });
  for (let call = 0; call < 200; call += 1) limiter.begin('run', true);
  expect(limiter.waitMs('health')).toBe(100);
});

it('a stated pace is never exceeded, and a second may be short on its clock', () => {
  let nowMs = 0;
  const pace = new Pace(() => nowMs, 10_000, 20);
  for (let call = 0; call <= 12; call += 1) {
    pace.begin(true);
    if (call > 0) pace.answered({ op: 'health', sentMs: -1, isRefused: false });
  }
  expect(pace.answered({ op: 'health', sentMs: -1, isRefused: true })).toBe(true);
  expect(pace.reducedTo).toBe(6);
  expect(pace.waitMs).toBe(10_000);
  for (let minute = 0; minute < 40; minute += 1) {
    nowMs += 100_000;
    pace.begin(true);
    pace.answered({ op: 'health', sentMs: nowMs, isRefused: false });
  }
  expect(pace.reducedTo).toBe(20);
});
