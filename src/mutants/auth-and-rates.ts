/** Faults of authentication and rate limits. */
import { idsFor, type RequirementId } from '../spec/index.js';
import type { Operation } from '../spec/types.js';
import { fault, type Mutant } from './mutant.js';

const OPENED = ['runsync', 'run', 'stream', 'cancel', 'retry'] as const;
const MISSING_KEY = idsFor('5/missing-key-*', OPENED);
const WRONG_KEY = idsFor('5/wrong-key-*', OPENED);

const needsNoKey = (op: (typeof OPENED)[number]): Mutant =>
  fault(
    `${op}-needs-no-key`,
    `/${op} needs no key`,
    [MISSING_KEY[op], WRONG_KEY[op], '5/empty-key', '5/key-compared-whole', '5/other-scheme'],
    () => ({ needsKey: (asked) => asked !== op }),
  );

const halved = (op: Operation, breaks: RequirementId): Mutant =>
  fault(`rate-${op}-half`, `/${op} accepts only half the requests`, [breaks], (base) => ({
    rateLimit: (asked, running, perWorker) =>
      base.rateLimit(asked, running, perWorker) / (asked === op ? 2 : 1),
  }));

const unlimited = (op: Operation, breaks: RequirementId): Mutant =>
  fault(`rate-${op}-unlimited`, `/${op} accepts any number of requests`, [breaks], (base) => ({
    rateLimit: (asked, running, perWorker) =>
      asked === op ? Number.POSITIVE_INFINITY : base.rateLimit(asked, running, perWorker),
  }));

const oneTooFew = (op: Operation, breaks: RequirementId): Mutant =>
  fault(`rate-${op}-one-too-few`, `/${op} refuses the last allowed request`, [breaks], (base) => ({
    rateLimit: (asked, running, perWorker) =>
      base.rateLimit(asked, running, perWorker) - (asked === op ? 1 : 0),
  }));

const windowOf = (op: Operation, windowMs: number, breaks: RequirementId): Mutant =>
  fault(
    `rate-${op}-window-of-${windowMs / 1000}-s`,
    `requests of /${op} are counted over ${windowMs / 1000} s`,
    [breaks],
    (base) => ({
      rateWindowMs: (asked) => (asked === op ? windowMs : base.rateWindowMs(asked)),
    }),
  );

export const AUTH_AND_RATES = [
  ...OPENED.map(needsNoKey),
  fault('any-scheme', 'the key is accepted after any authorization scheme', ['5/other-scheme'], (base) => ({
    keyIn: (header) => base.keyIn(header.replace(/^\w+ +/, '')),
  })),
  fault(
    'key-length-compared',
    'any key of the right length is accepted',
    ['5/wrong-key-run', '5/wrong-key-status', '5/key-compared-whole'],
    () => ({ keyAccepted: (same, key, given) => same || key.length === given.length }),
  ),
  fault(
    'key-beginning-compared',
    'only the first eight characters of the key are compared',
    ['5/key-compared-whole'],
    () => ({ keyAccepted: (same, key, given) => same || key.slice(0, 8) === given.slice(0, 8) }),
  ),
  fault(
    'unauthorized-runsync-creates',
    'a /runsync call answered with 401 creates a job',
    ['5/unauthorized-submission-creates-nothing-runsync'],
    () => ({ performsRefused: (problem, op) => problem === 'unauthorized' && op === 'runsync' }),
  ),
  fault(
    'refused-cancel-works',
    'a /cancel call answered with 429 cancels the job',
    ['8/refused-call-has-no-effect'],
    () => ({ performsRefused: (problem, op) => problem === 'too-many' && op === 'cancel' }),
  ),
  fault(
    'refused-runsync-creates',
    'a /runsync call answered with 429 creates a job',
    ['8/refused-call-has-no-effect'],
    () => ({
      performsRefused: (problem, op) =>
        (problem === 'too-many' || problem === 'too-many-at-once') && op === 'runsync',
    }),
  ),
  halved('runsync', '8/rate-runsync-below'),
  halved('run', '8/rate-run-below'),
  halved('status', '8/rate-status-below'),
  halved('stream', '8/rate-stream-below'),
  halved('openai', '8/rate-openai-below'),
  halved('requests', '8/rate-requests-below'),
  unlimited('runsync', '8/rate-runsync-above'),
  unlimited('run', '8/rate-run-above'),
  unlimited('status', '8/rate-status-above'),
  unlimited('stream', '8/rate-stream-above'),
  unlimited('cancel', '8/rate-cancel-above'),
  unlimited('purge-queue', '8/rate-purge-queue-above'),
  unlimited('openai', '8/rate-openai-above'),
  unlimited('requests', '8/rate-requests-above'),
  oneTooFew('runsync', '8/rate-runsync-below'),
  oneTooFew('run', '8/rate-run-below'),
  oneTooFew('status', '8/rate-status-below'),
  oneTooFew('stream', '8/rate-stream-below'),
  oneTooFew('cancel', '8/rate-cancel-below'),
  oneTooFew('requests', '8/rate-requests-below'),
  windowOf('runsync', 60_000, '8/rate-runsync-recovers'),
  windowOf('status', 60_000, '8/rate-status-recovers'),
  windowOf('stream', 60_000, '8/rate-stream-recovers'),
  windowOf('run', 20_000, '8/rate-run-recovers'),
  windowOf('cancel', 5_000, '8/rate-cancel-above'),
  windowOf('purge-queue', 2_000, '8/rate-purge-queue-above'),
  fault(
    'rate-health-as-purge',
    '/health calls count against the rate limit of /purge-queue',
    ['8/rate-per-operation', '8/rate-purge-queue-below'],
    (base) => ({
      rateScope: (key, endpoint, op, rest) =>
        base.rateScope(key, endpoint, op === 'health' ? 'purge-queue' : op, rest),
    }),
  ),
  fault(
    'rate-retry-as-cancel',
    '/retry calls count against the rate limit of /cancel',
    ['8/rate-per-operation', '8/rate-cancel-below'],
    (base) => ({
      rateScope: (key, endpoint, op, rest) =>
        base.rateScope(key, endpoint, op === 'retry' ? 'cancel' : op, rest),
    }),
  ),
  fault(
    'rate-status-as-cancel',
    '/status and /cancel share one rate limit',
    ['8/rate-per-operation', '8/rate-cancel-below'],
    (base) => ({
      rateScope: (key, endpoint, op, rest) =>
        base.rateScope(key, endpoint, op === 'status' ? 'cancel' : op, rest),
    }),
  ),
  fault(
    'rate-stream-as-run',
    '/stream and /run share one rate limit',
    ['8/rate-per-operation', '8/rate-run-below'],
    (base) => ({
      rateScope: (key, endpoint, op, rest) =>
        base.rateScope(key, endpoint, op === 'stream' ? 'run' : op, rest),
    }),
  ),
  fault(
    'rate-status-as-stream',
    '/status and /stream share one rate limit',
    ['8/rate-per-operation'],
    (base) => ({
      rateScope: (key, endpoint, op, rest) =>
        base.rateScope(key, endpoint, op === 'stream' ? 'status' : op, rest),
    }),
  ),
  fault(
    'rate-run-as-runsync',
    '/run and /runsync share one rate limit',
    ['8/rate-per-operation', '8/rate-runsync-below'],
    (base) => ({
      rateScope: (key, endpoint, op, rest) =>
        base.rateScope(key, endpoint, op === 'runsync' ? 'run' : op, rest),
    }),
  ),
  fault(
    'concurrency-counts-waiting-jobs',
    'unfinished jobs of /run count as calls in flight',
    ['8/concurrency-run-below'],
    () => ({ inFlight: (_op, { jobs }) => jobs }),
  ),
  fault(
    'concurrency-runsync-like-run',
    '/runsync allows only 200 calls in flight',
    ['8/concurrency-runsync-below'],
    (base) => ({ concurrencyLimit: (op) => base.concurrencyLimit(op === 'runsync' ? 'run' : op) }),
  ),
  fault(
    'queue-of-hundred',
    '/run is answered with 429 once 100 jobs are waiting',
    ['8/rate-run-below', '8/concurrency-run-below', '1/waits-when-no-worker-free'],
    () => ({ queueLengthMax: () => 100 }),
  ),
] as const;
