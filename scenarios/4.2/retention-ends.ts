import { assertWithinLimits, scenario } from '../../src/scenario/index.js';
import { MINUTE_MS, RUN_RETENTION_MS } from '../../src/spec/limits.js';

export default scenario({
  title: 'the result of /run can be read for thirty minutes after completion, and no longer',
  onlyWith: { '4.2/retention-from-completion': { needs: ['worker-count-known'] } },
  needs: ['scripted-worker'],
  draw: (arb, limits) => {
    assertWithinLimits(limits, RUN_RETENTION_MS + limits.marginMs);
    return { workMs: arb.duration(0, 9 * MINUTE_MS), marginMs: arb.margin(limits) };
  },
  script: ({ workMs, marginMs }, s) => [
    s.run('job', { plan: [{ stream: 'part' }, ...s.works(workMs, { kept: 'half an hour' })] }),
    s.awaitStarted('job'),
    s.awaitEnded('job', workMs, marginMs),
    s.status('job', { at: s.after('job', 'ended', RUN_RETENTION_MS).minus(marginMs) }),
    s.status('job', { at: s.after('job', 'ended', RUN_RETENTION_MS).plus(marginMs) }),
    s.stream('job'),
    s.retry('job'),
    s.cancel('job'),
    s.status('job'),
  ],
});
