import { scenario } from '../../src/scenario/index.js';
import { EXECUTION_TIMEOUT_MIN_MS } from '../../src/spec/limits.js';

export default scenario({
  title: 'the record of a job that failed, timed out or was cancelled while it ran shows its times, too',
  needs: ['scripted-worker'],
  draw: (arb, limits) => ({ workMs: arb.sleep(limits, 1_000, 10_000) }),
  script: ({ workMs }, s) => [
    s.run('job', { plan: [{ sleepMs: workMs }, { fail: 'on purpose' }] }),
    s.await('job', s.ended, { withinMs: workMs + 60_000 }),
    s.status('job', { at: s.wait(2_000) }),
    s.runsync('called', { plan: [{ sleepMs: workMs }, { fail: 'on purpose' }] }),
    s.status('called'),
    s.run('overruns', { plan: [{ hang: true }], policy: { executionTimeout: EXECUTION_TIMEOUT_MIN_MS } }),
    s.run('cancelled', { plan: [{ hang: true }] }),
    s.awaitStarted('cancelled'),
    s.cancel('cancelled'),
    s.status('cancelled'),
    s.await('overruns', s.ended, { everyMs: 1_000 }),
  ],
});
