/** Section 4.1: how long a `/runsync` call waits, and what ends its waiting. */
import type { CallEvent } from '../../history/events.js';
import type { RequirementId } from '../../spec/index.js';
import { earlyFor } from '../observed/earliness.js';
import { WAIT_DEFAULT_MS, WAIT_MAX_MS, WAIT_MIN_MS } from '../../spec/limits.js';
import type { Job } from '../cast/cases.js';
import { precedes, sightingsOf } from '../cast/sightings.js';
import type { Hypothesis } from '../model/hypothesis.js';
import { workersAreKnown } from '../cast/occupancy.js';
import { ENDED, LIFE, QUEUED, STARTED } from '../model/zone.js';
import { onTheWayMs } from '../scene/on-the-way.js';
import { foresee } from '../observed/plan.js';
import { answerOf, overBefore, recordOf, seconds, statusIn, submissionOf } from '../observed/reading.js';
import { mayBeGone, mayHaveEnded, noRecord } from './no-record.js';
import { answeredTooLate, earlyId, heldTooLong, heldTooShort, lateId } from './waited-in-vain.js';
import { atItsEnd, fraction, outOfRange, ttlOf, type Wait } from './wait-questions.js';
import type { Scene } from '../scene/scene.js';
import { servedAt } from '../cast/shown.js';

export function judgeWaits(scene: Scene): void {
  if (!scene.session.exists) return;
  const calls = scene.cast.roll.of('runsync');
  if (calls.length === 0) return;
  const jobs = new Map<CallEvent, Job>();
  for (const job of scene.cast.jobs) if (job.sync) jobs.set(job.submitted, job);
  const held: CallEvent[] = [];
  for (const call of calls) {
    if (!waitAlone(call)) continue;
    fraction(scene, call);
    if (judgeWait(scene, call, jobs.get(call))) held.push(call);
  }
  if (overlap(held)) scene.pass('4.1/wait-per-call');
}

/** Nothing but its `wait`, if that, is out of the ordinary. */
function waitAlone({ request }: CallEvent): boolean {
  return request.illegal === null || request.illegal.startsWith('wait-');
}

/** Two calls with different waits that were under way at the same time. */
function overlap(calls: readonly CallEvent[]): boolean {
  const endOf = new Map<string | undefined, number>();
  for (const call of [...calls].sort((left, right) => left.sentTick - right.sentTick)) {
    const wait = call.request.query['wait'];
    for (const [other, endedTick] of endOf) {
      if (endedTick <= call.sentTick) endOf.delete(other);
      else if (other !== wait) return true;
    }
    endOf.set(wait, Math.max(endOf.get(wait) ?? -Infinity, call.endedTick ?? Infinity));
  }
  return false;
}

/** What `wait` may mean; null when it cannot be told. A `wait` out of range may be clamped or replaced by the default. */
function waitOf(call: CallEvent): Wait | null {
  const text = call.request.query['wait'];
  if (text === undefined) return { leastMs: WAIT_DEFAULT_MS, mostMs: WAIT_DEFAULT_MS, given: null };
  if (!/^-?[0-9]+$/.test(text)) return null;
  const given = Number(text);
  if (given < WAIT_MIN_MS) return { leastMs: WAIT_MIN_MS, mostMs: WAIT_DEFAULT_MS, given };
  if (given > WAIT_MAX_MS) return { leastMs: WAIT_DEFAULT_MS, mostMs: WAIT_MAX_MS, given };
  return { leastMs: given, mostMs: given, given };
}

/** True when the call was answered as long after its sending as its `wait` says, and no sooner. */
function judgeWait(scene: Scene, call: CallEvent, job: Job | undefined): boolean {
  const wait = waitOf(call);
  const code = call.reply?.status;
  if (wait !== null && code === 400 && wait.leastMs !== wait.mostMs) refusedWait(scene, wait);
  if (wait === null || code === 400 || code === 401 || code === 413 || code === 429) return false;
  const { earlyMs } = scene.session.run;
  const graceMs = scene.graceAt(call.sentMs + wait.mostMs, call.receivedMs ?? call.gaveUpMs ?? Infinity);
  const shown = statusIn(call);
  const ended = shown !== null && shown !== 'IN_QUEUE' && shown !== 'IN_PROGRESS';
  atItsEnd(scene, call, wait, ended);
  const waited = `sent at ${seconds(call.sentMs)}, answered at ${seconds(call.receivedMs ?? Infinity)}, wait ${seconds(wait.mostMs)}`;
  const latestMs = (call.arrivedByMs ?? call.sentMs) + wait.mostMs + graceMs + onTheWayMs(scene, call);
  const heldMs = call.receivedMs ?? call.gaveUpMs ?? null;
  if (heldMs !== null && heldMs > latestMs)
    scene.check(lateId(wait), false, call, waited, () => heldTooLong(scene, call, wait, heldMs));
  if (call.receivedMs === null) return false;
  if (answerOf(call) === 'ok' && !ended) {
    const early = call.receivedMs < call.sentMs + wait.leastMs - earlyFor(earlyMs, wait.leastMs);
    if (early && (withoutRecord(scene, call, wait) || mayBeGone(scene, call))) return false;
    if (early && shown === null && mayHaveEnded(scene, call, job)) {
      noRecord(scene, call);
      return false;
    }
    scene.check(earlyId(wait), !early, call, waited, () => heldTooShort(call, wait));
    if (!early && heldMs !== null && heldMs <= latestMs) {
      scene.pass(lateId(wait), '4.1/wait-answers-when-elapsed');
      const waitedMs = call.receivedMs - call.sentMs;
      scene.ledger.late('wait', waitedMs - wait.mostMs - roundTripMs(call), waitedMs - wait.leastMs);
      elapsed(scene, call, job, wait);
      return true;
    }
    return false;
  }
  if (job !== undefined && job.calls.every((one) => one.op !== 'cancel' && one.op !== 'retry'))
    if (shown === 'COMPLETED' || shown === 'FAILED' || shown === 'TIMED_OUT')
      answeredInTime(scene, call, job, wait);
  if (job !== undefined) cutShort(scene, call, job, wait);
  else withoutRecord(scene, call, wait);
  return false;
}

/** So much of the time may have been spent on the way there, as far as it is known. */
const roundTripMs = ({ arrivedByMs, sentMs }: CallEvent): number => (arrivedByMs ?? sentMs) - sentMs;

function refusedWait(scene: Scene, { given }: Wait): void {
  const below = given! < WAIT_MIN_MS;
  scene.passWhere(servedAt('runsync'), below ? '4.1/wait-min-enforced' : '4.1/wait-max-enforced');
  scene.ledger.observe(below ? '4.1/wait-below-min' : '4.1/wait-above-max', 'refused');
}

/** The wait has passed before the job has ended. */
function elapsed(scene: Scene, call: CallEvent, job: Job | undefined, wait: Wait): void {
  if (wait.given !== null && wait.leastMs !== wait.mostMs) outOfRange(scene, call, wait);
  if (job === undefined || !scene.isJudgedFurther(job)) return;
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

const ON_END = {
  completed: '4.1/wait-answers-on-completion',
  failed: '4.1/wait-answers-on-failure',
  'timed-out': '4.1/wait-answers-on-timeout',
} as const;

/** The answer has to follow the job's end, however long the call would have waited still. */
function answeredInTime(scene: Scene, call: CallEvent, job: Job, wait: Wait): void {
  const life = scene.lifeWhileThere(job);
  if (life.kind !== 'explained' || life.mayBe((at) => at.runs > 0)) return;
  const place = life.agreed((at) => (at.place === 'gone' ? at.goneFrom : at.place));
  if (place !== 'completed' && place !== 'failed' && place !== 'timed-out') return;
  soonAfter(
    scene,
    call,
    ON_END[place],
    life.most((at) => at.zone.latest(ENDED)),
    wait,
  );
}

/** Judges that the answer came soon after the job's end, and not with the end of the wait. */
function soonAfter(scene: Scene, call: CallEvent, id: RequirementId, endedByMs: number, wait: Wait): void {
  const graceMs = scene.graceAt(endedByMs, call.receivedMs!);
  const late = call.receivedMs! > endedByMs + graceMs + onTheWayMs(scene, call);
  // It is only a test of the promise where the wait would have gone on for longer.
  if (!late && call.receivedMs! > call.sentMs + wait.leastMs - graceMs) return;
  const actual = `the job had ended by ${seconds(endedByMs)}, the call was answered at ${seconds(call.receivedMs!)}`;
  scene.checkWhere(servedAt('runsync'), id, !late, call, actual, () =>
    answeredTooLate(scene, call, id, endedByMs),
  );
}

/** As many were removed as may have waited at all. */
function removedAll(scene: Scene, purge: CallEvent): boolean {
  const removed = recordOf(purge)?.['removed'];
  const sentBefore = (call: CallEvent): boolean => call.sentTick < (purge.endedTick ?? Infinity);
  const told = scene.cast.jobs.filter(
    (job) => sentBefore(job.submitted) && scene.lifeOf(job).mayBe((at) => at.purgedBy === purge),
  );
  const submissions = [...scene.cast.roll.of('run'), ...scene.cast.roll.of('runsync')];
  const known = new Set(scene.cast.jobs.map((job) => job.submitted));
  const untold = submissions.filter(
    (call) => sentBefore(call) && !known.has(call) && !overBefore(call, purge),
  );
  return typeof removed === 'number' && removed > 0 && removed >= told.length + untold.length;
}

/** The answer shows no end of the job. True when what happened while the call waited tells why it came. */
function withoutRecord(scene: Scene, call: CallEvent, wait: Wait): boolean {
  const { earlyMs } = scene.session.run;
  const graceMs = scene.graceAt(call.sentMs, call.receivedMs!);
  const soonMs = graceMs + onTheWayMs(scene, call);
  const endMs = call.sentMs + wait.leastMs;
  const code = call.reply!.status;
  const purge = scene.cast.roll
    .of('purge-queue')
    .find(
      (one) =>
        answerOf(one) === 'ok' && one.sentTick > call.sentTick && one.sentTick < (call.endedTick ?? Infinity),
    );
  const ttlMs = ttlOf(call);
  const told =
    call.receivedMs! >= endMs - earlyFor(earlyMs, wait.leastMs)
      ? 'at-wait-end'
      : code === 404
        ? 'not-found'
        : answerOf(call) === 'ok'
          ? 'record'
          : 'other-error';
  if (purge !== undefined) {
    const early = purge.receivedMs! + soonMs < endMs;
    if (early && told === 'at-wait-end' && removedAll(scene, purge))
      scene.ledger.observe('4.1/purge-during-wait', told);
    const soon = call.receivedMs! <= purge.receivedMs! + soonMs && early;
    if (!soon) return false;
    scene.pass('4.1/wait-answers-on-purge', '4.7/removes-waiting-runsync');
    scene.ledger.observe('4.1/purge-during-wait', told);
    return true;
  }
  if (ttlMs !== null && call.sentMs + ttlMs + soonMs < endMs) {
    const expiredMs = (call.arrivedByMs ?? call.sentMs) + ttlMs;
    if (call.receivedMs! < call.sentMs + ttlMs - earlyFor(earlyMs, ttlMs)) return false;
    // Had its job ended before, it would have been answered then.
    soonAfter(scene, call, '4.1/wait-answers-on-ttl', expiredMs, wait);
    scene.ledger.observe('4.1/ttl-during-wait', told);
    return true;
  }
  if (answerOf(call) === 'refused') endedUntold(scene, call, wait);
  return false;
}

/** Alone on its endpoint the job started at once, so that its end is known though no answer tells of it. */
function endedUntold(scene: Scene, call: CallEvent, wait: Wait): void {
  const { session, cast } = scene;
  const alone = cast.jobs.length === 0 && cast.roll.ghosts.length === 1;
  const input = submissionOf(call)?.['input'];
  if (!alone || input === undefined || !scene.has('scripted-worker')) return;
  if (!workersAreKnown(session, 1) || session.workersAtFirst === 0 || session.workers.length > 0) return;
  const { outcome, lastsMs } = foresee(input, null, false);
  if ((outcome !== 'success' && outcome !== 'error') || lastsMs === null) return;
  const id = outcome === 'success' ? '4.1/wait-answers-on-completion' : '4.1/wait-answers-on-failure';
  // What was refused before its job can have ended was not held for it.
  if (call.receivedMs! < call.sentMs + lastsMs) return;
  soonAfter(scene, call, id, (call.arrivedByMs ?? call.sentMs) + scene.graceAt(call.sentMs) + lastsMs, wait);
}

/** The job was cancelled, deleted or purged while its call waited. */
function cutShort(scene: Scene, call: CallEvent, job: Job, wait: Wait): void {
  const life = scene.lifeOf(job);
  // What became of a job that was retried befell it later.
  if (life.kind !== 'explained' || life.mayBe(({ retries }) => retries > 0)) return;
  const shown = statusIn(call);
  const during = (op: 'cancel' | 'purge-queue'): CallEvent | undefined =>
    scene.cast.roll
      .of(op)
      .find(
        (one) =>
          answerOf(one) === 'ok' &&
          one.sentTick > call.sentTick &&
          one.sentTick < (call.endedTick ?? Infinity) &&
          (op === 'purge-queue' || job.calls.includes(one)),
      );
  const told = (recorded: boolean): 'record' | 'not-found' | 'at-wait-end' | 'other-error' =>
    call.receivedMs! >= call.sentMs + wait.leastMs
      ? 'at-wait-end'
      : recorded
        ? 'record'
        : call.reply!.status === 404
          ? 'not-found'
          : 'other-error';
  const cancel = during('cancel');
  if (cancel !== undefined && life.mustBe((at) => at.place === 'cancelled')) {
    soonAfter(scene, call, '4.1/wait-answers-on-cancel', cancel.receivedMs!, wait);
    scene.ledger.observe('4.1/cancelled-during-wait', told(shown === 'CANCELLED'));
    return;
  }
  const purge = during('purge-queue');
  if (purge !== undefined && life.mustBe((at) => at.place === 'purged' && at.purgedBy === purge)) {
    soonAfter(scene, call, '4.1/wait-answers-on-purge', purge.receivedMs!, wait);
    scene.ledger.observe('4.1/purge-during-wait', told(shown !== null));
    return;
  }
  const byTtl = life.mustBe(
    ({ place, goneBy, terms }) => place === 'gone' && goneBy === 'ttl' && terms.ttlMs !== null,
  );
  if (!byTtl || life.mayBe((at) => at.goneFrom !== 'queue' && at.goneFrom !== 'progress')) return;
  const expiredMs = life.most(({ zone, terms }) => zone.latest(LIFE) + terms.ttlMs!);
  soonAfter(scene, call, '4.1/wait-answers-on-ttl', expiredMs, wait);
  if (expiredMs < call.sentMs + wait.leastMs)
    scene.ledger.observe('4.1/ttl-during-wait', told(shown !== null));
}
