/** Faults of section 7: refusals. */
import { refuse } from '../call.js';
import { Endpoint } from '../endpoint.js';
import { emptySubmission } from '../operations/body.js';
import { breaking } from './fault.js';

export const ERRORS_FAULTS = [
  breaking('7', '| 400 | Bad the service | Malformed the service or parameters. |', {
    'malformed-json-is-500': {
      does: 'a body that is no JSON crashes the handler of the call',
      malformed: () => refuse(500, 'unexpected token'),
    },
    'malformed-json-accepted': {
      does: 'a body that is no JSON is taken as input {}',
      malformed: () => ({ input: {} }),
    },
    'malformed-is-422': {
      does: 'malformed bodies and parameters yield 422',
      reply: (reply) => (reply.code === 400 ? { ...reply, code: 422 } : reply),
    },
    'malformed-is-200': {
      does: 'malformed bodies yield 200 with an error inside',
      reply: (reply) => (reply.code === 400 ? { code: 200, body: { error: reply.problem ?? '' } } : reply),
    },
    'malformed-json-makes-job': {
      does: 'the answer is 400, but a job has been queued',
      malformed({ endpoint }, kind) {
        endpoint.submit(emptySubmission(endpoint, kind));
        return null;
      },
    },
    'malformed-tail-accepted': {
      does: 'what follows the JSON text is ignored',
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
    'malformed-commas-accepted': {
      does: 'trailing commas are accepted',
      bodyText: (text) => text.replace(/,\s*([\]}])/g, '$1'),
    },
    'malformed-nan-accepted': {
      does: 'NaN and Infinity are accepted as numbers',
      legal: 'a JSON parser may accept extensions (RFC 8259, section 9), and common ones take NaN',
      bodyText: (text) => text.replace(/\bNaN\b|-?\bInfinity\b/g, '0'),
    },
    'malformed-quotes-accepted': {
      does: 'single quotes are accepted',
      bodyText: (text) => text.replaceAll("'", '"'),
    },
    'runsync-malformed-json-accepted': {
      does: 'a body of /runsync that is no JSON is taken as input {}',
      malformed: (_call, kind) => (kind === 'runsync' ? { input: {} } : null),
    },
    'wait-number-prefix-accepted': {
      does: 'wait=2000x is taken as 2000',
      waitGiven: (wait) => /^\d+/.exec(wait)?.[0] ?? wait,
    },
    'status-ttl-number-prefix-accepted': {
      does: 'ttl=6000x is taken as 6000',
      statusTtlGiven: (ttl) => /^\d+/.exec(ttl)?.[0] ?? ttl,
    },
    'policy-null-is-500': {
      does: 'policy: null crashes the handler of the call',
      policyGiven(policy) {
        if (policy === null) throw new TypeError('policy is null');
        return policy;
      },
    },
    's3-null-is-500': {
      does: 's3Config: null crashes the handler of the call',
      s3Given(s3Config) {
        if (s3Config === null) throw new TypeError('s3Config is null');
        return s3Config;
      },
    },
    'webhook-no-url-is-500': {
      does: 'a webhook that is no URL crashes the handler of the call',
      webhookGiven(webhook) {
        if (typeof webhook === 'string' && !URL.canParse(webhook)) throw new TypeError('Invalid URL');
        return webhook;
      },
    },
    'webhook-number-is-500': {
      does: 'a webhook that is no text crashes the handler of the call',
      webhookGiven(webhook) {
        if (webhook !== undefined && typeof webhook !== 'string')
          throw new TypeError('webhook.startsWith is not a function');
        return webhook;
      },
    },
    'body-null-is-500': {
      does: 'a body that is null crashes the handler of the call',
      body(body) {
        if (body === null) throw new TypeError('the body is null');
      },
    },
    'empty-body-is-500': {
      does: 'an empty body crashes the handler of the call',
      bodyRefused: ({ bodyBytes }) => (bodyBytes === 0 ? refuse(500, 'unexpected end of JSON') : null),
    },
    'wait-malformed-is-500': {
      does: 'a wait that is no number crashes the handler of the call',
      waitGiven(wait) {
        if (!/^-?\d+$/.test(wait)) throw new RangeError('wait is NaN');
        return wait;
      },
    },
    'status-ttl-malformed-is-500': {
      does: 'a ttl that is no number crashes the handler of the call',
      statusTtlGiven(ttl) {
        if (!/^-?\d+$/.test(ttl)) throw new RangeError('ttl is NaN');
        return ttl;
      },
    },
  }),
  breaking(
    '7',
    '| 404 | Not Found | Wrong endpoint id; also a job whose `ttl` expired or whose result expired. |',
    {
      'wrong-endpoint-is-500': {
        does: 'an unknown endpoint id yields 500',
        noEndpoint: () => refuse(500, 'no such endpoint'),
      },
      'wrong-endpoint-is-400': {
        does: 'an unknown endpoint id yields 400',
        noEndpoint: () => refuse(400, 'no such endpoint'),
      },
      'wrong-endpoint-is-401': {
        does: 'an unknown endpoint id yields 401',
        noEndpoint: () => refuse(401, 'no such endpoint'),
      },
      'wrong-endpoint-accepted': {
        does: 'an unknown endpoint id is served by some endpoint',
        endpointLike: (_id, { endpoints }) => [...endpoints.values()][0],
      },
      'wrong-endpoint-created': {
        does: 'an unknown endpoint id makes a new endpoint',
        endpointLike: (id, service) => {
          const created = new Endpoint(id, 1, service);
          service.endpoints.set(id, created);
          return created;
        },
      },
      'unknown-job-is-500': {
        does: 'an unknown job id yields 500',
        unknown: () => refuse(500, 'cannot read properties of undefined'),
      },
      'gone-job-is-500-but-for-status': {
        does: '/cancel, /retry and /stream of a job that is gone yield 500',
        unknown: (_endpoint, _id, operation) =>
          operation === 'status' ? null : refuse(500, 'cannot read properties of undefined'),
      },
      'unknown-job-is-200': {
        does: 'an unknown job id yields 200 with an empty record',
        contested: 'the document lists 404 for expired jobs, not for ids never given',
        unknown: () => ({ code: 200, body: {} }),
      },
      'unknown-job-streams-empty': {
        does: '/stream of an unknown job id yields an empty array',
        contested: 'the document lists 404 for expired jobs, not for ids never given',
        unknown: (_endpoint, _id, operation) => (operation === 'stream' ? { code: 200, body: [] } : null),
      },
      'unknown-job-is-204': {
        does: 'an unknown job id yields 204',
        contested: 'the document lists 404 for expired jobs, not for ids never given',
        unknown: () => ({ code: 204 }),
      },
      'job-id-with-tail': {
        does: 'a job is found by its id followed by anything',
        find: (endpoint, id, _operation, right) =>
          right ?? [...endpoint.jobs.values()].find((other) => id.startsWith(other.id)) ?? null,
      },
      'wrong-endpoint-health-zeros': {
        does: '/health of an unknown endpoint answers zeros',
        noEndpoint(operation) {
          const jobs = { completed: 0, failed: 0, inProgress: 0, inQueue: 0, retried: 0 };
          return operation === 'health'
            ? { code: 200, body: { jobs, workers: { idle: 0, running: 0 } } }
            : null;
        },
      },
      'wrong-endpoint-purge-zero': {
        does: '/purge-queue of an unknown endpoint answers removed 0',
        noEndpoint: (operation) =>
          operation === 'purge-queue' ? { code: 200, body: { removed: 0, status: 'completed' } } : null,
      },
      'wrong-endpoint-run-accepted': {
        does: '/run of an unknown endpoint answers an id',
        noEndpoint: (operation) =>
          operation === 'run' ? { code: 200, body: { id: 'job-of-nowhere', status: 'IN_QUEUE' } } : null,
      },
      'unknown-job-by-prototype': {
        does: 'job ids like constructor yield 500',
        unknown: (_endpoint, id) => (id in {} ? refuse(500, 'job.status is undefined') : null),
      },
      'endpoint-by-prototype': {
        does: 'endpoint ids like constructor yield 500',
        noEndpoint: (_operation, id) => (id in {} ? refuse(500, 'endpoint.submit is not a function') : null),
      },
      'malformed-job-id-is-500': {
        does: 'a job id of another form than those given yields 500',
        unknown: ({ service }, id) =>
          service.ids.wellFormed(id) ? null : refuse(500, 'invalid input syntax for type uuid'),
      },
      'long-job-id-is-500': {
        does: 'a job id of more than 64 characters yields 500',
        unknown: (_endpoint, id) => (id.length > 64 ? refuse(500, 'value too long') : null),
      },
      'expired-while-queued-is-400': {
        does: 'jobs that expired before they ran answer 400',
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
    },
  ),
  breaking('7', '| 500 | Internal Server Error | Endpoint-side failure; the worker may have crashed. |', {
    'crash-breaks-endpoint': {
      does: 'after a worker crash every call of the endpoint yields 500',
      crashes({ job }) {
        job.endpoint.broken = true;
        return false;
      },
    },
  }),
  breaking('7', '| 404 | Not Found | Wrong endpoint id;', {
    'endpoint-id-case-ignored': {
      does: 'an endpoint is found by its id in another case',
      endpointLike: (id, { endpoints }) =>
        [...endpoints.values()].find((other) => other.id.toLowerCase() === id.toLowerCase()),
    },
    'endpoint-id-with-tail': {
      does: 'an endpoint is found by its id followed by anything',
      endpointLike: (id, { endpoints }) => [...endpoints.values()].find((other) => id.startsWith(other.id)),
    },
    'endpoint-id-shortened': {
      does: 'an endpoint is found by a beginning of its id',
      endpointLike: (id, { endpoints }) => [...endpoints.values()].find((other) => other.id.startsWith(id)),
    },
    'job-id-shortened': {
      does: 'a job is found by a beginning of its id',
      find: (endpoint, id, _operation, right) =>
        right ?? [...endpoint.jobs.values()].find((other) => other.id.startsWith(id)) ?? null,
    },
  }),
];
