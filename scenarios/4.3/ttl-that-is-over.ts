import { scenario } from '../../src/scenario/index.js';
import { TTL_MIN_MS } from '../../src/spec/limits.js';

export default scenario({
  title: 'how /status answers with a ttl that has already passed',
  needs: ['scripted-worker'],
  draw: (arb, limits) => ({ marginMs: arb.margin(limits) }),
  script: ({ marginMs }, s) => [
    s.blocker('job'),
    s.awaitStarted('job'),
    s.status('job', { at: s.after('job', 'submitted', TTL_MIN_MS).plus(marginMs + 500) }),
    s.status('job', { ttl: TTL_MIN_MS }),
    s.status('job', { at: s.wait(Math.min(marginMs + 500, TTL_MIN_MS / 2)) }),
  ],
});
