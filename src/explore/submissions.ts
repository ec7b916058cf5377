/** Draws submissions: what the worker will do, and which timers the job has. */
import type { Json } from '../history/events.js';
import type { PlanStep, SubmitStep, WebhookAnswer } from '../scenario/script.js';
import {
  EXECUTION_TIMEOUT_DEFAULT_MS,
  EXECUTION_TIMEOUT_MAX_MS,
  EXECUTION_TIMEOUT_MIN_MS,
  HOUR_MS,
  MINUTE_MS,
  RUN_PAYLOAD_MAX,
  RUN_RETENTION_MS,
  RUNSYNC_PAYLOAD_MAX,
  RUNSYNC_RETENTION_MS,
  SECOND_MS,
  STREAM_CHUNK_MAX,
  TTL_DEFAULT_MS,
  TTL_MAX_MS,
  TTL_MIN_MS,
  WAIT_DEFAULT_MS,
  WAIT_MAX_MS,
  WAIT_MIN_MS,
} from '../spec/limits.js';
import type { Limits } from '../scenario/script.js';
import type { RandomSource } from './random-source.js';
import type { NewJob, Work } from './endpoint-model.js';
import type { HandlerKind, Swarm, TimerSize } from './swarm.js';
import { drawMembers, drawValue } from './values.js';

export interface DrawnJob {
  readonly step: SubmitStep;
  readonly job: NewJob;
}

export function drawSubmission(
  random: RandomSource,
  swarm: Swarm,
  limits: Limits,
  label: string,
  op: 'run' | 'runsync',
): DrawnJob {
  if (swarm.large && random.chance(50)) return drawLarge(random, label, op);
  const timers = drawTimers(random, swarm, limits);
  const synchronous = op === 'runsync';
  const wait = synchronous ? drawWait(random, swarm) : null;
  const kind = random.pick(swarm.handlers);
  const { plan, work } = drawPlan(random, kind, swarm, wait, timers.executionTimeoutMs);
  const again =
    kind === 's3' && work.ends === 'FAILED'
      ? S3_AGAIN
      : kind !== 'echo' && (work.ends === 'FAILED' || random.chance(20))
        ? drawAgain(random)
        : null;
  const policy = {
    ...(timers.ttl === null ? {} : { ttl: timers.ttl }),
    ...(timers.executionTimeout === null ? {} : { executionTimeout: timers.executionTimeout }),
    ...(random.chance(8) ? { lowPriority: random.chance(50) } : {}),
  };
  const step: SubmitStep = {
    do: op,
    job: label,
    ...(wait === null ? {} : { wait }),
    // An input of its own, which the worker returns unchanged.
    ...(kind === 'echo' ? { input: { ...drawMembers(random), plan: plan as Json } } : { plan }),
    ...(again === null ? {} : { planOnRetry: again.plan }),
    ...(Object.keys(policy).length === 0 ? {} : { policy }),
    // Sometimes omitted: a job without one must not be given another job's.
    ...(kind === 's3' && random.chance(75) ? { s3Config: S3_CONFIG } : {}),
    ...(swarm.webhooks && random.chance(60) ? drawWebhook(random) : {}),
  };
  const job: NewJob = {
    label,
    synchronous,
    ttlMs: timers.ttl ?? TTL_DEFAULT_MS,
    executionTimeoutMs: timers.executionTimeoutMs,
    waitMs: synchronous ? (wait ?? WAIT_DEFAULT_MS) : null,
    work,
    workOnRetry: again?.work ?? work,
  };
  return { step, job };
}

/** Bodies and results close to their size limits; rare, because each costs megabytes. */
function drawLarge(random: RandomSource, label: string, op: 'run' | 'runsync'): DrawnJob {
  const limit = op === 'run' ? RUN_PAYLOAD_MAX : RUNSYNC_PAYLOAD_MAX;
  const [step, taken] = random.pick<readonly [Partial<SubmitStep>, boolean]>([
    [{ padToBytes: limit.decimalBytes, plan: QUICK }, true],
    // Too large, however the limit is measured.
    [{ padToBytes: limit.binaryBytes + 1_000, plan: QUICK, illegal: 'payload-too-large' }, false],
    [{ padToBytes: Math.floor(0.75 * limit.decimalBytes), plan: QUICK }, true],
    [{ plan: [{ streamBytes: STREAM_CHUNK_MAX.decimalBytes - 1_000 }, { sleepMs: 1_000 }] }, true],
    [{ plan: [{ streamBytes: 2.5 * STREAM_CHUNK_MAX.decimalBytes }, { sleepMs: 1_000 }] }, true],
    [{ plan: [{ streamBytes: 200_000 }, { sleepMs: 1_000 }] }, true],
  ]);
  const work: Work =
    step.plan === QUICK
      ? { forMs: 0, ends: 'COMPLETED' }
      : { forMs: 1_000, ends: 'COMPLETED', streams: true };
  return {
    step: { do: op, job: label, ...step },
    job: {
      label,
      synchronous: op === 'runsync',
      // A refused job never exists.
      ttlMs: taken ? TTL_DEFAULT_MS : 0,
      executionTimeoutMs: EXECUTION_TIMEOUT_DEFAULT_MS,
      waitMs: op === 'runsync' ? WAIT_DEFAULT_MS : null,
      work,
      workOnRetry: work,
    },
  };
}

const QUICK: readonly PlanStep[] = [{ return: { answer: 42 } }];
/** More than a text column or a small buffer holds, and still cheap. */
const LONG: readonly PlanStep[] = [{ returnBytes: 70_000 }];

const S3_AGAIN: Drawn = { plan: [{ s3Config: true }], work: { forMs: 0, ends: 'COMPLETED' } };

const S3_CONFIG = {
  accessId: 'an-access-id',
  accessSecret: 'an-access-secret',
  bucketName: 'results',
  endpointUrl: 'https://storage.invalid',
};

interface Timers {
  /** Null: not part of the policy. */
  readonly ttl: number | null;
  readonly executionTimeout: number | null;
  readonly executionTimeoutMs: number;
}

/** The timer that the script is about gets one of the swarm's sizes; the others are far away. */
function drawTimers(random: RandomSource, { timer, sizes }: Swarm, limits: Limits): Timers {
  const mixed = timer === 'mixed';
  const ttl =
    timer === 'ttl' || (mixed && random.chance(50))
      ? sized(
          random,
          random.pick(sizes),
          TTL_MIN_MS,
          Math.min(TTL_MAX_MS, limits.maxWaitMs - 3 * limits.marginMs),
        )
      : far(random, TTL_MAX_MS);
  const executionTimeout =
    timer === 'executionTimeout' || (mixed && random.chance(50))
      ? sized(
          random,
          random.pick(sizes),
          EXECUTION_TIMEOUT_MIN_MS,
          Math.min(3 * 24 * HOUR_MS, limits.maxWaitMs - 3 * limits.marginMs),
        )
      : far(random, EXECUTION_TIMEOUT_MAX_MS);
  return { ttl, executionTimeout, executionTimeoutMs: executionTimeout ?? EXECUTION_TIMEOUT_DEFAULT_MS };
}

function far(random: RandomSource, maxMs: number): number | null {
  return random.chance(50) ? null : maxMs;
}

/** Null: the default applies. */
function sized(random: RandomSource, size: TimerSize, minMs: number, maxMs: number): number | null {
  const within = (ms: number): number => Math.max(minMs, Math.min(maxMs, ms));
  switch (size) {
    case 'default':
      return null;
    case 'minimum':
      return minMs;
    case 'small':
      return within(minMs + random.between(1, 5 * 60) * SECOND_MS);
    case 'retention':
      return within(
        random.pick([RUNSYNC_RETENTION_MS, RUN_RETENTION_MS]) + random.between(-20, 20) * SECOND_MS,
      );
    case 'days':
      return within(random.between(1, 7 * 24) * HOUR_MS);
  }
}

function drawWait(random: RandomSource, { timer }: Swarm): number | null {
  if (timer !== 'wait') return random.chance(60) ? null : WAIT_MIN_MS;
  return random.pick([null, WAIT_MIN_MS, 5 * SECOND_MS, MINUTE_MS, WAIT_MAX_MS]);
}

interface Drawn {
  readonly plan: readonly PlanStep[];
  readonly work: Work;
}

function drawPlan(
  random: RandomSource,
  kind: HandlerKind,
  swarm: Swarm,
  wait: number | null,
  executionTimeoutMs: number,
): Drawn {
  const forMs = drawLength(random, swarm, wait, executionTimeoutMs);
  const sleep: PlanStep = { sleepMs: forMs };
  const completes = (...plan: readonly PlanStep[]): Drawn => ({ plan, work: { forMs, ends: 'COMPLETED' } });
  switch (kind) {
    case 'quick':
      return {
        plan: random.chance(3) ? LONG : [{ return: drawValue(random) }],
        work: { forMs: 0, ends: 'COMPLETED' },
      };
    case 'sleep':
      return completes(sleep, { return: drawValue(random) });
    case 'hang':
      return { plan: [{ hang: true }], work: { forMs: Infinity, ends: 'COMPLETED' } };
    case 'fail':
      return { plan: [{ fail: 'broken' }], work: { forMs: 0, ends: 'FAILED' } };
    case 'slow-fail':
      return { plan: [sleep, { fail: 'broken' }], work: { forMs, ends: 'FAILED' } };
    case 'crash':
      return { plan: [sleep, { crash: true }], work: { forMs, ends: 'FAILED' } };
    case 'stream':
      return drawStream(random, forMs);
    case 'echo':
      return completes(sleep, { echo: true });
    case 's3':
      return random.chance(25)
        ? { plan: [{ fail: 'broken' }], work: { forMs: 0, ends: 'FAILED' } }
        : completes(sleep, { s3Config: true });
  }
}

/** Mostly seconds; close to the timer that the script is about, if there is one. */
function drawLength(
  random: RandomSource,
  { timer }: Swarm,
  wait: number | null,
  executionTimeoutMs: number,
): number {
  if (timer === 'wait' && random.chance(70)) {
    const waitMs = wait ?? WAIT_DEFAULT_MS;
    return Math.max(100, waitMs + random.pick([-waitMs / 2, 5_000, 10_000]));
  }
  if ((timer === 'executionTimeout' || timer === 'mixed') && random.chance(60)) {
    return random.pick([executionTimeoutMs - 3_000, executionTimeoutMs + 3_000, 2 * executionTimeoutMs]);
  }
  return random.pick([300, 1_000, 2_000, 5_000, 20_000]);
}

/** Number of results of a long stream: most are still to come when something happens to the job. */
const LONG_STREAM = 8;

function drawStream(random: RandomSource, forMs: number): Drawn {
  // Many at once, like a worker that streams single tokens.
  const atOnce = random.chance(4);
  const chunks = atOnce ? 120 : random.pick([1, 2, 3, 3, 5, LONG_STREAM]);
  const pauseMs = Math.max(Math.ceil(forMs / chunks), chunks === LONG_STREAM ? 1_500 : 0);
  const plan = Array.from({ length: chunks }, (_, i): PlanStep[] => [
    { stream: random.chance(70) ? `chunk ${i + 1}` : drawValue(random) },
    ...(atOnce ? [] : [{ sleepMs: pauseMs }]),
  ]).flat();
  const work = { forMs: atOnce ? 0 : chunks * pauseMs, ends: 'COMPLETED', streams: true } as const;
  if (random.chance(25)) return { plan: [...plan, { fail: 'broken' }], work: { ...work, ends: 'FAILED' } };
  return random.chance(50)
    ? { plan, work }
    : { plan: [...plan, { hang: true }], work: { ...work, forMs: Infinity } };
}

/** What the worker does when the job is run again. */
function drawAgain(random: RandomSource): Drawn {
  return random.pick<Drawn>([
    { plan: [{ return: { again: true } }], work: { forMs: 0, ends: 'COMPLETED' } },
    { plan: [{ sleepMs: 5_000 }, { return: { again: true } }], work: { forMs: 5_000, ends: 'COMPLETED' } },
    { plan: [{ fail: 'broken again' }], work: { forMs: 0, ends: 'FAILED' } },
    { plan: [{ stream: 'second run' }, { hang: true }], work: { forMs: Infinity, ends: 'COMPLETED' } },
  ]);
}

/** Status codes that clients may mistake for a success, for final, or for temporary. */
const CODES = [
  201, 202, 204, 301, 302, 304, 307, 400, 401, 403, 404, 408, 409, 410, 418, 422, 429, 500, 501, 502, 503,
  504,
] as const;

function drawAnswers(random: RandomSource): readonly WebhookAnswer[] {
  const other: WebhookAnswer = { status: random.pick(CODES) };
  return random.pick<readonly WebhookAnswer[]>([
    [{ status: 200 }],
    [{ status: 500 }, { close: true }, { status: 200 }],
    [{ status: 500 }],
    [{ never: true }, { status: 200 }],
    [other, { status: 200 }],
    [other, { status: 200 }],
    [other, { status: 200 }],
    [other],
  ]);
}

const QUERIES = ['?a=1&b=%20', '?Token=AbC', '?a=1&a=2&x=%C4%8D+%2B'] as const;

function drawWebhook(random: RandomSource): Pick<SubmitStep, 'webhook' | 'webhookQuery'> {
  return {
    webhook: drawAnswers(random),
    ...(random.chance(30) ? { webhookQuery: random.pick(QUERIES) } : {}),
  };
}
