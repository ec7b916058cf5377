import { describe, expect, it } from 'vitest';
import { createVirtualClock } from '../../src/time/clock.js';
import { createRealClock } from '../../src/time/real-clock.js';

describe('virtual clock', () => {
  it('stands still until it is moved', () => {
    const clock = createVirtualClock(5);
    expect(clock.nowMs()).toBe(5);
    clock.advanceTo(5);
    clock.advanceTo(12);
    expect(clock.nowMs()).toBe(12);
  });

  it('never goes back, and has integer values only', () => {
    const clock = createVirtualClock(5);
    expect(() => clock.advanceTo(4)).toThrow(/never goes back/);
    expect(() => clock.advanceTo(5.5)).toThrow(/integer/);
    expect(clock.nowMs()).toBe(5);
  });
});

describe('real clock', () => {
  it('starts near zero and advances by itself, in integers', async () => {
    const clock = createRealClock();
    const before = clock.nowMs();
    await new Promise((resolve) => setTimeout(resolve, 30));
    const after = clock.nowMs();
    expect(Number.isInteger(after)).toBe(true);
    expect(before).toBeLessThan(1_000);
    expect(after - before).toBeGreaterThanOrEqual(25);
  });
});
