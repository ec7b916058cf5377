import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'a retry of one failed job leaves the other failed ones as they are',
  needs: ['scripted-worker', 'worker-count-known'],
  workers: 4,
  exclusive: true,
  script: (_, s) => [
    // With the same input, so that only their ids tell them apart.
    s.run(['a', 'b', 'c'], { plan: [{ fail: 'once' }], planOnRetry: [{ return: 'again' }] }),
    s.run('completed', { plan: [{ return: 1 }] }),
    s.await(['a', 'b', 'c', 'completed']),
    s.retry('b'),
    s.await('b'),
    // Workers other than those of its first run will do.
    s.run(['busy', 'busy, too'], { plan: s.works(15_000) }),
    s.awaitStarted(['busy', 'busy, too']),
    s.retry('c'),
    s.await('c'),
    s.status(['a', 'completed']),
  ],
});
