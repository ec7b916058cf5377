import { assertWithinLimits, scenario } from '../../src/scenario/index.js';
import { EXECUTION_TIMEOUT_MIN_MS, HOUR_MS } from '../../src/spec/limits.js';

/** How long an endpoint may take to stop its idle workers. */
const SCALE_DOWN_MS = 30_000;

/** The sum of all waits, which come one after the other. */
const LASTS_MS = 200_000;

const LOOKS = [1, 2, 3, 4, 5, 6];

export default scenario.each(
  { needs: ['scripted-worker', 'worker-count-known'], exclusive: true },
  (one) => ({
    'low-priority-jobs-run': one({
      title: 'a job of low priority runs when a worker is idle',
      script: (_, s) => [
        s.run('low', { plan: s.works(300), policy: { lowPriority: true } }),
        s.awaitStarted('low'),
        s.await('low'),
        s.run('normal', { plan: s.works(300), policy: { lowPriority: false } }),
        s.await('normal'),
      ],
    }),
    'low-priority-in-the-queue': one({
      title: 'jobs with and without lowPriority leave the queue in some order',
      script: (_, s) => [
        s.blocker('blocker'),
        s.awaitStarted('blocker'),
        s.run('first', { plan: s.works(3_000) }),
        s.run('low', { plan: s.works(3_000), policy: { lowPriority: true } }),
        s.run('last', { plan: s.works(3_000) }),
        s.status(['first', 'low', 'last'], { at: s.wait(500) }),
        s.cancel('blocker', { at: s.wait(5_000) }),
        ['first', 'low', 'last'].map((job) =>
          s.lane(
            job,
            s.awaitStarted(job, { at: s.after('blocker', 'cancelled').plus(1) }),
            s.awaitEnded(job, 3_000, 100),
          ),
        ),
      ],
    }),
    'low-priority-beside-another': one({
      title: 'a job of low priority runs on a free worker, whatever other workers do',
      workers: 3,
      script: (_, s) => [
        s.blocker('normal'),
        s.awaitStarted('normal'),
        ['low', 'low too'].map((job) => [
          s.blocker(job, { policy: { ...s.noTimeouts, lowPriority: true } }),
          s.awaitStarted(job),
          s.status(job),
        ]),
        s.cancel(['normal', 'low', 'low too']),
      ],
    }),
    'low-priority-beside-other-fields': one({
      title: 'lowPriority does not disable other fields: ttl, executionTimeout and webhook still apply',
      needs: ['scripted-worker', 'worker-count-known', 'webhook-reachable'],
      draw: (arb, limits) => ({
        ttlMs: arb.ttl(limits, { minMs: 12_000 + 2 * limits.marginMs }),
        marginMs: arb.margin(limits),
      }),
      script: ({ ttlMs, marginMs }, s) => [
        s.run('told', { plan: s.works(100), policy: { lowPriority: true }, webhook: [{ status: 200 }] }),
        s.await('told'),
        s.run('overruns', { plan: [{ hang: true }], policy: { lowPriority: true, executionTimeout: 5_000 } }),
        s.await('overruns', s.ended, { everyMs: 500 }),
        s.run('runs', { plan: [{ hang: true }], policy: { ...s.noTimeouts, lowPriority: true, ttl: ttlMs } }),
        s.awaitStarted('runs'),
        s.run('waits', { plan: s.works(100), policy: { ...s.noTimeouts, lowPriority: true, ttl: 10_000 } }),
        s.status('waits', { at: s.after('waits', 'submitted', 10_000).minus(marginMs) }),
        s.status('waits', { at: s.after('waits', 'submitted', 10_000).plus(marginMs) }),
        s.status('runs', { at: s.after('runs', 'submitted', ttlMs).plus(marginMs) }),
        s.health({ at: s.wait(marginMs) }),
      ],
    }),
    'low-priority-is-timed-like-any-other': one({
      title: 'lowPriority changes neither when a job times out, nor that it can be retried',
      draw: (arb, limits) => ({
        // The reads around its start are so close that it could not have run for its full time in between.
        timeoutMs: arb.executionTimeout(limits, {
          minMs: EXECUTION_TIMEOUT_MIN_MS + 4 * limits.marginMs,
          maxMs: HOUR_MS,
        }),
        marginMs: arb.margin(limits),
      }),
      script: ({ timeoutMs, marginMs }, s) => [
        s.blocker('blocker'),
        s.awaitStarted('blocker'),
        s.run('low', {
          plan: [{ hang: true }],
          planOnRetry: s.works(300),
          policy: { ...s.noTimeouts, lowPriority: true, executionTimeout: timeoutMs },
        }),
        s.status('low', { at: s.after('low', 'submitted', timeoutMs).plus(marginMs) }),
        s.cancel('blocker'),
        s.awaitStarted('low'),
        s.status('low', { at: s.after('low', 'started', timeoutMs).minus(marginMs) }),
        s.status('low', { at: s.after('low', 'started', timeoutMs).plus(marginMs) }),
        s.retry('low'),
        s.await('low', s.ended),
      ],
    }),
    'low-priority-wakes-nobody': one({
      title:
        'alone on an endpoint without workers, a job with lowPriority starts no worker, and one without it does',
      needs: ['dedicated', 'scales-from-zero'],
      // The next jobs show what a worker was started for.
      draw: (_, limits) => {
        assertWithinLimits(limits, LASTS_MS);
        return {};
      },
      script: (_, s) =>
        ['', ' again'].map((round) => {
          const alone = (job: string, lowPriority?: boolean) => [
            s.health(),
            s.health({ at: s.wait(10_000) }),
            s.run(job, {
              plan: s.works(100),
              policy: { ttl: 3_600_000, ...(lowPriority === undefined ? {} : { lowPriority }) },
            }),
          ];
          const started = { withinMs: 60_000, everyMs: 1_000 };
          return [
            s.pause(s.wait(SCALE_DOWN_MS)),
            alone(`low${round}`, true),
            LOOKS.map(() => [s.status(`low${round}`, { at: s.wait(5_000) }), s.health()]),
            s.cancel(`low${round}`),
            alone(`plain${round}`),
            s.await(`plain${round}`, ['IN_PROGRESS', ...s.ended], started),
            s.cancel(`plain${round}`),
            alone(`high${round}`, false),
            s.await(`high${round}`, ['IN_PROGRESS', ...s.ended], started),
            s.cancel(`high${round}`),
          ];
        }),
    }),
  }),
);
