import { scenario } from '../../src/scenario/index.js';
import { TTL_MIN_MS } from '../../src/spec/limits.js';

export default scenario({
  title: 'a ttl given to /status deletes retried jobs and those of /runsync as well',
  needs: ['scripted-worker', 'worker-count-known'],
  workers: 2,
  draw: (arb, limits) => ({ marginMs: arb.margin(limits) }),
  script: ({ marginMs }, s) => [
    s.run('retried', { plan: [{ fail: 'once' }], planOnRetry: [{ hang: true }], policy: s.noTimeouts }),
    s.await('retried'),
    s.retry('retried'),
    s.awaitStarted('retried'),
    s.runsync('called', { plan: [{ hang: true }], policy: s.noTimeouts, wait: 1_000 }),
    s.status('called', { ttl: TTL_MIN_MS }),
    s.status('retried', { ttl: TTL_MIN_MS }),
    // Later than that counted from the retry and from the call, too.
    s.status('retried', { at: s.wait(TTL_MIN_MS + 2 * marginMs) }),
    s.status('called'),
  ],
});
