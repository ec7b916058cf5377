/** How the target answers what section 4.3 of the document leaves open. */
import type { CallEvent } from '../../history/events.js';
import { TTL_MAX_MS, TTL_MIN_MS } from '../../spec/limits.js';
import { hasEnded, isWaitingOrRunning } from '../jobs/status-observations.js';
import { ENDED } from '../model/zone.js';
import { answerOf } from '../observed/recorded-call.js';
import { earlyToleranceMs } from '../observed/tolerance.js';
import { onJob, type ObserversOf, type ReadingsSeen } from './observers.js';
import { remembered } from '../context/judging-context.js';
import type { Life } from '../context/life.js';
import { isUnended } from '../model/hypothesis.js';
import { expiryOf, fits, retentionEnd } from './kept.js';
import { orLater, plus, intervalOf, type Interval } from '../observed/intervals.js';

export const OBSERVED_4_3 = {
  '4.3/ttl-origin': onGiven((given, seen) => {
    if (given.to !== 'unfinished' || !isLegal(given.ttlMs)) return null;
    return fits(seen, given.gone, {
      'from-submission': plus(seen.submitted, given.ttlMs),
      'from-now': plus(intervalOf(given.call), given.ttlMs),
    });
  }),
  '4.3/ttl-below-min': onGiven((given, seen) => (given.ttlMs > 0 ? tooShort(given, seen) : null)),
  '4.3/ttl-not-positive': onGiven((given, seen) => {
    if (given.ttlMs > 0) return null;
    if (given.to !== 'no-job') return tooShort(given, seen);
    return isGoneAtOnce(seen, given) ? 'as-given' : null;
  }),
  '4.3/ttl-above-max': onGiven((given, seen) => {
    if (given.ttlMs <= TTL_MAX_MS) return null;
    if (given.to === 'refused') return given.isOfEnded ? null : 'refused';
    if (given.to !== 'unfinished') return null;
    return fits(seen, given.gone, {
      'as-given': orLater(plus(given.from, given.ttlMs)),
      lowered: plus(given.from, TTL_MAX_MS),
      ignored: given.without,
    });
  }),
  '4.3/ttl-already-over': onGiven((given, seen) => {
    if (given.to !== 'overdue') return null;
    const { call, ttlMs } = given;
    if (call.reply!.status === 404)
      return (seen.readBefore(call)?.observed ?? 'GONE') === 'GONE' ? null : 'not-found';
    // A purge may have removed it, or its retention may have elapsed.
    const purges = seen.context.callIndex.of('purge-queue');
    const purged = purges.some(({ endedTick }) => endedTick === null || endedTick > call.sentTick);
    const gone = expiryOf(seen, { since: call });
    if (purged || gone === null || answerOf(call) !== 'ok' || !isUnfinished(seen)) return null;
    // Counted from the call, the job would have lived that much longer.
    const existsUntilMs = call.sentMs + ttlMs - earlyToleranceMs(seen.context.session.run.earlyMs, ttlMs);
    return gone.byMs < existsUntilMs ? 'last-record' : null;
  }),
  /** Shorter than its retention. */
  '4.3/ttl-of-ended-job': onGiven((given, seen) => {
    if (given.to === 'refused' && given.isOfEnded && isLegal(given.ttlMs)) return 'refused';
    const at = givenToEnded(given, seen);
    if (at === null || at.strikes.byMs + seen.context.graceMax >= at.kept.fromMs) return null;
    return fits(seen, at.gone, { holds: at.strikes, ignored: orLater(at.kept) });
  }),
  '4.3/ttl-over-retention': onGiven((given, seen) => {
    const at = givenToEnded(given, seen);
    if (at === null || at.strikes.fromMs <= at.kept.byMs + seen.context.graceMax) return null;
    return fits(seen, at.gone, { no: at.kept, yes: orLater(at.strikes) });
  }),
} as const satisfies ObserversOf<'4.3'>;

interface Given {
  readonly call: CallEvent;
  readonly ttlMs: number;
  /**
   * `no-job`: it found none. `overdue`: counted from the submission it had already elapsed. `ended`: the
   * job had completed.
   */
  readonly to: 'refused' | 'no-job' | 'overdue' | 'ended' | 'unfinished';
  /** Whatever it counts from. */
  readonly from: Interval;
  /** When the lifespan set by the submission elapses. */
  readonly without: Interval;
  /** The last read before had found the job ended, which may be why the call was refused. */
  readonly isOfEnded: boolean;
  /** When the job was no longer found after that; null if not needed. */
  readonly gone: Interval | null;
}

/** Certainly still waiting or running when it disappeared, so no retention was involved. */
const isUnfinished = (life: Life): boolean =>
  life.mustBe(({ state, previousState }) =>
    isUnended(state === 'deleted' || state === 'cancelled' ? previousState : state),
  );

const isLegal = (ttlMs: number): boolean => ttlMs >= TTL_MIN_MS && ttlMs <= TTL_MAX_MS;

/** The only `ttl` that `/status` set for the job; null if there was none, or if its effect is unclear. */
const givenTo = remembered((seen: Life): Given | null => {
  const [call, ...more] = seen.ttlCalls;
  if (call === undefined || more.length > 0 || seen.ttlMs === null || call.reply === null) return null;
  const text = call.request.query['ttl']!;
  const ttlMs = Number(text);
  if (!/^-?[0-9]+$/.test(text) || !Number.isInteger(ttlMs)) return null;
  const { submitted } = seen;
  const from = { fromMs: submitted.fromMs, byMs: intervalOf(call).byMs };
  const before = seen.readBefore(call)?.observed;
  const isOfEnded = hasEnded(before) || before === 'CANCELLED';
  const given = { call, ttlMs, from, without: plus(submitted, seen.ttlMs), isOfEnded, gone: null };
  const { status } = call.reply;
  if (status === 400 || (isOfEnded && (status === 409 || status === 422))) return { ...given, to: 'refused' };
  if (seen.retries.length > 0) return null;
  if (isLegal(ttlMs) && call.sentMs > submitted.byMs + ttlMs + seen.context.graceMax)
    return { ...given, to: 'overdue' };
  if (call.reply.status === 404) return { ...given, to: 'no-job' };
  const gone = expiryOf(seen, { since: call });
  if (gone === null || answerOf(call) !== 'ok') return null;
  const isOver = seen.reads.some(
    (read) => read.call.sentTick <= call.sentTick && read.observed === 'COMPLETED',
  );
  if (!isOver && !isUnfinished(seen)) return null;
  return { ...given, to: isOver ? 'ended' : 'unfinished', gone };
});

/** Examines each job that `/status` gave one `ttl` with a clear effect. */
function onGiven<T extends ReadingsSeen<string>>(observe: (given: Given, life: Life) => T) {
  return onJob('given a ttl by status', (life) => {
    const given = givenTo(life);
    return given === null ? null : observe(given, life);
  });
}

/** Set for an unfinished job, below the minimum. */
function tooShort(given: Given, seen: Life) {
  if (given.ttlMs >= TTL_MIN_MS) return null;
  if (given.to === 'refused') return given.isOfEnded ? null : 'refused';
  if (given.to !== 'unfinished') return null;
  return fits(seen, given.gone, {
    'as-given': plus(given.from, Math.max(given.ttlMs, 0)),
    raised: plus(given.from, TTL_MIN_MS),
    ignored: orLater(given.without),
  });
}

/** This call itself no longer found a job that was waiting or running before. */
function isGoneAtOnce(seen: Life, { call, without }: Given): boolean {
  const before = seen.readBefore(call);
  if (before === undefined || !isWaitingOrRunning(before.observed)) return false;
  return !seen.mayBeTakenAway(call) && call.receivedMs! < without.fromMs;
}

/** A valid `ttl` set for a completed job: when it expires, and when the retention of the result elapses. */
function givenToEnded({ to, from, ttlMs, gone }: Given, seen: Life) {
  if (to !== 'ended' || !isLegal(ttlMs)) return null;
  return { strikes: plus(from, ttlMs), kept: retentionEnd(seen, seen.when(ENDED)), gone };
}
