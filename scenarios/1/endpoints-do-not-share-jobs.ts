import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'a job cannot be reached under the id of another endpoint',
  needs: ['scripted-worker', 'second-endpoint'],
  secondEndpoint: true,
  workers: 2,
  script: (_, s) => [
    s.run('running', { plan: [{ stream: 'secret' }, { hang: true }], policy: s.noTimeouts }),
    s.run('failed', {
      plan: [{ stream: 'secret' }, { fail: 'on purpose' }],
      planOnRetry: [{ return: 'again' }],
    }),
    s.awaitStarted('running'),
    s.await('failed'),
    ['running', 'failed'].flatMap((job) => [
      s.status(job, { endpoint: s.secondEndpoint }),
      s.stream(job, { endpoint: s.secondEndpoint }),
      s.retry(job, { endpoint: s.secondEndpoint }),
      s.cancel(job, { endpoint: s.secondEndpoint }),
    ]),
    // Similar to the ids of both endpoints, but equal to neither.
    ['-neigh', '-NEIGHBOUR', '-neighbour-2'].map((tail) => [
      s.status('running', { endpoint: `${s.ownEndpoint}${tail}` }),
      s.health({ endpoint: `${s.ownEndpoint}${tail}` }),
    ]),
    s.status('running', { at: s.wait(1_000) }),
    s.status('failed'),
    s.cancel('running'),
  ],
});
