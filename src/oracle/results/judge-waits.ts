/** Section 4.1: how long a `/runsync` call waits, unless something ends its waiting before (`wait-ends.ts`). */
import type { CallEvent } from '../../history/events.js';
import type { RequirementId } from '../../spec/index.js';
import { WAIT_DEFAULT_MS } from '../../spec/limits.js';
import {
  ELAPSED,
  isWaitOver,
  jobOf,
  mayBeGone,
  mayBePurged,
  mayHaveEnded,
  planOf,
  waitOf,
} from '../calls/wait.js';
import type { Job } from '../cast/cases.js';
import { servedAt } from '../cast/shown.js';
import { precedes, sightingsOf } from '../cast/sightings.js';
import type { Hypothesis } from '../model/hypothesis.js';
import { QUEUED, STARTED } from '../model/zone.js';
import { tookAtLeast } from '../observed/tolerance.js';
import { answerOf, idIn, recordOf, seconds, statusIn } from '../observed/reading.js';
import { tooEarly, tooLate } from '../proof/contradiction.js';
import { allowedOnTheWay, onTheWayMs } from '../scene/on-the-way.js';
import type { Scene } from '../scene/scene.js';
import { answered, endedUnnamed, judgeEnd, sent, ttlOf } from './wait-ends.js';

export function judgeWaits(scene: Scene): void {
  if (!scene.session.exists) return;
  const held: CallEvent[] = [];
  for (const call of scene.cast.roll.of('runsync')) {
    const { illegal } = call.request;
    if (illegal !== null && !illegal.startsWith('wait-')) continue;
    observeFraction(scene, call);
    if (judgeWait(scene, call)) held.push(call);
  }
  if (areOverlapping(held)) scene.pass('4.1/wait-per-call');
}

/** Two calls with different waits were under way at the same time; `calls`: in order of their ends. */
function areOverlapping(calls: readonly CallEvent[]): boolean {
  const endOf = new Map<string | undefined, number>();
  for (const { request, sentTick, endedTick } of calls) {
    const { wait } = request.query;
    for (const [other, lastTick] of endOf) if (other !== wait && lastTick > sentTick) return true;
    endOf.set(wait, endedTick!);
  }
  return false;
}

const CLAMPED = { 'to-min': '4.1/wait-below-min', 'to-max': '4.1/wait-above-max' } as const;

/** Refused for what they are, before anything waited. */
const NOT_HELD: readonly (number | undefined)[] = [400, 401, 413, 429];

/** True when the call was answered as long after its sending as its `wait` says, and no sooner. */
function judgeWait(scene: Scene, call: CallEvent): boolean {
  const wait = waitOf(call);
  const job = jobOf(scene, call);
  if (wait === null) return false;
  const { leastMs, mostMs, early, late, clamped } = wait;
  const code = call.reply?.status;
  if (clamped !== null && code === 400) {
    scene.passWhere(servedAt('runsync'), clamped === 'to-min' ? early : late);
    scene.ledger.observe(CLAMPED[clamped], 'refused');
  }
  const heldToMs = call.receivedMs ?? call.gaveUpMs ?? null;
  if (NOT_HELD.includes(code) || heldToMs === null) return false;
  const arrivedMs = call.arrivedByMs ?? call.sentMs;
  const graceMs = scene.graceAt(call.sentMs + mostMs, heldToMs);
  const isLate = heldToMs > arrivedMs + mostMs + graceMs + onTheWayMs(scene, call);
  const actual = `sent at ${seconds(call.sentMs)}, answered at ${seconds(call.receivedMs ?? Infinity)}, wait ${seconds(mostMs)}`;
  if (isLate)
    scene.check(late, false, call, actual, () => {
      const most = { ms: mostMs, why: 'wait', requirement: late };
      const terms = [most, ...allowedOnTheWay(scene, graceMs, call)];
      return tooLate(idIn(call), sent(call, arrivedMs), terms, answered(call, heldToMs));
    });
  if (call.receivedMs === null) return false;
  const shown = statusIn(call);
  const showsEnd = shown !== null && shown !== 'IN_QUEUE' && shown !== 'IN_PROGRESS';
  const isOver = isWaitOver(scene, call);
  if (!showsEnd && isOver && leastMs === mostMs) observeElapsed(scene, call, mostMs);
  if (showsEnd || answerOf(call) !== 'ok') {
    judgeEnd(scene, call, job, leastMs);
    return false;
  }
  if (!isOver && (endedUnnamed(scene, call, leastMs) || mayBeGone(scene, call))) return false;
  // What comes before its `wait` is over tells of an ended job: whether it is the job's record is judged where the answer is.
  if (!isOver && shown === null && mayHaveEnded(scene, call)) return false;
  scene.check(early, isOver, call, actual, () => {
    const least = { ms: leastMs, why: 'wait', requirement: early };
    return tooEarly(idIn(call), sent(call, call.sentMs), [least], answered(call, heldToMs));
  });
  if (!isOver || isLate) return false;
  scene.pass(...new Set<RequirementId>([late, ELAPSED]));
  // So much of the time may have been spent on the way there, as far as it is known.
  scene.ledger.late('wait', heldToMs - arrivedMs - mostMs, heldToMs - call.sentMs - leastMs);
  if (clamped !== null && isHeldFor(scene, call, WAIT_DEFAULT_MS))
    scene.ledger.observe(CLAMPED[clamped], 'default-instead');
  else if (clamped === 'to-min' && isHeldFor(scene, call, leastMs))
    scene.ledger.observe(CLAMPED[clamped], 'raised');
  else if (clamped === 'to-max' && isHeldFor(scene, call, mostMs))
    scene.ledger.observe(CLAMPED[clamped], 'lowered');
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

/** How a call is answered whose wait is certainly over, and whose job has certainly not ended. */
function observeElapsed(scene: Scene, call: CallEvent, waitMs: number): void {
  const { lastsMs } = planOf(scene, call);
  if (lastsMs === null || Math.min(lastsMs, ttlOf(call) ?? 0) <= waitMs || mayBePurged(scene, call)) return;
  scene.observeCode('4.1/wait-elapsed-code', call.reply!.status, 'other');
  const shown = statusIn(call);
  const isBare = Object.keys(recordOf(call) ?? {}).every((name) => name === 'id' || name === 'status');
  if (shown === null) scene.ledger.observe('4.1/wait-elapsed-body', 'error');
  else if (!isBare) scene.ledger.observe('4.1/wait-elapsed-body', 'record-as-it-stands');
  // The record of a waiting job may hold no more than that.
  else if (shown === 'IN_PROGRESS') scene.ledger.observe('4.1/wait-elapsed-body', 'id-and-status');
}

/** A `wait` with a fraction: taken as a number, or as if it were not there. */
function observeFraction(scene: Scene, call: CallEvent): void {
  const text = call.request.query['wait'] ?? '';
  if (!/^[0-9]+\.[0-9]*[1-9]$/.test(text) || call.receivedMs === null || call.reply!.status === 400) return;
  const isRounded = isHeldFor(scene, call, Number(text));
  scene.observe(
    '4.1/wait-fraction',
    isHeldFor(scene, call, WAIT_DEFAULT_MS) ? 'ignored' : isRounded ? 'rounded' : null,
  );
}

/** It was answered after so long, 1 ms for what was rounded. */
function isHeldFor(scene: Scene, call: CallEvent, ms: number): boolean {
  const mostMs = ms + scene.graceMax + onTheWayMs(scene);
  return tookAtLeast(scene.session.run, call, ms - 1) && call.receivedMs! - call.sentMs <= mostMs;
}
