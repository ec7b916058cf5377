/** Faults of sections 8 and 9: sizes, rates, the version. */
import { refuse } from '../call.js';
import { LIMITS } from '../limits.js';
import { emptySubmission } from '../operations/body.js';
import { MINUTE_MS, SECOND_MS } from '../submission.js';
import { perJob, perAllowance, nowIn } from './memory.js';
import type { Faults } from './fault.js';

export const LIMITS_FAULTS = {
  'run-limit-missing': { bodyMegabytes: (megabytes, kind) => (kind === 'run' ? Infinity : megabytes) },
  'payload-run-double': { bodyMegabytes: (megabytes, kind) => (kind === 'run' ? 20 : megabytes) },
  'run-limit-one': { bodyMegabytes: (megabytes, kind) => (kind === 'run' ? 1 : megabytes) },
  'payload-run-half': { bodyMegabytes: (megabytes, kind) => (kind === 'run' ? 5 : megabytes) },
  'run-oversize-is-500': { oversize: () => refuse(500, 'out of memory') },
  'run-oversize-hangs-up': { oversize: () => ({ code: 500, hangUp: true }) },
  'run-oversize-makes-job': {
    oversize({ endpoint }, kind) {
      endpoint.submit(emptySubmission(endpoint, kind));
      return null;
    },
  },
  'run-limit-in-characters': { bodyBytes: (bytes, body) => body?.toString('utf8').length ?? bytes },
  'runsync-limit-missing': {
    bodyMegabytes: (megabytes, kind) => (kind === 'runsync' ? Infinity : megabytes),
  },
  'payload-sync-like-run': { bodyMegabytes: (megabytes, kind) => (kind === 'runsync' ? 10 : megabytes) },
  'runsync-limit-one': { bodyMegabytes: (megabytes, kind) => (kind === 'runsync' ? 1 : megabytes) },
  'rate-not-enforced': { limit: () => null },
  'rate-run-unlimited': { limit: (limit, operation) => (operation === 'run' ? null : limit) },
  'rate-missing-on-runsync': { limit: (limit, operation) => (operation === 'runsync' ? null : limit) },
  'rate-status-unlimited': { limit: (limit, operation) => (operation === 'status' ? null : limit) },
  'rate-stream-unlimited': { limit: (limit, operation) => (operation === 'stream' ? null : limit) },
  'rate-cancel-unlimited': { limit: (limit, operation) => (operation === 'cancel' ? null : limit) },
  'rate-purge-queue-unlimited': { limit: (limit, operation) => (operation === 'purge-queue' ? null : limit) },
  'rate-missing-on-openai': { limit: (limit, operation) => (operation === 'openai' ? null : limit) },
  'rate-requests-unlimited': { limit: (limit, operation) => (operation === 'requests' ? null : limit) },
  'rate-one-too-low': { limit: (limit) => limit && { ...limit, rate: limit.rate - 1 } },
  'rate-one-too-high': { limit: (limit) => limit && { ...limit, rate: limit.rate + 1 } },
  'rate-halved': { limit: (limit) => limit && { ...limit, rate: limit.rate / 2 } },
  'rate-503': { reply: (reply) => (reply.code === 429 ? { ...reply, code: 503 } : reply) },
  'rate-is-403': { reply: (reply) => (reply.code === 429 ? { ...reply, code: 403 } : reply) },
  'rate-acts-anyway': { refusedByRate: (act) => act() },
  'rate-retry-limited-as-purge': {
    limit: (limit, operation) => (operation === 'retry' ? LIMITS['purge-queue'] : limit),
  },
  'rate-health-limited-as-purge': {
    limit: (limit, operation) => (operation === 'health' ? LIMITS['purge-queue'] : limit),
  },
  'rate-refusal-resets': { rateRefused: () => [] },
  'rate-spread-per-second': { window: ({ rate }) => ({ spanMs: SECOND_MS, rate: Math.ceil(rate / 10) }) },
  'concurrency-leaks-when-refused': { refusedByRate: (_act, allowance) => void (allowance.open += 1) },
  'rate-never-resets': { window: ({ rate }) => ({ spanMs: Infinity, rate }) },
  'rate-window-one-minute': { window: ({ rate }) => ({ spanMs: MINUTE_MS, rate }) },
  'rate-window-one-second': { window: ({ rate }) => ({ spanMs: SECOND_MS, rate }) },
  'rate-refusals-prolong': { rateRefused: (taken, nowMs) => taken.map(() => nowMs) },
  'rate-shared-by-operations': { allowanceName: () => '' },
  'rate-status-as-stream': {
    allowanceName: (operation) => (operation === 'stream' ? 'status' : operation),
  },
  'rate-shared-by-endpoints': {
    allowanceOwner: (endpoint) => [...endpoint.service.endpoints.values()][0] ?? endpoint,
  },
  'rate-per-job': { allowanceName: (operation, jobId) => operation + jobId },
  'rate-of-cancel-per-job': {
    allowanceName: (operation, jobId) => (operation === 'cancel' ? operation + jobId : operation),
  },
  'rate-of-status-per-job': {
    allowanceName: (operation, jobId) => (operation === 'status' ? operation + jobId : operation),
  },
  'rate-of-stream-per-job': {
    allowanceName: (operation, jobId) => (operation === 'stream' ? operation + jobId : operation),
  },
  'rate-retry-draws-from-run': { drawsFrom: (operation) => (operation === 'retry' ? 'run' : null) },
  'rate-health-draws-from-status': { drawsFrom: (operation) => (operation === 'health' ? 'status' : null) },
  'rate-tokens-pile-up': {
    // A bucket that holds twice the rate, and is half full at first.
    with: () => {
      const bucketOf = perAllowance(() => ({ tokens: NaN, filledMs: 0 }));
      return {
        taken(allowance, nowMs, rate) {
          const bucket = bucketOf(allowance);
          const passedMs = Number.isNaN(bucket.tokens) ? 0 : nowMs - bucket.filledMs;
          const before = Number.isNaN(bucket.tokens) ? rate : bucket.tokens;
          bucket.tokens = Math.min(2 * rate, before + (passedMs * rate) / (10 * SECOND_MS));
          bucket.filledMs = nowMs;
          if (bucket.tokens < 1) return false;
          bucket.tokens -= 1;
          return true;
        },
      };
    },
  },
  'rate-resets-once': {
    window: (window, { exhaustions }) => (exhaustions > 1 ? { ...window, spanMs: Infinity } : window),
  },
  'concurrency-not-enforced': { limit: (limit) => limit && { ...limit, concurrency: Infinity } },
  // Of the other operations it could not show: their calls are answered at once, so that no two are in progress together.
  'concurrency-runsync-unlimited': {
    limit: (limit, operation) =>
      limit && (operation === 'runsync' ? { ...limit, concurrency: Infinity } : limit),
  },
  'concurrency-halved': { limit: (limit) => limit && { ...limit, concurrency: limit.concurrency / 2 } },
  'concurrency-leaks': { endsRequest: (_operation, { code }) => code < 400 },
  'concurrency-leaks-when-clients-hang-up': { endsWhenGone: () => false },
  'concurrency-counts-queued-jobs': {
    runRefused: ({ workers }) => (workers.queue.length >= 200 ? refuse(429, 'busy') : null),
  },
  'concurrency-leaks-when-wait-elapses': {
    endsRequest: (operation, { body }) =>
      operation !== 'runsync' || !/"IN_(QUEUE|PROGRESS)"/.test(JSON.stringify(body ?? null)),
  },
  'rate-lower-of': { rate: (_rate, base, dynamic) => Math.min(base, dynamic) },
  'rate-dynamic-only': { rate: (_rate, _base, dynamic) => dynamic },
  'status-limited-per-job': {
    with: () => {
      const readsOf = perJob(() => ({ atMs: [] as number[] }));
      return {
        statusRefused(job) {
          const reads = readsOf(job);
          const nowMs = nowIn(job.endpoint);
          const recent = reads.atMs.filter((atMs) => atMs > nowMs - 10_000);
          reads.atMs = [...recent, nowMs];
          return recent.length >= 100 ? refuse(429, 'read too often') : null;
        },
      };
    },
  },
  'any-version': { path: (path) => ['v2', ...path.slice(1)] },
  'version-missing-passes': { path: (path) => (path[0] === 'v2' ? path : ['v2', ...path]) },
} satisfies Faults;
