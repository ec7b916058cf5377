/** Values within their limits: `wait`, `policy`, `s3Config`. */
import {
  EXECUTION_TIMEOUT_MAX_MS,
  EXECUTION_TIMEOUT_MIN_MS,
  S3_CONFIG_FIELDS,
  TTL_DEFAULT_MS,
  TTL_MAX_MS,
  TTL_MIN_MS,
  WAIT_MAX_MS,
  WAIT_MIN_MS,
} from '../../spec/index.js';
import { isObject } from '../../util/json.js';
import type { ClientRule } from '../rule.js';
import type { ClientCall, SeenSession } from '../session.js';
import { queryOf } from '../../history/exchange.js';
import { bodyObject, isAsSent, isOf, isSubmission, operationCalls } from './calls.js';
import { ofCalls } from './occasions.js';

export const LIMIT_RULES: readonly ClientRule[] = [
  {
    id: 'client/wait-in-range',
    level: 'must',
    traffic: 'each call',
    text: 'The parameter `wait` of `/runsync` is an integer from 1000 to 300000.',
    source: {
      kind: 'document',
      section: '4.1',
      quote: 'Query parameter `wait` (optional): integer, milliseconds, 1000 to 300000',
    },
    decidedBy: 'the query of each `/runsync` that has a `wait`',
    weather: ['clear', 'runsync-unfinished'],
    occasions: (session) =>
      ofCalls(
        operationCalls(session).filter((call) => isOf(call, 'runsync') && 'wait' in queryOf(call.request)),
        ({ request }) => {
          const wait = queryOf(request)['wait'] ?? '';
          const fits = /^\d+$/u.test(wait) && Number(wait) >= WAIT_MIN_MS && Number(wait) <= WAIT_MAX_MS;
          return fits ? null : `\`wait\` is ${JSON.stringify(wait.slice(0, 40))}`;
        },
      ),
  },
  {
    id: 'client/execution-timeout-in-range',
    level: 'must',
    traffic: 'each call',
    text: 'A `policy.executionTimeout` is an integer from 5 s to 7 days, in ms.',
    source: {
      kind: 'document',
      section: '2.2',
      quote:
        '| `executionTimeout` | integer, milliseconds | 600000 (10 minutes) | min 5 seconds, max 7 days |',
    },
    decidedBy: 'the field `policy.executionTimeout` of each submission that has one',
    weather: ['clear'],
    occasions: (session) =>
      ofCalls(submissionsWith(session, 'executionTimeout'), (call) =>
        rangeViolation(session, call, 'executionTimeout', EXECUTION_TIMEOUT_MIN_MS, EXECUTION_TIMEOUT_MAX_MS),
      ),
  },
  {
    id: 'client/ttl-in-range',
    level: 'must',
    traffic: 'each call',
    text: 'A `policy.ttl` is an integer from 10 s to 7 days, in ms, and the `ttl` of `/status` a positive integer.',
    source: {
      kind: 'document',
      section: '2.2',
      quote: '| `ttl` | integer, milliseconds | 86400000 (24 hours) | min 10 seconds, max 7 days |',
    },
    decidedBy: 'the field `policy.ttl` of each submission, and the query of each `/status`, that has one',
    weather: ['clear'],
    occasions: (session) => [
      ...ofCalls(submissionsWith(session, 'ttl'), (call) =>
        rangeViolation(session, call, 'ttl', TTL_MIN_MS, TTL_MAX_MS),
      ),
      ...ofCalls(
        operationCalls(session).filter((call) => isOf(call, 'status') && 'ttl' in queryOf(call.request)),
        ({ request }) => {
          const ttl = queryOf(request)['ttl'] ?? '';
          return /^0*[1-9]\d*$/u.test(ttl)
            ? null
            : `the \`ttl\` of /status is ${JSON.stringify(ttl.slice(0, 40))}`;
        },
      ),
    ],
  },
  {
    id: 'client/policy-types',
    level: 'must',
    traffic: 'each call',
    text: 'A `policy` is an object, and its `lowPriority` a boolean.',
    source: { kind: 'document', section: '2.2', quote: '| `lowPriority` | boolean | false |' },
    decidedBy: 'the field `policy` of each submission that has one',
    weather: ['clear'],
    occasions: (session) =>
      ofCalls(
        submissions(session).filter((call) => given(bodyObject(call), 'policy')),
        (call) => {
          const policy = bodyObject(call)?.['policy'];
          if (!isObject(policy)) return '`policy` is not an object';
          return !given(policy, 'lowPriority') || typeof policy['lowPriority'] === 'boolean'
            ? null
            : `\`policy.lowPriority\` is ${brief(policy['lowPriority'])}, not a boolean`;
        },
      ),
  },
  {
    id: 'client/s3-config-types',
    level: 'must',
    traffic: 'each call',
    text: 'An `s3Config` is an object, and its fields are strings.',
    source: { kind: 'document', section: '2.3', quote: '| `accessId` | string' },
    decidedBy: 'the field `s3Config` of each submission that has one',
    weather: ['clear'],
    occasions: (session) =>
      ofCalls(
        submissions(session).filter((call) => given(bodyObject(call), 's3Config')),
        (call) => {
          const config = bodyObject(call)?.['s3Config'];
          if (!isObject(config)) return '`s3Config` is not an object';
          const wrong = S3_CONFIG_FIELDS.filter(
            (field) => given(config, field) && typeof config[field] !== 'string',
          );
          return wrong.length === 0 ? null : `of \`s3Config\` no string: ${wrong.join(', ')}`;
        },
      ),
  },
  {
    id: 'client/ttl-covers-execution',
    // It must cover the time that the job takes, which may be less than the most it may take.
    level: 'should',
    traffic: 'each call',
    text: 'The ttl of a job is at least as long as the `executionTimeout` that it is given.',
    source: {
      kind: 'document',
      section: '2.2',
      quote: '`ttl` must cover expected queue time plus execution time.',
    },
    decidedBy: 'the `policy` of each submission with an `executionTimeout`',
    weather: ['clear'],
    // Deployed services do not ask for it.
    occasions: (session) =>
      session.edition === 'runpod'
        ? []
        : ofCalls(
            submissionsWith(session, 'executionTimeout').filter((call) => coverOf(call) !== null),
            (call) => {
              const { executionTimeoutMs, ttlMs } = coverOf(call)!;
              return executionTimeoutMs <= ttlMs
                ? null
                : `the \`executionTimeout\` is ${executionTimeoutMs}, but the ttl is only ${ttlMs}`;
            },
          ),
  },
];

const submissions = (session: SeenSession): readonly ClientCall[] =>
  operationCalls(session).filter((call) => isSubmission(call) && isAsSent(call));

/** Whether a field counts as given: what null means is an open question. */
const given = (object: { readonly [key: string]: unknown } | null, field: string): boolean =>
  (object?.[field] ?? null) !== null;

function policyOf(call: ClientCall): { readonly [key: string]: unknown } | null {
  const policy = bodyObject(call)?.['policy'];
  return isObject(policy) ? policy : null;
}

const submissionsWith = (session: SeenSession, field: 'ttl' | 'executionTimeout'): readonly ClientCall[] =>
  submissions(session).filter((call) => given(policyOf(call), field));

/** Deployed services know no maximum. */
function rangeViolation(
  { edition }: SeenSession,
  call: ClientCall,
  field: 'ttl' | 'executionTimeout',
  min: number,
  max: number,
): string | null {
  const value = policyOf(call)?.[field];
  if (typeof value !== 'number' || !Number.isInteger(value))
    return `\`policy.${field}\` is ${brief(value)}, not an integer`;
  const fits = value >= min && (value <= max || edition === 'runpod');
  return fits ? null : `\`policy.${field}\` is ${value}`;
}

function coverOf(call: ClientCall): { readonly executionTimeoutMs: number; readonly ttlMs: number } | null {
  const policy = policyOf(call);
  const executionTimeoutMs = policy?.['executionTimeout'];
  const ttlMs = policy?.['ttl'] ?? TTL_DEFAULT_MS;
  return typeof executionTimeoutMs === 'number' && typeof ttlMs === 'number'
    ? { executionTimeoutMs, ttlMs }
    : null;
}

const brief = (value: unknown): string => JSON.stringify(value)?.slice(0, 40) ?? 'missing';
