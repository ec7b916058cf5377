/** How the target answers what sections 1, 2.1 and 2.2 of the document leave open. */
import {
  EXECUTION_TIMEOUT_DEFAULT_MS,
  EXECUTION_TIMEOUT_MAX_MS,
  EXECUTION_TIMEOUT_MIN_MS,
  TTL_DEFAULT_MS,
  TTL_MAX_MS,
  TTL_MIN_MS,
} from '../../spec/limits.js';
import { MAIN_OPERATIONS } from '../../spec/operations.js';
import { isPrivateUrl } from '../../util/address.js';
import { ENDED, STARTED } from '../model/zone.js';
import { isJsonType, recordOf } from '../observed/recorded-call.js';
import { earlyToleranceMs } from '../observed/tolerance.js';
import { observedIn, onAnswer, onCall, onJob, onSession, type ObserversOf } from './observers.js';
import type { Life } from '../context/life.js';
import { expiryOf, fits } from './kept.js';
import { twoRunsOf } from './two-runs.js';
import { orLater, plus } from '../observed/intervals.js';
import { lowPriorityOrder, submissionOrder } from './start-order.js';

/** Marks a body that names `input` twice: the output is `"first"` for one, `"last"` for the other. */
const DUPLICATE_KEYS = 'duplicate-keys';

const TIMEOUT = {
  field: 'executionTimeout',
  with: 'with executionTimeout',
  term: 'executionMs',
  minMs: EXECUTION_TIMEOUT_MIN_MS,
  maxMs: EXECUTION_TIMEOUT_MAX_MS,
} as const;
const TTL = {
  field: 'ttl',
  with: 'with ttl',
  term: 'ttlMs',
  minMs: TTL_MIN_MS,
  maxMs: TTL_MAX_MS,
} as const;

export const OBSERVED_1 = {
  '1/queue-order': onSession(submissionOrder),
  ...observedIn('calls', '1/request-content-type-missing', '1/request-content-type-other'),
  '1/response-charset': onAnswer(MAIN_OPERATIONS, ({ call }) => {
    const { contentType } = call.reply!;
    return !isJsonType(contentType) ? null : contentType!.includes(';') ? 'charset' : 'none';
  }),
  ...observedIn('calls', '2.1/unknown-fields', '2.1/null-optional-field'),
  '2.1/duplicate-keys': onCall(({ call, code }) => {
    if (call.request.illegal !== DUPLICATE_KEYS || call.op !== 'runsync') return null;
    const output = recordOf(call)?.['output'];
    if (output === 'last' || output === 'first') return `${output}-wins`;
    return code === 400 ? 'refused' : null;
  }),
  ...observedIn('calls', '2.1/invalid-webhook', '2.1/webhook-scheme'),
  '2.1/private-webhook-address': onJob(
    'with webhook',
    ({ context, job }) => {
      // A recorder that sees webhooks gives the service another address.
      const isItsOwn = context.session.run.capture === undefined && context.has('webhook-reachable');
      const isCalled = isItsOwn && job.webhooks.length > 0;
      return isCalled && isPrivateUrl(job.webhookUrl!) ? 'called' : null;
    },
    'calls',
  ),
  '2.2/execution-timeout-default': onJob('any', ownTimeout),
  '2.2/execution-timeout-below-min': raised(TIMEOUT, (ms) => ms > 0),
  '2.2/execution-timeout-above-max': lowered(TIMEOUT),
  '2.2/execution-timeout-not-positive': raised(TIMEOUT, (ms) => ms <= 0),
  '2.2/ttl-below-min': raised(TTL, (ms) => ms > 0),
  '2.2/ttl-above-max': lowered(TTL),
  '2.2/ttl-not-positive': raised(TTL, (ms) => ms <= 0),
  '2.2/fractional-milliseconds': onJob(
    'with ttl',
    (seen) => {
      const value = seen.policy('ttl');
      const isFraction = typeof value === 'number' && !Number.isInteger(value);
      const reported = isFraction ? taken(seen, value) : null;
      return reported === 'taken' ? 'rounded' : reported;
    },
    'calls',
  ),
  '2.2/numeric-string': onJob(
    'with ttl',
    (seen) => {
      const value = seen.policy('ttl');
      return typeof value === 'string' ? taken(seen, Number(value)) : null;
    },
    'calls',
  ),
  ...observedIn('calls', '2.2/null-policy-field', '2.2/unknown-policy-fields'),
  ...observedIn('calls', '2.2/ttl-below-execution-timeout'),
  '2.2/low-priority-order': onSession(lowPriorityOrder),
  /** Whether the run after a retry had all of its `executionTimeout`, or what the first run left. */
  '2.2/execution-timeout-after-retry': onJob('retried', (seen) => {
    const limit = seen.policy('executionTimeout');
    if (typeof limit !== 'number' || limit < TIMEOUT.minMs || limit > TIMEOUT.maxMs) return null;
    const runs = twoRunsOf(seen);
    if (runs === null || !seen.mustBe((at) => at.state === 'timed-out' && at.retries === 1)) return null;
    const spent = runs[0].ran;
    return fits(seen, seen.ran, {
      whole: { fromMs: limit, byMs: limit },
      remaining: { fromMs: Math.max(0, limit - spent.byMs), byMs: limit - spent.fromMs },
    });
  }),
} as const satisfies ObserversOf<'1' | '2.1' | '2.2'>;

type Bounded = typeof TIMEOUT | typeof TTL;

/** Which value applies instead of one that is too small. */
function raised(of: Bounded, concerns: (ms: number) => boolean) {
  const observe = (life: Life) => {
    const given = givenIn(life, of);
    if (given === null || given >= of.minMs || !concerns(given)) return null;
    return held(life, of, { raised: of.minMs });
  };
  return onJob(of.with, observe, 'calls');
}

function lowered(of: Bounded) {
  const observe = (life: Life) => {
    const given = givenIn(life, of);
    return given === null || given <= of.maxMs
      ? null
      : held(life, of, { lowered: of.maxMs, 'as-given': given });
  };
  return onJob(of.with, observe, 'calls');
}

/** The number in the submission; null if there is none, or if something else deleted the job. */
function givenIn(seen: Life, { field }: Bounded): number | null {
  const value = seen.policy(field);
  if (typeof value !== 'number') return null;
  return field === 'ttl' && seen.mayBe((at) => at.state === 'deleted' && at.deletedBy !== 'ttl')
    ? null
    : value;
}

/** The value that applies instead of one out of bounds, if all explanations agree. */
function held<R extends string>(
  life: Life,
  { term }: Bounded,
  values: { readonly [reading in R]: number },
): R | 'default-instead' | null {
  const readings = Object.keys(values) as R[];
  const one = readings.find((reading) => life.mustBe((at) => at.policy[term] === values[reading]));
  const isNone = life.mustBe((at) => readings.every((reading) => at.policy[term] !== values[reading]));
  return one ?? (isNone ? 'default-instead' : null);
}

/** A `ttl` that is not an integer: it applies as a number, or the default does. */
function taken(seen: Life, ms: number): 'taken' | 'ignored' | null {
  if (seen.ttlCalls.length > 0 || !(ms >= TTL_MIN_MS && ms <= TTL_DEFAULT_MS / 2)) return null;
  return fits(seen, expiryOf(seen), {
    taken: plus(seen.submitted, ms - 1, ms + 1),
    ignored: orLater(plus(seen.submitted, TTL_DEFAULT_MS)),
  });
}

/** How long a job without `executionTimeout` may run. */
function ownTimeout(seen: Life): 'ten-minutes' | 'own-setting' | null {
  const { context, job } = seen;
  if (job.model.executionGiven || seen.mayBe(({ retries }) => retries > 0)) return null;
  const lateMs = EXECUTION_TIMEOUT_DEFAULT_MS + context.graceMax;
  const earlyMs =
    EXECUTION_TIMEOUT_DEFAULT_MS -
    earlyToleranceMs(context.session.run.earlyMs, EXECUTION_TIMEOUT_DEFAULT_MS);
  if (seen.mustBe(({ state }) => state === 'timed-out')) {
    const { fromMs, byMs } = seen.ran;
    if (fromMs > lateMs || byMs < earlyMs) return 'own-setting';
    return fromMs >= earlyMs && byMs <= lateMs ? 'ten-minutes' : null;
  }
  const lastRan = seen.reads.findLast(({ observed }) => observed === 'IN_PROGRESS')?.call.sentMs ?? -Infinity;
  const ranLonger = seen.mustBe(
    ({ state, zone }) =>
      (state === 'completed' && -zone.bound(STARTED, ENDED) > lateMs) ||
      (state === 'running' && lastRan - zone.latest(STARTED) > lateMs),
  );
  return ranLonger ? 'own-setting' : null;
}
