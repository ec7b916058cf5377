import { scenario } from '../../src/scenario/index.js';

const PATH = 'v1/chat/completions';
const OTHER = 'v1/embeddings';

/** Decided once a run: whoever finds an allowance used up has sent two thousand calls. */
export default scenario({
  title: 'when one path below /openai has used up the allowance, another has none of its own',
  exercises: ['8/openai-shares-one-allowance', '8/rate-openai-below', '8/rate-openai-above'],
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
    // What was let in is answered once somebody works again.
    s.workers(1, { at: s.wait(100) }),
  ],
});
