/** Faults of section 7: refusals. */
import { refuse } from '../call.js';
import { Endpoint } from '../endpoint.js';
import { emptySubmission } from '../operations/body.js';
import type { Faults } from './fault.js';

export const ERRORS_FAULTS = {
  'malformed-json-is-500': { malformed: () => refuse(500, 'unexpected token') },
  'malformed-json-accepted': { malformed: () => ({ input: {} }) },
  'malformed-422': { reply: (reply) => (reply.code === 400 ? { ...reply, code: 422 } : reply) },
  'malformed-is-200': {
    reply: (reply) => (reply.code === 400 ? { code: 200, body: { error: reply.problem ?? '' } } : reply),
  },
  'malformed-json-makes-job': {
    malformed({ endpoint }, kind) {
      endpoint.submit(emptySubmission(endpoint, kind));
      return null;
    },
  },
  'malformed-tail-accepted': {
    bodyText(text) {
      try {
        JSON.parse(text);
      } catch (error) {
        const place = /after JSON at position (\d+)/.exec(String(error))?.[1];
        if (place !== undefined) return text.slice(0, Number(place));
      }
      return text;
    },
  },
  'malformed-commas-accepted': { bodyText: (text) => text.replace(/,\s*([\]}])/g, '$1') },
  'malformed-nan-accepted': { bodyText: (text) => text.replace(/\bNaN\b|-?\bInfinity\b/g, '0') },
  'malformed-quotes-accepted': { bodyText: (text) => text.replaceAll("'", '"') },
  'runsync-malformed-json-accepted': {
    malformed: (_call, kind) => (kind === 'runsync' ? { input: {} } : null),
  },
  'wait-number-prefix-accepted': { waitGiven: (wait) => /^\d+/.exec(wait)?.[0] ?? wait },
  'status-ttl-number-prefix-accepted': { statusTtlGiven: (ttl) => /^\d+/.exec(ttl)?.[0] ?? ttl },
  'policy-null-is-500': {
    policyGiven(policy) {
      if (policy === null) throw new TypeError('policy is null');
      return policy;
    },
  },
  's3-null-is-500': {
    s3Given(s3Config) {
      if (s3Config === null) throw new TypeError('s3Config is null');
      return s3Config;
    },
  },
  'webhook-no-url-is-500': {
    webhookGiven(webhook) {
      if (typeof webhook === 'string' && !URL.canParse(webhook)) throw new TypeError('Invalid URL');
      return webhook;
    },
  },
  'webhook-number-is-500': {
    webhookGiven(webhook) {
      if (webhook !== undefined && typeof webhook !== 'string')
        throw new TypeError('webhook.startsWith is not a function');
      return webhook;
    },
  },
  'body-null-is-500': {
    body(body) {
      if (body === null) throw new TypeError('the body is null');
    },
  },
  'empty-body-is-500': {
    bodyRefused: ({ bodyBytes }) => (bodyBytes === 0 ? refuse(500, 'unexpected end of JSON') : null),
  },
  'wait-malformed-is-500': {
    waitGiven(wait) {
      if (!/^-?\d+$/.test(wait)) throw new RangeError('wait is NaN');
      return wait;
    },
  },
  'status-ttl-malformed-is-500': {
    statusTtlGiven(ttl) {
      if (!/^-?\d+$/.test(ttl)) throw new RangeError('ttl is NaN');
      return ttl;
    },
  },
  'wrong-endpoint-is-500': { noEndpoint: () => refuse(500, 'no such endpoint') },
  'unknown-endpoint-400': { noEndpoint: () => refuse(400, 'no such endpoint') },
  'wrong-endpoint-is-401': { noEndpoint: () => refuse(401, 'no such endpoint') },
  'wrong-endpoint-accepted': { endpointLike: (_id, { endpoints }) => [...endpoints.values()][0] },
  'wrong-endpoint-created': {
    endpointLike: (id, service) => {
      const created = new Endpoint(id, 1, service);
      service.endpoints.set(id, created);
      return created;
    },
  },
  'unknown-job-is-500': { unknown: () => refuse(500, 'cannot read properties of undefined') },
  'gone-job-is-500-but-for-status': {
    unknown: (_endpoint, _id, operation) =>
      operation === 'status' ? null : refuse(500, 'cannot read properties of undefined'),
  },
  'unknown-job-is-200': { unknown: () => ({ code: 200, body: {} }) },
  'unknown-job-streams-empty': {
    unknown: (_endpoint, _id, operation) => (operation === 'stream' ? { code: 200, body: [] } : null),
  },
  'unknown-job-is-204': { unknown: () => ({ code: 204 }) },
  'job-id-with-tail': {
    find: (endpoint, id, _operation, right) =>
      right ?? [...endpoint.jobs.values()].find((other) => id.startsWith(other.id)) ?? null,
  },
  'wrong-endpoint-health-zeros': {
    noEndpoint(operation) {
      const jobs = { completed: 0, failed: 0, inProgress: 0, inQueue: 0, retried: 0 };
      return operation === 'health' ? { code: 200, body: { jobs, workers: { idle: 0, running: 0 } } } : null;
    },
  },
  'wrong-endpoint-purge-zero': {
    noEndpoint: (operation) =>
      operation === 'purge-queue' ? { code: 200, body: { removed: 0, status: 'completed' } } : null,
  },
  'wrong-endpoint-run-accepted': {
    noEndpoint: (operation) =>
      operation === 'run' ? { code: 200, body: { id: 'job-of-nowhere', status: 'IN_QUEUE' } } : null,
  },
  'unknown-job-by-prototype': {
    unknown: (_endpoint, id) => (id in {} ? refuse(500, 'job.status is undefined') : null),
  },
  'endpoint-by-prototype': {
    noEndpoint: (_operation, id) => (id in {} ? refuse(500, 'endpoint.submit is not a function') : null),
  },
  'malformed-job-id-is-500': {
    unknown: ({ service }, id) =>
      service.ids.wellFormed(id) ? null : refuse(500, 'invalid input syntax for type uuid'),
  },
  'long-job-id-is-500': {
    unknown: (_endpoint, id) => (id.length > 64 ? refuse(500, 'value too long') : null),
  },
  'expired-while-queued-is-400': {
    with: () => {
      const expired = new Set<string>();
      return {
        ttlExpires(job) {
          if (job.status === 'IN_QUEUE') expired.add(job.id);
          return false;
        },
        unknown: (_endpoint, id) => (expired.has(id) ? refuse(400, 'expired') : null),
      };
    },
  },
  'crash-breaks-endpoint': {
    crashes({ job }) {
      job.endpoint.broken = true;
      return false;
    },
  },
  'endpoint-id-case-ignored': {
    endpointLike: (id, { endpoints }) =>
      [...endpoints.values()].find((other) => other.id.toLowerCase() === id.toLowerCase()),
  },
  'endpoint-id-with-tail': {
    endpointLike: (id, { endpoints }) => [...endpoints.values()].find((other) => id.startsWith(other.id)),
  },
  'endpoint-id-shortened': {
    endpointLike: (id, { endpoints }) => [...endpoints.values()].find((other) => other.id.startsWith(id)),
  },
  'job-id-shortened': {
    find: (endpoint, id, _operation, right) =>
      right ?? [...endpoint.jobs.values()].find((other) => other.id.startsWith(id)) ?? null,
  },
} satisfies Faults;
