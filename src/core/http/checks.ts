/** The checks that a request passes before its operation reads it: one row each, in their order. */
import type { Operation } from '../../spec/types.js';
import type { CoreRequest } from '../api.js';
import type { Endpoint } from '../entities.js';
import type { ConcurrencySlot } from '../meters.js';
import type { Rules } from '../rules.js';
import type { Problem } from '../rules/http.js';
import type { ServiceState } from '../state.js';
import { refusedByRate } from './rate.js';
import type { Refused } from './refusal.js';
import type { Route } from './route.js';
import { jsonObject, submissionIn } from './submission.js';

/** A request with what the checks need to know. */
export interface CheckedCall {
  readonly state: ServiceState;
  readonly request: CoreRequest;
  readonly route: Route | Problem;
  /** Why its key is refused; null when it has a right one, or needs none. */
  readonly keyProblem: 'no-permission' | 'unauthorized' | null;
  readonly endpoint: Endpoint | undefined;
  readonly meter: string;
  /** From the arrival of the header fields: null when none was free; undefined when it was not counted then. */
  readonly slot: ConcurrencySlot | null | undefined;
  /** False while only its header fields have arrived. The checks change nothing then. */
  readonly isComplete: boolean;
  readonly nowMs: number;
}

/** A call whose path is right. */
interface RoutedCall extends CheckedCall {
  readonly route: Route;
}

/** A call whose endpoint exists. */
export interface EndpointCall extends RoutedCall {
  readonly endpoint: Endpoint;
}

interface Check {
  readonly name:
    | 'key'
    | 'path'
    | 'method'
    | 'endpoint'
    | 'rate'
    | 'size'
    | 'type'
    | 'unneeded body'
    | 'query';
  /** Whether the header fields alone cannot decide it. */
  needsBody(call: CheckedCall): boolean;
  /** Why the call is refused; null when it passes. It may rely on the checks before it. */
  check(call: CheckedCall): Refused | null;
}

const never = (): boolean => false;

export const CHECKS: readonly Check[] = [
  { name: 'key', needsBody: revealsWithBody, check: refusedByKey },
  { name: 'path', needsBody: never, check: refusedByPath },
  { name: 'method', needsBody: never, check: refusedByMethod },
  {
    name: 'endpoint',
    needsBody: ({ state, endpoint }) => endpoint === undefined && state.rules.malformedBeforeEndpoint(),
    check: refusedByEndpoint,
  },
  { name: 'rate', needsBody: never, check: refusedByRate },
  { name: 'size', needsBody: isSizeOpen, check: refusedBySize },
  { name: 'type', needsBody: never, check: refusedByType },
  { name: 'unneeded body', needsBody: never, check: refusedByUnneededBody },
  { name: 'query', needsBody: never, check: refusedByQuery },
];

const KEY_REFUSALS = {
  unauthorized: 'the API key is missing or wrong',
  'no-permission': 'the API key has no permission for this endpoint',
} as const;

function revealsWithBody({ state, keyProblem, route }: CheckedCall): boolean {
  return keyProblem !== null && typeof route !== 'string' && state.rules.revealsWithoutKey('malformed');
}

function refusedByKey(call: CheckedCall): Refused | null {
  const { state, keyProblem, endpoint, isComplete } = call;
  if (keyProblem === null) return null;
  if (isComplete && endpoint !== undefined && state.rules.unauthorizedCounts())
    refusedByRate(call as EndpointCall);
  return revealedWithoutKey(call) ?? { problem: keyProblem, detail: KEY_REFUSALS[keyProblem] };
}

function revealedWithoutKey({ state, request, route, endpoint }: CheckedCall): Refused | null {
  if (typeof route === 'string') return null;
  if (endpoint === undefined)
    return state.rules.revealsWithoutKey('no-such-endpoint') ? noSuchEndpoint(route) : null;
  if (
    route.job !== '' &&
    state.jobs.get(route.job)?.endpoint !== endpoint &&
    state.rules.revealsWithoutKey('no-such-job')
  ) {
    return { problem: 'no-such-job', detail: `job not found: ${route.job}` };
  }
  return state.rules.revealsWithoutKey('malformed') ? refusedBySubmission(state, route, request) : null;
}

const noSuchEndpoint = ({ endpoint }: Route): Refused => ({
  problem: 'no-such-endpoint',
  detail: `no such endpoint: ${endpoint}`,
});

function refusedBySubmission({ rules }: ServiceState, { op }: Route, request: CoreRequest): Refused | null {
  if (op !== 'run' && op !== 'runsync') return null;
  const read = submissionIn(rules, request);
  return 'refused' in read ? { problem: 'malformed', detail: read.refused } : null;
}

function refusedByPath({ route, request: { path } }: CheckedCall): Refused | null {
  return typeof route === 'string'
    ? { problem: route, detail: `no such path: ${path}${hintFor(path)}` }
    : null;
}

/** Clients are often given an address without `/v2`, and tests an endpoint without test control. */
function hintFor(path: string): string {
  if (/^\/_control(?![^/?])/.test(path)) return ' (test control is off: "serve --test-control" turns it on)';
  return path.startsWith('/v2/') ? '' : ' (paths begin with /v2/<endpoint_id>/)';
}

function refusedByMethod({ state, request, route: { op, method } }: RoutedCall): Refused | null {
  return state.rules.methodAllowed(op, request.method, method)
    ? null
    : { problem: 'wrong-method', detail: `use ${method} for /${op}` };
}

function refusedByEndpoint({ state, request, route, endpoint }: RoutedCall): Refused | null {
  if (endpoint !== undefined) return null;
  const malformed = state.rules.malformedBeforeEndpoint() ? refusedBySubmission(state, route, request) : null;
  return malformed ?? noSuchEndpoint(route);
}

/** Too many declared bytes are enough. Where only the input counts, its size is not known before. */
function isSizeOpen({ state: { rules }, request, route: { op } }: RoutedCall): boolean {
  return rules.payloadBytes(request.bodyBytes, () => 0) <= rules.bodyBytesMax(op);
}

function refusedBySize({ state: { rules }, request, route: { op } }: RoutedCall): Refused | null {
  const bytesMax = rules.bodyBytesMax(op, request.query);
  if (request.bodyBytes <= bytesMax) return null;
  if (rules.payloadBytes(request.bodyBytes, () => inputBytes(rules, request)) <= bytesMax) return null;
  return {
    problem: 'too-large',
    detail: `bad request: body: exceeded max body size of ${formatBytes(bytesMax)}`,
  };
}

/** The size of `input` as compact JSON; that of the whole body when it is not readable. */
function inputBytes(rules: Rules, request: CoreRequest): number {
  const read = jsonObject(rules, request);
  if ('refused' in read) return request.bodyBytes;
  return new TextEncoder().encode(JSON.stringify(read.value['input'] ?? null)).length;
}

const MEBIBYTE = 1_048_576;

const formatBytes = (bytes: number): string =>
  bytes % MEBIBYTE === 0 ? `${bytes / MEBIBYTE}MiB` : `${bytes} bytes`;

function refusedByType({ state, request, route: { op } }: RoutedCall): Refused | null {
  const type = request.headers['content-type'];
  if ((op !== 'run' && op !== 'runsync') || state.rules.typeAccepted(type)) return null;
  return {
    problem: type === undefined ? 'type-missing' : 'unsupported-type',
    detail: 'content-type must be application/json',
  };
}

function refusedByUnneededBody({ state, request, route: { op } }: RoutedCall): Refused | null {
  const takesBody = op === 'run' || op === 'runsync' || op === 'openai';
  if (takesBody || request.bodyBytes === 0 || state.rules.unneededBodyAllowed()) return null;
  return { problem: 'malformed', detail: `/${op} takes no body` };
}

function refusedByQuery({ state, request, route: { op } }: RoutedCall): Refused | null {
  for (const name of Object.keys(request.query)) {
    if (!state.rules.queryAllowed(op, name))
      return { problem: 'malformed', detail: `${name} is not a parameter of /${op}` };
  }
  return null;
}

/** The number of the user whose key a request has, or why it is refused. */
export type KeyCheck = number | 'no-permission' | 'unauthorized';

/** Checks the key of a request. @param op null when the path names no operation */
export function checkKey(state: ServiceState, request: CoreRequest, op: Operation | null): KeyCheck {
  const authorization = state.rules.authorizationOf(request);
  if (authorization === undefined) return 'unauthorized';
  const given = state.rules.keyIn(authorization);
  if (given === null || given === '') return 'unauthorized';
  const own = numberOf(state, state.keys, given);
  const unpermitted = numberOf(state, state.unpermittedKeys, given);
  if (own !== null) return own;
  if (unpermitted === null) return 'unauthorized';
  return state.rules.needsPermission(op) ? 'no-permission' : state.keys.length + unpermitted;
}

/** Compares with all keys, so that the time does not depend on which one matches. */
function numberOf(state: ServiceState, keys: readonly string[], given: string): number | null {
  let found: number | null = null;
  for (let number = 0; number < keys.length; number++) {
    const key = keys[number]!;
    if (state.rules.keyAccepted(state.keysEqual(key, given), key, given)) found ??= number;
  }
  return found;
}

/** Compares in constant time: the time does not depend on the position of the first difference. */
export function keysEqual(key: string, given: string): boolean {
  let difference = key.length ^ given.length;
  for (let at = 0; at < key.length; at++) {
    difference |= key.charCodeAt(at) ^ (at < given.length ? given.charCodeAt(at) : 0);
  }
  return difference === 0;
}
