import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'purged jobs are gone and never run; running ones finish, and new ones are processed',
  exercises: [
    '4.7/removes-all-waiting',
    '4.7/purged-jobs-never-run',
    '4.7/keeps-running',
    '4.7/later-jobs-unaffected',
    '2.6/removed-counts-queued',
    '4.7/keeps-finished',
    '4.8/counts-in-queue',
  ],
  needs: ['scripted-worker', 'worker-count-known', 'dedicated'],
  workers: 2,
  exclusive: true,
  draw: (arb) => ({ waiting: arb.integer(1, 8) }),
  script: ({ waiting }, s) => {
    const labels = Array.from({ length: waiting }, (_, i) => `waiting-${i}`);
    return [
      s.run('finished', { plan: [{ return: 'kept' }] }),
      s.run('failed', { plan: [{ fail: 'kept' }] }),
      s.await('finished', s.ended, { withinMs: 60_000, everyMs: 250 }),
      s.await('failed', s.ended, { withinMs: 60_000, everyMs: 250 }),
      s.run('running', { plan: s.works(3_000) }),
      s.run('running too', { plan: s.works(4_000) }),
      s.awaitStarted('running'),
      s.awaitStarted('running too'),
      labels.map((label) =>
        s.run(label, { plan: [{ stream: 'ran after all' }, { return: 'ran after all' }] }),
      ),
      s.purge(),
      s.health(),
      labels.map((label) => s.status(label)),
      s.run('later', { plan: s.works(300) }),
      ['running', 'running too', 'later'].map((label) =>
        s.await(label, s.ended, { withinMs: 60_000, everyMs: 250 }),
      ),
      labels.map((label) => [s.status(label), s.stream(label)]),
      s.status('finished'),
      s.status('failed'),
      s.health(),
    ];
  },
});
