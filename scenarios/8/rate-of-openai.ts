import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'calls of /openai beyond 2000 within ten seconds are answered with 429',
  needs: ['scripted-worker', 'dedicated', 'load-allowed', 'worker-count-known'],
  workers: 0,
  exclusive: true,
  script: (_, s) => [
    // Without a worker nothing can raise the limit. Where the worker gives the answer, one is needed to
    // finish.
    s.workers(1, { lane: 'control', at: s.wait(1) }),
    Array.from({ length: 5 }, () => s.burst('openai', 400)),
    s.burst('openai', 20),
    s.health(),
  ],
});
