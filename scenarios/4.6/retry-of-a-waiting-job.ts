import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'a retry of a job that still waits neither duplicates nor moves it',
  exercises: [
    '4.6/no-effect-in-queue',
    '4.6/refused-in-queue',
    '1/job-processed-once',
    '4.8/counts-in-queue',
    '4.8/retried-counts-nothing-else',
  ],
  needs: ['scripted-worker', 'worker-count-known', 'dedicated'],
  exclusive: true,
  script: (_, s) => [
    s.blocker('blocker'),
    s.awaitStarted('blocker'),
    s.run('job', { plan: [{ stream: 'only run' }, ...s.works(500)], planOnRetry: [{ return: 'ran twice' }] }),
    s.run('behind', { plan: s.works(100), planOnRetry: [{ return: 'ran twice' }] }),
    s.retry('job'),
    s.status('job'),
    s.retry('behind', { at: s.wait(500) }),
    s.status('behind'),
    s.health(),
    s.cancel('blocker', { at: s.wait(1_000) }),
    s.await('job', s.ended, { withinMs: 60_000, everyMs: 250 }),
    s.await('behind', s.ended, { withinMs: 60_000, everyMs: 250 }),
    s.stream('job'),
    s.status('job', { at: s.wait(2_000) }),
  ],
});
