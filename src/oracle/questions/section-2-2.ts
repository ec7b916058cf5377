/** How the target answers what section 2.2 of the document leaves open. */
import {
  EXECUTION_TIMEOUT_DEFAULT_MS,
  EXECUTION_TIMEOUT_MAX_MS,
  EXECUTION_TIMEOUT_MIN_MS,
  TTL_DEFAULT_MS,
  TTL_MAX_MS,
  TTL_MIN_MS,
} from '../../spec/limits.js';
import type { Hypothesis } from '../model/hypothesis.js';
import { ENDED, STARTED } from '../model/zone.js';
import { earlyFor } from '../observed/tolerance.js';
import { isTtlSetLater } from './lifespans.js';
import { observedIn, onJob, onSession, type ObserversOf } from './observers.js';
import type { SeenJob } from './seen-job.js';
import { between, orLater, plus, spanOf, theOne, type Candidate } from './spans.js';
import { twoRuns } from './two-runs.js';
import { inTurn, startsBefore, waitersOf } from './waiters.js';

export const OBSERVED_2_2 = {
  '2.2/execution-timeout-default': onJob(ownTimeout),
  '2.2/execution-timeout-below-min': onJob((job) => below(job, EXECUTION_TIMEOUT, (ms) => ms > 0), 'calls'),
  '2.2/execution-timeout-above-max': onJob((job) => above(job, EXECUTION_TIMEOUT), 'calls'),
  '2.2/execution-timeout-not-positive': onJob(
    (job) => below(job, EXECUTION_TIMEOUT, (ms) => ms <= 0),
    'calls',
  ),
  '2.2/ttl-below-min': onJob((job) => below(job, TTL, (ms) => ms > 0), 'calls'),
  '2.2/ttl-above-max': onJob((job) => above(job, TTL), 'calls'),
  '2.2/ttl-not-positive': onJob((job) => below(job, TTL, (ms) => ms <= 0), 'calls'),
  '2.2/fractional-milliseconds': onJob((job) => {
    const value = job.policy('ttl');
    const isFraction = typeof value === 'number' && !Number.isInteger(value);
    return isFraction ? taken(job, value, 'rounded') : null;
  }, 'calls'),
  '2.2/numeric-string': onJob((job) => {
    const value = job.policy('ttl');
    return typeof value === 'string' ? taken(job, Number(value), 'taken') : null;
  }, 'calls'),
  '2.2/null-policy-field': observedIn('calls'),
  '2.2/unknown-policy-fields': observedIn('calls'),
  '2.2/ttl-below-execution-timeout': observedIn('calls'),
  /** Where jobs without it start in the order of submission: does one with it give way to a later one? */
  '2.2/low-priority-order': onSession((scene) => {
    const { plain, low: lows } = waitersOf(scene);
    return lows.map((low) => {
      const earlier = plain.find((one) => inTurn(one, low));
      const later = plain.find((one) => inTurn(low, one));
      if (earlier === undefined || later === undefined || !startsBefore(earlier, later)) return null;
      if (startsBefore(low, later)) return 'same-queue';
      return startsBefore(later, low) ? 'after-others' : null;
    });
  }),
  /** The run after a retry was ended by its `executionTimeout`: had it the whole of it? */
  '2.2/execution-timeout-after-retry': onJob((job) => {
    const limit = job.policy('executionTimeout');
    if (typeof limit !== 'number' || limit < EXECUTION_TIMEOUT_MIN_MS || limit > EXECUTION_TIMEOUT_MAX_MS)
      return null;
    const runs = twoRuns(job);
    if (runs === null || !job.life.mustBe((at) => at.place === 'timed-out' && at.retries === 1)) return null;
    const spent = between(runs[0].started, runs[0].ended);
    return theOne(job.scene, job.ran, {
      whole: { fromMs: limit, byMs: limit },
      remaining: { fromMs: Math.max(0, limit - spent.byMs), byMs: limit - spent.fromMs },
    });
  }),
  '2.2/ttl-after-retry': onJob((job) => {
    const [retry, ...more] = job.retries;
    const { ttlMs } = job;
    if (retry === undefined || more.length > 0 || ttlMs === null || isTtlSetLater(job)) return null;
    const seen = job.expiry();
    if (seen === null || !job.isUnfinished) return null;
    return theOne(job.scene, seen, {
      'goes-on': plus(job.submitted, ttlMs),
      restarts: orLater(plus(spanOf(retry), ttlMs)),
    });
  }),
} as const satisfies ObserversOf<'2.2'>;

interface Bounded {
  readonly field: 'executionTimeout' | 'ttl';
  readonly minMs: number;
  readonly maxMs: number;
  /** What holds of it by one explanation. */
  readonly heldBy: (at: Hypothesis) => number | null;
}

const EXECUTION_TIMEOUT: Bounded = {
  field: 'executionTimeout',
  minMs: EXECUTION_TIMEOUT_MIN_MS,
  maxMs: EXECUTION_TIMEOUT_MAX_MS,
  heldBy: ({ terms }) => terms.executionMs,
};

const TTL: Bounded = {
  field: 'ttl',
  minMs: TTL_MIN_MS,
  maxMs: TTL_MAX_MS,
  heldBy: ({ terms }) => terms.ttlMs,
};

/** The number that the submission gives; null where it gives none, or where something else has deleted the job. */
function givenIn(job: SeenJob, { field }: Bounded): number | null {
  const value = job.policy(field);
  if (typeof value !== 'number') return null;
  return field === 'ttl' && job.life.mayBe((at) => at.place === 'gone' && at.goneBy !== 'ttl') ? null : value;
}

/** What holds instead of a value below the least one, where all explanations of the life agree. */
function below(
  job: SeenJob,
  of: Bounded,
  concerns: (ms: number) => boolean,
): 'raised' | 'default-instead' | null {
  const given = givenIn(job, of);
  if (given === null || given >= of.minMs || !concerns(given)) return null;
  if (job.life.mustBe((at) => of.heldBy(at) === of.minMs)) return 'raised';
  return job.life.mustBe((at) => of.heldBy(at) !== of.minMs) ? 'default-instead' : null;
}

function above(job: SeenJob, of: Bounded): 'lowered' | 'default-instead' | 'as-given' | null {
  const given = givenIn(job, of);
  if (given === null || given <= of.maxMs) return null;
  if (job.life.mustBe((at) => of.heldBy(at) === of.maxMs)) return 'lowered';
  if (job.life.mustBe((at) => of.heldBy(at) === given)) return 'as-given';
  const isDefault = job.life.mustBe((at) => of.heldBy(at) !== of.maxMs && of.heldBy(at) !== given);
  return isDefault ? 'default-instead' : null;
}

/** A `ttl` that is not written as a whole number: taken as that number, or the default holds. */
function taken<R extends string>(job: SeenJob, ms: number, reading: R): R | 'ignored' | null {
  const seen = isTtlSetLater(job) ? null : job.expiry();
  if (seen === null || !(ms >= TTL_MIN_MS && ms <= TTL_DEFAULT_MS / 2)) return null;
  const candidates = {
    [reading]: plus(job.submitted, ms - 1, ms + 1),
    ignored: orLater(plus(job.submitted, TTL_DEFAULT_MS)),
  } as { readonly [one in R | 'ignored']: Candidate };
  return theOne(job.scene, seen, candidates);
}

/** For how long a job may run whose submission names no `executionTimeout`. */
function ownTimeout(seen: SeenJob): 'ten-minutes' | 'own-setting' | null {
  const { scene, job, life } = seen;
  if (job.life.executionGiven || life.mayBe(({ retries }) => retries > 0)) return null;
  const lateMs = EXECUTION_TIMEOUT_DEFAULT_MS + scene.graceMax;
  const earlyMs =
    EXECUTION_TIMEOUT_DEFAULT_MS - earlyFor(scene.session.run.earlyMs, EXECUTION_TIMEOUT_DEFAULT_MS);
  if (life.mustBe(({ place }) => place === 'timed-out')) {
    const { fromMs, byMs } = seen.ran;
    if (fromMs > lateMs || byMs < earlyMs) return 'own-setting';
    return fromMs >= earlyMs && byMs <= lateMs ? 'ten-minutes' : null;
  }
  const lastRan = seen.last('IN_PROGRESS')?.call.sentMs ?? -Infinity;
  const ranLonger = life.mustBe(
    ({ place, zone }) =>
      (place === 'completed' && -zone.bound(STARTED, ENDED) > lateMs) ||
      (place === 'progress' && lastRan - zone.latest(STARTED) > lateMs),
  );
  return ranLonger ? 'own-setting' : null;
}
