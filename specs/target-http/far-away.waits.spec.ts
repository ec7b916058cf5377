import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { ClockControl } from '../../src/target/http/clock-control.js';
import type { Control } from '../../src/target/http/control.js';

/** Test control of which each call takes so many real ms. */
const controlTaking = (msOf: (nth: number) => number): Control => {
  let calls = 0;
  const clock = async () => {
    await sleep(msOf((calls += 1)));
    return { nowMs: 0, nextEventAtMs: null };
  };
  return { clockCalls: () => ({ clock }), hasEndpoints: true, hasEndpointClocks: true } as unknown as Control;
};

it.each([
  ['of which all calls take long is far away', () => 25, true],
  [
    'of which one call in nine is quick is near, on a busy machine',
    (nth: number) => (nth % 9 === 0 ? 1 : 40),
    false,
  ],
  ['of which the first call is quick is near', () => 1, false],
])('a target %s', async (_what, msOf, isFarAway) => {
  const control = await ClockControl.of(controlTaking(msOf), null);
  expect([control.isFarAway, control.playsAtOnce(true)]).toEqual([isFarAway, isFarAway]);
});
