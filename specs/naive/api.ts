/** Takes a call from its path to its operation: authentication, endpoint, operation, rate limit (sections 4, 5, 7, 8). */
import { refuse, Refused, type Answer, type Call, type EndpointCall, type Reply } from './call.js';
import type { Choices } from './choices.js';
import type { Endpoint, Service } from './endpoint.js';
import type { GivenKey, Hooks } from './hooks.js';
import { Allowance, baseLimit, type Operation } from './limits.js';
import { OPERATIONS } from './operations/index.js';

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
  const { choices, hooks } = service;
  const route = routeOf(call, hooks);
  const endpoint =
    route === null
      ? undefined
      : (service.endpoints.get(route.endpointId) ?? hooks.endpointLike(route.endpointId, service));
  if (endpoint !== undefined) endpoint.received += 1;
  const answer: Answer = (reply) => give(hooks.reply(reply));
  const act = (): void => {
    if (route !== null && endpoint !== undefined)
      operate({ ...call, endpoint, rest: route.rest }, route.operation, () => undefined);
  };

  const checked = checkKey(call, route, keys, service);
  const isMissing = call.authorization === undefined;
  const key =
    endpoint === undefined ? checked : hooks.checkedKey(checked, endpoint, keys[0] ?? '', isMissing);
  if (typeof key !== 'string') hooks.refusedByKey(act);
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
  const allowance = allowanceOf(endpoint, route.operation, route.rest[0] ?? '', user);
  const refusal = checkRate(endpoint, route, allowance);
  const other = hooks.drawsFrom(route.operation);
  if (other !== null) {
    const drawn = allowanceOf(endpoint, other, '', user);
    drawn.take(service.clock.now(), 1000, choices, hooks);
  }
  if (refusal !== null) {
    hooks.refusedByRate(act, allowance);
    return answer(refusal);
  }
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
  const { choices, hooks } = endpoint.service;
  allowance.open += 1;
  let open = true;
  const end = (): void => {
    if (open) allowance.open -= 1;
    open = false;
  };
  call.onGone(() => {
    if (hooks.endsWhenGone(operation)) end();
    else open = false;
  });
  const closing: Answer = (reply) => {
    if (hooks.endsRequest(operation, reply)) end();
    if (!choices.invalidCount && reply.code >= 400) allowance.refund();
    answer(reply);
  };
  if (typeof key !== 'string') return closing(key);
  if (endpoint.broken) return closing(refuse(500, 'the endpoint is broken'));
  endpoint.sweep();
  operate(call, operation, closing);
}

function operate(call: EndpointCall, operation: Operation, answer: Answer): void {
  try {
    OPERATIONS[operation](call, answer);
  } catch (error) {
    answer(error instanceof Refused ? refuse(400, error.message) : refuse(500, String(error)));
  }
}

// Path

function routeOf(call: Call, hooks: Hooks): Route | null {
  const [version, endpointId, operation, ...rest] = hooks.path(call.path);
  if (version !== 'v2') return null;
  if (endpointId === undefined || operation === undefined || !isOperation(operation)) return null;
  const restLength = WITH_JOB_ID.includes(operation) ? 1 : 0;
  const fits = operation === 'openai' ? rest.length > 0 : rest.length === restLength;
  if (!fits || rest.includes('')) return null;
  return { endpointId, operation, rest };
}

const isOperation = (name: string): name is Operation => Object.hasOwn(METHODS, name);

function checkPath(
  call: Call,
  route: Route | null,
  endpoint: Endpoint | undefined,
  service: Service,
): Reply | null {
  const { choices, hooks } = service;
  if (route === null) return refuseOdd(404, choices);
  if (endpoint === undefined)
    return hooks.noEndpoint(route.operation, route.endpointId) ?? refuse(404, 'no such endpoint');
  const method = hooks.method(METHODS[route.operation], route.operation, call.method);
  const isRead = method === 'GET' && route.operation !== 'requests';
  if (choices.readsByPost && isRead && call.method === 'POST') return null;
  if (call.method === method) return null;
  return { ...refuseOdd(choices.wrongMethodCode, choices), headers: { allow: method } };
}

/** What a framework answers by itself where no route fits. */
function refuseOdd(code: number, { oddPathBody }: Choices): Reply {
  if (oddPathBody === 'as-others') return refuse(code, 'no such path');
  return { code, text: 'Not Found', textType: 'text/plain' };
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
  if (choices.longPathCode === 414 && rest.some((part) => part.length > 200)) return refuse(414, 'too long');
  return service.hooks.callRefused(call, operation);
}

// Key

/** The key that the call carries, when it passes, or the refusal. */
function checkKey(
  { authorization }: Call,
  route: Route | null,
  keys: readonly string[],
  { choices, hooks, unpermittedKey }: Service,
): string | Reply {
  const right = keys[0] ?? '';
  const bearer = (choices.bearerCase === 'any' ? /^bearer +/i : /^Bearer /).exec(authorization ?? '');
  const isBearer = bearer !== null;
  let given = authorization ?? null;
  if (given !== null && bearer !== null && choices.authForm !== 'bare') given = given.slice(bearer[0].length);
  const key: GivenKey = {
    given,
    right,
    isBearer,
    isUnpermitted: given === unpermittedKey,
    operation: route?.operation ?? null,
  };
  const isForm = choices.authForm !== 'bearer' || isBearer;
  if (given !== null && isForm && keys.includes(given)) return given;
  if (hooks.keyPasses(key)) return key.isUnpermitted ? unpermittedKey : right;
  return hooks.keyRefused(key) ?? refuse(401, given === null ? 'no key' : 'wrong key');
}

// Rate

function allowanceOf(endpoint: Endpoint, operation: Operation, jobId: string, user: string): Allowance {
  const { choices, hooks } = endpoint.service;
  const owner = hooks.allowanceOwner(endpoint);
  const what = hooks.allowanceName(operation, jobId);
  const name = choices.limitScope === 'user' ? `${user} ${what}` : what;
  const known = owner.allowances.get(name);
  if (known !== undefined) return known;
  const allowance = new Allowance();
  owner.allowances.set(name, allowance);
  return allowance;
}

function checkRate(endpoint: Endpoint, route: Route, allowance: Allowance): Reply | null {
  const { clock, choices, hooks } = endpoint.service;
  const base = baseLimit(route.operation, choices, hooks);
  if (base === null) return null;
  const { count, busy } = endpoint.workers;
  const running = choices.runningWorkers === 'all' ? count : busy.size;
  const dynamic = running * choices.requestsPerWorker;
  const rate = hooks.rate(Math.max(base.rate, dynamic), base.rate, dynamic);
  const concurrency = choices.dynamicConcurrency ? Math.max(base.concurrency, dynamic) : base.concurrency;
  if (allowance.open < concurrency && allowance.take(clock.now(), rate, choices, hooks)) return null;
  const headers: Record<string, string> = {};
  if (choices.retryAfter) headers['retry-after'] = '10';
  if (choices.rateHeaders)
    Object.assign(headers, { 'x-ratelimit-limit': String(rate), 'x-ratelimit-remaining': '0' });
  return { ...refuse(429, 'too many requests'), headers };
}
