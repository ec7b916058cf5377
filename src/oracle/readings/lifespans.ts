/** When jobs ceased to be found: what a `ttl` counts from, which value holds instead, how long results are kept. */
import type { CallEvent } from '../../history/events.js';
import {
  RUNSYNC_RETENTION_MS,
  RUNSYNC_RETENTION_WITH_WAIT_MAX_MS,
  RUN_RETENTION_MS,
  TTL_DEFAULT_MS,
  TTL_MAX_MS,
  TTL_MIN_MS,
  WAIT_DEFAULT_MS,
} from '../../spec/limits.js';
import { earlyFor } from '../earliness.js';
import type { Job } from '../cases.js';
import { precedes, sightingsOf } from '../effects/sightings.js';
import type { Place } from '../life/hypothesis.js';
import type { Explained } from '../life/known.js';
import { ENDED } from '../life/zone.js';
import { answerOf, policyFieldOf } from '../reading.js';
import type { Scene } from '../scene.js';
import { expiryOf, plus, spanOf, theOne, type Candidate, type Span } from './spans.js';

export function lifespans(scene: Scene, job: Job, life: Explained): void {
  const setting = job.calls.filter(
    ({ op, request }) => op === 'status' && request.query['ttl'] !== undefined,
  );
  if (setting.length === 0) {
    afterRetry(scene, job, life);
    spelled(scene, job);
    retention(scene, job, life);
  } else if (setting.length === 1) statusTtl(scene, job, life, setting[0]!);
}

function submittedIn(job: Job): Span {
  return { fromMs: job.life.submittedFromMs, byMs: job.life.submittedByMs };
}

/** The lifespan that the submission gives, where it is a legal one or none; else null. */
function ttlOf(job: Job): number | null {
  const value = policyFieldOf(job.submission, 'ttl');
  if (value === undefined) return TTL_DEFAULT_MS;
  return typeof value === 'number' && value >= TTL_MIN_MS && value <= TTL_MAX_MS ? value : null;
}

/** The job was still waiting or running when it went, so that no retention had a hand in it. */
function unfinished(life: Explained): boolean {
  return life.mustBe(({ place, goneFrom }) => {
    const last = place === 'gone' || place === 'cancelled' ? goneFrom : place;
    return last === 'queue' || last === 'progress';
  });
}

function retriesOf(job: Job): readonly CallEvent[] {
  return job.calls.filter((call) => call.op === 'retry' && answerOf(call) !== 'refused');
}

/** Does a retry restart the lifespan? */
function afterRetry(scene: Scene, job: Job, life: Explained): void {
  const [retry, ...more] = retriesOf(job);
  const ttlMs = ttlOf(job);
  const seen = expiryOf(job);
  if (retry === undefined || more.length > 0 || ttlMs === null || seen === null || !unfinished(life)) return;
  const reading = theOne(scene, seen, [
    { reading: 'goes-on', span: plus(submittedIn(job), ttlMs) },
    { reading: 'restarts', span: plus(spanOf(retry), ttlMs), atLeast: true },
  ]);
  if (reading !== null) scene.ledger.observe('2.2/ttl-after-retry', reading);
}

/** A `ttl` written as a string or with a fraction: taken as that number, or the default holds. */
function spelled(scene: Scene, job: Job): void {
  const value = policyFieldOf(job.submission, 'ttl');
  const asNumber = typeof value === 'string' ? Number(value) : value;
  const seen = expiryOf(job);
  if (typeof asNumber !== 'number' || Number.isNaN(asNumber) || seen === null) return;
  if (!(asNumber >= TTL_MIN_MS && asNumber <= TTL_DEFAULT_MS / 2)) return;
  const span = { ...plus(submittedIn(job), asNumber - 1, asNumber + 1) };
  const ignored = { ...plus(submittedIn(job), TTL_DEFAULT_MS) };
  if (typeof value === 'string') {
    const reading = theOne(scene, seen, [
      { reading: 'taken', span },
      { reading: 'ignored', span: ignored, atLeast: true },
    ]);
    if (reading !== null) scene.ledger.observe('2.2/numeric-string', reading);
  } else if (!Number.isInteger(value)) {
    const reading = theOne(scene, seen, [
      { reading: 'rounded', span },
      { reading: 'ignored', span: ignored, atLeast: true },
    ]);
    if (reading !== null) scene.ledger.observe('2.2/fractional-milliseconds', reading);
  }
}

/** `/status?ttl=`, given once. */
function statusTtl(scene: Scene, job: Job, life: Explained, call: CallEvent): void {
  const { ledger } = scene;
  const ttlMs = Number(call.request.query['ttl']);
  const before = ttlOf(job);
  if (!Number.isInteger(ttlMs) || before === null || call.reply === null) return;
  const inRange = ttlMs >= TTL_MIN_MS && ttlMs <= TTL_MAX_MS;
  const question = ttlMs < TTL_MIN_MS ? '4.3/ttl-below-min' : '4.3/ttl-above-max';
  if (call.reply.status === 400) {
    if (!inRange && ttlMs > 0) ledger.observe(question, 'refused');
    return;
  }
  if (retriesOf(job).length > 0) return;
  const submitted = submittedIn(job);
  const told = spanOf(call);
  if (inRange && told.fromMs > submitted.byMs + ttlMs + scene.graceMax) {
    alreadyOver(scene, job, life, call, ttlMs);
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
  } else if (ttlMs > 0) outOfRange(scene, seen, ttlMs, submitted, told, before);
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
  const asGiven = { reading: 'as-given', span: plus(from, ttlMs) } as const;
  if (ttlMs < TTL_MIN_MS) {
    const reading = theOne(scene, seen, [
      asGiven,
      { reading: 'raised', span: plus(from, TTL_MIN_MS) },
      { reading: 'ignored', span: plus(submitted, before), atLeast: true },
    ]);
    if (reading !== null) scene.ledger.observe('4.3/ttl-below-min', reading);
  } else {
    const reading = theOne(scene, seen, [
      { ...asGiven, atLeast: true },
      { reading: 'lowered', span: plus(from, TTL_MAX_MS) },
      { reading: 'ignored', span: plus(submitted, before) },
    ]);
    if (reading !== null) scene.ledger.observe('4.3/ttl-above-max', reading);
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
  const kept = plus(end, leastKeptMs(job), mostKeptMs(job));
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

function endOf(life: Explained): Span {
  return {
    fromMs: life.least(({ zone }) => zone.earliest(ENDED)),
    byMs: life.most(({ zone }) => zone.latest(ENDED)),
  };
}

function leastKeptMs(job: Job): number {
  return job.sync ? RUNSYNC_RETENTION_MS : RUN_RETENTION_MS;
}

function mostKeptMs(job: Job): number {
  if (!job.sync) return RUN_RETENTION_MS;
  return job.life.life.waitGiven ? RUNSYNC_RETENTION_WITH_WAIT_MAX_MS : WAIT_DEFAULT_MS;
}

const KEPT: {
  readonly [P in Place]?: '3/retention-of-failed' | '3/retention-of-timed-out' | '3/retention-of-cancelled';
} = {
  failed: '3/retention-of-failed',
  'timed-out': '3/retention-of-timed-out',
  cancelled: '3/retention-of-cancelled',
};

/** How long a job could be read after its end. */
function retention(scene: Scene, job: Job, life: Explained): void {
  const place = life.agreed((at) => (at.place === 'gone' ? at.goneFrom : at.place));
  const seen = expiryOf(job, { cancelled: place === 'cancelled' });
  const ttlMs = ttlOf(job);
  if (place === undefined || place === null || seen === null || ttlMs === null) return;
  if (job.calls.some((call) => call.op === 'cancel') && !stopped(life)) return;
  const end = endOf(life);
  // What its ttl deleted tells nothing of its retention, unless nothing else ever would have.
  const untilTtl = plus(submittedIn(job), ttlMs);
  if (place === 'completed') ofCompleted(scene, job, seen, end, untilTtl);
  const question = KEPT[place];
  if (question === undefined || retriesOf(job).length > 0) return;
  if (untilTtl.fromMs < end.byMs + mostKeptMs(job) + 2 * scene.graceMax) return;
  const candidates: Candidate<'as-completed' | 'until-ttl' | 'not-at-all' | 'other'>[] = [
    { reading: 'as-completed', span: plus(end, leastKeptMs(job), mostKeptMs(job)) },
    { reading: 'until-ttl', span: untilTtl },
  ];
  if (place === 'cancelled') candidates.push({ reading: 'not-at-all', span: plus(end, 0, 1000) });
  const reading = theOne(scene, seen, candidates, 'other');
  if (reading !== null) scene.ledger.observe(question, reading as 'as-completed');
}

/** Cancelled while it waited or ran. */
function stopped(life: Explained): boolean {
  return life.mustBe(
    (at) => at.place === 'cancelled' && (at.goneFrom === 'queue' || at.goneFrom === 'progress'),
  );
}

function ofCompleted(scene: Scene, job: Job, seen: Span, end: Span, untilTtl: Span): void {
  if (!job.sync || untilTtl.fromMs < end.byMs + RUN_RETENTION_MS) return;
  const { life } = job.life;
  const asRun = { span: plus(end, RUN_RETENTION_MS), reading: 'as-run', atLeast: true } as const;
  const asRunsync = {
    reading: 'as-runsync',
    span: plus(end, RUNSYNC_RETENTION_MS, mostKeptMs(job)),
  } as const;
  if (retriesOf(job).length > 0) {
    const reading = theOne(scene, seen, [asRunsync, asRun]);
    if (reading !== null) scene.ledger.observe('4.6/retention-after-retry', reading);
  } else if (job.life.terms.every(({ keptAtMostMs }) => keptAtMostMs === RUN_RETENTION_MS)) {
    const reading = theOne(scene, seen, [asRunsync, asRun]);
    if (reading !== null) scene.ledger.observe('4.1/outlived-wait-retention', reading);
  } else if (life.waitGiven) withWait(scene, job, seen, end);
}

/** "1 minute after completion (up to 5 minutes with `wait`)". */
function withWait(scene: Scene, job: Job, seen: Span, end: Span): void {
  const waitMs = Number(job.submitted.request.query['wait']);
  const reading = theOne(
    scene,
    seen,
    [
      { reading: 'one-minute', span: plus(end, RUNSYNC_RETENTION_MS) },
      { reading: 'as-wait', span: plus(end, Math.max(RUNSYNC_RETENTION_MS, waitMs)) },
      { reading: 'five-minutes', span: plus(end, RUNSYNC_RETENTION_WITH_WAIT_MAX_MS) },
    ],
    'in-between',
  );
  if (reading !== null) scene.ledger.observe('4.1/retention-with-wait', reading);
}
