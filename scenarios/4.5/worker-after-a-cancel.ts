import { scenario } from '../../src/scenario/index.js';
import { HOUR_MS } from '../../src/spec/limits.js';

export default scenario({
  title: 'the only worker takes the next job when its own was cancelled',
  needs: ['scripted-worker', 'worker-count-known'],
  exclusive: true,
  script: (_, s) => [
    // It would sleep far longer than a worker may need to restart.
    s.run('stopped', { plan: s.works(HOUR_MS), policy: s.noTimeouts }),
    s.awaitStarted('stopped'),
    s.run('waiting', { plan: s.works(3_000) }),
    s.status('waiting', { at: s.wait(500) }),
    s.cancel('stopped'),
    s.awaitStarted('waiting', { at: s.wait(250) }),
    s.await('waiting', s.ended, { withinMs: 90_000, everyMs: 500 }),
  ],
});
