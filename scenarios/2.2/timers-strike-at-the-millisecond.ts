import { scenario } from '../../src/scenario/index.js';
import { HOUR_MS, MINUTE_MS, SECOND_MS, TTL_MIN_MS } from '../../src/spec/limits.js';

/** This long before the deadline no timer may expire, and one that is cut to whole seconds has expired. */
const CLOSE_MS = 200;

export default scenario({
  title: 'no timer expires early at the preceding whole second, minute or hour',
  needs: ['scripted-worker', 'worker-count-known'],
  workers: 2,
  script: (_, s, { maxWaitMs, marginMs }) =>
    [TTL_MIN_MS + SECOND_MS, 2 * MINUTE_MS, 2 * HOUR_MS]
      .map((ms) => ms - 1)
      .filter((ms, i) => i === 0 || 3 * (ms + marginMs) < maxWaitMs)
      .map((ms) => [
        s.run(`life-${ms}`, { plan: [{ hang: true }], policy: { ...s.noTimeouts, ttl: ms } }),
        s.run(`run-${ms}`, { plan: [{ hang: true }], policy: { ...s.noTimeouts, executionTimeout: ms } }),
        s.awaitStarted(`life-${ms}`),
        s.awaitStarted(`run-${ms}`),
        s.status(`life-${ms}`, { at: s.after(`life-${ms}`, 'submitted', ms).minus(CLOSE_MS) }),
        s.status(`run-${ms}`, { at: s.after(`run-${ms}`, 'started', ms).minus(CLOSE_MS) }),
        s.status(`life-${ms}`, { at: s.after(`life-${ms}`, 'submitted', ms).plus(marginMs) }),
        s.status(`run-${ms}`, { at: s.after(`run-${ms}`, 'started', ms).plus(marginMs) }),
      ]),
});
