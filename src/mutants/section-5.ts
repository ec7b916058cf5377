/** Violations of sections 5 to 7: keys, webhooks, status codes. */
import { fault } from './mutant.js';

export const SECTION_5 = [
  fault(
    'no-key-403',
    'a call without a valid key is answered with 403',
    ['5/missing-key-run', '5/wrong-key-run', '5/missing-key-status'],
    (base) => ({
      codeOf: (problem, op) => (problem === 'unauthorized' ? 403 : base.codeOf(problem, op)),
    }),
  ),
  fault(
    'health-needs-no-key',
    '/health needs no key',
    ['5/missing-key-health', '5/wrong-key-health'],
    () => ({ needsKey: (op) => op !== 'health' }),
  ),
  fault(
    'status-needs-no-key',
    '/status needs no key',
    ['5/missing-key-status', '5/wrong-key-status', '5/unauthorized-reveals-nothing'],
    () => ({ needsKey: (op) => op !== 'status' }),
  ),
  fault(
    'purge-needs-no-key',
    '/purge-queue needs no key',
    ['5/missing-key-purge-queue', '5/unauthorized-purge-has-no-effect'],
    () => ({ needsKey: (op) => op !== 'purge-queue' }),
  ),
  fault(
    'any-key',
    'any key is accepted',
    ['5/wrong-key-run', '5/key-compared-whole', '5/wrong-key-status'],
    () => ({ keyAccepted: () => true }),
  ),
  fault(
    'permission-not-asked-for',
    'a key without permission may use the endpoint',
    ['5/key-without-permission'],
    () => ({ needsPermission: () => false }),
  ),
  fault(
    'permission-not-for-reads',
    'a key without permission may read jobs',
    ['5/key-without-permission'],
    () => ({ needsPermission: (op) => op !== 'status' && op !== 'stream' && op !== 'health' }),
  ),
  fault(
    'no-permission-403',
    'a key without permission is answered with 403',
    ['5/key-without-permission'],
    (base) => ({
      codeOf: (problem, op) => (problem === 'no-permission' ? 403 : base.codeOf(problem, op)),
    }),
  ),
  fault(
    'no-permission-404',
    'a key without permission is answered with 404, as if there were no endpoint',
    ['5/key-without-permission'],
    (base) => ({
      codeOf: (problem, op) => (problem === 'no-permission' ? 404 : base.codeOf(problem, op)),
    }),
  ),
  fault('key-prefix-accepted', 'a prefix of the key is accepted', ['5/key-compared-whole'], () => ({
    keyAccepted: (same, key, given) => same || key.startsWith(given),
  })),
  fault(
    'key-with-more-accepted',
    'the key followed by more characters is accepted',
    ['5/key-compared-whole'],
    () => ({
      keyAccepted: (same, key, given) => same || given.startsWith(key),
    }),
  ),
  fault('key-case-ignored', 'the key is compared without regard to case', ['5/key-compared-whole'], () => ({
    keyAccepted: (same, key, given) => same || key.toLowerCase() === given.toLowerCase(),
  })),
  fault(
    'unauthorized-run-creates',
    'a /run call answered with 401 creates a job',
    ['5/unauthorized-submission-creates-nothing-run'],
    () => ({
      performsRefused: (problem, op) => problem === 'unauthorized' && op === 'run',
    }),
  ),
  fault(
    'unauthorized-cancel-works',
    'a /cancel call answered with 401 cancels the job',
    ['5/unauthorized-cancel-has-no-effect'],
    () => ({
      performsRefused: (problem, op) => problem === 'unauthorized' && op === 'cancel',
    }),
  ),
  fault(
    'unauthorized-retry-works',
    'a /retry call answered with 401 requeues the job',
    ['5/unauthorized-retry-has-no-effect'],
    () => ({
      performsRefused: (problem, op) => problem === 'unauthorized' && op === 'retry',
    }),
  ),
  fault(
    'unauthorized-purge-works',
    'a /purge-queue call answered with 401 purges the queue',
    ['5/unauthorized-purge-has-no-effect'],
    () => ({
      performsRefused: (problem, op) => problem === 'unauthorized' && op === 'purge-queue',
    }),
  ),
  fault('key-in-query', 'a key in the query is accepted', ['5/key-only-in-header'], (base) => ({
    authorizationOf: (request) =>
      base.authorizationOf(request) ??
      request.query['api_key'] ??
      request.query['key'] ??
      request.query['token'],
  })),

  fault(
    'webhook-at-start',
    'the webhook is called when the job starts',
    ['6/no-call-before-completion'],
    (base) => ({
      webhookWanted: (job) =>
        (job.status === 'IN_PROGRESS' && job.submission.webhook !== null) || base.webhookWanted(job),
    }),
  ),
  fault(
    'webhook-for-deleted',
    'the webhook is called for a job that was deleted by its ttl',
    ['6/no-call-for-removed'],
    () => ({
      webhookWantedOnRemoval: (job) => job.submission.webhook !== null && job.endedMs === null,
    }),
  ),
  fault(
    'webhook-not-for-runsync',
    'no webhook is called for /runsync jobs',
    ['6/called-on-completion-runsync'],
    (base) => ({
      webhookWanted: (job) => job.op === 'run' && base.webhookWanted(job),
    }),
  ),
  fault(
    'webhook-never',
    'no webhook is ever called',
    ['6/called-on-completion-run', '6/called-on-completion-runsync'],
    () => ({ webhookWanted: () => false }),
  ),
  fault(
    'webhook-without-query',
    'the webhook is called without the query of its URL',
    ['6/called-at-given-url'],
    (base) => ({
      webhookUrl: (job) => base.webhookUrl(job).split('?')[0]!,
    }),
  ),
  fault(
    'webhook-to-root',
    'the webhook is called at the root of its host',
    ['6/called-at-given-url', '6/each-job-its-own-url', '6/called-on-completion-run'],
    (base) => ({
      webhookUrl: (job) => `${new URL(base.webhookUrl(job)).origin}/`,
    }),
  ),
  fault(
    'webhook-of-first-job',
    'all webhook calls go to the URL of the first job',
    ['6/each-job-its-own-url', '6/called-at-given-url', '6/called-on-completion-run'],
    (base) => {
      let first: string | null = null;
      return { webhookUrl: (job) => (first ??= base.webhookUrl(job)) };
    },
  ),
  fault(
    'webhook-of-the-last-submission',
    'all webhook calls go to the URL submitted last',
    ['6/each-job-its-own-url', '6/called-on-completion-run', '6/stops-after-200'],
    (base) => {
      let last: string | null = null;
      return {
        webhookTaken: (webhook) => {
          const taken = base.webhookTaken(webhook);
          if (taken === 'called') last = String(webhook);
          return taken;
        },
        webhookUrl: (job) => last ?? base.webhookUrl(job),
      };
    },
  ),
  fault('webhook-four-attempts', 'a failing webhook is called 4 times', ['6/at-most-three-attempts'], () => ({
    webhookAttemptsMax: () => 4,
  })),
  fault('webhook-two-attempts', 'a failing webhook is called twice', ['6/three-attempts'], () => ({
    webhookAttemptsMax: () => 2,
  })),
  fault(
    'webhook-one-attempt',
    'a failing webhook is not called again',
    ['6/three-attempts', '6/retries-after-error-status', '6/retries-after-dropped-connection'],
    () => ({ webhookAttemptsMax: () => 1 }),
  ),
  fault('webhook-pause-one-second', 'the second attempt follows after 1 s', ['6/pause-not-shorter'], () => ({
    webhookAgainAtMs: (_calledMs, endedMs) => endedMs + 1_000,
  })),
  fault(
    'webhook-pause-one-minute',
    'the second attempt follows after 1 minute',
    ['6/pause-not-longer', '6/retries-after-error-status'],
    () => ({ webhookAgainAtMs: (_calledMs, endedMs) => endedMs + 60_000 }),
  ),
  fault(
    'webhook-error-is-success',
    'an error status counts as success: no further attempt',
    ['6/retries-after-error-status', '6/three-attempts'],
    () => ({ webhookSucceeded: (status) => status !== null }),
  ),
  fault(
    'webhook-4xx-is-success',
    'a 4xx counts as success: no further attempt',
    ['6/retries-after-error-status'],
    (base) => ({
      webhookSucceeded: (status) =>
        (status !== null && status >= 400 && status < 500) || base.webhookSucceeded(status),
    }),
  ),
  fault(
    'webhook-silence-is-success',
    'a dropped connection counts as success: no further attempt',
    ['6/retries-after-dropped-connection', '6/retries-after-silence'],
    (base) => ({
      webhookSucceeded: (status) => status === null || base.webhookSucceeded(status),
    }),
  ),
  fault(
    'webhook-200-not-enough',
    'further attempts follow after a 200',
    ['6/stops-after-200', '6/second-success-ends-retries'],
    () => ({ webhookSucceeded: () => false }),
  ),
  fault(
    'webhook-delayed',
    'the first call comes 10 s after the end of the job',
    ['6/called-without-delay'],
    () => ({
      webhookFirstAtMs: (endedMs) => endedMs + 10_000,
    }),
  ),

  fault(
    'malformed-422',
    'malformed requests are answered with 422',
    ['7/malformed-json-run', '7/malformed-json-runsync', '7/no-body-run'],
    (base) => ({
      codeOf: (problem, op) => (problem === 'malformed' ? 422 : base.codeOf(problem, op)),
    }),
  ),
  fault(
    'malformed-500',
    'malformed requests are answered with 500',
    ['7/malformed-json-run', '7/no-500-for-client-errors'],
    (base) => ({
      codeOf: (problem, op) => (problem === 'malformed' ? 500 : base.codeOf(problem, op)),
    }),
  ),
  fault(
    'unknown-endpoint-400',
    'an unknown endpoint is answered with 400',
    ['7/unknown-endpoint-run', '7/unknown-endpoint-status', '7/unknown-endpoint-health'],
    (base) => ({
      codeOf: (problem, op) => (problem === 'no-such-endpoint' ? 400 : base.codeOf(problem, op)),
    }),
  ),
  fault(
    'expired-410',
    'calls for an expired job are answered with 410',
    ['7/ttl-expired-status', '7/result-expired-status', '7/unknown-job-status'],
    (base) => ({
      codeOf: (problem, op) => (problem === 'no-such-job' ? 410 : base.codeOf(problem, op)),
    }),
  ),
  fault(
    'expired-stream-empty-code',
    '/stream of an expired job is answered with 204',
    ['7/ttl-expired-stream', '7/result-expired-stream', '7/unknown-job-stream'],
    (base) => ({
      codeOf: (problem, op) =>
        problem === 'no-such-job' && op === 'stream' ? 204 : base.codeOf(problem, op),
    }),
  ),
  fault(
    'expired-retry-400',
    '/retry of an expired job is answered with 400',
    ['7/ttl-expired-retry', '7/result-expired-retry', '7/unknown-job-retry'],
    (base) => ({
      codeOf: (problem, op) => (problem === 'no-such-job' && op === 'retry' ? 400 : base.codeOf(problem, op)),
    }),
  ),
] as const;
