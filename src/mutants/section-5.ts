/** Violations of sections 5 to 7: keys, webhooks, status codes. */
import type { Changes } from './mutant.js';

export const SECTION_5: Changes = {
  'no-key-403': (base) => ({
    codeOf: (problem, op) => (problem === 'unauthorized' ? 403 : base.codeOf(problem, op)),
  }),
  'health-needs-no-key': () => ({ needsKey: (op) => op !== 'health' }),
  'status-needs-no-key': () => ({ needsKey: (op) => op !== 'status' }),
  'purge-needs-no-key': () => ({ needsKey: (op) => op !== 'purge-queue' }),
  'any-key': () => ({ keyAccepted: () => true }),
  'permission-not-asked-for': () => ({ needsPermission: () => false }),
  'permission-not-for-reads': () => ({
    needsPermission: (op) => op !== 'status' && op !== 'stream' && op !== 'health',
  }),
  'no-permission-403': (base) => ({
    codeOf: (problem, op) => (problem === 'no-permission' ? 403 : base.codeOf(problem, op)),
  }),
  'no-permission-404': (base) => ({
    codeOf: (problem, op) => (problem === 'no-permission' ? 404 : base.codeOf(problem, op)),
  }),
  'key-prefix-accepted': () => ({ keyAccepted: (same, key, given) => same || key.startsWith(given) }),
  'key-with-more-accepted': () => ({ keyAccepted: (same, key, given) => same || given.startsWith(key) }),
  'key-case-ignored': () => ({
    keyAccepted: (same, key, given) => same || key.toLowerCase() === given.toLowerCase(),
  }),
  'unauthorized-run-creates': () => ({
    performsRefused: (problem, op) => problem === 'unauthorized' && op === 'run',
  }),
  'unauthorized-cancel-works': () => ({
    performsRefused: (problem, op) => problem === 'unauthorized' && op === 'cancel',
  }),
  'unauthorized-retry-works': () => ({
    performsRefused: (problem, op) => problem === 'unauthorized' && op === 'retry',
  }),
  'unauthorized-purge-works': () => ({
    performsRefused: (problem, op) => problem === 'unauthorized' && op === 'purge-queue',
  }),
  'key-in-query': (base) => ({
    authorizationOf: (request) =>
      base.authorizationOf(request) ??
      request.query['api_key'] ??
      request.query['key'] ??
      request.query['token'],
  }),
  'webhook-at-start': (base) => ({
    webhookWanted: (job) =>
      (job.status === 'IN_PROGRESS' && job.submission.webhook !== null) || base.webhookWanted(job),
  }),
  'webhook-for-deleted': () => ({
    webhookWantedOnRemoval: (job) => job.submission.webhook !== null && job.endedMs === null,
  }),
  'webhook-not-for-runsync': (base) => ({
    webhookWanted: (job) => job.op === 'run' && base.webhookWanted(job),
  }),
  'webhook-never': () => ({ webhookWanted: () => false }),
  'webhook-without-query': (base) => ({ webhookUrl: (job) => base.webhookUrl(job).split('?')[0]! }),
  'webhook-to-root': (base) => ({ webhookUrl: (job) => `${new URL(base.webhookUrl(job)).origin}/` }),
  'webhook-of-first-job': (base) => {
    let first: string | null = null;
    return { webhookUrl: (job) => (first ??= base.webhookUrl(job)) };
  },
  'webhook-of-the-last-submission': (base) => {
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
  'webhook-four-attempts': () => ({ webhookAttemptsMax: () => 4 }),
  'webhook-two-attempts': () => ({ webhookAttemptsMax: () => 2 }),
  'webhook-one-attempt': () => ({ webhookAttemptsMax: () => 1 }),
  'webhook-pause-one-second': () => ({ webhookAgainAtMs: (_calledMs, endedMs) => endedMs + 1_000 }),
  'webhook-pause-one-minute': () => ({ webhookAgainAtMs: (_calledMs, endedMs) => endedMs + 60_000 }),
  'webhook-error-is-success': () => ({ webhookSucceeded: (status) => status !== null }),
  'webhook-4xx-is-success': (base) => ({
    webhookSucceeded: (status) =>
      (status !== null && status >= 400 && status < 500) || base.webhookSucceeded(status),
  }),
  'webhook-silence-is-success': (base) => ({
    webhookSucceeded: (status) => status === null || base.webhookSucceeded(status),
  }),
  'webhook-200-not-enough': () => ({ webhookSucceeded: () => false }),
  'webhook-delayed': () => ({ webhookFirstAtMs: (endedMs) => endedMs + 10_000 }),
  'malformed-422': (base) => ({
    codeOf: (problem, op) => (problem === 'malformed' ? 422 : base.codeOf(problem, op)),
  }),
  'malformed-500': (base) => ({
    codeOf: (problem, op) => (problem === 'malformed' ? 500 : base.codeOf(problem, op)),
  }),
  'unknown-endpoint-400': (base) => ({
    codeOf: (problem, op) => (problem === 'no-such-endpoint' ? 400 : base.codeOf(problem, op)),
  }),
  'expired-410': (base) => ({
    codeOf: (problem, op) => (problem === 'no-such-job' ? 410 : base.codeOf(problem, op)),
  }),
  'expired-stream-empty-code': (base) => ({
    codeOf: (problem, op) => (problem === 'no-such-job' && op === 'stream' ? 204 : base.codeOf(problem, op)),
  }),
  'expired-retry-400': (base) => ({
    codeOf: (problem, op) => (problem === 'no-such-job' && op === 'retry' ? 400 : base.codeOf(problem, op)),
  }),
};
