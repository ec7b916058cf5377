import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title:
    'a purge counts each waiting job once, whatever its kind, and does not remove a retried job that runs',
  needs: ['scripted-worker', 'worker-count-known', 'dedicated'],
  exclusive: true,
  script: (_, s) => [
    s.run('working', {
      plan: [{ fail: 'once' }],
      planOnRetry: [{ stream: 'one' }, { sleepMs: 4_000 }, { stream: 'two' }, { return: 'done' }],
    }),
    s.run(['retried', 'retried twice'], { plan: [{ fail: 'once' }], planOnRetry: s.works(100) }),
    s.await(['working', 'retried', 'retried twice']),
    s.blocker('blocker'),
    s.awaitStarted('blocker'),
    s.retry('retried'),
    s.burst('retry', 2, { job: 'retried twice' }),
    s.run('low', { plan: s.works(100), policy: { lowPriority: true } }),
    // Their calls have been answered, so that their ids are known, and they still wait.
    s.runsync(['sync', 'sync too', 'sync as well'], { plan: s.works(100), wait: 1_000 }),
    s.purge(),
    s.status(['retried', 'low', 'sync']),
    s.health(),
    s.cancel('blocker', { at: s.wait(1_000) }),
    s.retry('working'),
    s.awaitStarted('working'),
    s.purge({ at: s.wait(1_000) }),
    s.await('working', s.ended, { everyMs: 500 }),
    s.stream('working'),
    s.stream('working'),
  ],
});
