/** Takes a call from its path to its operation: authentication, endpoint, operation, rate limit (sections 4, 5, 7, 8). */
import { refuse, type Answer, type Call, type EndpointCall, type Reply } from './call.js';
import { Endpoint, type Service } from './endpoint.js';
import type { FaultId } from './faults.js';
import { Allowance, baseLimit, type Operation } from './limits.js';
import { OPERATIONS } from './operations.js';

interface Route {
  readonly endpointId: string;
  readonly operation: Operation;
  readonly rest: readonly string[];
}

const METHODS: Readonly<Record<Operation, 'GET' | 'POST'>> = {
  run: 'POST',
  runsync: 'POST',
  status: 'GET',
  stream: 'GET',
  cancel: 'POST',
  retry: 'POST',
  'purge-queue': 'POST',
  health: 'GET',
  openai: 'POST',
  requests: 'GET',
};

const WITH_JOB_ID: readonly Operation[] = ['status', 'stream', 'cancel', 'retry'];

/** Answers a call of the API; `keys` are the keys that pass. */
export function answerCall(call: Call, service: Service, keys: readonly string[], give: Answer): void {
  const { choices, fault } = service;
  const route = routeOf(call, fault);
  const endpoint = route === null ? undefined : endpointOf(route, service);
  if (endpoint !== undefined) endpoint.received += 1;
  const answer: Answer = (reply) => give(mapped(reply, fault));

  const checked = checkKey(call, route, keys, service);
  const key =
    endpoint === undefined ? checked : remembered(checked, endpoint, keys, call.authorization === undefined);
  if (fault === 'auth-acts-anyway' && typeof key !== 'string' && route !== null && endpoint !== undefined) {
    OPERATIONS[route.operation]({ ...call, endpoint, rest: route.rest }, () => undefined);
  }
  const nowhere = endpoint === undefined && typeof checked === 'string' ? wrongNowhere(route, fault) : null;
  if (nowhere !== null) return answer(nowhere);
  const path = checkPath(call, route, endpoint, service);
  if (choices.precedence === 'key-path-rate') {
    if (typeof key !== 'string') return answer(key);
    if (path !== null) return answer(path);
  } else {
    if (path !== null) return answer(path);
    if (choices.precedence === 'path-key-rate' && typeof key !== 'string') return answer(key);
  }
  if (route === null || endpoint === undefined) return answer(refuse(404, 'no such path'));
  const strict = checkStrictly(call, route, service);
  if (strict !== null) return answer(strict);

  const user = typeof key === 'string' ? key : 'nobody';
  const allowance = allowanceOf(endpoint, route, user);
  const refusal = checkRate(endpoint, route, allowance);
  drawElsewhere(endpoint, route, user);
  if (fault === 'rate-acts-anyway' && refusal !== null) {
    OPERATIONS[route.operation]({ ...call, endpoint, rest: route.rest }, () => undefined);
  }
  if (fault === 'concurrency-leaks-when-refused' && refusal !== null) allowance.open += 1;
  if (refusal !== null) return answer(refusal);
  perform({ ...call, endpoint, rest: route.rest }, route.operation, key, allowance, answer);
}

function perform(
  call: EndpointCall,
  operation: Operation,
  key: string | Reply,
  allowance: Allowance,
  answer: Answer,
): void {
  const { endpoint } = call;
  const { choices, fault } = endpoint.service;
  allowance.open += 1;
  let open = true;
  const end = (): void => {
    if (open) allowance.open -= 1;
    open = false;
  };
  call.onGone(end);
  const closing: Answer = (reply) => {
    const elapsed =
      operation === 'runsync' && /"IN_(QUEUE|PROGRESS)"/.test(JSON.stringify(reply.body ?? null));
    const leaks =
      (fault === 'concurrency-leaks' && reply.code >= 400) ||
      (fault === 'concurrency-leaks-when-wait-elapses' && elapsed);
    if (!leaks) end();
    if (!choices.invalidCount && reply.code >= 400) allowance.refund();
    answer(reply);
  };
  if (typeof key !== 'string') return closing(key);
  if (endpoint.broken) return closing(refuse(500, 'the endpoint is broken'));
  endpoint.sweep();
  try {
    OPERATIONS[operation](call, closing);
  } catch (error) {
    closing(refuse(500, String(error)));
  }
}

/** What some faults make of every reply. */
function mapped(reply: Reply, fault: FaultId | null): Reply {
  if (fault === 'malformed-is-422' && reply.code === 400) return { ...reply, code: 422 };
  if (fault === 'malformed-is-200' && reply.code === 400)
    return { code: 200, body: { error: reply.problem ?? '' } };
  if (fault === 'rate-is-503' && reply.code === 429) return { ...reply, code: 503 };
  if (fault === 'rate-is-403' && reply.code === 429) return { ...reply, code: 403 };
  return reply;
}

// Path

function routeOf(call: Call, fault: FaultId | null): Route | null {
  let path = call.path;
  if (fault === 'version-missing-passes' && path[0] !== 'v2') path = ['v2', ...path];
  const [version, endpointId, operation, ...rest] = path;
  if (version !== 'v2' && fault !== 'version-ignored') return null;
  if (endpointId === undefined || operation === undefined || !isOperation(operation)) return null;
  const restLength = WITH_JOB_ID.includes(operation) ? 1 : 0;
  const fits = operation === 'openai' ? rest.length > 0 : rest.length === restLength;
  if (!fits || rest.includes('')) return null;
  return { endpointId, operation, rest };
}

const isOperation = (name: string): name is Operation => Object.hasOwn(METHODS, name);

function endpointOf(route: Route, service: Service): Endpoint | undefined {
  const { endpoints, fault } = service;
  const endpoint = endpoints.get(route.endpointId);
  if (endpoint !== undefined) return endpoint;
  const like = [...endpoints.values()].find(({ id }) => {
    if (fault === 'endpoint-id-case-ignored') return id.toLowerCase() === route.endpointId.toLowerCase();
    if (fault === 'endpoint-id-with-tail') return route.endpointId.startsWith(id);
    return fault === 'endpoint-id-shortened' && id.startsWith(route.endpointId);
  });
  if (like !== undefined) return like;
  if (fault === 'wrong-endpoint-accepted') return [...endpoints.values()][0];
  if (fault === 'wrong-endpoint-created') {
    const created = new Endpoint(route.endpointId, 1, service);
    endpoints.set(route.endpointId, created);
    return created;
  }
  return undefined;
}

/** What some faults answer for an endpoint that does not exist. */
function wrongNowhere(route: Route | null, fault: FaultId | null): Reply | null {
  if (route === null) return null;
  const { operation } = route;
  if (fault === 'wrong-endpoint-health-zeros' && operation === 'health') {
    const jobs = { completed: 0, failed: 0, inProgress: 0, inQueue: 0, retried: 0 };
    return { code: 200, body: { jobs, workers: { idle: 0, running: 0 } } };
  }
  if (fault === 'wrong-endpoint-purge-zero' && operation === 'purge-queue')
    return { code: 200, body: { removed: 0, status: 'completed' } };
  if (fault === 'wrong-endpoint-run-accepted' && operation === 'run')
    return { code: 200, body: { id: 'job-of-nowhere', status: 'IN_QUEUE' } };
  if (fault === 'endpoint-by-prototype' && route.endpointId in {})
    return refuse(500, 'endpoint.submit is not a function');
  return null;
}

function checkPath(
  call: Call,
  route: Route | null,
  endpoint: Endpoint | undefined,
  service: Service,
): Reply | null {
  const { choices, fault } = service;
  if (route === null) return refuse(404, 'no such path');
  if (endpoint === undefined) {
    if (fault === 'wrong-endpoint-is-500') return refuse(500, 'no such endpoint');
    if (fault === 'wrong-endpoint-is-400') return refuse(400, 'no such endpoint');
    if (fault === 'wrong-endpoint-is-401') return refuse(401, 'no such endpoint');
    return refuse(404, 'no such endpoint');
  }
  let method: string = METHODS[route.operation];
  if (fault === 'method-ignored') method = call.method;
  if (fault === 'cancel-by-delete-only' && route.operation === 'cancel') method = 'DELETE';
  const isRead = method === 'GET' && route.operation !== 'requests';
  if (choices.readsByPost && isRead && call.method === 'POST') return null;
  if (call.method === method) return null;
  return { ...refuse(choices.wrongMethodCode, `use ${method}`), headers: { allow: method } };
}

/** What only a strict server refuses. */
function checkStrictly(call: Call, { operation, rest }: Route, service: Service): Reply | null {
  const { choices } = service;
  const known = operation === 'runsync' ? 'wait' : operation === 'status' ? 'ttl' : '';
  if (choices.unknownQuery === 'rejected' && [...call.query.keys()].some((name) => name !== known))
    return refuse(400, 'unknown query parameter');
  const bodyless = !['run', 'runsync', 'openai'].includes(operation);
  if (choices.needlessBody === 'rejected' && bodyless && call.bodyBytes > 0)
    return refuse(400, 'no body wanted');
  const emptyJson = call.bodyBytes === 0 && call.contentType.startsWith('application/json');
  if (service.fault === 'empty-json-body-refused' && bodyless && call.method === 'POST' && emptyJson)
    return refuse(400, 'the body must not be empty');
  if (choices.longPathCode === 414 && rest.some((part) => part.length > 200)) return refuse(414, 'too long');
  return null;
}

// Key

/** The key that the call carries, when it passes, or the refusal. */
function checkKey(
  call: Call,
  route: Route | null,
  keys: readonly string[],
  service: Service,
): string | Reply {
  const { choices, fault } = service;
  const { authorization } = call;
  const right = keys[0] ?? '';
  if (fault === 'auth-off' || isUnguarded(route?.operation, fault)) return right;
  if (authorization === undefined) {
    if (fault === 'auth-missing-accepted') return right;
    if (fault === 'auth-missing-is-403') return refuse(403, 'no key');
    if (fault === 'auth-missing-is-400') return refuse(400, 'no key');
    if (fault === 'auth-missing-is-500') return refuse(500, 'no key');
    if (fault === 'auth-redirects') return { code: 302, headers: { location: '/login' } };
    return refuse(401, 'no key');
  }
  const bearer = (choices.bearerCase === 'any' ? /^bearer +/i : /^Bearer /).exec(authorization);
  if (fault === 'auth-any-bearer' && bearer !== null) return right;
  let given = bearer === null ? authorization : authorization.slice(bearer[0].length);
  if (choices.authForm === 'bare') given = authorization;
  if (choices.authForm === 'bearer' && bearer === null) return refuse(401, 'use Bearer');

  if (keys.includes(given)) return given;
  if (given === service.unpermittedKey) {
    if (fault === 'auth-permission-not-checked') return given;
    const submits = route?.operation === 'run' || route?.operation === 'runsync';
    if (fault === 'auth-permission-for-submissions-only' && !submits) return given;
    if (fault === 'auth-permission-is-403') return refuse(403, 'no permission');
  }
  if (fault === 'auth-wrong-accepted') return right;
  if (fault === 'auth-prefix-of-key' && given !== '' && right.startsWith(given)) return right;
  if (fault === 'auth-part-of-key' && given.includes(right)) return right;
  if (fault === 'auth-end-of-key' && given !== '' && right.endsWith(given)) return right;
  if (fault === 'auth-words-after-key-ignored' && given.split(' ')[0] === right) return right;
  if (fault === 'auth-key-with-tail' && given.startsWith(right)) return right;
  if (fault === 'auth-case-ignored' && given.toLowerCase() === right.toLowerCase()) return right;
  if (fault === 'auth-empty-accepted' && /^(bearer)?\s*$/i.test(given)) return right;
  if (fault === 'auth-same-length' && given.length === right.length) return right;
  if (fault === 'auth-wrong-is-403') return refuse(403, 'wrong key');
  if (fault === 'auth-wrong-is-404') return refuse(404, 'wrong key');
  return refuse(401, 'wrong key');
}

/** What faults make of a key that remember, for a second, how the last one was judged. */
function remembered(
  checked: string | Reply,
  endpoint: Endpoint,
  keys: readonly string[],
  isMissing: boolean,
): string | Reply {
  const { clock, fault } = endpoint.service;
  const passes = typeof checked === 'string';
  const { lastKey } = endpoint;
  if (passes) lastKey.everPassed = true;
  if (fault === 'auth-first-call-only' && lastKey.everPassed && isMissing) return keys[0] ?? '';
  const recent = clock.now() < lastKey.atMs + 1000;
  if (fault === 'auth-success-cached' && recent && lastKey.passed && !passes) return keys[0] ?? '';
  if (fault === 'auth-refusal-cached' && recent && !lastKey.passed && passes) return refuse(401, 'wrong key');
  Object.assign(lastKey, { atMs: clock.now(), passed: passes });
  return checked;
}

function isUnguarded(operation: Operation | undefined, fault: FaultId | null): boolean {
  switch (operation) {
    case 'health':
      return fault === 'auth-not-on-health';
    case 'status':
      return fault === 'auth-not-on-status';
    case 'stream':
      return fault === 'auth-not-on-stream';
    case 'cancel':
      return fault === 'auth-not-on-cancel';
    case 'retry':
      return fault === 'auth-not-on-retry';
    case 'purge-queue':
      return fault === 'auth-not-on-purge';
    case 'run':
      return fault === 'auth-not-on-run';
    case 'runsync':
      return fault === 'auth-not-on-runsync';
    case 'openai':
    case 'requests':
      return fault === 'auth-not-on-other-paths';
    case undefined:
      return false;
  }
}

// Rate

function allowanceOf(endpoint: Endpoint, route: Route, user: string): Allowance {
  const { endpoints, choices, fault } = endpoint.service;
  let { operation }: { operation: string } = route;
  if (fault === 'rate-shared-by-operations') operation = '';
  if (fault === 'rate-shared-status-stream' && operation === 'stream') operation = 'status';
  if (fault === 'rate-per-job') operation += route.rest[0] ?? '';
  let owner = endpoint;
  if (fault === 'rate-shared-by-endpoints') owner = [...endpoints.values()][0] ?? endpoint;
  const name = choices.limitScope === 'user' ? `${user} ${operation}` : operation;
  const known = owner.allowances.get(name);
  if (known !== undefined) return known;
  const allowance = new Allowance();
  owner.allowances.set(name, allowance);
  return allowance;
}

/** What some faults take from the allowance of another operation. */
function drawElsewhere(endpoint: Endpoint, route: Route, user: string): void {
  const { clock, choices, fault } = endpoint.service;
  const { operation } = route;
  let other: Operation | null = null;
  if (fault === 'rate-retry-draws-from-run' && operation === 'retry') other = 'run';
  if (fault === 'rate-health-draws-from-status' && operation === 'health') other = 'status';
  if (other === null) return;
  allowanceOf(endpoint, { ...route, operation: other }, user).take(clock.now(), 1000, choices, fault);
}

function checkRate(endpoint: Endpoint, route: Route, allowance: Allowance): Reply | null {
  const { clock, choices, fault } = endpoint.service;
  const base = baseLimit(route.operation, choices, fault);
  if (base === null) return null;
  const running = choices.runningWorkers === 'all' ? endpoint.workers : endpoint.busyWorkers();
  const dynamic = running * choices.requestsPerWorker;
  let rate = Math.max(base.rate, dynamic);
  if (fault === 'rate-lower-of') rate = Math.min(base.rate, dynamic);
  if (fault === 'rate-dynamic-only') rate = dynamic;
  const concurrency = choices.dynamicConcurrency ? Math.max(base.concurrency, dynamic) : base.concurrency;
  if (allowance.open < concurrency && allowance.take(clock.now(), rate, choices, fault)) return null;
  const headers: Record<string, string> = {};
  if (choices.retryAfter) headers['retry-after'] = '10';
  if (choices.rateHeaders)
    Object.assign(headers, { 'x-ratelimit-limit': String(rate), 'x-ratelimit-remaining': '0' });
  return { ...refuse(429, 'too many requests'), headers };
}
