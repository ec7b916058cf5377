/** Violations of section 8: rate limits. */
import { CONCURRENT_OPERATIONS, idsFor } from '../spec/index.js';
import { fault, type Mutant } from './mutant.js';

type ConcurrentOperation = (typeof CONCURRENT_OPERATIONS)[number];

const ABOVE = idsFor('8/concurrency-*-above', CONCURRENT_OPERATIONS);
const BELOW = idsFor('8/concurrency-*-below', CONCURRENT_OPERATIONS);

const anyNumber = (op: ConcurrentOperation): Mutant =>
  fault(
    `concurrency-${op}-unlimited`,
    `any number of /${op} calls may be in flight`,
    [ABOVE[op]],
    (base) => ({
      concurrencyLimit: (asked) => (asked === op ? Number.POSITIVE_INFINITY : base.concurrencyLimit(asked)),
    }),
  );

const oneTooFew = (op: ConcurrentOperation): Mutant =>
  fault(
    `concurrency-${op}-one-too-few`,
    `the last allowed /${op} call in flight is refused`,
    [BELOW[op]],
    (base) => ({ concurrencyLimit: (asked) => base.concurrencyLimit(asked) - (asked === op ? 1 : 0) }),
  );

export const SECTION_8 = [
  ...CONCURRENT_OPERATIONS.map(anyNumber),
  ...CONCURRENT_OPERATIONS.map(oneTooFew),
  fault(
    'openai-path-by-path',
    'each path below /openai/ has a rate limit of its own',
    ['8/openai-shares-one-allowance'],
    (base) => ({
      rateScope: (key, endpoint, op, rest) => `${base.rateScope(key, endpoint, op, rest)} ${rest}`,
    }),
  ),
  fault(
    'rate-not-enforced',
    'rate limits are not enforced',
    ['8/rate-cancel-above', '8/rate-purge-queue-above', '8/rate-run-above', '8/rate-status-above'],
    () => ({
      rateLimit: () => Number.POSITIVE_INFINITY,
    }),
  ),
  fault('rate-cancel-like-run', '/cancel accepts 1000 calls per 10 s', ['8/rate-cancel-above'], (base) => ({
    rateLimit: (op, running, perWorker) => base.rateLimit(op === 'cancel' ? 'run' : op, running, perWorker),
    concurrencyLimit: (op) => base.concurrencyLimit(op),
  })),
  fault('rate-cancel-half', '/cancel accepts 50 calls per 10 s', ['8/rate-cancel-below'], (base) => ({
    rateLimit: (op, running, perWorker) => base.rateLimit(op, running, perWorker) / (op === 'cancel' ? 2 : 1),
  })),
  fault('rate-purge-once', '/purge-queue accepts 1 call per 10 s', ['8/rate-purge-queue-below'], (base) => ({
    rateLimit: (op, running, perWorker) =>
      op === 'purge-queue' ? 1 : base.rateLimit(op, running, perWorker),
  })),
  fault(
    'rate-purge-thrice',
    '/purge-queue accepts 3 calls per 10 s',
    ['8/rate-purge-queue-above'],
    (base) => ({
      rateLimit: (op, running, perWorker) =>
        op === 'purge-queue' ? 3 : base.rateLimit(op, running, perWorker),
    }),
  ),
  fault('rate-run-like-runsync', '/run accepts 2000 calls per 10 s', ['8/rate-run-above'], (base) => ({
    rateLimit: (op, running, perWorker) => base.rateLimit(op === 'run' ? 'runsync' : op, running, perWorker),
  })),
  fault('rate-status-like-run', '/status accepts 1000 calls per 10 s', ['8/rate-status-below'], (base) => ({
    rateLimit: (op, running, perWorker) => base.rateLimit(op === 'status' ? 'run' : op, running, perWorker),
  })),
  fault(
    'rate-window-one-second',
    'rates are counted per second',
    ['8/rate-cancel-above', '8/rate-purge-queue-above', '8/rate-run-above'],
    () => ({ rateWindowMs: () => 1_000 }),
  ),
  fault(
    'rate-window-one-minute',
    'rates are counted per minute',
    ['8/rate-cancel-recovers', '8/rate-purge-queue-recovers', '8/rate-run-recovers'],
    () => ({ rateWindowMs: () => 60_000 }),
  ),
  fault(
    'rate-shared-by-operations',
    'all operations of an endpoint share one rate limit',
    ['8/rate-per-operation'],
    () => ({
      rateScope: (_key, endpoint) => endpoint,
    }),
  ),
  fault('rate-shared-by-endpoints', 'all endpoints share one rate limit', ['8/rate-per-endpoint'], () => ({
    rateScope: (_key, _endpoint, op) => op,
  })),
  fault(
    'rate-503',
    'calls above the rate limit are answered with 503',
    ['8/rate-cancel-above', '8/rate-purge-queue-above', '7/no-500-in-normal-use'],
    (base) => ({
      codeOf: (problem, op) => (problem === 'too-many' ? 503 : base.codeOf(problem, op)),
    }),
  ),
  fault(
    'refused-purge-works',
    'a /purge-queue call answered with 429 purges the queue',
    ['8/refused-call-has-no-effect'],
    () => ({
      performsRefused: (problem, op) => problem === 'too-many' && op === 'purge-queue',
    }),
  ),
  fault(
    'refused-run-creates',
    'a /run call answered with 429 creates a job',
    ['8/refused-call-has-no-effect'],
    () => ({
      performsRefused: (problem, op) => problem === 'too-many' && op === 'run',
    }),
  ),
  fault(
    'concurrency-runsync-hundred',
    '/runsync allows only 100 calls in flight',
    ['8/concurrency-runsync-below'],
    (base) => ({
      concurrencyLimit: (op) => (op === 'runsync' ? 100 : base.concurrencyLimit(op)),
    }),
  ),
  fault(
    'concurrency-not-enforced',
    'any number of calls may be in flight',
    ['8/concurrency-enforced'],
    () => ({ concurrencyLimit: () => Number.POSITIVE_INFINITY }),
  ),
  fault(
    'workers-lower-limit',
    'the rate limit falls as more workers run',
    ['8/workers-never-lower-limit', '8/rate-cancel-below'],
    (base) => ({
      rateLimit: (op, running, perWorker) => base.rateLimit(op, running, perWorker) / (1 + running),
    }),
  ),
] as const;
