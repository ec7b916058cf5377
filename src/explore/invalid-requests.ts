/** Draws invalid requests: the API has an answer to each, and a refusal must change nothing. */
import type { Limits, RawStep, Step, SubmitStep } from '../scenario/script.js';
import {
  DAY_MS,
  EXECUTION_TIMEOUT_MAX_MS,
  EXECUTION_TIMEOUT_MIN_MS,
  TTL_MAX_MS,
  TTL_MIN_MS,
  WAIT_MAX_MS,
  WAIT_MIN_MS,
} from '../spec/limits.js';
import { UNKNOWN_JOB_ID } from '../spec/operations.js';
import type { RandomSource } from './random-source.js';
import type { Swarm } from './swarm.js';

const raw = (method: string, path: string, illegal: string, more: Partial<RawStep> = {}): RawStep => ({
  do: 'raw',
  method,
  path,
  illegal,
  ...more,
});

/** A step that is invalid by itself, whatever the jobs of the script do. */
export function drawInvalidRequest(
  random: RandomSource,
  swarm: Swarm,
  label: string,
  jobs: readonly string[],
): Step {
  return random.pick([unknownJob, badKey, malformed, badSubmission, badSubmission, wrongMethodOrPath])(
    random,
    swarm,
    label,
    jobs,
  );
}

type Draw = (random: RandomSource, swarm: Swarm, label: string, jobs: readonly string[]) => Step;

const unknownJob: Draw = (random) => {
  const op = random.pick(['status', 'stream', 'cancel', 'retry']);
  return raw(op === 'status' || op === 'stream' ? 'GET' : 'POST', `/${op}/${UNKNOWN_JOB_ID}`, 'unknown-job');
};

const badKey: Draw = (random, _swarm, label, jobs) => {
  const auth = random.pick([
    'missing',
    'wrong',
    'wrong-bearer',
    'empty',
    'empty-bearer',
    'truncated',
    'extended',
    'other-case',
    'other-scheme',
    'in-query',
  ] as const);
  const job = jobs.length > 0 ? random.pick(jobs) : null;
  const choices: Step[] = [
    {
      do: random.pick(['run', 'runsync']),
      job: label,
      plan: [{ return: { answer: 42 } }],
      auth,
      illegal: 'bad-key',
    },
    { do: 'requests', auth },
    { do: 'purge-queue', auth },
    { do: 'health', auth },
  ];
  if (job !== null) for (const op of JOB_OPERATIONS) choices.push({ do: op, job, auth });
  return random.pick(choices);
};

const JOB_OPERATIONS = ['status', 'stream', 'cancel', 'retry'] as const;

const malformed: Draw = (random) => {
  const path = random.pick(['/run', '/runsync']);
  const [bodyText, illegal] = random.pick([
    ['{"input": {', 'truncated-json'],
    ['', 'empty-body'],
    ['[]', 'array-body'],
    ['"input"', 'string-body'],
    ['{}', 'input-missing'],
    ['{"input": null}', 'input-null'],
    ['{"input": "text"}', 'input-string'],
    ['{"input": []}', 'input-array'],
  ] as const);
  return raw('POST', path, illegal, { bodyText });
};

/** Values of the wrong type, as careless clients send them. */
const WRONG_TYPES = ['soon', '60000', true, {}, [60_000], 60_000.5] as const;

const badSubmission: Draw = (random, _swarm, label) => {
  const plan = [{ return: { answer: 42 } }] as const;
  const op = random.pick(['run', 'runsync'] as const);
  const [more, illegal] = random.pick([outOfRange, outOfRange, wrongType])(random);
  return { do: op, job: label, plan, ...more, illegal };
};

type Wrong = readonly [Partial<SubmitStep>, string];

const outOfRange = (random: RandomSource): Wrong =>
  random.pick<Wrong>([
    [{ policy: { ttl: TTL_MIN_MS - 1 } }, 'ttl-too-small'],
    [{ policy: { ttl: TTL_MAX_MS + 1 } }, 'ttl-too-large'],
    [{ policy: { ttl: 0 } }, 'ttl-too-small'],
    [{ policy: { ttl: -1 } }, 'ttl-negative'],
    [{ policy: { executionTimeout: EXECUTION_TIMEOUT_MIN_MS - 1 } }, 'execution-timeout-too-small'],
    [{ policy: { executionTimeout: EXECUTION_TIMEOUT_MAX_MS + 1 } }, 'execution-timeout-too-large'],
    [{ do: 'runsync', wait: WAIT_MIN_MS - 1 }, 'wait-too-small'],
    [{ do: 'runsync', wait: WAIT_MAX_MS + 1 }, 'wait-too-large'],
    // A client that expects an answer within the longest wait gives up half a minute after it.
    [{ do: 'runsync', wait: WAIT_MAX_MS + 20_000, plan: [{ hang: true }] }, 'wait-too-large'],
    [{ do: 'runsync', wait: 'soon' }, 'wait-no-integer'],
  ]);

interface StatusCall {
  /** Time since the submission. */
  readonly plusMs: number;
  /** The `ttl` that the call sets. */
  readonly ttl?: number;
}

interface FarOutOfRange {
  readonly policy: { readonly ttl?: number; readonly executionTimeout?: number };
  readonly takenMs: number;
  readonly boundMs: number;
  readonly illegal: string;
  /** An additional call before the other two. */
  readonly first?: StatusCall;
}

const FAR_OUT_OF_RANGE: readonly FarOutOfRange[] = [
  {
    policy: { ttl: TTL_MIN_MS / 4 },
    takenMs: TTL_MIN_MS / 4,
    boundMs: TTL_MIN_MS,
    illegal: 'ttl-too-small',
  },
  {
    policy: { ttl: TTL_MAX_MS + DAY_MS / 2 },
    takenMs: TTL_MAX_MS + DAY_MS / 2,
    boundMs: TTL_MAX_MS,
    illegal: 'ttl-too-large',
  },
  {
    policy: { executionTimeout: 1_000, ttl: 60_000 },
    takenMs: 1_000,
    boundMs: EXECUTION_TIMEOUT_MIN_MS,
    illegal: 'execution-timeout-too-small',
  },
  {
    policy: { executionTimeout: EXECUTION_TIMEOUT_MAX_MS + DAY_MS / 2, ttl: TTL_MAX_MS },
    takenMs: EXECUTION_TIMEOUT_MAX_MS + DAY_MS / 2,
    boundMs: EXECUTION_TIMEOUT_MAX_MS,
    illegal: 'execution-timeout-too-large',
    // Where a `ttl` of `/status` counts from its call, it outlives the longest executionTimeout.
    first: { plusMs: DAY_MS, ttl: TTL_MAX_MS },
  },
];

/**
 * A number so far out of range that accepting it has visible effects; with reads at the time when it would
 * expire and when the bound would.
 */
export function drawFarOutOfRange(
  random: RandomSource,
  label: string,
  { marginMs, maxWaitMs }: Limits,
): { readonly step: SubmitStep; readonly statusCalls: readonly StatusCall[] } {
  const { policy, takenMs, boundMs, illegal, first } = random.pick(FAR_OUT_OF_RANGE);
  const statusCalls: readonly StatusCall[] = [
    ...(first === undefined ? [] : [first]),
    { plusMs: Math.min(takenMs, boundMs) + marginMs },
    { plusMs: Math.max(takenMs, boundMs) + marginMs },
  ];
  return {
    step: { do: 'run', job: label, plan: [{ hang: true }], policy, illegal },
    statusCalls: statusCalls.filter(({ plusMs }) => plusMs <= maxWaitMs),
  };
}

const wrongType = (random: RandomSource): Wrong => {
  const wrong = random.pick(WRONG_TYPES);
  return random.pick<Wrong>([
    [{ policy: { ttl: wrong } }, 'ttl-of-the-wrong-type'],
    [{ policy: { executionTimeout: wrong } }, 'execution-timeout-of-the-wrong-type'],
    [{ policy: { lowPriority: random.pick(['yes', 1, {}]) } }, 'low-priority-of-the-wrong-type'],
    [{ policy: random.pick(['text', 7, []]) }, 'policy-of-the-wrong-type'],
    [{ webhookUrl: random.pick([7, true, {}]) }, 'webhook-of-the-wrong-type'],
    [{ s3Config: random.pick(['bucket', 7, []]) }, 's3-config-of-the-wrong-type'],
  ]);
};

const wrongMethodOrPath: Draw = (random, _swarm, _label, jobs) => {
  const job = jobs.length > 0 ? `{job:${random.pick(jobs)}}` : UNKNOWN_JOB_ID;
  return random.pick<Step>([
    raw('GET', '/run', 'wrong-method'),
    raw('GET', '/runsync', 'wrong-method'),
    raw('GET', `/cancel/${job}`, 'wrong-method'),
    raw('GET', `/retry/${job}`, 'wrong-method'),
    raw('GET', '/purge-queue', 'wrong-method'),
    raw('POST', '/health', 'wrong-method'),
    raw('DELETE', `/status/${job}`, 'wrong-method'),
    { do: 'health', endpoint: 'no-such-endpoint' },
    { do: 'purge-queue', endpoint: 'no-such-endpoint' },
    raw('GET', `/status/${job}/more`, 'unknown-path'),
    raw(
      'GET',
      random.pick(['/v1/{endpoint}/health', '/v3/{endpoint}/health', '/{endpoint}/health']),
      'wrong-version',
      {
        fromRoot: true,
      },
    ),
    ...(jobs.length > 0
      ? [
          { do: 'status', job: random.pick(jobs), endpoint: 'no-such-endpoint' } as const,
          { do: 'status', job: random.pick(jobs), ttl: random.pick(['soon', '-1', '1.5']) } as const,
        ]
      : []),
  ]);
};
