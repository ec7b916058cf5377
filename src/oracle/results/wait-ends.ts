/** Section 4.1: what ends a `/runsync` call before its `wait` elapses; the answer must follow at once. */
import type { CallEvent } from '../../history/events.js';
import type { RequirementId } from '../../spec/index.js';
import { TTL_MAX_MS, TTL_MIN_MS } from '../../spec/limits.js';
import { isWaitOver, planOf } from '../calls/wait.js';
import { HELD_BY_WEBHOOK, LEFT_BY_PURGES, STARTED_LATE } from '../jobs/doubtful.js';
import { workersAreKnown } from '../jobs/occupancy.js';
import { operationImplemented } from '../jobs/evidence.js';
import { ENDED } from '../model/zone.js';
import { tookAtLeast } from '../observed/tolerance.js';
import { seconds } from '../../util/duration.js';
import {
  answerOf,
  idIn,
  mayTakeEffectDuring,
  policyFieldOf,
  recordOf,
  statusIn,
  submissionOf,
} from '../observed/recorded-call.js';
import { tooLate, type Instant } from '../proof/contradiction.js';
import { latencyTerms, networkLatencyMs } from '../context/network-latency.js';
import type { JudgingContext } from '../context/judging-context.js';
import type { Life } from '../context/life.js';
import { isExpiredUnended, lastStateOf } from '../model/hypothesis.js';

const ENDS = {
  completed: { id: '4.1/wait-answers-on-completion', question: null },
  failed: { id: '4.1/wait-answers-on-failure', question: null },
  'timed-out': { id: '4.1/wait-answers-on-timeout', question: null },
  cancelled: { id: '4.1/wait-answers-on-cancel', question: '4.1/cancelled-during-wait' },
  purged: { id: '4.1/wait-answers-on-purge', question: '4.1/purge-during-wait' },
  ttl: { id: '4.1/wait-answers-on-ttl', question: '4.1/ttl-during-wait' },
} as const;

interface End {
  readonly by: keyof typeof ENDS;
  /** Its end is known only if these are kept. */
  readonly restsOn?: readonly RequirementId[];
  /** The latest instant of the end. */
  readonly byMs: number;
}

/** The answer shows the end of the job, or is not a success. `waitMs`: the shortest meaning of its `wait`. */
export function judgeEnd(context: JudgingContext, call: CallEvent, life: Life | null, waitMs: number): void {
  if (life === null) endedUnnamed(context, call, waitMs);
  else {
    const end = endByItself(life, call) ?? endByOthers(life, call);
    if (end !== null) answeredAt(context, call, waitMs, end);
  }
}

/** The answer must follow the end and not wait any longer. How it reports some ends is open. */
function answeredAt(context: JudgingContext, call: CallEvent, waitMs: number, end: End): void {
  const { by, byMs, restsOn = [] } = end;
  const { id, question } = ENDS[by];
  const isReportedAs = by === 'cancelled' ? statusIn(call) === 'CANCELLED' : isRecord(call);
  if (question !== null && byMs < call.sentMs + waitMs)
    context.ledger.observe(question, readingOf(context, call, isReportedAs), call);
  const receivedMs = call.receivedMs!;
  const graceMs = context.graceAfter(call, byMs - call.sentMs, receivedMs);
  const isLate = receivedMs > byMs + graceMs + networkLatencyMs(context, call);
  // It tests the requirement only if the wait would have lasted longer.
  if (!isLate && receivedMs > call.sentMs + waitMs - graceMs) return;
  const actual = `the job ended by ${seconds(byMs)}, but the call was answered at ${seconds(receivedMs)}`;
  if (!isLate) return context.passGiven(operationImplemented('runsync'), id);
  const ended = { name: 'ended', ms: byMs, why: 'the job had ended by then', call: null };
  const atOnce = { ms: 0, why: 'answered at once', requirement: id };
  const terms = [atOnce, ...latencyTerms(context, graceMs, call)];
  const contradiction = tooLate(idIn(call), ended, terms, answered(call, receivedMs));
  const failure = context.failureOf(call, actual, contradiction);
  context.ledger.resting.push({ id, restsOn, failure });
}

const isRecord = (call: CallEvent): boolean => statusIn(call) !== null || answerOf(call) === 'ok';

function readingOf(context: JudgingContext, call: CallEvent, isReportedAs: boolean) {
  if (isWaitOver(context, call)) return 'at-wait-end';
  if (isReportedAs) return 'record';
  return call.reply!.status === 404 ? 'not-found' : 'other-error';
}

/** The job ended as the answer says. */
function endByItself(life: Life, call: CallEvent): End | null {
  const shown = statusIn(call);
  if (shown !== 'COMPLETED' && shown !== 'FAILED' && shown !== 'TIMED_OUT') return null;
  if (life.job.calls.some(({ op }) => op === 'cancel' || op === 'retry')) return null;
  const explanations = life.whileThere();
  if (explanations.kind !== 'explained' || explanations.mayBe((at) => at.runs > 0)) return null;
  const state = explanations.commonValue(lastStateOf);
  if (state !== 'completed' && state !== 'failed' && state !== 'timed-out') return null;
  return { by: state, byMs: explanations.most((at) => at.zone.latest(ENDED)), restsOn: OF_THE_QUEUE };
}

/** When it started follows from the queue: no other call saw it, as its id is told by this answer. */
const OF_THE_QUEUE: readonly RequirementId[] = [...STARTED_LATE, ...LEFT_BY_PURGES, ...HELD_BY_WEBHOOK];

/** The job was cancelled, purged or deleted by its ttl while its call waited. */
function endByOthers(life: Life, call: CallEvent): End | null {
  // With a retry, this may have happened after the retry.
  if (life.mayBe(({ retries }) => retries > 0)) return null;
  const cancel = during(call, life.calls('cancel'));
  if (cancel !== undefined && life.mustBe((at) => at.state === 'cancelled'))
    return { by: 'cancelled', byMs: cancel.receivedMs! };
  const purge = during(call, life.context.callIndex.of('purge-queue'));
  if (purge !== undefined && life.mustBe((at) => at.state === 'purged' && at.purgedBy === purge))
    return { by: 'purged', byMs: purge.receivedMs! };
  const isByTtl = life.mustBe((at) => isExpiredUnended(at) && at.policy.ttlMs !== null);
  return isByTtl ? { by: 'ttl', byMs: life.ttlEnds.byMs } : null;
}

/** The first of the calls that was sent during this one and succeeded. */
function during(call: CallEvent, others: readonly CallEvent[]): CallEvent | undefined {
  const { sentTick, endedTick } = call;
  return others.find(
    (one) => answerOf(one) === 'ok' && one.sentTick > sentTick && one.sentTick < (endedTick ?? Infinity),
  );
}

/** The answer names no ended job. True if an event during the wait explains why it came. */
export function endedUnnamed(context: JudgingContext, call: CallEvent, waitMs: number): boolean {
  const receivedMs = call.receivedMs!;
  const soonMs = context.graceAt(call.sentMs, receivedMs) + networkLatencyMs(context, call);
  const overMs = call.sentMs + waitMs;
  const purge = during(call, context.callIndex.of('purge-queue'));
  if (purge !== undefined) {
    if (purge.receivedMs! + soonMs >= overMs) return false;
    const isSoon = receivedMs <= purge.receivedMs! + soonMs;
    if (isSoon) context.pass(ENDS.purged.id, '4.7/removes-waiting-runsync');
    if (isSoon || (isWaitOver(context, call) && removedAll(context, purge)))
      context.ledger.observe(ENDS.purged.question, readingOf(context, call, isRecord(call)), call);
    return isSoon;
  }
  const ttlMs = ttlOf(call);
  if (ttlMs !== null && call.sentMs + ttlMs + soonMs < overMs) {
    if (!tookAtLeast(context.session.run, call, ttlMs)) return false;
    // If its job had ended earlier, the call would have been answered then.
    answeredAt(context, call, waitMs, { by: 'ttl', byMs: (call.arrivedByMs ?? call.sentMs) + ttlMs });
    return true;
  }
  const end = answerOf(call) === 'refused' ? endByPlan(context, call) : null;
  if (end !== null) answeredAt(context, call, waitMs, end);
  return false;
}

/** At least as many jobs were removed as may have waited. */
function removedAll(context: JudgingContext, purge: CallEvent): boolean {
  const removed = recordOf(purge)?.['removed'];
  const known = context.lives.filter(
    (life) =>
      life.job.submitted.sentTick < (purge.endedTick ?? Infinity) &&
      life.mayBe((at) => at.purgedBy === purge),
  );
  const unknown = context.callIndex.pendingSubmissions.filter((one) => mayTakeEffectDuring(one, purge));
  return typeof removed === 'number' && removed > 0 && removed >= known.length + unknown.length;
}

/** Alone on its endpoint the job started at once, so its end is known although no answer reports it. */
function endByPlan(context: JudgingContext, call: CallEvent): End | null {
  const { session, jobs, callIndex } = context;
  const isAlone = jobs.length === 0 && callIndex.pendingSubmissions.length === 1;
  const isStarted = session.workersAtFirst !== 0 && session.workers.length === 0;
  if (!isAlone || !isStarted || !workersAreKnown(session, 1)) return null;
  const { outcome, durationMs } = planOf(context, call);
  if ((outcome !== 'success' && outcome !== 'error') || durationMs === null) return null;
  // A refusal before the job can have ended did not wait for it.
  if (call.receivedMs! < call.sentMs + durationMs) return null;
  const startedByMs = (call.arrivedByMs ?? call.sentMs) + session.run.graceMs;
  return { by: outcome === 'success' ? 'completed' : 'failed', byMs: startedByMs + durationMs };
}

/** The lifespan that the submission sets: Infinity if none; null if out of bounds. */
export function ttlOf(call: CallEvent): number | null {
  const ttl = policyFieldOf(submissionOf(call), 'ttl');
  if (ttl === undefined) return Infinity;
  return typeof ttl === 'number' && ttl >= TTL_MIN_MS && ttl <= TTL_MAX_MS ? ttl : null;
}

/** Instants for proofs. */
export const sent = (call: CallEvent, ms: number): Instant => ({
  name: 'sent',
  ms,
  why: `runsync #${call.call} was sent`,
  call: call.call,
});

export const answered = (call: CallEvent, ms: number): Instant => ({
  name: `#${call.call}`,
  ms,
  why: `runsync #${call.call} was ${call.reply === null ? 'given up' : 'answered'}`,
  call: call.call,
});
