/** Section 4.1: how long a `/runsync` call waits (`wait.ts`), unless something ends its waiting before (`wait-ends.ts`). */
import type { CallEvent } from '../../history/events.js';
import type { Job } from '../cast/cases.js';
import { precedes, sightingsOf } from '../cast/sightings.js';
import type { Hypothesis } from '../model/hypothesis.js';
import { QUEUED, STARTED } from '../model/zone.js';
import { foresee } from '../observed/plan.js';
import {
  answerOf,
  brief,
  idIn,
  jsonOf,
  policyFieldOf,
  recordOf,
  seconds,
  statusIn,
  submissionOf,
} from '../observed/reading.js';
import { tooEarly, tooLate } from '../proof/contradiction.js';
import { allowedOnTheWay, onTheWayMs } from '../scene/on-the-way.js';
import type { Scene } from '../scene/scene.js';
import {
  answered,
  isWaitOver,
  observeFraction,
  observeOutOfRange,
  observeRefused,
  sent,
  waitOf,
  type Wait,
} from './wait.js';
import { endedUnnamed, judgeEnd, mayBeGone, mayBePurged, mayHaveEnded, ttlOf } from './wait-ends.js';

export function judgeWaits(scene: Scene): void {
  if (!scene.session.exists) return;
  const calls = scene.cast.roll.of('runsync');
  if (calls.length === 0) return;
  const jobs = new Map<CallEvent, Job>();
  for (const job of scene.cast.jobs) if (job.sync) jobs.set(job.submitted, job);
  const held: CallEvent[] = [];
  for (const call of calls) {
    const { illegal } = call.request;
    if (illegal !== null && !illegal.startsWith('wait-')) continue;
    observeFraction(scene, call);
    if (judgeWait(scene, call, jobs.get(call))) held.push(call);
  }
  if (overlap(held)) scene.pass('4.1/wait-per-call');
}

/** Two calls with different waits were under way at the same time. */
function overlap(calls: readonly CallEvent[]): boolean {
  const endOf = new Map<string | undefined, number>();
  for (const call of [...calls].sort((left, right) => left.sentTick - right.sentTick)) {
    const wait = call.request.query['wait'];
    for (const [other, endedTick] of endOf) if (other !== wait && endedTick > call.sentTick) return true;
    endOf.set(wait, Math.max(endOf.get(wait) ?? -Infinity, call.endedTick ?? Infinity));
  }
  return false;
}

/** Refused for what they are, before anything waited. */
const NOT_HELD: readonly (number | undefined)[] = [400, 401, 413, 429];

/** True when the call was answered as long after its sending as its `wait` says, and no sooner. */
function judgeWait(scene: Scene, call: CallEvent, job: Job | undefined): boolean {
  const wait = waitOf(call);
  const code = call.reply?.status;
  if (wait !== null && code === 400) observeRefused(scene, wait);
  const heldToMs = call.receivedMs ?? call.gaveUpMs ?? null;
  if (wait === null || NOT_HELD.includes(code) || heldToMs === null) return false;
  const arrivedMs = call.arrivedByMs ?? call.sentMs;
  const graceMs = scene.graceAt(call.sentMs + wait.mostMs, heldToMs);
  const isLate = heldToMs > arrivedMs + wait.mostMs + graceMs + onTheWayMs(scene, call);
  const actual = `sent at ${seconds(call.sentMs)}, answered at ${seconds(call.receivedMs ?? Infinity)}, wait ${seconds(wait.mostMs)}`;
  if (isLate)
    scene.check(wait.late, false, call, actual, () => {
      const most = { ms: wait.mostMs, why: 'wait', requirement: wait.late };
      const terms = [most, ...allowedOnTheWay(scene, graceMs, call)];
      return tooLate(idIn(call), sent(call, arrivedMs), terms, answered(call, heldToMs));
    });
  if (call.receivedMs === null) return false;
  const shown = statusIn(call);
  const showsEnd = shown !== null && shown !== 'IN_QUEUE' && shown !== 'IN_PROGRESS';
  if (!showsEnd) observeElapsed(scene, call, wait);
  if (showsEnd || answerOf(call) !== 'ok') {
    judgeEnd(scene, call, job, wait);
    return false;
  }
  const isEarly = !isWaitOver(scene, call, wait);
  if (isEarly && (endedUnnamed(scene, call, wait) || mayBeGone(scene, call))) return false;
  if (isEarly && shown === null && mayHaveEnded(scene, call, job)) {
    noRecord(scene, call);
    return false;
  }
  scene.check(wait.early, !isEarly, call, actual, () => {
    const least = { ms: wait.leastMs, why: 'wait', requirement: wait.early };
    return tooEarly(idIn(call), sent(call, call.sentMs), [least], answered(call, heldToMs));
  });
  if (isEarly || isLate) return false;
  scene.pass(...wait.kept);
  // So much of the time may have been spent on the way there, as far as it is known.
  scene.ledger.late('wait', heldToMs - arrivedMs - wait.mostMs, heldToMs - call.sentMs - wait.leastMs);
  observeOutOfRange(scene, call, wait);
  if (job !== undefined && scene.isJudgedFurther(job)) outlived(scene, call, job);
  return true;
}

/** The wait has passed before the job has ended. */
function outlived(scene: Scene, call: CallEvent, job: Job): void {
  const queuedMs = ({ place, zone }: Hypothesis): number =>
    place === 'queue' || place === 'purged' ? Infinity : -zone.bound(QUEUED, STARTED);
  const graceMs = scene.graceAt(call.sentMs, call.receivedMs!);
  if (scene.lifeOf(job).mustBe((at) => queuedMs(at) > 3 * graceMs || at.goneFrom === 'queue'))
    scene.pass('4.1/wait-covers-queue-time');
  const later = sightingsOf(job).some(
    ({ call: look, shows }) => precedes(call, look) && (shows === 'IN_PROGRESS' || shows === 'COMPLETED'),
  );
  if (later) scene.pass('4.1/wait-leaves-job-alive');
}

/** What comes before its `wait` is over tells of an ended job: then it is the job's record. */
function noRecord(scene: Scene, call: CallEvent): void {
  // What is no JSON is judged as that.
  if (call.reply!.body.as !== 'json') return;
  const { id, status } = recordOf(call) ?? {};
  const told = `the answer, before its wait was over: ${brief(jsonOf(call.reply!.body))}`;
  if (typeof id !== 'string' || id === '') scene.check('2.4/id-in-runsync', false, call, told);
  // Any other status is judged where the answer is.
  if (status === undefined) scene.check('2.4/status-in-runsync', false, call, told);
}

/** How a call is answered whose wait is certainly over, and whose job has certainly not ended. */
function observeElapsed(scene: Scene, call: CallEvent, wait: Wait): void {
  if (wait.leastMs !== wait.mostMs || !isWaitOver(scene, call, wait)) return;
  const submission = submissionOf(call);
  const input = submission?.['input'];
  if (input === undefined || !scene.has('scripted-worker')) return;
  const { lastsMs } = foresee(input, null, false);
  const ttlMs = policyFieldOf(submission, 'ttl') === undefined ? Infinity : (ttlOf(call) ?? 0);
  if (lastsMs === null || Math.min(lastsMs, ttlMs) <= wait.mostMs || mayBePurged(scene, call)) return;
  const code = call.reply!.status;
  const isKnown = code === 200 || code === 202 || code === 408 || code === 504;
  scene.ledger.observe('4.1/wait-elapsed-code', isKnown ? `${code}` : 'other');
  const shown = statusIn(call);
  const isBare = Object.keys(recordOf(call) ?? {}).every((name) => name === 'id' || name === 'status');
  if (shown === null) scene.ledger.observe('4.1/wait-elapsed-body', 'error');
  else if (!isBare) scene.ledger.observe('4.1/wait-elapsed-body', 'record-as-it-stands');
  // The record of a waiting job may hold no more than that.
  else if (shown === 'IN_PROGRESS') scene.ledger.observe('4.1/wait-elapsed-body', 'id-and-status');
}
