/** `/status?ttl=`, given once: from when it counts, and what holds instead of one that is out of its range. */
import type { CallEvent } from '../../history/events.js';
import { TTL_MAX_MS, TTL_MIN_MS } from '../../spec/limits.js';
import { earlyFor } from '../observed/earliness.js';
import type { Job } from '../cast/cases.js';
import { mayBeTakenAway } from '../scene/may-be-gone.js';
import { isWaitingOrRunning, precedes, sightingsOf } from '../cast/sightings.js';
import type { Explained } from '../model/known.js';
import { answerOf } from '../observed/reading.js';
import type { Scene } from '../scene/scene.js';
import { endOf, retentionEnd, retriesOf, submittedIn, ttlOf, unfinished } from './lifespan-facts.js';
import { expiryOf, plus, spanOf, theOne, type Span } from './spans.js';

export function statusTtl(scene: Scene, job: Job, life: Explained, call: CallEvent): void {
  const { ledger } = scene;
  const text = call.request.query['ttl']!;
  const ttlMs = /^-?[0-9]+$/.test(text) ? Number(text) : Number.NaN;
  const before = ttlOf(job);
  if (!Number.isInteger(ttlMs) || before === null || call.reply === null) return;
  const inRange = ttlMs >= TTL_MIN_MS && ttlMs <= TTL_MAX_MS;
  if (call.reply.status === 400) {
    if (!inRange) ledger.observe(outOfRangeQuestion(ttlMs), 'refused');
    return;
  }
  if (retriesOf(job).length > 0) return;
  const submitted = submittedIn(job);
  const told = spanOf(call);
  if (inRange && told.fromMs > submitted.byMs + ttlMs + scene.graceMax) {
    alreadyOver(scene, job, life, call, ttlMs);
    return;
  }
  if (ttlMs <= 0 && call.reply.status === 404) {
    goneAtOnce(scene, job, call, submitted.fromMs + before);
    return;
  }
  const seen = expiryOf(job, { since: call });
  if (seen === null || answerOf(call) !== 'ok') return;
  const ended = sightingsOf(job).find(
    ({ call: look, shows }) => look.sentTick <= call.sentTick && shows === 'COMPLETED',
  );
  const given: Span = { fromMs: submitted.fromMs + ttlMs, byMs: told.byMs + ttlMs };
  if (ended !== undefined) {
    if (inRange) ofEndedJob(scene, job, life, seen, given);
  } else if (!unfinished(life)) return;
  else if (inRange) {
    const reading = theOne(scene, seen, [
      { reading: 'from-submission', span: plus(submitted, ttlMs) },
      { reading: 'from-now', span: plus(told, ttlMs) },
    ]);
    if (reading !== null) ledger.observe('4.3/ttl-origin', reading);
  } else outOfRange(scene, seen, ttlMs, submitted, told, before);
}

const outOfRangeQuestion = (
  ttlMs: number,
): '4.3/ttl-not-positive' | '4.3/ttl-below-min' | '4.3/ttl-above-max' =>
  ttlMs <= 0 ? '4.3/ttl-not-positive' : ttlMs < TTL_MIN_MS ? '4.3/ttl-below-min' : '4.3/ttl-above-max';

/** A lifespan of no length, and this very call no longer finds a job that was waiting or running before. */
function goneAtOnce(scene: Scene, job: Job, call: CallEvent, ownEndMs: number): void {
  const before = sightingsOf(job).findLast((one) => precedes(one.call, call));
  if (before === undefined || !isWaitingOrRunning(before.shows)) return;
  if (mayBeTakenAway(scene, call) || call.receivedMs! >= ownEndMs) return;
  scene.ledger.observe('4.3/ttl-not-positive', 'as-given');
}

function outOfRange(
  scene: Scene,
  seen: Span,
  ttlMs: number,
  submitted: Span,
  told: Span,
  before: number,
): void {
  const from = { fromMs: submitted.fromMs, byMs: told.byMs };
  const asGiven = { reading: 'as-given', span: plus(from, Math.max(ttlMs, 0)) } as const;
  const question = outOfRangeQuestion(ttlMs);
  if (question !== '4.3/ttl-above-max') {
    const reading = theOne(scene, seen, [
      asGiven,
      { reading: 'raised', span: plus(from, TTL_MIN_MS) },
      { reading: 'ignored', span: plus(submitted, before), atLeast: true },
    ]);
    if (reading !== null) scene.ledger.observe(question, reading);
  } else {
    const reading = theOne(scene, seen, [
      { ...asGiven, atLeast: true },
      { reading: 'lowered', span: plus(from, TTL_MAX_MS) },
      { reading: 'ignored', span: plus(submitted, before) },
    ]);
    if (reading !== null) scene.ledger.observe(question, reading);
  }
}

/** The lifespan given had passed already, where it counts from the submission. */
function alreadyOver(scene: Scene, job: Job, life: Explained, call: CallEvent, ttlMs: number): void {
  if (call.reply!.status === 404) {
    const before = sightingsOf(job).findLast((one) => precedes(one.call, call));
    if (before !== undefined && before.shows !== 'GONE')
      scene.ledger.observe('4.3/ttl-already-over', 'not-found');
    return;
  }
  const seen = expiryOf(job, { since: call });
  // A purge meanwhile may have removed it, or its retention may have been over.
  const purged = scene.cast.roll
    .of('purge-queue')
    .some((purge) => purge.endedTick === null || purge.endedTick > call.sentTick);
  if (purged || !unfinished(life)) return;
  // Had it counted from the call, the job would have lived for as long once more.
  if (
    answerOf(call) === 'ok' &&
    seen !== null &&
    seen.byMs < call.sentMs + ttlMs - earlyFor(scene.session.run.earlyMs, ttlMs)
  )
    scene.ledger.observe('4.3/ttl-already-over', 'last-record');
}

/** A lifespan given to a job that has completed: shorter than its retention, or longer. */
function ofEndedJob(scene: Scene, job: Job, life: Explained, seen: Span, given: Span): void {
  const graceMs = scene.graceMax;
  const end = endOf(life);
  const kept = retentionEnd(job, end);
  if (given.byMs + graceMs < kept.fromMs) {
    const reading = theOne(scene, seen, [
      { reading: 'holds', span: given },
      { reading: 'ignored', span: kept, atLeast: true },
    ]);
    if (reading !== null) scene.ledger.observe('4.3/ttl-of-ended-job', reading);
  } else if (given.fromMs > kept.byMs + graceMs) {
    const reading = theOne(scene, seen, [
      { reading: 'no', span: kept },
      { reading: 'yes', span: given, atLeast: true },
    ]);
    if (reading !== null) scene.ledger.observe('4.3/ttl-over-retention', reading);
  }
}
