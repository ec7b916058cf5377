import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'purged jobs are gone and never run; running ones finish, and new ones are processed',
  needs: ['scripted-worker', 'worker-count-known', 'dedicated'],
  workers: 2,
  exclusive: true,
  draw: (arb) => ({ waiting: arb.integer(1, 8) }),
  script: ({ waiting }, s) => {
    const labels = Array.from({ length: waiting }, (_, i) => `waiting-${i}`);
    return [
      s.run('finished', { plan: [{ return: 'kept' }] }),
      s.run('failed', { plan: [{ fail: 'kept' }] }),
      s.await('finished'),
      s.await('failed'),
      s.run('running', { plan: s.works(3_000) }),
      s.run('running too', { plan: s.works(4_000) }),
      s.awaitStarted('running'),
      s.awaitStarted('running too'),
      s.run(labels, { plan: [{ stream: 'ran after all' }, { return: 'ran after all' }] }),
      s.purge(),
      s.health(),
      s.status(labels),
      s.run('later', { plan: s.works(300) }),
      s.await(['running', 'running too', 'later']),
      labels.map((label) => [s.status(label), s.stream(label)]),
      s.status('finished'),
      s.status('failed'),
      s.health(),
    ];
  },
});
