import { scenario } from '../../src/scenario/index.js';

const PATH = 'v1/chat/completions';
const OTHER = 'v1/embeddings';

/** Decided once per run: finding that a limit is used up takes two thousand calls. */
export default scenario({
  title: 'all paths below /openai share one limit',
  needs: ['scripted-worker', 'dedicated', 'load-allowed', 'worker-count-known'],
  workers: 1,
  exclusive: true,
  script: (_, s) => [
    Array.from({ length: 5 }, () => s.burst('openai', 400, { path: PATH })),
    // From here on no worker raises the limit.
    s.workers(0),
    s.burst('openai', 20, { path: PATH }),
    s.run('mark'),
    s.burst('openai', 100, { path: OTHER, lane: 'other', at: s.after('mark', 'submitted').plus(0) }),
    s.burst('openai', 20, { path: PATH, at: s.wait(300) }),
    // Accepted calls are answered once a worker is available again.
    s.workers(1, { at: s.wait(100) }),
  ],
});
