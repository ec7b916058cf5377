import { assertWithinLimits, scenario } from '../../src/scenario/index.js';
import { HOUR_MS, MINUTE_MS, RUN_RETENTION_MS, WAIT_DEFAULT_MS } from '../../src/spec/limits.js';

export default scenario.each(
  {
    needs: ['scripted-worker'],
    draw: (arb, limits) => {
      assertWithinLimits(limits, RUN_RETENTION_MS + limits.marginMs);
      return { marginMs: arb.margin(limits) };
    },
  },
  (one) => ({
    'retention-ends': one({
      title: 'the result of /run can be read for thirty minutes after completion, and no longer',
      onlyWith: { '4.2/retention-from-completion': { needs: ['worker-count-known'] } },
      draw: (arb, limits) => {
        assertWithinLimits(limits, RUN_RETENTION_MS + limits.marginMs);
        return { workMs: arb.duration(0, 9 * MINUTE_MS), marginMs: arb.margin(limits) };
      },
      script: ({ workMs, marginMs }, s) => [
        s.run('low', { plan: s.works(100), policy: { lowPriority: true } }),
        s.await('low'),
        s.run('job', { plan: [{ stream: 'part' }, ...s.works(workMs, { kept: 'half an hour' })] }),
        s.awaitStarted('job'),
        s.awaitEnded('job', workMs, marginMs),
        s.status('low', { at: s.after('low', 'ended', RUN_RETENTION_MS).minus(marginMs) }),
        s.status('job', { at: s.after('job', 'ended', RUN_RETENTION_MS).minus(marginMs) }),
        s.status('job', { at: s.after('job', 'ended', RUN_RETENTION_MS).plus(marginMs) }),
        s.stream('job'),
        s.retry('job'),
        s.cancel('job'),
        s.status('job'),
      ],
    }),
    'retention-counts-from-completion': one({
      title: 'a job that waited and ran for hours is still readable for thirty minutes',
      needs: ['scripted-worker', 'worker-count-known'],
      exclusive: true,
      draw: (arb, limits) => {
        assertWithinLimits(limits, 2 * HOUR_MS);
        return {
          queueMs: arb.duration(31 * MINUTE_MS, 2 * HOUR_MS),
          workMs: arb.duration(31 * MINUTE_MS, 12 * HOUR_MS),
          marginMs: arb.margin(limits),
        };
      },
      script: ({ queueMs, workMs, marginMs }, s) => [
        s.blocker('blocker'),
        s.awaitStarted('blocker'),
        s.run('job', { plan: s.works(workMs), policy: s.noTimeouts }),
        s.status('job', { at: s.after('job', 'submitted', queueMs).plus(0) }),
        s.cancel('blocker'),
        s.awaitStarted('job'),
        s.awaitEnded('job', workMs, marginMs),
        s.status('job', { at: s.after('job', 'ended', RUN_RETENTION_MS).minus(marginMs) }),
        s.status('job', { at: s.after('job', 'ended', RUN_RETENTION_MS).plus(marginMs) }),
      ],
    }),
    'retention-after-a-retry': one({
      title: 'the result of a retried job is kept from its second completion on',
      onlyWith: { '4.6/retried-job-runs': { needs: ['worker-count-known'] } },
      draw: (arb, limits) => {
        assertWithinLimits(limits, RUN_RETENTION_MS + limits.marginMs);
        return {
          marginMs: arb.margin(limits),
          laterMs: arb.duration(1_000, 25 * MINUTE_MS),
          workMs: arb.duration(500, 9 * MINUTE_MS),
        };
      },
      script: ({ marginMs, laterMs, workMs }, s) => [
        s.run('job', { plan: [{ fail: 'once' }], planOnRetry: s.works(workMs) }),
        s.await('job'),
        s.retry('job', { at: s.wait(laterMs) }),
        s.awaitStarted('job'),
        s.awaitEnded('job', workMs, marginMs),
        s.status('job', { at: s.after('job', 'ended', RUN_RETENTION_MS).minus(marginMs) }),
        s.status('job', { at: s.after('job', 'ended', RUN_RETENTION_MS).plus(marginMs) }),
      ],
    }),
    'retention-and-reading': one({
      title: 'reading a result repeatedly does not keep it longer than thirty minutes',
      script: ({ marginMs }, s) => [
        s.run('job', { plan: s.works(300, { read: 'often' }) }),
        s.awaitStarted('job'),
        s.awaitEnded('job', 300, marginMs),
        [5, 15, 25, 29].map((minutes) => [
          s.status('job', { at: s.after('job', 'ended', minutes * MINUTE_MS).plus(0) }),
          s.stream('job'),
          s.health(),
          s.requests(),
        ]),
        s.status('job', { at: s.after('job', 'ended', RUN_RETENTION_MS).plus(marginMs) }),
      ],
    }),
    'retention-and-refused-retries': one({
      title: 'retries and cancels that come too late do not keep a result longer than thirty minutes',
      script: ({ marginMs }, s) => [
        s.run('cancelled', { plan: [{ return: 'too late' }] }),
        s.await('cancelled'),
        s.run('job', { plan: s.works(300) }),
        s.awaitStarted('job'),
        s.awaitEnded('job', 300, marginMs),
        [1, 10, 20, 28].map((minutes) => [
          s.retry('job', { at: s.after('job', 'ended', minutes * MINUTE_MS).plus(0) }),
        ]),
        s.status('job'),
        s.cancel('cancelled'),
        s.status('cancelled'),
        s.status('cancelled', { at: s.after('cancelled', 'ended', RUN_RETENTION_MS).plus(marginMs) }),
        s.status('job', { at: s.after('job', 'ended', RUN_RETENTION_MS).plus(marginMs) }),
      ],
    }),
    'retention-beside-runsync': one({
      title: 'when results of /runsync expire, those of /run stay, whichever ended first',
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
        s.run('low', { plan: s.works(100), policy: { lowPriority: true } }),
        s.run('large', { plan: [{ returnBytes: 1_200_000 }] }),
        s.await(['after', 'low', 'large']),
        s.status('sync', { at: s.after('sync', 'ended', MINUTE_MS).plus(marginMs) }),
        s.status('sync', { at: s.after('sync', 'ended', WAIT_DEFAULT_MS).plus(marginMs) }),
        s.status(['before', 'retried', 'after', 'low']),
        s.status('before', { at: s.wait(laterMs) }),
        s.status(['retried', 'after', 'low', 'large']),
      ],
    }),
    'retention-of-unsuccessful-jobs': one({
      title: 'what happens after thirty minutes to jobs that failed, were cancelled or timed out',
      needs: ['scripted-worker', 'worker-count-known'],
      workers: 3,
      script: ({ marginMs }, s) => [
        s.run('failed', { plan: [{ fail: 'on purpose' }] }),
        s.run('retried late', { plan: [{ fail: 'on purpose' }], planOnRetry: s.works(100) }),
        s.run('cancelled', { plan: [{ hang: true }] }),
        s.run('timed out', { plan: [{ hang: true }], policy: { executionTimeout: 5_000 } }),
        s.run('completed', { plan: [{ return: 'kept' }] }),
        s.await('failed'),
        s.await('completed'),
        s.awaitStarted('cancelled'),
        s.cancel('cancelled'),
        s.await('timed out', s.ended, { everyMs: 500 }),
        s.status('retried late', {
          at: s.after('failed', 'ended', RUN_RETENTION_MS - 5 * MINUTE_MS).plus(0),
        }),
        s.retry('retried late'),
        s.await('retried late'),
        ['failed', 'cancelled', 'timed out'].map((job) =>
          s.status(job, { at: s.after(job, 'ended', RUN_RETENTION_MS).minus(marginMs) }),
        ),
        ['failed', 'cancelled', 'timed out'].map((job) =>
          s.status(job, { at: s.after(job, 'ended', RUN_RETENTION_MS).plus(marginMs) }),
        ),
        s.retry('failed'),
        s.status('failed', { at: s.wait(1_000) }),
        s.retry('completed', { at: s.after('completed', 'ended', RUN_RETENTION_MS).plus(marginMs) }),
      ],
    }),
  }),
);
