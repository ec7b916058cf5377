/** How long a reply is waited for before a controlled clock moves on. */
import { describe, expect, it } from 'vitest';
import { ReplyLatencyEstimator } from '../../src/target/http/clock/clock-steps.js';

const after = (ordinaryMs: readonly number[], replies = 5): ReplyLatencyEstimator => {
  const estimator = new ReplyLatencyEstimator();
  for (let index = 0; index < replies; index += 1) estimator.observe(1);
  for (const ms of ordinaryMs) estimator.observeOrdinary(ms);
  return estimator;
};

describe('the wait for replies under way', () => {
  it('is short where the target is near, also after one slow reply', () => {
    expect(after([2, 1, 2, 3]).quietMs).toBeLessThanOrEqual(10);
    expect(after([...Array<number>(99).fill(2), 400]).quietMs).toBeLessThanOrEqual(25);
  });

  it('is longer than a reply takes where every reply is 50 to 400 ms late', () => {
    const lateMs = Array.from({ length: 200 }, (_, index) => 50 + ((index * 97) % 351));
    expect(after(lateMs).quietMs).toBeGreaterThan(400);
    expect(after(lateMs, 0).quietMs).toBeGreaterThan(400);
  });

  it('has a limit', () => {
    expect(after([60_000]).quietMs).toBeLessThanOrEqual(2_000);
  });
});
