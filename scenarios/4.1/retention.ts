import { assertWithinLimits, scenario } from '../../src/scenario/index.js';
import {
  MINUTE_MS,
  RUNSYNC_RETENTION_MS,
  RUNSYNC_RETENTION_WITH_WAIT_MAX_MS,
  WAIT_DEFAULT_MS,
} from '../../src/spec/limits.js';
import { RETENTION_GONE, looksTwice } from '../retention-looks.js';

export default scenario.each({ needs: ['scripted-worker'] }, (one) => ({
  'retention-ends': one({
    title: 'the result of /runsync can be read for one minute after completion, and no longer',
    onlyWith: {
      '4.1/retention-from-completion': { needs: ['worker-count-known'] },
      '4.1/retention-gone': RETENTION_GONE,
      '7/result-expired-status': RETENTION_GONE,
      '7/result-expired-stream': RETENTION_GONE,
      '7/result-expired-cancel': RETENTION_GONE,
      '7/result-expired-retry': RETENTION_GONE,
    },
    draw: (arb, limits) => {
      assertWithinLimits(limits, RUNSYNC_RETENTION_MS + limits.marginMs);
      const waitsMs = looksTwice(limits) ? WAIT_DEFAULT_MS : RUNSYNC_RETENTION_MS;
      return { workMs: arb.remainingBudget(limits, waitsMs, 0, 80_000), marginMs: arb.margin(limits) };
    },
    script: ({ workMs, marginMs }, s, limits) => [
      s.runsync('job', { plan: [{ sleepMs: workMs }, { stream: 'part' }, { return: { kept: 'a minute' } }] }),
      s.status('job', { at: s.after('job', 'ended', RUNSYNC_RETENTION_MS).minus(marginMs) }),
      s.status('job', { at: s.after('job', 'ended', RUNSYNC_RETENTION_MS).justBefore(marginMs) }),
      s.status('job', { at: s.after('job', 'ended', RUNSYNC_RETENTION_MS).plus(marginMs) }),
      // A service that treats the default of `wait` like a given one may keep it this long.
      ...(looksTwice(limits)
        ? [
            s.status('job', { at: s.after('job', 'ended', WAIT_DEFAULT_MS).plus(marginMs) }),
            // A second read, in case the harness was late at the first.
            s.status('job', { at: s.after('job', 'ended', WAIT_DEFAULT_MS).plus(2 * marginMs) }),
          ]
        : []),
      s.stream('job'),
      s.retry('job'),
      s.cancel('job'),
      s.status('job'),
    ],
  }),
  'retention-counts-from-completion': one({
    title: 'the minute of retention begins when the job completes, however long it waited and ran',
    onlyWith: { '4.1/retention-gone': RETENTION_GONE },
    needs: ['scripted-worker', 'worker-count-known'],
    exclusive: true,
    draw: (arb, limits) => {
      assertWithinLimits(limits, RUNSYNC_RETENTION_MS + limits.marginMs);
      return {
        queueMs: arb.remainingBudget(limits, RUNSYNC_RETENTION_MS + 5_000, 3_000, 40_000),
        workMs: arb.remainingBudget(limits, RUNSYNC_RETENTION_MS + 5_000, 3_000, 40_000),
        marginMs: arb.margin(limits),
      };
    },
    script: ({ queueMs, workMs, marginMs }, s, limits) => [
      s.blocker('blocker'),
      s.awaitStarted('blocker'),
      s.lane('caller', s.runsync('job', { plan: s.works(workMs) })),
      s.cancel('blocker', { at: s.after('job', 'submitted', queueMs).plus(0) }),
      s.status('job', { at: s.after('job', 'ended', RUNSYNC_RETENTION_MS).minus(marginMs) }),
      s.status('job', { at: s.after('job', 'ended', RUNSYNC_RETENTION_MS).justBefore(marginMs) }),
      s.status('job', { at: s.after('job', 'ended', RUNSYNC_RETENTION_MS).plus(marginMs) }),
      looksTwice(limits)
        ? s.status('job', { at: s.after('job', 'ended', WAIT_DEFAULT_MS).plus(marginMs) })
        : [],
    ],
  }),
  'retention-after-a-retry': one({
    title: 'the result of a retried /runsync job is kept for a minute from its second completion on',
    draw: (arb, limits) => {
      assertWithinLimits(limits, RUNSYNC_RETENTION_MS + limits.marginMs);
      return {
        laterMs: arb.remainingBudget(limits, RUNSYNC_RETENTION_MS + 5_000, 1_000, 40_000),
        workMs: arb.remainingBudget(limits, RUNSYNC_RETENTION_MS + 5_000, 500, 80_000),
        marginMs: arb.margin(limits),
      };
    },
    script: ({ laterMs, workMs, marginMs }, s) => [
      s.runsync('job', { plan: [{ fail: 'once' }], planOnRetry: s.works(workMs, 'second run') }),
      s.retry('job', { at: s.wait(laterMs) }),
      s.awaitStarted('job'),
      s.awaitEnded('job', workMs, marginMs),
      s.status('job', { at: s.after('job', 'ended', RUNSYNC_RETENTION_MS).minus(marginMs) }),
      s.status('job', { at: s.after('job', 'ended', RUNSYNC_RETENTION_MS).plus(marginMs) }),
    ],
  }),
  'retention-and-reading': one({
    title: 'reading a result repeatedly does not keep it longer than a minute',
    onlyWith: {
      '4.1/retention-gone': RETENTION_GONE,
      '4.1/retention-not-restarted-by-reading': RETENTION_GONE,
    },
    draw: (arb, limits) => {
      assertWithinLimits(limits, RUNSYNC_RETENTION_MS + limits.marginMs);
      return { marginMs: arb.margin(limits) };
    },
    script: ({ marginMs }, s, limits) => [
      s.runsync('job', { plan: s.works(500, { read: 'often' }) }),
      [10_000, 25_000, 40_000, 50_000].map((ms) => [
        s.status('job', { at: s.after('job', 'ended', ms).plus(0) }),
        s.stream('job'),
        s.health(),
        s.requests(),
      ]),
      s.status('job', { at: s.after('job', 'ended', RUNSYNC_RETENTION_MS).plus(marginMs) }),
      looksTwice(limits)
        ? s.status('job', { at: s.after('job', 'ended', WAIT_DEFAULT_MS).plus(marginMs) })
        : [],
    ],
  }),
  'a-result-that-is-gone': one({
    title:
      'with wait, a result expires between the first and the fifth minute, permanently and for every operation',
    workers: 2,
    draw: (arb, limits) => {
      assertWithinLimits(limits, RUNSYNC_RETENTION_WITH_WAIT_MAX_MS + limits.marginMs);
      return { marginMs: arb.margin(limits) };
    },
    script: ({ marginMs }, s) => [
      s.runsync(['read', 'cancelled'], { plan: s.works(500), wait: 5_000 }),
      s.status('cancelled', { at: s.after('cancelled', 'ended', RUNSYNC_RETENTION_MS).plus(marginMs) }),
      s.cancel('cancelled'),
      [1, 2, 3].map((minutes) => [
        s.status('read', {
          at: s.after('read', 'ended', RUNSYNC_RETENTION_MS + minutes * MINUTE_MS).plus(0),
        }),
        s.status('read'),
      ]),
      s.status('read', {
        at: s.after('read', 'ended', RUNSYNC_RETENTION_WITH_WAIT_MAX_MS).plus(marginMs),
      }),
      s.cancel('read'),
    ],
  }),
}));
