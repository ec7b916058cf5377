import { describe, expect, it } from 'vitest';
import { ClientRateLimiter } from '../../src/schedule/rate-limiter.js';
import { durationOf } from '../../src/schedule/duration-estimate.js';

describe('calls at a pace', () => {
  it('are as far apart as said, whatever they call', () => {
    let nowMs = 0;
    const limiter = new ClientRateLimiter(() => nowMs, { callsPerSecond: 20 });
    expect(limiter.waitMs('status')).toBe(0);
    limiter.begin('status');
    expect([limiter.waitMs('run'), limiter.waitMs('health'), limiter.waitMs(null)]).toEqual([50, 50, 50]);
    // One that did not wait takes the place of the next.
    limiter.begin(null);
    expect(limiter.waitMs('run')).toBe(100);
    nowMs = 100;
    expect(limiter.waitMs('run')).toBe(0);
  });

  it('keep what section 8 allows as well', () => {
    let nowMs = 0;
    const limiter = new ClientRateLimiter(() => nowMs, { callsPerSecond: 20 });
    for (const _ of [1, 2]) limiter.begin('purge-queue');
    nowMs = 1_000;
    expect(limiter.waitMs('purge-queue')).toBeGreaterThan(9_000);
    expect(limiter.waitMs('status')).toBe(0);
  });

  it('may decide how long a run takes', () => {
    const dryRun = { timesByOperation: new Map([['status', [1, 2, 3]]]), calls: 3, lastsMs: 10 };
    const scripts = [{ script: {}, dryRun }] as unknown as Parameters<typeof durationOf>[0];
    expect(durationOf(scripts, null, 1).wallMs).toBeLessThan(100);
    expect(durationOf(scripts, null, 1, 2).wallMs).toBe(1_500);
  });
});
