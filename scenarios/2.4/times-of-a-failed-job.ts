import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'the record of a failed job shows its times, too',
  needs: ['scripted-worker'],
  draw: (arb, limits) => ({ workMs: arb.sleep(limits, 1_000, 10_000) }),
  script: ({ workMs }, s) => [
    s.run('job', { plan: [{ sleepMs: workMs }, { fail: 'on purpose' }] }),
    s.await('job', s.ended, { withinMs: workMs + 60_000 }),
    s.status('job', { at: s.wait(2_000) }),
  ],
});
