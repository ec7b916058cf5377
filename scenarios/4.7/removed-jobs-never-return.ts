import { scenario, type StepTree, type Steps } from '../../src/scenario/index.js';
import { EXECUTION_TIMEOUT_MIN_MS, TTL_MIN_MS } from '../../src/spec/limits.js';

const REMOVED = ['purged', 'cancelled', 'expired'];

export default scenario.each(
  { needs: ['scripted-worker', 'test-control', 'dedicated'], exclusive: true },
  (one) => ({
    'removed-jobs-never-return': one({
      title:
        'a job that was purged, cancelled or deleted in the queue takes no worker, whatever happens afterwards',
      // No job is retried: an earlier run may have held its worker until the retry.
      script: (_, s, { marginMs }) => [
        removed(s, marginMs),
        looks(s, 'after a crash'),
        s.run('overruns', { plan: [{ hang: true }], policy: { executionTimeout: EXECUTION_TIMEOUT_MIN_MS } }),
        s.await('overruns', s.ended, { everyMs: 1_000 }),
        looks(s, 'after a timeout'),
        s.workers(2),
        looks(s, 'on more workers'),
        s.workers(1),
        looks(s, 'on fewer workers'),
        s.health({ at: s.wait(marginMs) }),
      ],
    }),
    'no-retry-brings-others-back': one({
      title: 'a retry brings no job back that was purged, cancelled or deleted in the queue',
      script: (_, s, { marginMs }) => [
        s.run('failed', { plan: [{ fail: 'before' }], planOnRetry: s.works(100) }),
        s.await('failed'),
        removed(s, marginMs),
        ['failed', 'doomed'].map((job) => [s.retry(job), s.await(job), looks(s, `after a retry of ${job}`)]),
      ],
    }),
  }),
);

/** Each of these jobs would hold a worker for ever; then a worker crashes. */
function removed(s: Steps, marginMs: number): StepTree {
  return [
    s.run('doomed', {
      plan: [{ sleepMs: TTL_MIN_MS + 4 * marginMs + 5_000 }, { crash: true }],
      planOnRetry: [{ crash: true }],
    }),
    s.awaitStarted('doomed'),
    s.blocker('purged'),
    s.purge(),
    s.blocker('cancelled'),
    s.cancel('cancelled'),
    s.blocker('expired', { policy: { ...s.noTimeouts, ttl: TTL_MIN_MS } }),
    s.status(['purged', 'cancelled']),
    s.status('expired', { at: s.after('expired', 'submitted', TTL_MIN_MS).plus(marginMs) }),
    s.await('doomed', s.ended, { withinMs: 120_000 }),
  ];
}

function looks(s: Steps, job: string): StepTree {
  return [
    s.run(job, { plan: s.works(100), policy: s.noTimeouts }),
    s.await(job, s.ended, { withinMs: 90_000 }),
    s.status(REMOVED),
  ];
}
