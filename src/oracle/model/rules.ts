/** Which requirement a move of a job's life would break. Primary ids only: what else the same sentence says stands in `decisions.ts`. */
import type { RequirementId } from '../../spec/index.js';
import type { Hypothesis, Place } from './hypothesis.js';
import type { Life } from './life.js';

type Ended = 'completed' | 'failed' | 'timed-out';

/** Its worker died: whether another one took it or nobody did, it must come to an end. */
const CRASHED = '3/worker-crash-fails';

export const RULES = {
  ttlRemoves(life: Life, place: Place): RequirementId {
    if (!life.ttlGiven) return '2.2/ttl-default-removes';
    switch (place) {
      case 'queue':
        return '2.2/ttl-removes-queued';
      case 'progress':
        return '2.2/ttl-removes-running';
      case 'failed':
        return '2.2/ttl-removes-failed';
      case 'timed-out':
        return '2.2/ttl-removes-timed-out';
      case 'cancelled':
      case 'purged':
        return '2.2/ttl-removes-cancelled';
      default:
        return '2.2/ttl-removes-completed';
    }
  },

  ttlNotEarly(life: Life, place: Place): RequirementId {
    if (!life.ttlGiven && (place === 'queue' || place === 'progress')) return '2.2/ttl-default-not-early';
    if (place === 'queue') return '2.2/ttl-not-early-queued';
    return place === 'progress' ? '2.2/ttl-not-early-running' : '2.2/ttl-not-early-completed';
  },

  executionEnforced(life: Life, at: Hypothesis): RequirementId {
    if (!life.executionGiven) return '2.2/execution-timeout-default-enforced';
    if (at.retries > 0) return '4.6/keeps-policy';
    return life.sync ? '2.2/execution-timeout-stops-runsync' : '2.2/execution-timeout-stops-run';
  },

  executionNotEarly(life: Life): RequirementId {
    return life.executionGiven
      ? '2.2/execution-timeout-not-early'
      : '2.2/execution-timeout-default-not-early';
  },

  /** A job that finds a worker free is started. */
  freeWorkerTakes(life: Life): RequirementId {
    if (life.lowPriority) return '2.2/low-priority-job-runs';
    return life.startWindow.atOnce ? '1/free-worker-takes-job' : '1/freed-worker-takes-waiting-job';
  },

  waitsForWorker: '1/waits-when-no-worker-free',

  retentionNotEarly: (life: Life): RequirementId => (life.sync ? '4.1/retention-kept' : '4.2/retention-kept'),

  retentionEnds(life: Life): RequirementId {
    if (!life.sync) return '4.2/retention-gone';
    return life.waitGiven ? '4.1/retention-with-wait-gone' : '4.1/retention-gone';
  },

  /** An ended job that did not complete stays readable, at least for the shortest retention named. */
  failedKept: (place: Place): RequirementId => (place === 'failed' ? '3/failed-stays' : '3/timed-out-stays'),

  /** The handler ends with success: the job becomes COMPLETED then. */
  successCompletes(life: Life, at: Hypothesis): RequirementId {
    if (at.retries > 0) return '4.6/retried-job-runs';
    if (at.runs > 0) return CRASHED;
    return life.sync ? '3/success-completes-runsync' : '3/success-completes-run';
  },

  /** The handler ends with an error, or its worker dies: the job becomes FAILED then. */
  errorFails(life: Life, at: Hypothesis, outcome: string): RequirementId {
    if (at.retries > 0) return '4.6/retried-job-runs';
    if (outcome === 'crash' || at.runs > 0) return CRASHED;
    return life.sync ? '3/handler-error-fails-runsync' : '3/handler-error-fails-run';
  },

  /** The handler is through: the job ends then. An output that is too large for a service is a success of the handler all the same. */
  endsWithHandler(life: Life, at: Hypothesis, outcome: string): RequirementId {
    const isError = outcome === 'error' || outcome === 'crash';
    return isError ? RULES.errorFails(life, at, outcome) : RULES.successCompletes(life, at);
  },

  notBeforeHandlerEnds: (at: Hypothesis): RequirementId =>
    at.retries > 0 ? '4.6/retried-job-runs' : '3/not-completed-before-handler-ends',

  noReturnToQueue: (at: Hypothesis): RequirementId =>
    at.meddled === 'retry' ? '4.6/no-effect-in-progress' : '3/no-return-to-queue',

  /** The record shows a state that no listed move leads to. */
  showsCurrentState: '4.3/shows-current-state',

  cancelTakesEffect: (place: Place): RequirementId =>
    place === 'queue' ? '3/cancel-queued' : '3/cancel-running',

  cancelledIsFinal(at: Hypothesis): RequirementId {
    if (at.meddled === 'retry') return '4.6/no-effect-on-cancelled';
    if (at.goneFrom === 'queue') return '3/cancelled-never-starts';
    return at.goneFrom === 'progress' ? '3/cancelled-never-completes' : '3/cancelled-stays';
  },

  purgedIsFinal: (target: Place): RequirementId =>
    target === 'queue' ? '4.7/removes-all-waiting' : '4.7/purged-jobs-never-run',

  purgeRemovesQueued: '4.7/removes-all-waiting',
  purgeKeepsRunning: '4.7/keeps-running',
  purgeKeepsFinished: '4.7/keeps-finished',

  finishedIsFinal(place: Ended): RequirementId {
    if (place === 'completed') return '3/completed-stays';
    return place === 'failed' ? '3/failed-stays' : '3/timed-out-stays';
  },

  retryOnlyUnsuccessful: '4.6/no-effect-on-completed',

  retryRequeues: (place: Place): RequirementId =>
    place === 'failed' ? '3/retry-requeues-failed' : '3/retry-requeues-timed-out',

  expiredNotRetried: (at: Hypothesis): RequirementId =>
    at.goneBy === 'ttl' ? '4.6/expired-by-ttl-not-retried' : '4.6/expired-result-not-retried',

  goneIs404(op: 'stream' | 'cancel', by: 'ttl' | 'retention' | null): RequirementId {
    if (op === 'stream') return by === 'retention' ? '7/result-expired-stream' : '7/ttl-expired-stream';
    return by === 'retention' ? '7/result-expired-cancel' : '7/ttl-expired-cancel';
  },

  ttlIsFinal: '2.2/ttl-stays-gone',
  retentionIsFinal: '7/result-expired-status',
  statusTtlSets: '4.3/ttl-shortens-life',
  statusTtlNotEarly: '4.3/ttl-not-at-once',
  delayTime: '2.4/delay-time-measures-waiting',
  executionTime: '2.4/execution-time-measures-run',
  webhookNotBefore: '6/no-call-before-completion',
} as const;

/** The target's own measurements of a time: where one is wrong, the life may be as it should be. */
export const MEASURING: readonly RequirementId[] = [RULES.delayTime, RULES.executionTime];

export const isOfMeasuring = (rule: RequirementId): boolean => MEASURING.includes(rule);

const OF_CALLS: ReadonlySet<RequirementId> = new Set<RequirementId>([
  '3/cancel-queued',
  '3/cancel-running',
  '3/retry-requeues-failed',
  '3/retry-requeues-timed-out',
]);

/** What a call on the job itself has to do. */
export const isOfCall = (rule: RequirementId): boolean => OF_CALLS.has(rule);

const OF_GONE: ReadonlySet<RequirementId> = new Set(
  (['stream', 'cancel'] as const).flatMap((op) =>
    (['ttl', 'retention'] as const).map((by) => RULES.goneIs404(op, by)),
  ),
);

/** What a call on a job that is gone has to be answered. */
export const isOfGone = (rule: RequirementId): boolean => OF_GONE.has(rule);

/** The rule that keeps a job from moving so, or null where the listed moves decide. */
export function barringRule(from: Hypothesis, target: Place): RequirementId | null {
  switch (from.place) {
    case 'queue':
      return target === 'cancelled' ? RULES.showsCurrentState : null;
    case 'progress':
      if (target === 'queue') return RULES.noReturnToQueue(from);
      return target === 'cancelled' ? RULES.showsCurrentState : null;
    case 'gone':
      return from.goneBy === 'ttl' ? RULES.ttlIsFinal : RULES.retentionIsFinal;
    case 'cancelled':
      return RULES.cancelledIsFinal(from);
    case 'purged':
      return RULES.purgedIsFinal(target);
    default:
      if (from.meddled === 'retry' && from.place === 'completed') return RULES.retryOnlyUnsuccessful;
      return RULES.finishedIsFinal(from.place);
  }
}

/** What `barringRule` may say: while one of these is assumed broken, a job may come back to where it was. */
const BARRING: ReadonlySet<RequirementId> = new Set<RequirementId>([
  '3/no-return-to-queue',
  '4.6/no-effect-in-progress',
  '4.3/shows-current-state',
  '2.2/ttl-stays-gone',
  '7/result-expired-status',
  '4.6/no-effect-on-cancelled',
  '3/cancelled-never-starts',
  '3/cancelled-never-completes',
  '3/cancelled-stays',
  '4.7/removes-all-waiting',
  '4.7/purged-jobs-never-run',
  '4.6/no-effect-on-completed',
  '3/completed-stays',
  '3/failed-stays',
  '3/timed-out-stays',
]);

export const isBarring = (rule: RequirementId): boolean => BARRING.has(rule);
