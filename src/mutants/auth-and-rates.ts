/** Faults of authentication and rate limits. */
import type { Operation } from '../spec/types.js';
import { each, type Change, type Changes } from './mutant.js';

const windowOf =
  (op: Operation, windowMs: number): Change =>
  (base) => ({ rateWindowMs: (asked) => (asked === op ? windowMs : base.rateWindowMs(asked)) });

const HALVED = ['runsync', 'run', 'status', 'stream', 'openai', 'requests'] as const;
const UNLIMITED = [...HALVED, 'cancel', 'purge-queue'] as const;
const ONE_TOO_FEW = ['runsync', 'run', 'status', 'stream', 'cancel', 'requests'] as const;

export const AUTH_AND_RATES: Changes = {
  ...each('*-needs-no-key', ['runsync', 'run', 'stream', 'cancel', 'retry'] as const, (op) => () => ({
    needsKey: (asked) => asked !== op,
  })),
  'any-scheme': (base) => ({ keyIn: (header) => base.keyIn(header.replace(/^\w+ +/, '')) }),
  'key-length-compared': () => ({ keyAccepted: (same, key, given) => same || key.length === given.length }),
  'key-beginning-compared': () => ({
    keyAccepted: (same, key, given) => same || key.slice(0, 8) === given.slice(0, 8),
  }),
  'unauthorized-runsync-creates': () => ({
    performsRefused: (problem, op) => problem === 'unauthorized' && op === 'runsync',
  }),
  'refused-cancel-works': () => ({
    performsRefused: (problem, op) => problem === 'too-many' && op === 'cancel',
  }),
  'refused-runsync-creates': () => ({
    performsRefused: (problem, op) =>
      (problem === 'too-many' || problem === 'too-many-at-once') && op === 'runsync',
  }),
  ...each('rate-*-half', HALVED, (op) => (base) => ({
    rateLimit: (asked, running, perWorker) =>
      base.rateLimit(asked, running, perWorker) / (asked === op ? 2 : 1),
  })),
  ...each('rate-*-unlimited', UNLIMITED, (op) => (base) => ({
    rateLimit: (asked, running, perWorker) =>
      asked === op ? Number.POSITIVE_INFINITY : base.rateLimit(asked, running, perWorker),
  })),
  ...each('rate-*-one-too-few', ONE_TOO_FEW, (op) => (base) => ({
    rateLimit: (asked, running, perWorker) =>
      base.rateLimit(asked, running, perWorker) - (asked === op ? 1 : 0),
  })),
  ...each('rate-*-window-of-60-s', ['runsync', 'status', 'stream'] as const, (op) => windowOf(op, 60_000)),
  'rate-run-window-of-20-s': windowOf('run', 20_000),
  'rate-cancel-window-of-5-s': windowOf('cancel', 5_000),
  'rate-purge-queue-window-of-2-s': windowOf('purge-queue', 2_000),
  'rate-health-as-purge': (base) => ({
    rateScope: (key, endpoint, op, rest) =>
      base.rateScope(key, endpoint, op === 'health' ? 'purge-queue' : op, rest),
  }),
  'rate-retry-as-cancel': (base) => ({
    rateScope: (key, endpoint, op, rest) =>
      base.rateScope(key, endpoint, op === 'retry' ? 'cancel' : op, rest),
  }),
  'rate-status-as-cancel': (base) => ({
    rateScope: (key, endpoint, op, rest) =>
      base.rateScope(key, endpoint, op === 'status' ? 'cancel' : op, rest),
  }),
  'rate-stream-as-run': (base) => ({
    rateScope: (key, endpoint, op, rest) => base.rateScope(key, endpoint, op === 'stream' ? 'run' : op, rest),
  }),
  'rate-status-as-stream': (base) => ({
    rateScope: (key, endpoint, op, rest) =>
      base.rateScope(key, endpoint, op === 'stream' ? 'status' : op, rest),
  }),
  'rate-run-as-runsync': (base) => ({
    rateScope: (key, endpoint, op, rest) =>
      base.rateScope(key, endpoint, op === 'runsync' ? 'run' : op, rest),
  }),
  'concurrency-counts-waiting-jobs': () => ({ inFlight: (_op, { jobs }) => jobs }),
  'concurrency-runsync-like-run': (base) => ({
    concurrencyLimit: (op) => base.concurrencyLimit(op === 'runsync' ? 'run' : op),
  }),
  'queue-of-hundred': () => ({ queueLengthMax: () => 100 }),
};
