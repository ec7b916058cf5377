import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'a purge removes waiting jobs whatever their policy, also those of /runsync and those retried',
  needs: ['scripted-worker', 'worker-count-known', 'dedicated'],
  exclusive: true,
  script: (_, s, { marginMs }) => [
    s.run('retried', { plan: [{ fail: 'once' }], planOnRetry: [{ return: 'ran after all' }] }),
    s.await('retried'),
    s.blocker('blocker'),
    s.awaitStarted('blocker'),
    s.retry('retried'),
    s.run('low', { plan: s.works(100), policy: { lowPriority: true } }),
    s.run('plain', { plan: s.works(100) }),
    s.run('stored', {
      plan: s.works(100),
      s3Config: { accessId: 'id', accessSecret: 'x', bucketName: 'b', endpointUrl: 'https://s3.example' },
    }),
    s.run('lasting', { plan: s.works(100), policy: s.noTimeouts }),
    s.purge(),
    // Before the call that waits: its job, whose id is not known, could be the one that a count has too many.
    s.health({ at: s.wait(marginMs) }),
    s.run('late', { plan: s.works(100) }),
    // Where a purge frees workers, it has begun.
    s.status('late', { at: s.wait(200) }),
    // After that job: a lane begins at once unless its first step has a time.
    s.lane(
      'caller',
      s.runsync('sync', { plan: s.works(100), wait: 30_000, at: s.after('late', 'submitted').plus(300) }),
    ),
    s.purge({ at: s.after('sync', 'submitted', 1_000).plus(0) }),
    s.health(),
    s.cancel('blocker', { at: s.wait(1_000) }),
    s.status(['retried', 'low', 'plain', 'stored', 'lasting', 'late'], { at: s.wait(500) }),
    s.health(),
  ],
});
