/** Section 4.1: what ends the waiting of a `/runsync` call before its `wait` is over; the answer has to follow at once. */
import type { CallEvent } from '../../history/events.js';
import { TTL_MAX_MS, TTL_MIN_MS } from '../../spec/limits.js';
import type { Job } from '../cast/cases.js';
import { workersAreKnown } from '../cast/occupancy.js';
import { servedAt } from '../cast/shown.js';
import { isWaitingOrRunning, precedes, sightingsOf } from '../cast/sightings.js';
import { ENDED, LIFE } from '../model/zone.js';
import { earlyFor } from '../observed/tolerance.js';
import { foresee } from '../observed/plan.js';
import {
  answerOf,
  idIn,
  mayStrikeDuring,
  policyFieldOf,
  recordOf,
  seconds,
  statusIn,
  submissionOf,
} from '../observed/reading.js';
import { tooLate } from '../proof/contradiction.js';
import { allowedOnTheWay, onTheWayMs } from '../scene/on-the-way.js';
import type { Scene } from '../scene/scene.js';
import { answered, isWaitOver, type Wait } from './wait.js';

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
  /** It had come by then. */
  readonly byMs: number;
}

/** The answer shows an end of the job, or is no success. */
export function judgeEnd(scene: Scene, call: CallEvent, job: Job | undefined, wait: Wait): void {
  if (job === undefined) endedUnnamed(scene, call, wait);
  else {
    const end = endByItself(scene, call, job) ?? endByOthers(scene, call, job);
    if (end !== null) answeredAt(scene, call, wait, end);
  }
}

/** The answer has to follow the end, and not to come with the end of the wait. How it tells of some ends is open. */
function answeredAt(scene: Scene, call: CallEvent, wait: Wait, { by, byMs }: End): void {
  const { id, question } = ENDS[by];
  const isToldAs = by === 'cancelled' ? statusIn(call) === 'CANCELLED' : isRecord(call);
  if (question !== null && byMs < call.sentMs + wait.leastMs)
    scene.ledger.observe(question, toldBy(scene, call, wait, isToldAs));
  const receivedMs = call.receivedMs!;
  const graceMs = scene.graceAt(byMs, receivedMs);
  const isLate = receivedMs > byMs + graceMs + onTheWayMs(scene, call);
  // It is only a test of the promise where the wait would have gone on for longer.
  if (!isLate && receivedMs > call.sentMs + wait.leastMs - graceMs) return;
  const actual = `the job had ended by ${seconds(byMs)}, the call was answered at ${seconds(receivedMs)}`;
  scene.checkWhere(servedAt('runsync'), id, !isLate, call, actual, () => {
    const ended = { name: 'ended', ms: byMs, why: 'the job had ended by then', call: null };
    const atOnce = { ms: 0, why: 'answered at once', requirement: id };
    const terms = [atOnce, ...allowedOnTheWay(scene, graceMs, call)];
    return tooLate(idIn(call), ended, terms, answered(call, receivedMs));
  });
}

const isRecord = (call: CallEvent): boolean => statusIn(call) !== null || answerOf(call) === 'ok';

function toldBy(scene: Scene, call: CallEvent, wait: Wait, isToldAs: boolean) {
  if (isWaitOver(scene, call, wait)) return 'at-wait-end';
  if (isToldAs) return 'record';
  return call.reply!.status === 404 ? 'not-found' : 'other-error';
}

/** The job ended as the answer says. */
function endByItself(scene: Scene, call: CallEvent, job: Job): End | null {
  const shown = statusIn(call);
  if (shown !== 'COMPLETED' && shown !== 'FAILED' && shown !== 'TIMED_OUT') return null;
  if (job.calls.some(({ op }) => op === 'cancel' || op === 'retry')) return null;
  const life = scene.lifeWhileThere(job);
  if (life.kind !== 'explained' || life.mayBe((at) => at.runs > 0)) return null;
  const place = life.agreed((at) => (at.place === 'gone' ? at.goneFrom : at.place));
  if (place !== 'completed' && place !== 'failed' && place !== 'timed-out') return null;
  return { by: place, byMs: life.most((at) => at.zone.latest(ENDED)) };
}

/** The job was cancelled, purged or deleted by its ttl while its call waited. */
function endByOthers(scene: Scene, call: CallEvent, job: Job): End | null {
  const life = scene.lifeOf(job);
  // What became of a job that was retried befell it later.
  if (life.kind !== 'explained' || life.mayBe(({ retries }) => retries > 0)) return null;
  const cancel = during(scene, call, 'cancel', (one) => job.calls.includes(one));
  if (cancel !== undefined && life.mustBe((at) => at.place === 'cancelled'))
    return { by: 'cancelled', byMs: cancel.receivedMs! };
  const purge = during(scene, call, 'purge-queue');
  if (purge !== undefined && life.mustBe((at) => at.place === 'purged' && at.purgedBy === purge))
    return { by: 'purged', byMs: purge.receivedMs! };
  const isByTtl = life.mustBe(
    ({ place, goneBy, goneFrom, terms }) =>
      place === 'gone' &&
      goneBy === 'ttl' &&
      terms.ttlMs !== null &&
      (goneFrom === 'queue' || goneFrom === 'progress'),
  );
  return isByTtl
    ? { by: 'ttl', byMs: life.most(({ zone, terms }) => zone.latest(LIFE) + terms.ttlMs!) }
    : null;
}

/** A call of the operation that was sent, and successful, while this one waited. */
function during(
  { cast }: Scene,
  call: CallEvent,
  op: 'cancel' | 'purge-queue',
  isMeant: (one: CallEvent) => boolean = () => true,
): CallEvent | undefined {
  const isWithin = ({ sentTick }: CallEvent): boolean =>
    sentTick > call.sentTick && sentTick < (call.endedTick ?? Infinity);
  return cast.roll.of(op).find((one) => answerOf(one) === 'ok' && isWithin(one) && isMeant(one));
}

/** The answer names no job that has ended. True when what happened while the call waited tells why it came. */
export function endedUnnamed(scene: Scene, call: CallEvent, wait: Wait): boolean {
  const receivedMs = call.receivedMs!;
  const soonMs = scene.graceAt(call.sentMs, receivedMs) + onTheWayMs(scene, call);
  const overMs = call.sentMs + wait.leastMs;
  const purge = during(scene, call, 'purge-queue');
  if (purge !== undefined) {
    if (purge.receivedMs! + soonMs >= overMs) return false;
    const isSoon = receivedMs <= purge.receivedMs! + soonMs;
    if (isSoon) scene.pass(ENDS.purged.id, '4.7/removes-waiting-runsync');
    if (isSoon || (isWaitOver(scene, call, wait) && removedAll(scene, purge)))
      scene.ledger.observe(ENDS.purged.question, toldBy(scene, call, wait, isRecord(call)));
    return isSoon;
  }
  const ttlMs = ttlOf(call);
  if (ttlMs !== null && call.sentMs + ttlMs + soonMs < overMs) {
    if (receivedMs < call.sentMs + ttlMs - earlyFor(scene.session.run.earlyMs, ttlMs)) return false;
    // Had its job ended before, it would have been answered then.
    answeredAt(scene, call, wait, { by: 'ttl', byMs: (call.arrivedByMs ?? call.sentMs) + ttlMs });
    return true;
  }
  const end = answerOf(call) === 'refused' ? endByPlan(scene, call) : null;
  if (end !== null) answeredAt(scene, call, wait, end);
  return false;
}

/** As many were removed as may have waited at all. */
function removedAll(scene: Scene, purge: CallEvent): boolean {
  const removed = recordOf(purge)?.['removed'];
  const { jobs, roll } = scene.cast;
  const known = jobs.filter(
    (job) =>
      job.submitted.sentTick < (purge.endedTick ?? Infinity) &&
      scene.lifeOf(job).mayBe((at) => at.purgedBy === purge),
  );
  const unknown = roll.ghosts.filter((one) => mayStrikeDuring(one, purge));
  return typeof removed === 'number' && removed > 0 && removed >= known.length + unknown.length;
}

/** Alone on its endpoint the job started at once, so that its end is known though no answer tells of it. */
function endByPlan(scene: Scene, call: CallEvent): End | null {
  const { session, cast } = scene;
  const alone = cast.jobs.length === 0 && cast.roll.ghosts.length === 1;
  const input = submissionOf(call)?.['input'];
  if (!alone || input === undefined || !scene.has('scripted-worker')) return null;
  if (!workersAreKnown(session, 1) || session.workersAtFirst === 0 || session.workers.length > 0) return null;
  const { outcome, lastsMs } = foresee(input, null, false);
  if ((outcome !== 'success' && outcome !== 'error') || lastsMs === null) return null;
  // What was refused before its job can have ended was not held for it.
  if (call.receivedMs! < call.sentMs + lastsMs) return null;
  const startedByMs = (call.arrivedByMs ?? call.sentMs) + scene.graceAt(call.sentMs);
  return { by: outcome === 'success' ? 'completed' : 'failed', byMs: startedByMs + lastsMs };
}

/** The lifespan that the submission gives its job; null where it gives none, or none within bounds. */
export function ttlOf(call: CallEvent): number | null {
  const ttl = policyFieldOf(submissionOf(call), 'ttl');
  return typeof ttl === 'number' && ttl >= TTL_MIN_MS && ttl <= TTL_MAX_MS ? ttl : null;
}

export function mayBePurged({ cast }: Scene, call: CallEvent): boolean {
  return cast.roll.purges.some((one) => answerOf(one) !== 'refused' && mayStrikeDuring(one, call));
}

/** Its job's ttl was over before the answer, or a purge came before it: how such a wait is answered is open. */
export function mayBeGone(scene: Scene, call: CallEvent): boolean {
  // One below the minimum may have been taken as it is.
  const ttlMs = policyFieldOf(submissionOf(call), 'ttl');
  const { earlyMs } = scene.session.run;
  const isOver =
    typeof ttlMs === 'number' && call.receivedMs! >= call.sentMs + ttlMs - earlyFor(earlyMs, ttlMs);
  return isOver || mayBePurged(scene, call);
}

/** Nothing tells that the job had not come to its end, or been ended, when the call was answered. */
export function mayHaveEnded(scene: Scene, call: CallEvent, job: Job | undefined): boolean {
  const wentOn =
    job?.retried === false &&
    sightingsOf(job).some(({ call: look, shows }) => precedes(call, look) && isWaitingOrRunning(shows));
  if (wentOn) return false;
  const submission = submissionOf(call);
  const input = submission?.['input'];
  if (input === undefined || !scene.has('scripted-worker')) return true;
  const stoppedMs = policyFieldOf(submission, 'executionTimeout');
  const { lastsMs } = foresee(input, null, false);
  const endsMs = Math.min(lastsMs ?? 0, typeof stoppedMs === 'number' ? stoppedMs : Infinity);
  const isCancelled = job?.calls.some((one) => one.op === 'cancel' && mayStrikeDuring(one, call)) === true;
  return (
    isCancelled || call.receivedMs! - call.sentMs >= endsMs - earlyFor(scene.session.run.earlyMs, endsMs)
  );
}
