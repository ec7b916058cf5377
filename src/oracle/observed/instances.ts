/**
 * Requirements whose sentence ranges over several cases: the kinds of a bad key, the operations that may share a limit.
 * One case shows nothing of the others, so such a requirement passes once each of its cases was decided.
 */
import type { CallEvent } from '../../history/events.js';
import {
  idsFor,
  MAIN_OPERATIONS,
  RATES,
  requirement,
  SUBMISSIONS,
  type RequirementId,
} from '../../spec/index.js';
import { jsonOf } from './recorded-call.js';
import { isObject } from '../../util/json.js';

/** Operations with a limit that every endpoint offers. */
const LIMITED = ['runsync', 'run', 'status', 'stream', 'cancel', 'purge-queue'] as const;
type Limited = (typeof LIMITED)[number];

/** `/status before /cancel`: so many calls of the first as the limit of the second allows, and then one of the second. */
export const rateBefore = (first: Limited, second: Limited): string => `/${first} before /${second}`;

/** Those of which one alone can use up what the other may do. */
export const RATE_PAIRS: readonly (readonly [first: Limited, second: Limited])[] = LIMITED.flatMap((first) =>
  LIMITED.filter((second) => second !== first && RATES[first]!.requests >= RATES[second]!.requests).map(
    (second) => [first, second] as const,
  ),
);

const KEY_CHANGED = {
  truncated: 'a prefix',
  followed: 'text appended',
  extended: 'text appended',
  'other-case': 'another case',
};
const KEY_EMPTY = { empty: 'an empty header', 'empty-bearer': 'only Bearer' };
const KEY_WRONG = { wrong: 'bare', 'wrong-bearer': 'after Bearer' };
const byKey =
  (names: { readonly [auth: string]: string }) =>
  ({ request }: CallEvent): string | null =>
    names[request.auth] ?? null;
const SCALARS = { string: 'a string', number: 'a number', boolean: 'a boolean' };
function scalarIn({ request }: CallEvent): string | null {
  const json = request.body === null ? null : jsonOf(request.body);
  const names: { readonly [type: string]: string } = SCALARS;
  return isObject(json) ? (names[typeof json['input']] ?? null) : null;
}
const operationOf = ({ op }: CallEvent): string => `/${op}`;

/** What makes a submission invalid, by the section that has it refused. */
const INVALID: { readonly [section: string]: string } = {
  '7': 'no JSON object',
  '2.1': 'without an input object',
  '4.1': 'too large',
  '4.2': 'too large',
};

/** `/run: too large`: of a submission that this requirement has refused; null: it is valid otherwise. */
export function invalidSubmission(op: string, refuse: RequirementId): string | null {
  const { level, section } = requirement(refuse);
  const what = level === 'must' ? INVALID[section] : undefined;
  return what === undefined ? null : `/${op}: ${what}`;
}

interface Instances {
  readonly all: readonly string[];
  /** Which one a call decides, where a call does. */
  readonly of?: (call: CallEvent) => string | null;
}

const named = (
  names: { readonly [key: string]: string },
  of: (call: CallEvent) => string | null,
): Instances => ({
  all: [...new Set(Object.values(names))],
  of,
});
const each = (ids: { readonly [word: string]: RequirementId }, instances: Instances) =>
  Object.values(ids).map((id) => [id, instances] as const);

const SUBMITTED = 'a submission';
const SUBMITTING: readonly (string | null)[] = SUBMISSIONS;
/** Reads of one job; whether `/health` concerns a job does not show. */
export const READS = ['/status', '/stream'] as const;
/** No such read restarts the `ttl`. */
export const BY_READING: RequirementId = '2.2/ttl-not-restarted-by-reading';

/** The states in which a job can be cancelled, and has a `ttl` of its own: the names of these cases. */
export const UNENDED: { readonly [status: string]: string } = { IN_QUEUE: 'waiting', IN_PROGRESS: 'running' };
const WAITING_AND_RUNNING: Instances = { all: Object.values(UNENDED) };
/** What /status?ttl= does to a job that waits or runs when it is given. */
export const STATUS_TTL = idsFor('4.3/ttl-*', ['accepted', 'shortens-life', 'lengthens-life', 'not-at-once']);
/** Such a job can be cancelled in both states. */
export const CANCELS_RETRIED: RequirementId = '4.5/cancels-retried-job';

const INSTANCES: ReadonlyMap<string, Instances> = new Map<RequirementId, Instances>([
  ...each(idsFor('2.1/input-scalar-refused-*', SUBMISSIONS), named(SCALARS, scalarIn)),
  [BY_READING, { all: READS }],
  [
    '3/invalid-submission-creates-nothing',
    {
      all: SUBMISSIONS.flatMap((op) => [...new Set(Object.values(INVALID))].map((what) => `/${op}: ${what}`)),
    },
  ],
  ...each(STATUS_TTL, WAITING_AND_RUNNING),
  ['4.3/ttl-of-the-example', WAITING_AND_RUNNING],
  [CANCELS_RETRIED, WAITING_AND_RUNNING],
  ['4.6/retried-job-not-expired', WAITING_AND_RUNNING],
  ['5/empty-key', named(KEY_EMPTY, byKey(KEY_EMPTY))],
  ['5/key-compared-whole', named(KEY_CHANGED, byKey(KEY_CHANGED))],
  ...each(idsFor('5/wrong-key-*', MAIN_OPERATIONS), named(KEY_WRONG, byKey(KEY_WRONG))),
  ['5/unauthorized-reveals-nothing', { all: ['/status', '/stream', '/cancel', '/retry'], of: operationOf }],
  ['6/retries-after-error-status', { all: ['4xx', '5xx'] }],
  ['8/rate-per-operation', { all: RATE_PAIRS.map(([first, second]) => rateBefore(first, second)) }],
  ['8/rate-per-endpoint', { all: LIMITED.map((op) => `/${op}`), of: operationOf }],
  [
    '8/refused-call-has-no-effect',
    {
      all: ['/purge-queue', '/cancel', SUBMITTED],
      of: (call) => (SUBMITTING.includes(call.op) ? SUBMITTED : operationOf(call)),
    },
  ],
]);

/** The cases over which the sentence of a requirement ranges; empty: there is one. */
export const instancesOf = (id: RequirementId): readonly string[] => INSTANCES.get(id)?.all ?? [];

/** The case that a call decides; null: none, or there is only one. */
export const instanceOf = (id: RequirementId, call: CallEvent): string | null =>
  INSTANCES.get(id)?.of?.(call) ?? null;
