/** Violations of section 8: rate limits. */
import { CONCURRENT_OPERATIONS, type Operation } from '../spec/index.js';
import { each, type Changes } from './mutant.js';

export const SECTION_8: Changes = {
  ...each('concurrency-*-unlimited', CONCURRENT_OPERATIONS, (op) => (base) => ({
    concurrencyLimit: (asked) => (asked === op ? Number.POSITIVE_INFINITY : base.concurrencyLimit(asked)),
  })),
  ...each('concurrency-*-one-too-few', CONCURRENT_OPERATIONS, (op) => (base) => ({
    concurrencyLimit: (asked) => base.concurrencyLimit(asked) - (asked === op ? 1 : 0),
  })),
  'concurrency-leaks-when-malformed': (base) => {
    const left = new Map<Operation | null, number>();
    return {
      codeOf: (problem, op) => {
        if (problem === 'malformed') left.set(op, (left.get(op) ?? 0) + 1);
        return base.codeOf(problem, op);
      },
      inFlight: (op, flight) => base.inFlight(op, flight) + (left.get(op) ?? 0),
    };
  },
  'openai-path-by-path': (base) => ({
    rateScope: (key, endpoint, op, rest) => `${base.rateScope(key, endpoint, op, rest)} ${rest}`,
  }),
  'rate-not-enforced': () => ({ rateLimit: () => Number.POSITIVE_INFINITY }),
  'rate-cancel-like-run': (base) => ({
    rateLimit: (op, running, perWorker) => base.rateLimit(op === 'cancel' ? 'run' : op, running, perWorker),
    concurrencyLimit: (op) => base.concurrencyLimit(op),
  }),
  'rate-cancel-half': (base) => ({
    rateLimit: (op, running, perWorker) => base.rateLimit(op, running, perWorker) / (op === 'cancel' ? 2 : 1),
  }),
  'rate-purge-once': (base) => ({
    rateLimit: (op, running, perWorker) =>
      op === 'purge-queue' ? 1 : base.rateLimit(op, running, perWorker),
  }),
  'rate-purge-thrice': (base) => ({
    rateLimit: (op, running, perWorker) =>
      op === 'purge-queue' ? 3 : base.rateLimit(op, running, perWorker),
  }),
  'rate-run-like-runsync': (base) => ({
    rateLimit: (op, running, perWorker) => base.rateLimit(op === 'run' ? 'runsync' : op, running, perWorker),
  }),
  'rate-status-like-run': (base) => ({
    rateLimit: (op, running, perWorker) => base.rateLimit(op === 'status' ? 'run' : op, running, perWorker),
  }),
  'rate-window-one-second': () => ({ rateWindowMs: () => 1_000 }),
  'rate-window-one-minute': () => ({ rateWindowMs: () => 60_000 }),
  'rate-shared-by-operations': () => ({ rateScope: (_key, endpoint) => endpoint }),
  'rate-shared-by-endpoints': () => ({ rateScope: (_key, _endpoint, op) => op }),
  'rate-503': (base) => ({
    codeOf: (problem, op) => (problem === 'too-many' ? 503 : base.codeOf(problem, op)),
  }),
  'refused-purge-works': () => ({
    performsRefused: (problem, op) => problem === 'too-many' && op === 'purge-queue',
  }),
  'refused-run-creates': () => ({ performsRefused: (problem, op) => problem === 'too-many' && op === 'run' }),
  'concurrency-runsync-hundred': (base) => ({
    concurrencyLimit: (op) => (op === 'runsync' ? 100 : base.concurrencyLimit(op)),
  }),
  'concurrency-not-enforced': () => ({ concurrencyLimit: () => Number.POSITIVE_INFINITY }),
  'workers-lower-limit': (base) => ({
    rateLimit: (op, running, perWorker) => base.rateLimit(op, running, perWorker) / (1 + running),
  }),
};
