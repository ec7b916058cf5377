/** For every sequence of inputs, the state of the service stays consistent. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { CoreInput, CoreOutput } from '../../src/core/api.js';
import type { Dialect } from '../../src/core/rules.js';
import { createService } from '../../src/core/service.js';
import type { Json } from '../../src/history/events.js';
import type { Edition } from '../../src/spec/index.js';
import { commands, dialect, edition, startUse, type Command as UseAct } from './commands.js';

const ENDPOINTS = ['a', 'b'];

type Act =
  | { readonly do: 'request'; readonly method: string; readonly path: string; readonly body: string | null }
  | {
      readonly do: 'job';
      readonly method: string;
      readonly op: string;
      readonly nth: number;
      readonly ep: string;
    }
  | { readonly do: 'worker'; readonly nth: number; readonly kind: 'stream' | 'success' | 'error' | 'crash' }
  | { readonly do: 'webhook'; readonly nth: number; readonly status: number | null }
  | { readonly do: 'hang-up'; readonly nth: number }
  | { readonly do: 'workers'; readonly ep: string; readonly count: number }
  | { readonly do: 'empty'; readonly ep: string; readonly count: number };

const ep = fc.constantFrom(...ENDPOINTS);
const nth = fc.nat({ max: 30 });
const policy = fc.record(
  {
    ttl: fc.oneof(fc.integer({ min: 10_000, max: 60_000 }), fc.constant(9), fc.constant('x')),
    executionTimeout: fc.integer({ min: 5000, max: 30_000 }),
  },
  { requiredKeys: [] },
);
const body = fc.oneof(
  { weight: 5, arbitrary: policy.map((p) => JSON.stringify({ input: {}, policy: p })) },
  policy.map((p) => JSON.stringify({ input: { n: 1 }, policy: p, webhook: 'http://hook.test/' })),
  fc.constantFrom('{', '[]', '{"input":1}', ''),
);
const act: fc.Arbitrary<Act> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('request' as const),
      method: fc.constant('POST'),
      path: fc.tuple(ep, fc.constantFrom('run', 'runsync', 'purge-queue')).map(([e, op]) => `/v2/${e}/${op}`),
      body,
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('job' as const),
      method: fc.constantFrom('GET', 'POST'),
      op: fc.constantFrom('status', 'stream', 'cancel', 'retry', 'health'),
      nth,
      ep,
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('worker' as const),
      nth,
      kind: fc.constantFrom('stream' as const, 'success' as const, 'error' as const, 'crash' as const),
    }),
  },
  fc.record({ do: fc.constant('webhook' as const), nth, status: fc.constantFrom(200, 500, null) }),
  fc.record({ do: fc.constant('hang-up' as const), nth }),
  fc.record({ do: fc.constant('workers' as const), ep, count: fc.nat({ max: 3 }) }),
  { weight: 1, arbitrary: fc.record({ do: fc.constant('empty' as const), ep, count: fc.nat({ max: 3 }) }) },
);
const history = fc.array(fc.tuple(fc.constantFrom(0, 0, 1, 900, 5000, 10_000, 61_000, 1_800_000), act), {
  maxLength: 80,
});

/** A job is deleted while its call waits, and then the client disconnects. */
const GONE: [Edition, Dialect, UseAct[]] = [
  'document',
  { '4.1/ttl-during-wait': 'at-wait-end', '4.1/hang-up': 'cancelled' },
  [
    { do: 'submit', op: 'runsync', ep: 'a', body: { input: {}, policy: { ttl: 10_000 } } },
    { do: 'pass', ms: 10_000 },
    { do: 'hang-up', nth: 0 },
  ],
];

const KEY = 'k';
const request = (callId: number, method: string, path: string, text: string | null = null): CoreInput => ({
  kind: 'request',
  callId,
  request: {
    method,
    path,
    query: {},
    headers: { authorization: KEY },
    body: text,
    bodyBytes: text?.length ?? 0,
  },
});

/** Performs the history on a new service, and tracks what a client and a worker pool could know. */
function performAll(steps: readonly (readonly [number, Act])[]) {
  const made: string[] = [];
  const service = createService({
    keys: [KEY],
    endpoints: ENDPOINTS.map((id) => ({ id, workers: 2 })),
    nextJobId(endpoint) {
      made.push(`${endpoint}-${made.length}`);
      return made.at(-1)!;
    },
  });
  const outputs: CoreOutput[] = [];
  const jobs: string[] = [];
  const attempts: number[] = [];
  const live = new Map<number, { endpoint: string; job: string; worker: string }>();
  const waiting = new Set<number>();
  const hooks = new Map<number, number>();
  let nowMs = 0;
  let calls = 0;

  function apply(input: CoreInput): CoreOutput {
    const output = service.apply(nowMs, input);
    outputs.push(output);
    for (const effect of output.effects) {
      if (effect.kind === 'start') {
        expect([...live.values()].filter((l) => l.worker === effect.worker)).toEqual([]);
        expect([...live.values()].filter((l) => l.job === effect.job)).toEqual([]);
        live.set(effect.attempt, effect);
        attempts.push(effect.attempt);
      } else if (effect.kind === 'stop') {
        expect(live.delete(effect.attempt)).toBe(true);
      } else if (effect.kind === 'reply') {
        expect(waiting.delete(effect.callId)).toBe(true);
      } else if (effect.kind === 'webhook') {
        expect(effect.attempt).toBe((hooks.get(effect.delivery) ?? 0) + 1);
        expect(effect.attempt).toBeLessThanOrEqual(3);
        hooks.set(effect.delivery, effect.attempt);
      }
    }
    const next = service.nextDeadlineMs();
    if (next !== null) expect(next).toBeGreaterThan(nowMs);
    return output;
  }

  function ask(method: string, path: string, text: string | null = null): void {
    const callId = ++calls;
    waiting.add(callId);
    const { reply } = apply(request(callId, method, path, text));
    if (reply === null) return;
    waiting.delete(callId);
    const id = reply.status === 200 ? (reply.body as { id?: string }).id : undefined;
    if (id !== undefined && !jobs.includes(id)) jobs.push(id);
  }

  const pick = <T>(items: readonly T[], at: number): T | undefined =>
    items.length === 0 ? undefined : items[at % items.length];

  for (const [pauseMs, step] of steps) {
    nowMs += pauseMs;
    apply({ kind: 'settle' });
    switch (step.do) {
      case 'request':
        ask(step.method, step.path, step.body);
        break;
      case 'job':
        ask(
          step.method,
          `/v2/${step.ep}/${step.op}${step.op === 'health' ? '' : `/${pick(jobs, step.nth) ?? 'none'}`}`,
        );
        break;
      case 'worker': {
        const attempt = pick(attempts, step.nth);
        if (attempt === undefined) break;
        const wasLive = live.has(attempt);
        if (step.kind !== 'stream') live.delete(attempt);
        const report =
          step.kind === 'error'
            ? { kind: step.kind, message: 'e' }
            : step.kind === 'crash'
              ? { kind: step.kind }
              : { kind: step.kind, output: 1 };
        const output = apply({ kind: 'worker', attempt, report });
        if (!wasLive) expect(output.effects).toEqual([]);
        break;
      }
      case 'webhook': {
        const delivery = pick([...hooks.keys()], step.nth);
        if (delivery !== undefined) apply({ kind: 'webhook-ended', delivery, status: step.status });
        break;
      }
      case 'hang-up': {
        const callId = pick([...waiting], step.nth);
        if (callId === undefined) break;
        waiting.delete(callId);
        apply({ kind: 'hang-up', callId });
        break;
      }
      case 'workers':
        apply({ kind: 'set-workers', endpoint: step.ep, workers: step.count });
        break;
      case 'empty':
        apply({ kind: 'create-endpoint', endpoint: step.ep, workers: step.count });
        break;
    }
  }
  return { service, made, live, nowMs, outputs };
}

test('never throws, never starts a job twice at once, and effects never concern attempts that are over', () => {
  fc.assert(
    fc.property(history, (steps) => void performAll(steps)),
    { numRuns: 150 },
  );
});

test('health agrees with a recount of every job', () => {
  fc.assert(
    fc.property(history, (steps) => {
      const { service, made, live, nowMs } = performAll(steps);
      const ask = (path: string) => service.apply(nowMs, request(0, 'GET', path)).reply!;
      for (const endpoint of ENDPOINTS) {
        const states = made.map(
          (job) => (ask(`/v2/${endpoint}/status/${job}`).body as { status?: Json }).status,
        );
        const count = (state: string): number => states.filter((each) => each === state).length;
        const running = [...live.values()].filter((each) => each.endpoint === endpoint).length;
        const health = ask(`/v2/${endpoint}/health`).body as {
          jobs: { inProgress: number; inQueue: number };
          workers: { idle: number; running: number };
        };
        expect(health.jobs.inQueue).toBe(count('IN_QUEUE'));
        expect(health.jobs.inProgress).toBe(count('IN_PROGRESS'));
        expect(health.jobs.inProgress).toBe(running);
        expect(health.workers.running).toBe(running);
        expect(health.jobs.inQueue > 0 && health.workers.idle > 0).toBe(false);
      }
    }),
    { numRuns: 150 },
  );
});

test('the counters agree with a recount of the jobs, in every dialect', () => {
  fc.assert(
    fc.property(edition, dialect, commands, (ed, readings, steps) => {
      const use = startUse({ edition: ed, dialect: readings });
      for (const step of steps) {
        use.perform(step);
        for (const { held, jobs, workers } of use.service.snapshot(Number.POSITIVE_INFINITY)) {
          for (const [status, count] of Object.entries(held))
            expect([status, count]).toEqual([status, jobs.filter((job) => job.status === status).length]);
          expect(workers.running).toBe(new Set(jobs.flatMap((job) => job.worker ?? [])).size);
        }
      }
    }),
    { numRuns: Number(process.env['RECOUNT_RUNS'] ?? 150), examples: [GONE] },
  );
});

test('the same history gives the same outputs', () => {
  fc.assert(
    fc.property(history, (steps) => {
      expect(performAll(steps).outputs).toEqual(performAll(steps).outputs);
    }),
    { numRuns: 50 },
  );
});
