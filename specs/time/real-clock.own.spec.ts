import { afterEach, expect, it, vi } from 'vitest';
import { createRealClock } from '../../src/time/real-clock.js';

afterEach(() => void vi.restoreAllMocks());

it.each([
  [0.1, 5_000 + 1, 400],
  [0.5, 5_000 + 6, 80],
  [1, 5_000 + 12, 40],
  [60, 5_000 + 749, 40 / 60],
  [10_000, 5_000 + 124_900, 0.004],
])('a clock at speed %d: what it shows after 12.49 ms, and how long 40 ms take', (speed, shown, tookMs) => {
  const now = vi.spyOn(performance, 'now').mockReturnValue(700);
  const clock = createRealClock(5_000, speed);
  expect(clock.speed).toBe(speed);
  expect(clock.nowMs()).toBe(5_000);
  expect(clock.realMsUntil(5_040)).toBeCloseTo(tookMs, 9);
  now.mockReturnValue(712.49);
  expect(clock.nowMs()).toBe(shown);
  expect(clock.realMsUntil(5_040)).toBeCloseTo(tookMs - 12.49, 9);
});

it('an instant beyond the range of a timer', () => {
  vi.spyOn(performance, 'now').mockReturnValue(0);
  expect(createRealClock(0, 0.1).realMsUntil(604_800_000)).toBe(6_048_000_000);
});
