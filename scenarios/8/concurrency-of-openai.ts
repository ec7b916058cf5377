import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'one concurrent call of /openai above the limit, and then as many as the limit allows',
  needs: ['scripted-worker', 'dedicated', 'load-allowed', 'worker-count-known'],
  workers: 0,
  exclusive: true,
  script: (_, s) => {
    const others = Array.from({ length: 21 }, (__, i) => `other-${i}`);
    return [
      // While the bodies are held back no worker can raise the limit. Where the worker answers, one is needed
      // to finish.
      s.workers(1, { lane: 'control', at: s.wait(15_000) }),
      s.run(others, { lane: 'beside' }),
      // A service that refuses one of these has to refuse one of those.
      s.burst('cancel', 21, { held: true, jobs: others, lane: 'beside' }),
      s.burst('openai', 401, { held: true }),
      s.burst('openai', 400, { held: true }),
      s.health(),
    ];
  },
});
