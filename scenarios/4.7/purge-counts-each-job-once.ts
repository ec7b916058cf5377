import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title:
    'a purge counts each waiting job once, whatever its kind, and does not remove a retried job that runs',
  exercises: [
    '2.6/removed-counts-queued',
    '4.7/removes-waiting-runsync',
    '4.7/removes-waiting-retried',
    '4.7/removes-waiting-low-priority',
    '4.4/chunks-not-lost',
  ],
  needs: ['scripted-worker', 'worker-count-known', 'dedicated'],
  exclusive: true,
  script: (_, s) => [
    s.run('working', {
      plan: [{ fail: 'once' }],
      planOnRetry: [{ stream: 'one' }, { sleepMs: 4_000 }, { stream: 'two' }, { return: 'done' }],
    }),
    ['retried', 'retried twice'].map((job) =>
      s.run(job, { plan: [{ fail: 'once' }], planOnRetry: s.works(100) }),
    ),
    ['working', 'retried', 'retried twice'].map((job) =>
      s.await(job, s.ended, { withinMs: 60_000, everyMs: 250 }),
    ),
    s.blocker('blocker'),
    s.awaitStarted('blocker'),
    s.retry('retried'),
    s.burst('retry', 2, { job: 'retried twice' }),
    s.run('low', { plan: s.works(100), policy: { lowPriority: true } }),
    // Their calls have been answered, so that their ids are known, and they still wait.
    ['sync', 'sync too', 'sync as well'].map((job) => s.runsync(job, { plan: s.works(100), wait: 1_000 })),
    s.purge(),
    ['retried', 'low', 'sync'].map((job) => s.status(job)),
    s.health(),
    s.cancel('blocker', { at: s.wait(1_000) }),
    s.retry('working'),
    s.awaitStarted('working'),
    s.purge({ at: s.wait(1_000) }),
    s.await('working', s.ended, { withinMs: 60_000, everyMs: 500 }),
    s.stream('working'),
    s.stream('working'),
  ],
});
