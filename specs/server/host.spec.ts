import { expect, it } from 'vitest';
import { processorMs } from '../support/processor-time.js';
import type { CoreInput, CoreRequest, Effect, Service } from '../../src/core/api.js';
import { createService } from '../../src/core/service.js';
import { createControlledClock } from '../../src/server/clock/controlled-clock.js';
import { createScriptedRunner } from '../../src/server/handlers/scripted-runner.js';
import { Host } from '../../src/server/host.js';
import { createVirtualClock } from '../../src/time/clock.js';

const NO_WEBHOOKS = {
  call: () => ({ ended: Promise.resolve({ status: 200, error: null }), abort: () => undefined }),
  close: async () => {},
};

const request = (method: string, path: string, body: unknown = null): CoreRequest => {
  const text = body === null ? null : JSON.stringify(body);
  return {
    method,
    path,
    query: {},
    headers: { authorization: 'k', 'content-type': 'application/json' },
    body: text,
    bodyBytes: text?.length ?? 0,
  };
};

/** Notes when each input reaches the core. */
function watch(service: Service, log: [number, CoreInput['kind']][]): Service {
  return {
    nextDeadlineMs: () => service.nextDeadlineMs(),
    attemptOf: () => null,
    bodyWanted: () => 0,
    snapshot: () => [],
    job: () => null,
    webhook: () => null,
    webhookAgainAtMs: () => null,
    upcoming: () => [],
    apply(nowMs, input) {
      log.push([nowMs, input.kind]);
      return service.apply(nowMs, input);
    },
  };
}

function house(service: Service = createService({ keys: ['k'] })) {
  const clock = createVirtualClock();
  const host = new Host({ service, clock, createRunner: createScriptedRunner, webhooks: NO_WEBHOOKS });
  host.endpoints.put('e', 1);
  const run = (plan: unknown[], policy = {}) => {
    const reply = host.call(request('POST', '/v2/e/run', { input: { plan }, policy }));
    if (!('status' in reply)) throw new Error('a /run that waits');
    return (reply.body as { id: string }).id;
  };
  const record = (id: string) => {
    const reply = host.call(request('GET', `/v2/e/status/${id}`));
    if (!('status' in reply)) throw new Error('a /status that waits');
    return reply.body;
  };
  return { clock, host, run, record };
}

it('a clock that is read late changes nothing: each event has its own instant', () => {
  const { clock, run, record } = house();
  const first = run([{ sleepMs: 100 }, { return: 1 }], { executionTimeout: 5_000 });
  const overrun = run([{ hang: true }], { executionTimeout: 5_000 });
  const last = run([{ sleepMs: 50 }, { return: 3 }]);
  // The clock was not read for ten seconds.
  clock.advanceTo(10_000);
  expect(record(first)).toMatchObject({ status: 'COMPLETED', delayTime: 0, executionTime: 100 });
  expect(record(overrun)).toMatchObject({ delayTime: 100, executionTime: 5_000 });
  expect(record(last)).toMatchObject({ status: 'COMPLETED', delayTime: 5_100, executionTime: 50 });
});

it('time in the core never goes back, whatever wakes the host', () => {
  const log: [number, CoreInput['kind']][] = [];
  const { clock, host, run } = house(watch(createService({ keys: ['k'] }), log));
  run([{ sleepMs: 10 }, { stream: 1 }, { sleepMs: 10 }, { return: 1 }]);
  clock.advanceTo(15);
  host.catchUp();
  run([{ sleepMs: 1 }]);
  clock.advanceTo(500);
  host.catchUp();
  const times = log.map(([atMs]) => atMs);
  expect(times).toEqual([...times].sort((a, b) => a - b));
  expect(log.filter(([, kind]) => kind === 'worker').map(([atMs]) => atMs)).toEqual([10, 20, 21]);
});

it('a core that names its deadlines too early causes no endless loop', () => {
  const applied: number[] = [];
  const early: Service = {
    nextDeadlineMs: () => (applied.length < 50 ? 0 : null),
    attemptOf: () => null,
    bodyWanted: () => 0,
    snapshot: () => [],
    job: () => null,
    webhook: () => null,
    webhookAgainAtMs: () => null,
    upcoming: () => [],
    apply: (nowMs) => {
      applied.push(nowMs);
      return { reply: null, effects: [] };
    },
  };
  const clock = createVirtualClock();
  const host = new Host({ service: early, clock, createRunner: createScriptedRunner, webhooks: NO_WEBHOOKS });
  clock.advanceTo(5);
  host.catchUp();
  expect(applied).toEqual([0, 1, 2, 3, 4, 5]);
});

it('an answer by an effect of the call itself is given at once', () => {
  const reply = { status: 200, headers: {}, body: 'now' };
  const service: Service = {
    nextDeadlineMs: () => null,
    attemptOf: () => null,
    bodyWanted: () => 0,
    snapshot: () => [],
    job: () => null,
    webhook: () => null,
    webhookAgainAtMs: () => null,
    upcoming: () => [],
    apply: (_nowMs, input) => ({
      reply: null,
      effects:
        input.kind === 'request' ? [{ kind: 'reply', callId: input.callId, reply } satisfies Effect] : [],
    }),
  };
  expect(house(service).host.call(request('POST', '/v2/e/runsync'))).toBe(reply);
});

it('a hundred days of a busy endpoint pass in little real time', async () => {
  const { host, control } = createControlledClock(
    (clock) =>
      new Host({
        service: createService({ keys: ['k'] }),
        clock,
        createRunner: createScriptedRunner,
        webhooks: NO_WEBHOOKS,
      }),
  );
  host.endpoints.put('e', 2);
  for (let job = 0; job < 900; job++) {
    void host.call(request('POST', '/v2/e/run', { input: { plan: [{ sleepMs: 60_000 }, { return: job }] } }));
  }
  const startMs = processorMs();
  expect(await control.advance(100 * 86_400_000)).toBe(100 * 86_400_000);
  expect(processorMs() - startMs).toBeLessThan(2_000);
  expect(control.nextEventAtMs()).toBeNull();
  const health = host.call(request('GET', '/v2/e/health'));
  expect(health).toMatchObject({ body: { jobs: { completed: 900, inQueue: 0, inProgress: 0 } } });
});

it('a clock that would pass what integers can hold stays where it is', async () => {
  const { control } = createControlledClock(
    (clock) =>
      new Host({
        service: createService({ keys: ['k'] }),
        clock,
        createRunner: createScriptedRunner,
        webhooks: NO_WEBHOOKS,
      }),
  );
  await control.advance(10);
  await expect(control.advance(Number.MAX_SAFE_INTEGER)).rejects.toThrow(RangeError);
  expect(await control.advance(1)).toBe(11);
});
