import type { Json } from '../../src/history/events.js';
import type { LogEntry } from '../../src/sim/event-log.js';
import type { ClientEvent } from '../../src/sim/client-events.js';
import { createSimulatedService } from '../../src/sim/simulated-service.js';
import type { SimulatedServiceOptions } from '../../src/sim/simulated-service.js';
import { createSimulation } from '../../src/sim/simulation.js';
import type { CoreRequest, Simulation, SimulationOptions } from '../../src/sim/simulation.js';
import { createRandom } from '../../src/time/random.js';

type Options = Partial<Omit<SimulationOptions, 'service' | 'random'>> &
  Partial<SimulatedServiceOptions> & { readonly seed?: number; readonly workerCount?: number };

/** A simulation with one endpoint `e`, and short functions for client calls. */
export function createTestBed(options: Options = {}) {
  const random = createRandom(options.seed ?? 1);
  const timers = random.fork('timers');
  const log: LogEntry[] = [];
  const service = createSimulatedService({ ...options, keys: ['key'] }, () => timers);
  const simulation = createSimulation({ ...options, service, random, observe: (entry) => log.push(entry) });
  simulation.createEndpoint('e', options.workerCount ?? 1);
  return { simulation, log, ...clientOf(simulation) };
}

function clientOf(simulation: Simulation) {
  let calls = 0;
  const learnt: ClientEvent[] = [];
  const send = (method: string, path: string, body: Json | null = null, timeoutMs?: number): number => {
    simulation.send(calls, request(method, path, body), timeoutMs);
    return calls++;
  };
  /** The reply or the loss of a call, if it has happened. */
  const of = (call: number) =>
    learnt.find(
      (occurrence): occurrence is Extract<ClientEvent, { kind: 'reply' | 'lost' }> =>
        (occurrence.kind === 'reply' || occurrence.kind === 'lost') && occurrence.callId === call,
    );
  /** The reply's body; an empty object when there was none. */
  const bodyOf = (call: number): { readonly [key: string]: Json } => {
    const found = of(call);
    return found?.kind === 'reply' ? JSON.parse(found.reply.bodyText) : {};
  };
  return {
    learnt,
    of,
    bodyOf,
    idOf: (call: number) => String(bodyOf(call)['id']),
    run: (plan: Json, more: { readonly [key: string]: Json } = {}) =>
      send('POST', '/v2/e/run', { input: { plan }, ...more }),
    runsync: (plan: Json, timeoutMs?: number) =>
      send('POST', '/v2/e/runsync', { input: { plan } }, timeoutMs),
    health: () => send('GET', '/v2/e/health'),
    status: (id: string) => send('GET', `/v2/e/status/${id}`),
    advanceTo(ms: number): void {
      simulation.advanceTo(ms);
      learnt.push(...simulation.takeEvents());
    },
  };
}

function request(method: string, path: string, body: Json | null): CoreRequest {
  const text = body === null ? null : JSON.stringify(body);
  return {
    method,
    path,
    query: {},
    headers: { authorization: 'key', ...(text !== null ? { 'content-type': 'application/json' } : {}) },
    body: text,
    bodyBytes: text?.length ?? 0,
  };
}
