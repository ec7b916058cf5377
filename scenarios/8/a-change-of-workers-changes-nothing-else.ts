import { scenario } from '../../src/scenario/index.js';
import { TTL_MIN_MS } from '../../src/spec/limits.js';

export default scenario({
  title: 'timers, runs and results are as before when workers are added and removed',
  needs: ['scripted-worker', 'test-control', 'dedicated'],
  workers: 3,
  exclusive: true,
  script: (_, s, { marginMs }) => {
    const timeoutMs = TTL_MIN_MS + 4 * marginMs;
    return [
      s.run('done', { plan: s.works(100), policy: s.noTimeouts }),
      s.run('failed', { plan: [{ fail: 'before' }], policy: s.noTimeouts }),
      s.await(['done', 'failed']),
      s.run('overruns', { plan: [{ hang: true }], policy: { ...s.noTimeouts, executionTimeout: timeoutMs } }),
      s.run('expires', { plan: [{ hang: true }], policy: { ...s.noTimeouts, ttl: TTL_MIN_MS } }),
      s.run('works', {
        plan: [{ stream: 'one' }, { sleepMs: timeoutMs }, { return: 'two' }],
        policy: s.noTimeouts,
      }),
      s.awaitStarted(['overruns', 'expires', 'works']),
      s.run('waits', { plan: [{ hang: true }], policy: { ...s.noTimeouts, ttl: TTL_MIN_MS + marginMs } }),
      s.run('behind', { plan: [{ hang: true }], policy: { ...s.noTimeouts, executionTimeout: timeoutMs } }),
      s.workers(5, { at: s.wait(1_000) }),
      s.awaitStarted(['waits', 'behind']),
      s.workers(1, { at: s.wait(1_000) }),
      s.status(['overruns', 'expires', 'works', 'waits', 'behind', 'done', 'failed']),
      s.status('expires', { at: s.after('expires', 'submitted', TTL_MIN_MS).plus(marginMs) }),
      s.status('waits', { at: s.after('waits', 'submitted', TTL_MIN_MS + marginMs).plus(marginMs) }),
      s.status('overruns', { at: s.after('overruns', 'started', timeoutMs).plus(marginMs) }),
      s.status('behind', { at: s.after('behind', 'started', timeoutMs).plus(marginMs) }),
      s.await('works'),
      s.status(['done', 'failed']),
      s.run('next', { plan: s.works(100) }),
      s.await('next', s.ended, { withinMs: 90_000, everyMs: 1_000 }),
    ];
  },
});
