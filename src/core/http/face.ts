/**
 * The HTTP face: from a request to the operation it names. Checks go from the outside in: key, path, method,
 * endpoint, rate, size, type; the operations check what is theirs.
 */
import type { CoreReply, CoreRequest } from '../api.js';
import { jsonReply } from '../machine.js';
import type { Machine } from '../machine.js';
import type { Slot } from '../meters.js';
import { perform } from '../operations.js';
import type { Call } from '../operations.js';
import type { Rules } from '../rules.js';
import type { Problem } from '../rules/http.js';
import type { Endpoint } from '../state.js';
import { hangUp } from '../waiting.js';
import { keyOf, type Shown } from './auth.js';
import { hasRoom, isFull, refusedByRate } from './rate.js';
import { refusalWith, type Refused } from './refusal.js';
import { routeOf } from './route.js';
import type { Route } from './route.js';
import { jsonObject, submissionIn } from './submission.js';

interface Asked {
  readonly request: CoreRequest;
  readonly route: Route | Problem;
  readonly endpoint: Endpoint | undefined;
  readonly meter: string;
  readonly key: Shown;
}

/** The header fields of a request are there, its body is not: it may count as under way from now on. */
export function arrive(m: Machine, callId: number, request: CoreRequest): void {
  if (!m.rules.countsFromHeaders()) return;
  const { route, endpoint, key, meter } = askedOf(m, request);
  if (typeof route === 'string' || endpoint === undefined) return;
  if (typeof key === 'string' && m.rules.needsKey(route.op)) return;
  if (!m.rules.methodAllowed(route.op, request.method, route.method)) return;
  endpoint.meters.add(meter);
  const full = isFull(m, route, endpoint, meter);
  m.arrived.set(callId, { endpoint, slot: full ? null : m.meters.enter(meter) });
}

/**
 * How many bytes of its body may be worth reading: of a call that has arrived, by its header fields, with the size that
 * they tell. Null when it is refused whatever its body says. It changes nothing.
 */
export function bodyWanted(m: Machine, callId: number, request: CoreRequest, nowMs: number): number | null {
  const asked = askedOf(m, request);
  const { route } = asked;
  if (typeof route === 'string') return null;
  const problem = headProblem(m, asked, route, m.arrived.get(callId)?.slot, nowMs);
  const isRefused = problem !== null && !m.rules.performsRefused(problem, route.op);
  return isRefused ? null : m.rules.bodyBytesMax(route.op);
}

/** As `refusedBefore` will find it, whatever is in the body; null where the body may have a say. */
function headProblem(
  m: Machine,
  { request, endpoint, meter, key }: Asked,
  route: Route,
  slot: Slot | null | undefined,
  nowMs: number,
): Problem | null {
  const { rules } = m;
  const { op } = route;
  if (typeof key === 'string' && rules.needsKey(op)) return rules.tellsWithoutKey('malformed') ? null : key;
  if (!rules.methodAllowed(op, request.method, route.method)) return 'wrong-method';
  if (endpoint === undefined) return rules.malformedBeforeEndpoint() ? null : 'no-such-endpoint';
  if (slot === null) return 'too-many-at-once';
  if (!hasRoom(m, route, endpoint, meter, nowMs)) return 'too-many';
  // Where it is the input alone that counts, nobody knows yet.
  const bytes = rules.payloadBytes(request.bodyBytes, () => 0);
  return bytes > rules.bodyBytesMax(op) ? 'too-large' : null;
}

/** The reply, or null when the call waits. */
export function answer(m: Machine, callId: number, request: CoreRequest, nowMs: number): CoreReply | null {
  const shorter = withoutSlashes(request.path);
  if (shorter !== request.path && m.rules.trailingSlash() === 'redirect') {
    forsake(m, callId);
    return { ...jsonReply(m, 308, null), headers: { location: shorter } };
  }
  const asked = askedOf(m, request);
  // Where it came to another place meanwhile, e.g. as its endpoint was made anew, it comes as if it came only now.
  const before = m.arrived.get(callId);
  m.arrived.delete(callId);
  const arrival = before?.endpoint === asked.endpoint ? before : undefined;
  const reply = answerTo(m, callId, asked, arrival?.slot, nowMs);
  if (reply !== null) before?.slot?.leave();
  return reply;
}

/** The rest of a call that has arrived will not come. */
export function forsake(m: Machine, callId: number): void {
  m.arrived.get(callId)?.slot?.leave();
  m.arrived.delete(callId);
}

function askedOf(m: Machine, given: CoreRequest): Asked {
  const path = m.rules.trailingSlash() === 'same' ? withoutSlashes(given.path) : given.path;
  const request = path === given.path ? given : { ...given, path };
  const route = routeOf(m.rules, path);
  const key = keyOf(m, request, typeof route === 'string' ? null : route.op);
  if (typeof route === 'string') return { request, route, endpoint: undefined, meter: '', key };
  const meter = m.rules.rateScope(typeof key === 'string' ? -1 : key, route.endpoint, route.op, route.rest);
  return { request, route, endpoint: m.endpoints.get(route.endpoint), meter, key };
}

/** `slot`: the one that it has, null where it found none, undefined where it arrives as a whole. */
function answerTo(
  m: Machine,
  callId: number,
  asked: Asked,
  slot: Slot | null | undefined,
  nowMs: number,
): CoreReply | null {
  const { request, route, endpoint, meter } = asked;
  const op = typeof route === 'string' ? null : route.op;
  const refused = refusedBefore(m, asked, slot, nowMs);
  if (refused === null) {
    const taken = slot ?? m.meters.enter(meter);
    const reply = perform(m, { callId, request, route, endpoint, slot: taken } as Call, nowMs);
    if (reply === null) return null;
    taken.leave();
    const failed = reply.status >= 400 && reply.status < 500;
    if (failed && !m.rules.failedCounts()) m.meters.giveBack(meter, m.rules.rateAlgorithm());
    return reply;
  }
  if (endpoint !== undefined && m.rules.performsRefused(refused.problem, op)) {
    const taken = m.meters.enter(meter);
    perform(m, { callId, request, route, endpoint, slot: taken } as Call, nowMs);
    hangUp(m, callId);
    taken.leave();
  }
  const code = m.rules.codeOf(refused.problem, op);
  return refusalWith(
    m,
    refused.problem === 'wrong-method' ? m.rules.methodCode(request.method, code) : code,
    refused.detail,
  );
}

/** The path without slashes at its end; one that begins like `//host` stays, as it would lead there. */
function withoutSlashes(path: string): string {
  if (path.startsWith('//')) return path;
  let end = path.length;
  while (end > 1 && path.charAt(end - 1) === '/') end--;
  return path.slice(0, end);
}

function refusedBefore(
  m: Machine,
  asked: Asked,
  slot: Slot | null | undefined,
  nowMs: number,
): Refused | null {
  const { request, route, endpoint, meter, key } = asked;
  if (typeof key === 'string' && m.rules.needsKey(typeof route === 'string' ? null : route.op)) {
    if (endpoint !== undefined && m.rules.unauthorizedCounts())
      refusedByRate(m, asked.route as Route, endpoint, meter, slot, nowMs);
    return toldWithoutKey(m, asked) ?? { problem: key, detail: KEY_FAULTS[key] };
  }
  if (typeof route === 'string') return { problem: route, detail: `no such path: ${request.path}` };
  if (!m.rules.methodAllowed(route.op, request.method, route.method)) {
    return { problem: 'wrong-method', detail: `use ${route.method} for /${route.op}` };
  }
  if (endpoint === undefined) {
    if (m.rules.malformedBeforeEndpoint()) {
      const fault = submissionFault(m, route, request);
      if (fault !== null) return { problem: 'malformed', detail: fault };
    }
    return { problem: 'no-such-endpoint', detail: `no such endpoint: ${route.endpoint}` };
  }
  const limited = refusedByRate(m, route, endpoint, meter, slot, nowMs);
  if (limited !== null) return limited;
  const fault = unfit(m, route, request);
  if (fault !== null && !m.rules.failedCounts()) m.meters.giveBack(meter, m.rules.rateAlgorithm());
  return fault;
}

const KEY_FAULTS = {
  unauthorized: 'the API key is missing or wrong',
  'no-permission': 'the API key has no permission for this endpoint',
} as const;

/** What is wrong with the request as a whole, before anybody reads it. */
function unfit(m: Machine, { op }: Route, request: CoreRequest): Refused | null {
  const bytesMax = m.rules.bodyBytesMax(op);
  const above = request.bodyBytes > bytesMax;
  if (above && m.rules.payloadBytes(request.bodyBytes, () => inputBytes(m.rules, request)) > bytesMax) {
    return {
      problem: 'too-large',
      detail: `bad request: body: exceeded max body size of ${inWords(bytesMax)}`,
    };
  }
  const takesBody = op === 'run' || op === 'runsync' || op === 'openai';
  if (takesBody && op !== 'openai' && !m.rules.typeAccepted(request.headers['content-type'])) {
    return { problem: 'unsupported-type', detail: 'content-type must be application/json' };
  }
  if (!takesBody && request.bodyBytes > 0 && !m.rules.unneededBodyAllowed()) {
    return { problem: 'malformed', detail: `/${op} takes no body` };
  }
  for (const name of Object.keys(request.query)) {
    if (!m.rules.queryAllowed(op, name))
      return { problem: 'malformed', detail: `${name} is not a parameter of /${op}` };
  }
  return null;
}

const MEBIBYTE = 1_048_576;

const inWords = (bytes: number): string =>
  bytes % MEBIBYTE === 0 ? `${bytes / MEBIBYTE}MiB` : `${bytes} bytes`;

/** The bytes of `input`, blanks around it and within aside; all of the body where the body makes no sense, or is not there any more. */
function inputBytes(rules: Rules, { body, bodyBytes }: CoreRequest): number {
  const read = jsonObject(rules, body);
  if ('refused' in read) return bodyBytes;
  return new TextEncoder().encode(JSON.stringify(read.value['input'] ?? null)).length;
}

function toldWithoutKey(m: Machine, { request, route, endpoint }: Asked): Refused | null {
  if (typeof route === 'string') return null;
  if (endpoint === undefined) {
    return m.rules.tellsWithoutKey('no-such-endpoint')
      ? { problem: 'no-such-endpoint', detail: `no such endpoint: ${route.endpoint}` }
      : null;
  }
  if (route.job !== '' && !endpoint.jobs.has(route.job) && m.rules.tellsWithoutKey('no-such-job')) {
    return { problem: 'no-such-job', detail: `job not found: ${route.job}` };
  }
  if (!m.rules.tellsWithoutKey('malformed')) return null;
  const fault = submissionFault(m, route, request);
  return fault === null ? null : { problem: 'malformed', detail: fault };
}

function submissionFault(m: Machine, { op }: Route, request: CoreRequest): string | null {
  if (op !== 'run' && op !== 'runsync') return null;
  const read = submissionIn(m.rules, request.body);
  return 'refused' in read ? read.refused : null;
}
