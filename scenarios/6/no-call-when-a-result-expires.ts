import { assertWithinLimits, scenario } from '../../src/scenario/index.js';
import { RUNSYNC_RETENTION_MS, WAIT_DEFAULT_MS } from '../../src/spec/limits.js';
import { looksTwice, RETENTION_GONE } from '../retention-looks.js';

export default scenario({
  title: 'no webhook call is made when a result expires',
  onlyWith: { '4.1/retention-gone': RETENTION_GONE },
  needs: ['webhook-reachable'],
  draw: (arb, limits) => {
    assertWithinLimits(limits, RUNSYNC_RETENTION_MS + 2 * limits.marginMs + 3_000);
    return { marginMs: arb.margin(limits) };
  },
  script: ({ marginMs }, s, limits) => [
    s.runsync('job', { plan: s.works(100), webhook: [{ status: 200 }] }),
    s.status('job', { at: s.after('job', 'ended', RUNSYNC_RETENTION_MS).plus(marginMs) }),
    looksTwice(limits)
      ? s.status('job', { at: s.after('job', 'ended', WAIT_DEFAULT_MS).plus(marginMs) })
      : [],
    s.pause(s.wait(3_000)),
  ],
});
