import { assertWithinLimits, scenario } from '../../src/scenario/index.js';
import { MINUTE_MS, WAIT_DEFAULT_MS } from '../../src/spec/limits.js';

export default scenario({
  title: 'when results of /runsync expire, those of /run stay, whichever ended first',
  needs: ['scripted-worker'],
  draw: (arb, limits) => {
    assertWithinLimits(limits, 20 * MINUTE_MS);
    return { marginMs: arb.margin(limits), laterMs: arb.integer(6 * MINUTE_MS, 15 * MINUTE_MS) };
  },
  script: ({ marginMs, laterMs }, s) => [
    s.run('before', { plan: s.works(100) }),
    s.await('before'),
    s.run('retried', { plan: [{ fail: 'once' }], planOnRetry: s.works(100) }),
    s.await('retried'),
    s.retry('retried'),
    s.await('retried'),
    s.runsync('sync', { plan: s.works(300, { read: 'at once' }) }),
    s.run('after', { plan: s.works(100) }),
    s.await('after'),
    s.status('sync', { at: s.after('sync', 'ended', MINUTE_MS).plus(marginMs) }),
    s.status('sync', { at: s.after('sync', 'ended', WAIT_DEFAULT_MS).plus(marginMs) }),
    s.status(['before', 'retried', 'after']),
    s.status('before', { at: s.wait(laterMs) }),
    s.status(['retried', 'after']),
  ],
});
