/** What calls look like: key, body, content type, method, path. */
import {
  API_VERSION,
  METHOD_OF,
  OPERATIONS,
  RUN_PAYLOAD_MAX,
  RUNSYNC_PAYLOAD_MAX,
} from '../../spec/index.js';
import { isObject } from '../../util/json.js';
import type { ClientRule } from '../rule.js';
import type { ClientCall, KeySent, SeenSession } from '../session.js';
import { addressOf } from '../../history/exchange.js';
import { bodyObject, codeOf, isAsSent, isOf, isSized, isSubmission, operationCalls } from './calls.js';
import { ofCalls } from './occasions.js';

const submissions = (session: SeenSession): readonly ClientCall[] =>
  operationCalls(session).filter(isSubmission);

/** Of a call that the weather refused the body may not have been read. */
const readSubmissions = (session: SeenSession): readonly ClientCall[] =>
  submissions(session).filter((call) => call.reached && isAsSent(call));

const NO_OTHER_PATHS = 'calls that are none of the API are not recorded';

export const REQUEST_RULES: readonly ClientRule[] = [
  {
    id: 'client/key-in-header',
    level: 'must',
    traffic: 'each call',
    text: 'Every call carries the key in the header `authorization`.',
    source: {
      kind: 'document',
      section: '5',
      quote: 'Every the service carries an API key in the `authorization` header.',
    },
    decidedBy: 'the header `authorization` of each call',
    weather: ['clear', 'key-revoked'],
    occasions: (session) => {
      const rejected = session.weather?.rejectsKey === true;
      // What stands before a service may add a key: only the refusal shows that one was missing.
      const isKnown = (call: ClientCall, { header }: KeySent): boolean =>
        session.weather === null
          ? header !== 'missing' || codeOf(call) === 401
          : !(rejected && header === 'wrong');
      const calls = operationCalls(session).filter((call) => call.key !== null && isKnown(call, call.key));
      return ofCalls(calls, keyViolation);
    },
  },
  {
    id: 'client/key-not-in-address',
    level: 'should',
    traffic: 'each call',
    text: 'The address of a call does not contain the key.',
    source: { kind: 'http', reference: 'RFC 9110 §17.9' },
    decidedBy: 'the query of each call',
    weather: ['clear'],
    occasions: (session) =>
      ofCalls(
        // What is in a query is known to be the key where the header has it, too.
        operationCalls(session).filter(
          ({ key }) => key !== null && (session.weather !== null || key.header !== 'missing'),
        ),
        ({ key }) =>
          key?.elsewhere === 'the query'
            ? 'the key stands in the query, so that logs of servers and proxies keep it'
            : null,
      ),
  },
  {
    id: 'client/json-body',
    level: 'must',
    traffic: 'each call',
    text: 'The body of a submission is a JSON object.',
    source: {
      kind: 'document',
      section: '1',
      quote: 'the service and response bodies are JSON (`content-type: application/json`)',
    },
    decidedBy: 'the bodies of `/run` and `/runsync`',
    weather: ['clear'],
    occasions: (session) =>
      ofCalls(
        readSubmissions(session).filter(({ request }) => request.body !== undefined),
        (call) => {
          const { body } = call.request;
          if (body === null) return 'a submission has no body';
          if (body?.as !== 'json') return 'the body of a submission is not JSON';
          return bodyObject(call) === null ? 'the body is JSON, but not an object' : null;
        },
      ),
  },
  {
    id: 'client/content-type',
    level: 'must',
    traffic: 'each call',
    text: 'A submission says that its body is JSON, with `content-type: application/json`.',
    source: {
      kind: 'document',
      section: '1',
      quote: 'the service and response bodies are JSON (`content-type: application/json`)',
    },
    decidedBy: 'the header `content-type` of `/run` and `/runsync`',
    weather: ['clear'],
    occasions: (session) =>
      ofCalls(
        submissions(session).filter(
          ({ bytes, key, request }) =>
            bytes !== null && bytes > 0 && (key !== null || 'content-type' in request.headers),
        ),
        ({ request }) => {
          const contentType = request.headers['content-type'];
          if (contentType === undefined) return 'a submission has no `content-type`';
          return /^\s*application\/([^\s;]+\+)?json\s*(;|$)/iu.test(contentType)
            ? null
            : `a submission is sent as \`${contentType}\``;
        },
      ),
  },
  {
    id: 'client/input-object',
    level: 'must',
    traffic: 'each call',
    text: 'A submission has an `input`, which is a JSON object.',
    source: { kind: 'document', section: '2.1', quote: '| `input` | JSON object | yes |' },
    decidedBy: 'the field `input` of each submission that is a JSON object',
    weather: ['clear'],
    occasions: (session) =>
      ofCalls(
        readSubmissions(session).filter((call) => bodyObject(call) !== null),
        (call) => {
          const input = bodyObject(call)?.['input'];
          if (input === undefined) return 'a submission has no `input`';
          return isObject(input) ? null : `\`input\` is ${kindOf(input)}, not a JSON object`;
        },
      ),
  },
  {
    id: 'client/webhook-url',
    level: 'must',
    traffic: 'each call',
    text: 'A `webhook` is an absolute URL.',
    source: { kind: 'document', section: '2.1', quote: '| `webhook` | string (URL) | no |' },
    decidedBy: 'the field `webhook` of each submission that has one',
    weather: ['clear'],
    occasions: (session) =>
      ofCalls(
        readSubmissions(session).filter((call) => (bodyObject(call)?.['webhook'] ?? null) !== null),
        (call) => {
          const webhook = bodyObject(call)?.['webhook'];
          if (typeof webhook !== 'string') return `\`webhook\` is ${kindOf(webhook)}, not a URL`;
          return /^https?:\/\/[^\s/?#]+/iu.test(webhook)
            ? null
            : `\`webhook\` is ${JSON.stringify(webhook.slice(0, 80))}, not an absolute URL`;
        },
      ),
  },
  {
    id: 'client/payload-size',
    level: 'must',
    traffic: 'each call',
    text: 'The body of `/run` is at most 10 MB in size, that of `/runsync` at most 20 MB.',
    source: { kind: 'document', section: '8', quote: '| `/run` payload | 10 MB |' },
    decidedBy: 'the size of each submission; a MB is read as 2^20 bytes',
    weather: ['clear'],
    occasions: (session) =>
      ofCalls(submissions(session).filter(isSized), ({ names, bytes }) => {
        const operation = names!.operation;
        const limit = operation === 'run' ? RUN_PAYLOAD_MAX : RUNSYNC_PAYLOAD_MAX;
        return bytes <= limit.binaryBytes
          ? null
          : `the body of /${operation} has ${bytes} bytes, and ${limit.megabytes} MB is the most`;
      }),
  },
  {
    id: 'client/no-body',
    level: 'should',
    traffic: 'each call',
    text: '`/cancel`, `/retry` and `/purge-queue` are called without a body.',
    source: {
      kind: 'document',
      section: '4.5',
      quote:
        'No body. Stops an in-progress job or removes a queued job before it starts; returns immediately.',
    },
    decidedBy: 'the size of the body of each such call',
    weather: ['long-queue', 'long-run', 'job-fails'],
    occasions: (session) =>
      ofCalls(
        operationCalls(session)
          .filter((call) => isOf(call, 'cancel', 'retry', 'purge-queue'))
          .filter(isSized),
        ({ names, bytes }) => (bytes === 0 ? null : `/${names!.operation} was sent a body`),
      ),
  },
  {
    id: 'client/method',
    level: 'must',
    traffic: 'each call',
    text: 'Each operation is called with its method.',
    source: { kind: 'document', section: '4', quote: '| Operation | Method | Path |' },
    decidedBy: 'the method of each call',
    weather: ['clear'],
    occasions: (session) => ofCalls(operationCalls(session), methodViolation),
  },
  {
    id: 'client/version-in-path',
    level: 'must',
    traffic: 'nothing',
    whyOpen: NO_OTHER_PATHS,
    text: 'The path of every operation begins with `/v2/`.',
    source: {
      kind: 'document',
      section: '9',
      quote: 'The API version is the path segment `v2` in every operation path.',
    },
    decidedBy: 'the path of each call to an operation, also if it lacks this segment',
    weather: ['clear'],
    occasions: (session) =>
      ofCalls(
        session.calls.filter(
          ({ names, request }) => names !== null || OF_ANOTHER_VERSION.test(addressOf(request)),
        ),
        ({ names, request }) =>
          names !== null
            ? null
            : `the path \`${addressOf(request)}\` does not begin with \`/${API_VERSION}/\``,
      ),
  },
  {
    id: 'client/known-paths',
    level: 'should',
    traffic: 'nothing',
    whyOpen: NO_OTHER_PATHS,
    text: 'Every call is to an operation that the document names, or in edition runpod to `/status-sync`.',
    source: {
      kind: 'consequence',
      section: '4',
      why: 'The document describes eight operations and names two more, `/openai/*` and `/requests`; edition runpod adds `/status-sync`. The effect of any other path is unknown.',
    },
    decidedBy: 'the path of each call',
    weather: ['clear', 'runsync-unfinished'],
    occasions: (session) =>
      ofCalls(session.calls, ({ names, request }) =>
        names !== null ? null : `no operation has the path \`${addressOf(request)}\``,
      ),
  },
];

/** `/v1/ID/run`, or `/ID/status/JOB`. */
const OF_ANOTHER_VERSION = new RegExp(
  `^(/v(?!2/)[^/]*)?/[^/]+/(${OPERATIONS.map(({ op }) => op).join('|')})(/[^/]+)?$`,
  'u',
);

function keyViolation({ key }: ClientCall): string | null {
  if (key === null) return null;
  if (key.header === 'wrong') return 'the key in the header `authorization` is not the one that it was given';
  if (key.header !== 'missing') return null;
  return key.elsewhere === null
    ? 'the header `authorization` is missing'
    : `the header \`authorization\` is missing; the key was sent in ${key.elsewhere}`;
}

/** Deployed services answer POST to reads as well, and one of their clients uses it. */
function methodViolation({ names, request: { method } }: ClientCall): string | null {
  if (names === null || names.hasItsMethod) return null;
  const { operation } = names;
  return `/${operation} was called with ${method}; its method is ${METHOD_OF[operation]}`;
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}
