/** Test control, version 1: the clock and the endpoints of a server under test. */
import { refuse, type Answer, type Call } from './call.js';
import type { ControlledClock } from './clock.js';
import { Endpoint, type Service } from './endpoint.js';
import { isObject, type Json } from './json.js';

export interface Control {
  readonly service: Service;
  readonly keys: readonly string[];
  /** Null when time is real. */
  readonly clock: ControlledClock | null;
  readonly endpoints: boolean;
  /** Whether something is under way that may still schedule an event at this instant. */
  readonly unsettled: () => boolean;
}

/** Answers a call of test control; `path` is what follows the control address. */
export function answerControl(call: Call, path: readonly string[], control: Control, answer: Answer): void {
  const key = call.authorization?.replace(/^Bearer /, '') ?? '';
  if (!control.keys.includes(key)) return answer(refuse(401, 'no valid key'));
  const { clock } = control;
  const [what, name, ...more] = path;
  if (what === undefined && call.method === 'GET') {
    const features = [
      ...(clock === null ? [] : ['clock']),
      ...(control.endpoints ? ['endpoints'] : []),
      ...(control.keys.length > 1 ? ['keys'] : []),
    ];
    return answer({ code: 200, body: { protocol: 'test-control/1', features } });
  }
  if (what === 'keys' && name === undefined && call.method === 'GET') {
    const { unpermittedKey: unpermitted } = control.service;
    return answer({ code: 200, body: { otherUser: control.keys[1] ?? null, unpermitted } });
  }
  if (what === 'clock' && clock !== null) {
    if (name === undefined && call.method === 'GET') {
      const nextEventAtMs = control.unsettled() ? clock.now() : clock.nextEventAtMs();
      return answer({ code: 200, body: { nowMs: clock.now(), nextEventAtMs } });
    }
    if (name === 'advance' && more.length === 0 && call.method === 'POST') {
      const byMs = readCount(call, 'byMs');
      if (byMs === null) return answer(refuse(400, 'byMs is no integer ≥ 0'));
      void clock.advance(byMs).then((nowMs) => answer({ code: 200, body: { nowMs } }));
      return;
    }
  }
  if (what === 'endpoints' && control.endpoints && name !== undefined && more.length === 0) {
    return answerEndpoints(call, name, control, answer);
  }
  answer(refuse(404, 'no such control call'));
}

function answerEndpoints(call: Call, id: string, control: Control, answer: Answer): void {
  const { service } = control;
  const endpoint = service.endpoints.get(id);
  const show = (shown: Endpoint): void =>
    answer({
      code: 200,
      body: { endpointId: shown.id, workers: shown.workers.count, received: shown.received },
    });
  if (call.method === 'PUT') {
    const workers = readCount(call, 'workers');
    if (workers === null) return answer(refuse(400, 'workers is no integer ≥ 0'));
    endpoint?.close();
    const fresh = new Endpoint(id, workers, service);
    service.endpoints.set(id, fresh);
    return show(fresh);
  }
  if (endpoint === undefined) return answer(refuse(404, 'no such endpoint'));
  if (call.method === 'GET') return show(endpoint);
  if (call.method === 'PATCH') {
    const workers = readCount(call, 'workers');
    if (workers === null) return answer(refuse(400, 'workers is no integer ≥ 0'));
    endpoint.workers.resize(workers);
    return show(endpoint);
  }
  if (call.method === 'DELETE') {
    endpoint.close();
    service.endpoints.delete(id);
    return answer({ code: 204 });
  }
  answer(refuse(405, 'no such method'));
}

function readCount(call: Call, name: string): number | null {
  let body: Json;
  try {
    body = JSON.parse(call.body?.toString('utf8') ?? '') as Json;
  } catch {
    return null;
  }
  const value = isObject(body) ? body[name] : undefined;
  return Number.isSafeInteger(value) && Number(value) >= 0 ? Number(value) : null;
}
