import { scenario } from '../../src/scenario/index.js';
import { TTL_MIN_MS } from '../../src/spec/limits.js';

export default scenario({
  title:
    'a job whose worker crashed is deleted at its ttl, while its next run waits or runs, and frees its worker',
  needs: ['scripted-worker', 'test-control'],
  exclusive: true,
  script: (_, s, { marginMs }) => {
    const ttlMs = TTL_MIN_MS + 2 * marginMs;
    // Deleted when no worker has become free for those that wait.
    const laterMs = ttlMs + 4 * marginMs;
    const again = (ttl: number) =>
      ({ planOnRetry: [{ hang: true }], policy: { ...s.noTimeouts, ttl } }) as const;
    const waiting = ['waits', 'failed'];
    return [
      s.run('runs', { plan: [{ crash: true }], ...again(laterMs) }),
      s.run('waits', { plan: [{ crash: true }], ...again(ttlMs) }),
      s.run('failed', { plan: [{ fail: 'once' }], ...again(ttlMs) }),
      s.await(['runs', ...waiting]),
      s.retry('runs'),
      s.awaitStarted('runs'),
      s.retry(waiting),
      s.run('next', { plan: s.works(300), policy: s.noTimeouts }),
      s.status(waiting, { at: s.after('failed', 'submitted', ttlMs).plus(marginMs) }),
      s.status('runs', { at: s.after('runs', 'submitted', laterMs).plus(marginMs) }),
      s.await('next', s.ended, { withinMs: 90_000, everyMs: 1_000 }),
      s.status(['runs', ...waiting], { at: s.after('failed', 'retried', laterMs).plus(marginMs) }),
    ];
  },
});
