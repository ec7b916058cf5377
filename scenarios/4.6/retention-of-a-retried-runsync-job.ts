import { assertWithinLimits, scenario } from '../../src/scenario/index.js';
import { RUNSYNC_RETENTION_MS, WAIT_DEFAULT_MS } from '../../src/spec/limits.js';

export default scenario({
  title: 'how long the result of a retried /runsync job is kept, and that of /run for longer',
  needs: ['scripted-worker'],
  draw: (arb, limits) => {
    assertWithinLimits(limits, WAIT_DEFAULT_MS + limits.marginMs);
    return { marginMs: arb.margin(limits) };
  },
  script: ({ marginMs }, s) => [
    (['run', 'runsync'] as const).map((op) =>
      s[op](op, { plan: [{ fail: 'on purpose' }], planOnRetry: s.works(500) }),
    ),
    // It is retried shortly before its result expires, and read before any default timeout can stop its second run.
    s.lane(
      'long',
      s.runsync('long', { plan: [{ sleepMs: 6_000 }, { fail: 'on purpose' }], policy: s.noTimeouts }),
      s.retry('long', { at: s.after('long', 'ended', RUNSYNC_RETENTION_MS - 1_500).plus(0) }),
      s.status('long', { at: s.after('long', 'retried', 4_200).plus(0) }),
    ),
    // So much later that the time since the first end is over before that since the second one.
    s.retry('runsync', { at: s.wait(10_000) }),
    s.retry('run'),
    s.await(['runsync', 'run']),
    s.status('runsync', { at: s.after('runsync', 'ended', RUNSYNC_RETENTION_MS).minus(marginMs) }),
    s.status(['runsync', 'run'], { at: s.after('run', 'ended', WAIT_DEFAULT_MS).plus(marginMs + 1) }),
  ],
});
