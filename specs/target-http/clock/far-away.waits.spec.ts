import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { ClockControl } from '../../../src/target/http/clock/clock-control.js';
import type { Control } from '../../../src/target/http/control.js';

/** Test control of which each call takes so many real ms. */
const controlTaking = (msOf: (nth: number) => number): Control => {
  let calls = 0;
  const clock = async () => {
    const ms = msOf((calls += 1));
    if (ms > 0) await sleep(ms);
    return { nowMs: 0, nextEventAtMs: null };
  };
  return { clockCalls: () => ({ clock }), hasEndpoints: true, hasEndpointClocks: true } as unknown as Control;
};

it.each([
  ['all calls take long is far away', () => 25, { isFarAway: true, isSlow: true }],
  [
    'one call in nine is quick is on a busy machine',
    (nth: number) => (nth % 9 === 0 ? 0 : 40),
    { isFarAway: false, isSlow: true },
  ],
  ['one call is slow is near', (nth: number) => (nth === 1 ? 40 : 0), { isFarAway: false, isSlow: false }],
])('a target of which %s', async (_what, msOf, expected) => {
  const control = await ClockControl.of(controlTaking(msOf), null);
  expect(control).toMatchObject(expected);
  expect(control.playsAtOnce(true)).toBe(expected.isSlow);
});
