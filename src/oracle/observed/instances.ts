/**
 * Requirements whose sentence ranges over several cases: the kinds of a bad key, the operations that may share a limit.
 * One case shows nothing of the others, so such a requirement passes once each of its cases was decided.
 */
import type { CallEvent } from '../../history/events.js';
import { idsFor, MAIN_OPERATIONS, RATES, SUBMISSIONS, type RequirementId } from '../../spec/index.js';
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

export const SUBMITTED = 'a submission';
/** Reads of one job; whether `/health` concerns a job does not show. */
export const READS = ['/status', '/stream'] as const;

const INSTANCES: ReadonlyMap<string, Instances> = new Map<RequirementId, Instances>([
  ...each(idsFor('2.1/input-scalar-refused-*', SUBMISSIONS), named(SCALARS, scalarIn)),
  ['2.2/ttl-not-restarted-by-reading', { all: READS }],
  ['5/empty-key', named(KEY_EMPTY, byKey(KEY_EMPTY))],
  ['5/key-compared-whole', named(KEY_CHANGED, byKey(KEY_CHANGED))],
  ...each(idsFor('5/wrong-key-*', MAIN_OPERATIONS), named(KEY_WRONG, byKey(KEY_WRONG))),
  ['5/unauthorized-reveals-nothing', { all: ['/status', '/stream', '/cancel', '/retry'], of: operationOf }],
  ['6/retries-after-error-status', { all: ['4xx', '5xx'] }],
  ['8/rate-per-operation', { all: RATE_PAIRS.map(([first, second]) => rateBefore(first, second)) }],
  ['8/refused-call-has-no-effect', { all: ['/purge-queue', '/cancel', SUBMITTED], of: operationOf }],
]);

/** The cases over which the sentence of a requirement ranges; empty: there is one. */
export const instancesOf = (id: RequirementId): readonly string[] => INSTANCES.get(id)?.all ?? [];

/** The case that a call decides; null: none, or there is only one. */
export const instanceOf = (id: RequirementId, call: CallEvent): string | null =>
  INSTANCES.get(id)?.of?.(call) ?? null;
