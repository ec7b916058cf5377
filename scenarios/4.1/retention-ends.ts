import { assertWithinLimits, scenario } from '../../src/scenario/index.js';
import { RUNSYNC_RETENTION_MS, WAIT_DEFAULT_MS } from '../../src/spec/limits.js';
import { looksTwice, RETENTION_GONE } from '../retention-looks.js';

export default scenario({
  title: 'the result of /runsync can be read for one minute after completion, and no longer',
  onlyWith: {
    '4.1/retention-from-completion': { needs: ['worker-count-known'] },
    '4.1/retention-gone': RETENTION_GONE,
    '7/result-expired-status': RETENTION_GONE,
    '7/result-expired-stream': RETENTION_GONE,
    '7/result-expired-cancel': RETENTION_GONE,
    '7/result-expired-retry': RETENTION_GONE,
  },
  needs: ['scripted-worker'],
  draw: (arb, limits) => {
    assertWithinLimits(limits, RUNSYNC_RETENTION_MS + limits.marginMs);
    const waitsMs = looksTwice(limits) ? WAIT_DEFAULT_MS : RUNSYNC_RETENTION_MS;
    return { workMs: arb.remainingBudget(limits, waitsMs, 0, 80_000), marginMs: arb.margin(limits) };
  },
  script: ({ workMs, marginMs }, s, limits) => [
    s.runsync('job', { plan: [{ sleepMs: workMs }, { stream: 'part' }, { return: { kept: 'a minute' } }] }),
    s.status('job', { at: s.after('job', 'ended', RUNSYNC_RETENTION_MS).minus(marginMs) }),
    s.status('job', { at: s.after('job', 'ended', RUNSYNC_RETENTION_MS).justBefore(marginMs) }),
    s.status('job', { at: s.after('job', 'ended', RUNSYNC_RETENTION_MS).plus(marginMs) }),
    // A service that treats the default of `wait` like a given one may keep it this long.
    ...(looksTwice(limits)
      ? [
          s.status('job', { at: s.after('job', 'ended', WAIT_DEFAULT_MS).plus(marginMs) }),
          // A second read, in case the harness was late at the first.
          s.status('job', { at: s.after('job', 'ended', WAIT_DEFAULT_MS).plus(2 * marginMs) }),
        ]
      : []),
    s.stream('job'),
    s.retry('job'),
    s.cancel('job'),
    s.status('job'),
  ],
});
