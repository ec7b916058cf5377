/** How the target answers what section 4.3 of the document leaves open. */
import type { CallEvent } from '../../history/events.js';
import { TTL_MAX_MS, TTL_MIN_MS } from '../../spec/limits.js';
import { isWaitingOrRunning } from '../cast/sightings.js';
import { ENDED } from '../model/zone.js';
import { earlyFor } from '../observed/tolerance.js';
import { answerOf } from '../observed/reading.js';
import { mayBeTakenAway } from '../scene/left-alone.js';
import { retentionEnd } from './lifespans.js';
import { onJob, remembered, type ObserversOf } from './observers.js';
import type { SeenJob } from './seen-job.js';
import { orLater, plus, spanOf, theOne, type Span } from './spans.js';

export const OBSERVED_4_3 = {
  '4.3/ttl-origin': onJob((job) => {
    const given = givenTo(job);
    if (given?.to !== 'unfinished' || !isLegal(given.ttlMs)) return null;
    return theOne(job.scene, given.seen, {
      'from-submission': plus(job.submitted, given.ttlMs),
      'from-now': plus(spanOf(given.call), given.ttlMs),
    });
  }),
  '4.3/ttl-below-min': onJob((job) => tooShort(job, (ms) => ms > 0)),
  '4.3/ttl-not-positive': onJob((job) => {
    const given = givenTo(job);
    if (given?.to !== 'nobody' || given.ttlMs > 0) return tooShort(job, (ms) => ms <= 0);
    return isGoneAtOnce(job, given) ? 'as-given' : null;
  }),
  '4.3/ttl-above-max': onJob((job) => {
    const given = givenTo(job);
    if (given === null || given.ttlMs <= TTL_MAX_MS) return null;
    if (given.to === 'refused') return 'refused';
    if (given.to !== 'unfinished') return null;
    const from = sinceEither(job, given);
    return theOne(job.scene, given.seen, {
      'as-given': orLater(plus(from, given.ttlMs)),
      lowered: plus(from, TTL_MAX_MS),
      ignored: plus(job.submitted, given.beforeMs),
    });
  }),
  '4.3/ttl-already-over': onJob((job) => {
    const given = givenTo(job);
    if (given?.to !== 'overdue') return null;
    const { call, ttlMs } = given;
    if (call.reply!.status === 404)
      return (job.lookBefore(call)?.shows ?? 'GONE') === 'GONE' ? null : 'not-found';
    // A purge meanwhile may have removed it, or its retention may have been over.
    const purges = job.scene.cast.roll.of('purge-queue');
    const purged = purges.some(({ endedTick }) => endedTick === null || endedTick > call.sentTick);
    const seen = job.expiry({ since: call });
    if (purged || seen === null || answerOf(call) !== 'ok' || !job.isUnfinished) return null;
    // Had it counted from the call, the job would have lived for as long once more.
    const livesUntilMs = call.sentMs + ttlMs - earlyFor(job.scene.session.run.earlyMs, ttlMs);
    return seen.byMs < livesUntilMs ? 'last-record' : null;
  }),
  /** Shorter than its retention. */
  '4.3/ttl-of-ended-job': onJob((job) => {
    const at = givenToEnded(job);
    if (at === null || at.given.byMs + job.scene.graceMax >= at.kept.fromMs) return null;
    return theOne(job.scene, at.seen, { holds: at.given, ignored: orLater(at.kept) });
  }),
  '4.3/ttl-over-retention': onJob((job) => {
    const at = givenToEnded(job);
    if (at === null || at.given.fromMs <= at.kept.byMs + job.scene.graceMax) return null;
    return theOne(job.scene, at.seen, { no: at.kept, yes: orLater(at.given) });
  }),
} as const satisfies ObserversOf<'4.3'>;

interface Given {
  readonly call: CallEvent;
  readonly ttlMs: number;
  /** The lifespan that the submission gives. */
  readonly beforeMs: number;
  /** `nobody`: it found no job. `overdue`: counted from the submission it had passed already. `ended`: to one that had completed. */
  readonly to: 'refused' | 'nobody' | 'overdue' | 'ended' | 'unfinished';
  /** When the job ceased to be found after that. */
  readonly seen: Span;
}

const isLegal = (ttlMs: number): boolean => ttlMs >= TTL_MIN_MS && ttlMs <= TTL_MAX_MS;

const NOT_SEEN: Span = { fromMs: -Infinity, byMs: Infinity };

/** The only `ttl` that `/status` gave the job; null where there was none, or what became of it tells nothing. */
const givenTo = remembered((job: SeenJob): Given | null => {
  const [call, ...more] = job.calls('status').filter(({ request }) => request.query['ttl'] !== undefined);
  const beforeMs = job.ttlMs;
  if (call === undefined || more.length > 0 || beforeMs === null || call.reply === null) return null;
  const text = call.request.query['ttl']!;
  const ttlMs = Number(text);
  if (!/^-?[0-9]+$/.test(text) || !Number.isInteger(ttlMs)) return null;
  const given = { call, ttlMs, beforeMs, seen: NOT_SEEN };
  if (call.reply.status === 400) return { ...given, to: 'refused' };
  if (job.retries.length > 0) return null;
  if (isLegal(ttlMs) && call.sentMs > job.submitted.byMs + ttlMs + job.scene.graceMax)
    return { ...given, to: 'overdue' };
  if (call.reply.status === 404) return { ...given, to: 'nobody' };
  const seen = job.expiry({ since: call });
  if (seen === null || answerOf(call) !== 'ok') return null;
  const hasEnded = job.looks.some(
    (look) => look.call.sentTick <= call.sentTick && look.shows === 'COMPLETED',
  );
  if (!hasEnded && !job.isUnfinished) return null;
  return { ...given, to: hasEnded ? 'ended' : 'unfinished', seen };
});

/** Wherever it counts from. */
const sinceEither = ({ submitted }: SeenJob, { call }: Given): Span => ({
  fromMs: submitted.fromMs,
  byMs: spanOf(call).byMs,
});

/** Given to an unfinished job, and below the least one. */
function tooShort(
  job: SeenJob,
  concerns: (ms: number) => boolean,
): 'refused' | 'as-given' | 'raised' | 'ignored' | null {
  const given = givenTo(job);
  if (given === null || given.ttlMs >= TTL_MIN_MS || !concerns(given.ttlMs)) return null;
  if (given.to === 'refused') return 'refused';
  if (given.to !== 'unfinished') return null;
  const from = sinceEither(job, given);
  return theOne(job.scene, given.seen, {
    'as-given': plus(from, Math.max(given.ttlMs, 0)),
    raised: plus(from, TTL_MIN_MS),
    ignored: orLater(plus(job.submitted, given.beforeMs)),
  });
}

/** This very call no longer found a job that was waiting or running before. */
function isGoneAtOnce(job: SeenJob, { call, beforeMs }: Given): boolean {
  const before = job.lookBefore(call);
  if (before === undefined || !isWaitingOrRunning(before.shows)) return false;
  return !mayBeTakenAway(job.scene, call) && call.receivedMs! < job.submitted.fromMs + beforeMs;
}

/** A legal one, given to a job that had completed: when it strikes, and when the retention of the result is over. */
function givenToEnded(job: SeenJob): { given: Span; kept: Span; seen: Span } | null {
  const at = givenTo(job);
  if (at?.to !== 'ended' || !isLegal(at.ttlMs)) return null;
  return {
    given: plus(sinceEither(job, at), at.ttlMs),
    kept: retentionEnd(job, job.when(ENDED)),
    seen: at.seen,
  };
}
