/** What other parts of traffic tell of a service is bounded, and has what a loss is known by. */
import { expect, test } from 'vitest';
import type { CallEvent } from '../../src/history/events.js';
import { Signs } from '../../src/traffic/signs.js';

const sign = (call: number, sentMs: number, isLost = false): CallEvent => ({
  ...{ kind: 'call', call, script: call, lane: 'main', endpoint: 'abc', op: 'status', label: null },
  request: {
    ...{ method: 'GET', path: '/v2/abc/status/a', query: { token: 'x' }, auth: 'bearer', contentType: null },
    ...{ body: { as: 'none' }, illegal: null },
  },
  ...{ sentTick: 2 * call, endedTick: 2 * call + 1, sentMs, arrivedByMs: null },
  receivedMs: isLost ? null : sentMs + 10,
  reply: isLost
    ? null
    : {
        ...{ status: 200, contentType: 'application/json', headers: { etag: 'y' } },
        body: { as: 'json', value: { id: 'a', output: 'z'.repeat(1_000) }, bytes: 1_020 },
      },
  ...{ lost: isLost ? 'reset' : null, ...(isLost && { gaveUpMs: sentMs + 10 }) },
});

const MINUTE_MS = 60_000;

test('where nothing was lost, the last call says all', () => {
  const signs = new Signs();
  for (let call = 0; call < 100; call += 1) signs.see(sign(call, call * MINUTE_MS));
  expect(signs.beside([sign(0, 0)], 0).map(({ call }) => call)).toEqual([99]);
  expect(signs.beside([sign(99, 99 * MINUTE_MS)], 0)).toEqual([]);
  expect(JSON.stringify(signs.beside([sign(0, 0)], 0))).not.toMatch(/token|etag|zzz/);
});

test('of a loss, what is near to it is there, and the calls before and after it however far', () => {
  const signs = new Signs();
  const told = [0, 1, 2, 3, 30, 60, 61, 62, 90, 120].map((minute, call) =>
    sign(call, minute * MINUTE_MS, minute === 30 || minute === 61),
  );
  for (const one of told) signs.see(one);
  for (let call = 10; call < 1_000; call += 1) signs.see(sign(call, (120 + call) * MINUTE_MS));
  const calls = signs.beside([sign(1_000, 0)], 0).map(({ call }) => call);
  expect(calls.slice(0, 5)).toEqual([3, 4, 5, 6, 7]);
  expect(calls.at(-1)).toBe(999);
  expect(calls.length).toBeLessThan(20);
});

test('however much is lost, no more than some thousands are kept', () => {
  const signs = new Signs();
  for (let call = 0; call < 100_000; call += 1) signs.see(sign(call, call * 100, call % 50 === 0));
  expect(signs.beside([sign(100_000, 0)], 0).length).toBeLessThan(40_001);
  signs.forget(100_000 * 100);
  expect(signs.beside([sign(100_000, 0)], 0).length).toBeLessThan(20_000);
});
