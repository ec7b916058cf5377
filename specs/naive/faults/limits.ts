/** Faults of sections 8 and 9: sizes, rates, the version. */
import { refuse } from '../call.js';
import { LIMITS } from '../limits.js';
import { emptySubmission } from '../operations/body.js';
import { MINUTE_MS, SECOND_MS } from '../submission.js';
import { perJob, perAllowance, nowIn } from './memory.js';
import { breaking } from './fault.js';

export const LIMITS_FAULTS = [
  breaking('8', '| `/run` payload | 10 MB |', {
    'run-limit-missing': {
      does: 'any size is accepted',
      bodyMegabytes: (megabytes, kind) => (kind === 'run' ? Infinity : megabytes),
    },
    'run-limit-twenty': {
      does: 'the limit of /runsync is used',
      bodyMegabytes: (megabytes, kind) => (kind === 'run' ? 20 : megabytes),
    },
    'run-limit-one': {
      does: 'the limit is 1 MB',
      bodyMegabytes: (megabytes, kind) => (kind === 'run' ? 1 : megabytes),
    },
    'run-limit-five': {
      does: 'the limit is 5 MB',
      bodyMegabytes: (megabytes, kind) => (kind === 'run' ? 5 : megabytes),
    },
    'run-oversize-is-500': {
      does: 'too large a body yields 500',
      oversize: () => refuse(500, 'out of memory'),
    },
    'run-oversize-hangs-up': {
      does: 'too large a body closes the connection without an answer',
      legal: '7/oversize-code=connection-closed',
      oversize: () => ({ code: 500, hangUp: true }),
    },
    'run-oversize-makes-job': {
      does: 'the answer refuses, but a job has been queued',
      oversize({ endpoint }, kind) {
        endpoint.submit(emptySubmission(endpoint, kind));
        return null;
      },
    },
    'run-limit-in-characters': {
      does: 'characters are counted, not bytes',
      bodyBytes: (bytes, body) => body?.toString('utf8').length ?? bytes,
    },
  }),
  breaking('8', '| `/runsync` payload | 20 MB |', {
    'runsync-limit-missing': {
      does: 'any size is accepted',
      bodyMegabytes: (megabytes, kind) => (kind === 'runsync' ? Infinity : megabytes),
    },
    'runsync-limit-ten': {
      does: 'the limit of /run is used',
      bodyMegabytes: (megabytes, kind) => (kind === 'runsync' ? 10 : megabytes),
    },
    'runsync-limit-one': {
      does: 'the limit is 1 MB',
      bodyMegabytes: (megabytes, kind) => (kind === 'runsync' ? 1 : megabytes),
    },
  }),
  breaking('8', 'Requests beyond the effective limit receive 429.', {
    'rate-missing': { does: 'no rate is limited', limit: () => null },
    'rate-missing-on-run': {
      does: '/run is not limited',
      limit: (limit, operation) => (operation === 'run' ? null : limit),
    },
    'rate-missing-on-runsync': {
      does: '/runsync is not limited',
      legal:
        'at most 400 calls at a time that each wait a second are 4000 in ten: two windows may share them',
      limit: (limit, operation) => (operation === 'runsync' ? null : limit),
    },
    'rate-missing-on-status': {
      does: '/status is not limited',
      limit: (limit, operation) => (operation === 'status' ? null : limit),
    },
    'rate-missing-on-stream': {
      does: '/stream is not limited',
      limit: (limit, operation) => (operation === 'stream' ? null : limit),
    },
    'rate-missing-on-cancel': {
      does: '/cancel is not limited',
      limit: (limit, operation) => (operation === 'cancel' ? null : limit),
    },
    'rate-missing-on-purge': {
      does: '/purge-queue is not limited',
      limit: (limit, operation) => (operation === 'purge-queue' ? null : limit),
    },
    'rate-missing-on-openai': {
      does: '/openai/* is not limited',
      legal: '8/requests-per-worker=other: where a worker runs, nobody knows how far it raises the limit',
      limit: (limit, operation) => (operation === 'openai' ? null : limit),
    },
    'rate-missing-on-requests': {
      does: '/requests is not limited',
      limit: (limit, operation) => (operation === 'requests' ? null : limit),
    },
    'rate-one-too-low': {
      does: 'the last request of the allowance is refused',
      limit: (limit) => limit && { ...limit, rate: limit.rate - 1 },
    },
    'rate-one-too-high': {
      does: 'one request too many passes',
      limit: (limit) => limit && { ...limit, rate: limit.rate + 1 },
    },
    'rate-halved': {
      does: 'half the allowance',
      limit: (limit) => limit && { ...limit, rate: limit.rate / 2 },
    },
    'rate-is-503': {
      does: 'the answer is 503',
      reply: (reply) => (reply.code === 429 ? { ...reply, code: 503 } : reply),
    },
    'rate-is-403': {
      does: 'the answer is 403',
      reply: (reply) => (reply.code === 429 ? { ...reply, code: 403 } : reply),
    },
    'rate-acts-anyway': {
      does: 'the answer is 429, but the call has taken effect',
      refusedByRate: (act) => act(),
    },
    'rate-retry-limited-as-purge': {
      does: '/retry is limited like /purge-queue',
      contested: 'rate limits for /retry are not shown',
      legal: '8/retry-limit=limited',
      limit: (limit, operation) => (operation === 'retry' ? LIMITS['purge-queue'] : limit),
    },
    'rate-health-limited-as-purge': {
      does: '/health is limited like /purge-queue',
      contested: 'rate limits for /health are not shown',
      legal: '8/health-limit=limited',
      limit: (limit, operation) => (operation === 'health' ? LIMITS['purge-queue'] : limit),
    },
    'rate-refusal-resets': { does: 'a refused request sets the count to 0', rateRefused: () => [] },
    'rate-spread-per-second': {
      does: 'of the rate a tenth may come in each second',
      window: ({ rate }) => ({ spanMs: SECOND_MS, rate: Math.ceil(rate / 10) }),
    },
    'concurrency-leaks-when-refused': {
      does: 'a refused request holds its slot for good',
      refusedByRate: (_act, allowance) => void (allowance.open += 1),
    },
  }),
  breaking('8', '2000 requests per 10 seconds', {
    'rate-never-resets': {
      does: 'an allowance once used up is gone for good',
      window: ({ rate }) => ({ spanMs: Infinity, rate }),
    },
    'rate-window-one-minute': {
      does: 'the window is one minute',
      window: ({ rate }) => ({ spanMs: MINUTE_MS, rate }),
    },
    'rate-window-one-second': {
      does: 'the window is one second',
      window: ({ rate }) => ({ spanMs: SECOND_MS, rate }),
    },
    'rate-refusals-prolong': {
      does: 'every refused request starts the window anew',
      rateRefused: (taken, nowMs) => taken.map(() => nowMs),
    },
  }),
  breaking('8', 'Rate limits, enforced per endpoint and per operation:', {
    'rate-shared-by-operations': { does: 'all operations draw from one allowance', allowanceName: () => '' },
    'rate-shared-status-stream': {
      does: '/status and /stream draw from one allowance',
      allowanceName: (operation) => (operation === 'stream' ? 'status' : operation),
    },
    'rate-shared-by-endpoints': {
      does: 'all endpoints draw from one allowance',
      allowanceOwner: (endpoint) => [...endpoint.service.endpoints.values()][0] ?? endpoint,
    },
    'rate-per-job': {
      does: 'the allowance is per job id, so it is never used up',
      allowanceName: (operation, jobId) => operation + jobId,
    },
    'rate-of-cancel-per-job': {
      does: 'the allowance of /cancel is per job',
      allowanceName: (operation, jobId) => (operation === 'cancel' ? operation + jobId : operation),
    },
    'rate-of-status-per-job': {
      does: 'the allowance of /status is per job',
      allowanceName: (operation, jobId) => (operation === 'status' ? operation + jobId : operation),
    },
    'rate-of-stream-per-job': {
      does: 'the allowance of /stream is per job',
      allowanceName: (operation, jobId) => (operation === 'stream' ? operation + jobId : operation),
    },
    'rate-retry-draws-from-run': {
      does: 'every /retry takes one from the allowance of /run',
      drawsFrom: (operation) => (operation === 'retry' ? 'run' : null),
    },
    'rate-health-draws-from-status': {
      does: 'every /health takes one from the allowance of /status',
      drawsFrom: (operation) => (operation === 'health' ? 'status' : null),
    },
    'rate-tokens-pile-up': {
      does: 'what is not used of one window may be used in the next',
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
      does: 'an allowance is given back once; used up a second time, it is gone for good',
      window: (window, { exhaustions }) => (exhaustions > 1 ? { ...window, spanMs: Infinity } : window),
    },
  }),
  breaking('8', '| `/runsync` | POST | 2000 requests per 10 seconds | 400 |', {
    'concurrency-missing': {
      does: 'any number of /runsync calls may wait',
      limit: (limit) => limit && { ...limit, concurrency: Infinity },
    },
    // Of the other operations it could not show: their calls are answered at once, so that no two are in progress together.
    'concurrency-missing-on-runsync': {
      does: 'any number of /runsync calls may wait, while other operations are limited',
      limit: (limit, operation) =>
        limit && (operation === 'runsync' ? { ...limit, concurrency: Infinity } : limit),
    },
    'concurrency-halved': {
      does: 'the 201st waiting /runsync is refused',
      limit: (limit) => limit && { ...limit, concurrency: limit.concurrency / 2 },
    },
    'concurrency-leaks': {
      does: 'the slot of a call that ends in an error is not given back',
      endsRequest: (_operation, { code }) => code < 400,
    },
    'concurrency-leaks-when-clients-hang-up': {
      does: 'the slot of a call whose client has hung up is never given back',
      endsWhenGone: () => false,
    },
    'concurrency-counts-queued-jobs': {
      does: 'jobs of /run that wait count against /run',
      runRefused: ({ workers }) => (workers.queue.length >= 200 ? refuse(429, 'busy') : null),
    },
    'concurrency-leaks-when-wait-elapses': {
      does: 'the slot of a call whose wait has elapsed is not given back',
      endsRequest: (operation, { body }) =>
        operation !== 'runsync' || !/"IN_(QUEUE|PROGRESS)"/.test(JSON.stringify(body ?? null)),
    },
  }),
  breaking('8', 'Dynamic rule: the effective limit is the higher of', {
    'rate-lower-of': {
      does: 'the lower of the two is used',
      rate: (_rate, base, dynamic) => Math.min(base, dynamic),
    },
    'rate-dynamic-only': {
      does: 'only running workers × requests_per_worker is used',
      rate: (_rate, _base, dynamic) => dynamic,
    },
  }),
  breaking('8', '| `/status` | GET | 2000 requests per 10 seconds | 400 |', {
    'status-limited-per-job': {
      does: 'a job may be read a hundred times in ten seconds',
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
  }),
  breaking('9', 'The API version is the path segment `v2` in every operation path.', {
    'version-ignored': {
      does: 'any path segment passes for the version',
      contested: 'nothing forbids answering to further paths',
      path: (path) => ['v2', ...path.slice(1)],
    },
    'version-missing-passes': {
      does: 'paths without the segment pass as well',
      contested: 'nothing forbids answering to further paths',
      path: (path) => (path[0] === 'v2' ? path : ['v2', ...path]),
    },
  }),
];
