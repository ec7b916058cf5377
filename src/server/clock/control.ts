import { Hono, type Context } from 'hono';
import type { ControlledClock } from './controlled-clock.js';
import type { EndpointClocks } from './endpoint-clocks.js';
import type { HostedEndpoint } from '../endpoint-registry.js';
import { isCount, isObject } from '../../util/json.js';
import type { KeyCheck } from '../calls/keys.js';
import { readJson, type SocketBindings } from '../calls/read-json.js';
import type { Faults } from '../faults/faults.js';
import { FaultSyntaxError } from '../faults/grammar.js';
import { parseTarget } from '../calls/request-target.js';

export const CONTROL_PATH = '/_control';
const PROTOCOL = 'test-control/1';

/** A larger number is a mistake, not a test. */
const WORKERS_MAX = 100_000;
const ENDPOINT_ID_LENGTH_MAX = 200;
const CLOCK_NAME_LENGTH_MAX = 200;

interface ControlEnv {
  Bindings: SocketBindings;
}

export interface ControlOptions {
  readonly endpoints: EndpointClocks;
  /** How many times as fast as real time a clock runs that is not controlled. */
  readonly speed: number;
  readonly hasKey: KeyCheck;
  /** Resolves when all changes are stored, if they are stored at all; rejects when they cannot be. */
  readonly persisted: () => Promise<void>;
  /** Offered to testers: the key of another user, and one without permission for any endpoint. */
  readonly keysToTry: { readonly otherUser: string | null; readonly unpermitted: string | null };
  /** Null where no faults are injected. */
  readonly faults: Faults | null;
}

/** Test control, version 1: the contract `test-control`, call by call. */
export function createControl(options: ControlOptions): Hono<ControlEnv> {
  const { endpoints, speed, hasKey, persisted, keysToTry } = options;
  const app = new Hono<ControlEnv>();
  // Null in real time: the clock calls then answer 404 (rule 7).
  const clock = endpoints.main.control;
  const offer = {
    protocol: PROTOCOL,
    features: [
      ...(clock === null ? [] : ['clock']),
      'endpoints',
      ...(endpoints.areOffered ? ['endpoint-clocks'] : []),
      'keys',
    ],
    ...(speed !== 1 && { speed }),
  };

  app.use('*', async (c, next) => {
    if (!hasKey(c.req.header('authorization')))
      return c.json({ ...offer, error: 'a valid API key is needed' }, 401);
    await next();
    return persisted();
  });

  app.get('/', (c) => c.json(offer));

  app.get('/keys', (c) => c.json(keysToTry));

  if (clock !== null) {
    app.get('/clock', (c) => showClock(c, clock));
    app.post('/clock/advance', (c) => advance(c, clock));
  }

  if (endpoints.areOffered) {
    app.get('/clocks/:name', (c) => showClock(c, endpoints.clock(c.req.param('name'))));
    app.post('/clocks/:name/advance', (c) => advance(c, endpoints.clock(c.req.param('name'))));
  }

  app.put('/endpoints/:id', async (c) => {
    const id = endpointIdOf(c);
    if (id === null) return malformed(c, 'the endpoint id is not usable');
    const body = await readJson(c);
    const workers = countIn(body, 'workers', WORKERS_MAX);
    if (workers === null) return malformed(c, `workers must be an integer from 0 to ${WORKERS_MAX}`);
    const name = endpoints.areOffered ? memberOf(body, 'clock') : undefined;
    if (name !== undefined && !isClockName(name))
      return malformed(c, `clock must be a name of 1 to ${CLOCK_NAME_LENGTH_MAX} characters`);
    endpoints.put(id, workers, name ?? null);
    return show(c, endpoints.get(id));
  });

  app.get('/endpoints/:id', (c) => show(c, endpoints.get(endpointIdOf(c) ?? '')));

  app.patch('/endpoints/:id', async (c) => {
    const id = endpointIdOf(c) ?? '';
    const workers = countIn(await readJson(c), 'workers', WORKERS_MAX);
    if (endpoints.get(id) === null) return show(c, null);
    if (workers === null) return malformed(c, `workers must be an integer from 0 to ${WORKERS_MAX}`);
    endpoints.setWorkers(id, workers);
    return show(c, endpoints.get(id));
  });

  app.delete('/endpoints/:id', (c) => {
    const id = endpointIdOf(c) ?? '';
    if (endpoints.get(id) === null) return show(c, null);
    endpoints.delete(id);
    return c.body(null, 204);
  });

  if (options.faults !== null) addFaultCalls(app, options.faults);
  app.all('*', (c) => c.json({ error: 'no such call of test control' }, 404));
  return app;
}

/** Faults for one test: no part of the contract. */
function addFaultCalls(app: Hono<ControlEnv>, { ofTests }: Faults): void {
  const none = (c: Context<ControlEnv>): Response => c.json({ error: 'no test has these faults' }, 404);
  app.get('/faults', (c) => c.json({ faults: ofTests.all() }));
  app.post('/faults', async (c) => {
    try {
      return c.json(ofTests.add(await readJson(c)), 201);
    } catch (error) {
      if (error instanceof FaultSyntaxError) return malformed(c, error.message);
      throw error;
    }
  });
  app.get('/faults/:id', (c) => {
    const found = ofTests.get(c.req.param('id'));
    return found === null ? none(c) : c.json(found);
  });
  app.delete('/faults/:id', (c) => (ofTests.remove(c.req.param('id')) ? c.body(null, 204) : none(c)));
}

function show(c: Context<ControlEnv>, endpoint: HostedEndpoint | null): Response {
  return endpoint === null ? c.json({ error: 'no such endpoint' }, 404) : c.json({ ...endpoint });
}

function malformed(c: Context<ControlEnv>, error: string): Response {
  return c.json({ error }, 400);
}

function showClock(c: Context<ControlEnv>, clock: ControlledClock | null): Response {
  if (clock === null) return noSuchClock(c);
  return c.json({ nowMs: clock.nowMs(), nextEventAtMs: clock.nextEventAtMs() });
}

async function advance(c: Context<ControlEnv>, clock: ControlledClock | null): Promise<Response> {
  if (clock === null) return noSuchClock(c);
  const byMs = countIn(await readJson(c), 'byMs', Number.MAX_SAFE_INTEGER - clock.nowMs());
  if (byMs === null) return malformed(c, 'byMs must be an integer from 0, within the range of the clock');
  const nowMs = await clock.advance(byMs);
  return c.json({ nowMs, nextEventAtMs: clock.nextEventAtMs() });
}

function noSuchClock(c: Context<ControlEnv>): Response {
  return c.json({ error: 'no such clock' }, 404);
}

function isClockName(name: unknown): name is string {
  return typeof name === 'string' && name.length > 0 && name.length <= CLOCK_NAME_LENGTH_MAX;
}

/** The last segment of the path, decoded; null when it cannot be an endpoint id. */
function endpointIdOf(c: Context<ControlEnv>): string | null {
  const path = parseTarget(new URL(c.req.url).pathname)?.path;
  if (path === undefined) return null;
  const id = decodeURIComponent(path.slice(path.lastIndexOf('/') + 1));
  return id.length > ENDPOINT_ID_LENGTH_MAX || id.includes('/') ? null : id;
}

/** The member `name` of the body, if it is an integer from 0 to `max`; otherwise null. */
function countIn(body: unknown, name: string, max: number): number | null {
  const value = memberOf(body, name);
  return isCount(value) && value <= max ? value : null;
}

/** Undefined where the body is no object, or has no such member. */
function memberOf(body: unknown, name: string): unknown {
  return isObject(body) && Object.hasOwn(body, name) ? body[name] : undefined;
}
