import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'a retry of a running job neither restarts it nor runs it twice',
  needs: ['scripted-worker'],
  workers: 2,
  draw: (arb, limits) => ({ workMs: arb.sleep(limits, 2_000, 10_000), marginMs: arb.margin(limits) }),
  script: ({ workMs, marginMs }, s) => [
    s.run('job', {
      plan: s.works(workMs, 'only run'),
      planOnRetry: [{ sleepMs: 300 }, { return: 'ran twice' }],
    }),
    s.awaitStarted('job'),
    s.retry('job', { at: s.wait(Math.floor(workMs / 2)) }),
    s.status('job'),
    s.awaitEnded('job', workMs, marginMs),
    s.status('job', { at: s.wait(3_000) }),
    // One that runs because it was retried.
    s.run('retried', { plan: [{ fail: 'once' }], planOnRetry: s.works(3_000) }),
    s.await('retried'),
    s.retry('retried'),
    s.awaitStarted('retried'),
    s.retry('retried', { at: s.wait(1_000) }),
    s.status('retried'),
    s.await('retried', s.ended, { everyMs: 500 }),
    s.status('retried', { at: s.wait(500) }),
    s.status('retried', { at: s.wait(3_000) }),
  ],
});
