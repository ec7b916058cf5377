import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'a purge removes the jobs that wait at that moment: jobs submitted or retried right after it run',
  needs: ['scripted-worker', 'worker-count-known', 'dedicated'],
  exclusive: true,
  workers: 2,
  draw: (arb) => ({ pauseMs: arb.integer(0, 900) }),
  script: ({ pauseMs }, s) => [
    s.run('failed', { plan: [{ fail: 'before the purge' }], planOnRetry: s.works(200) }),
    s.await('failed'),
    s.blocker('blocker'),
    s.run('running', { plan: [{ sleepMs: 6_000 }, { fail: 'after the purge' }], planOnRetry: s.works(200) }),
    s.awaitStarted('running'),
    s.run('purged', { plan: s.works(100) }),
    s.status('purged'),
    s.purge(),
    s.run('next', { plan: s.works(100), at: s.wait(pauseMs) }),
    s.retry('failed'),
    s.await(['failed', 'running', 'next'], s.ended, { everyMs: 500 }),
    s.retry('running'),
    s.await('running', s.ended, { everyMs: 500 }),
    s.cancel('blocker'),
    s.health(),
  ],
});
