import { assertWithinLimits, scenario } from '../../src/scenario/index.js';
import { MINUTE_MS, WAIT_DEFAULT_MS } from '../../src/spec/limits.js';

export default scenario({
  title: 'when results of /runsync expire, those of /run stay, whichever ended first',
  exercises: ['4.1/retention-gone'],
  needs: ['scripted-worker'],
  draw: (arb, limits) => {
    assertWithinLimits(limits, 20 * MINUTE_MS);
    return { marginMs: arb.margin(limits), laterMs: arb.integer(6 * MINUTE_MS, 15 * MINUTE_MS) };
  },
  script: ({ marginMs, laterMs }, s) => [
    s.run('before', { plan: s.works(100) }),
    s.await('before', s.ended, { withinMs: 60_000, everyMs: 250 }),
    s.run('retried', { plan: [{ fail: 'once' }], planOnRetry: s.works(100) }),
    s.await('retried', s.ended, { withinMs: 60_000, everyMs: 250 }),
    s.retry('retried'),
    s.await('retried', s.ended, { withinMs: 60_000, everyMs: 250 }),
    s.runsync('sync', { plan: s.works(300, { read: 'at once' }) }),
    s.run('after', { plan: s.works(100) }),
    s.await('after', s.ended, { withinMs: 60_000, everyMs: 250 }),
    s.status('sync', { at: s.after('sync', 'ended', MINUTE_MS).plus(marginMs) }),
    s.status('sync', { at: s.after('sync', 'ended', WAIT_DEFAULT_MS).plus(marginMs) }),
    ['before', 'retried', 'after'].map((job) => s.status(job)),
    s.status('before', { at: s.wait(laterMs) }),
    ['retried', 'after'].map((job) => s.status(job)),
  ],
});
