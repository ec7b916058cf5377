/** Random commands of clients and workers, and a driver that performs them on a service. */
import fc from 'fast-check';
import type { CoreInput, CoreOutput, Effect, WorkerReport } from '../../src/core/api.js';
import type { DurableService, ServiceOptions } from '../../src/core/service.js';
import { createService } from '../../src/core/service.js';
import type { Scaling } from '../../src/core/workers/scaling-settings.js';
import type { Json } from '../../src/history/events.js';
import { QUESTIONS } from '../../src/spec/index.js';
import { createStateRecorder, type StateRecorder } from './persisted.js';

const KEY = 'k';
export const ENDPOINTS = ['a', 'b'];
/** Longer than any rate window and any restart of a worker. */
export const LULL_MS = 21_000;

export type Command =
  | { readonly do: 'submit'; readonly op: string; readonly ep: string; readonly body: Json }
  | { readonly do: 'job'; readonly op: string; readonly nth: number; readonly ttl: number | null }
  | { readonly do: 'endpoint'; readonly op: 'purge-queue' | 'health' | 'requests'; readonly ep: string }
  | { readonly do: 'report'; readonly nth: number; readonly report: WorkerReport }
  | { readonly do: 'hook'; readonly nth: number; readonly status: number | null }
  | { readonly do: 'hang-up'; readonly nth: number }
  | { readonly do: 'workers' | 'empty' | 'scale' | 'delete'; readonly ep: string; readonly count: number }
  | { readonly do: 'pass'; readonly ms: number };

const ep = fc.constantFrom(...ENDPOINTS);
/** Counted from the newest; mostly one of the newest. */
const nth = fc.oneof({ weight: 3, arbitrary: fc.nat({ max: 2 }) }, fc.nat({ max: 40 }));
const count = fc.nat({ max: 3 });
const output: fc.Arbitrary<Json> = fc.constantFrom<Json>(
  null,
  1,
  'text',
  '\ud800',
  { a: [1] },
  { error: 'no' },
);
const policy = fc.record(
  {
    ttl: fc.integer({ min: 10_000, max: 90_000 }),
    executionTimeout: fc.integer({ min: 5_000, max: 40_000 }),
    lowPriority: fc.boolean(),
  },
  { requiredKeys: [] },
);
const body = fc.record(
  { input: fc.record({ n: fc.nat() }), policy, webhook: fc.constant('http://hook.test/') },
  { requiredKeys: ['input'] },
) as fc.Arbitrary<Json>;
const report: fc.Arbitrary<WorkerReport> = fc.oneof(
  fc.record({ kind: fc.constantFrom('stream' as const, 'progress' as const, 'success' as const), output }),
  fc.record({ kind: fc.constant('error' as const), message: fc.constant('broken') }),
  fc.record({ kind: fc.constant('crash' as const) }),
);
const command: fc.Arbitrary<Command> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('submit' as const),
      op: fc.constantFrom('run', 'run', 'runsync', 'runsync?wait=3000', 'openai/v1/chat'),
      ep,
      body,
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('job' as const),
      op: fc.constantFrom('status', 'stream', 'cancel', 'retry', 'retry'),
      nth,
      ttl: fc.option(fc.integer({ min: 1, max: 60_000 }), { freq: 6 }),
    }),
  },
  { weight: 7, arbitrary: fc.record({ do: fc.constant('report' as const), nth, report }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('pass' as const),
      ms: fc.oneof(
        { weight: 2, arbitrary: fc.integer({ min: 1, max: 15_000 }) },
        fc.integer({ min: 15_000, max: 90_000 }),
      ),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('hook' as const), nth, status: fc.constantFrom(200, 500, null) }),
  },
  fc.record({ do: fc.constant('hang-up' as const), nth }),
  fc.record({ do: fc.constant('workers' as const), ep, count }),
  fc.record({
    do: fc.constant('endpoint' as const),
    op: fc.constantFrom('purge-queue' as const, 'health' as const, 'requests' as const),
    ep,
  }),
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constantFrom('empty' as const, 'scale' as const, 'delete' as const),
      ep,
      count,
    }),
  },
);
export const dialect = fc.record(
  Object.fromEntries(
    QUESTIONS.map((question) => [
      question.id,
      fc.constantFrom(...question.readings.map((reading) => reading.id)),
    ]),
  ),
  { requiredKeys: [] },
);
export const edition = fc.constantFrom('document' as const, 'runpod' as const);
export const commands = fc.array(command, { minLength: 1, maxLength: 60 });

const scalingTo = (max: number): Scaling => ({
  min: 0,
  max,
  coldStartMs: 500,
  idleTimeoutMs: 5_000,
  scaler: { kind: 'queue-delay', delayMs: 2_000 },
});

/** Performs commands on a service, records all output, and can restart the service. */
export class ServiceDriver {
  nowMs = 1_000;
  readonly log: unknown[] = [];
  readonly jobs: string[] = [];
  readonly attempts: number[] = [];
  private calls = 0;
  readonly running = new Set<number>();
  readonly hooks = new Set<number>();
  readonly waiting = new Set<number>();
  readonly recorder: StateRecorder;
  readonly options: ServiceOptions;
  service: DurableService;

  constructor(options: Partial<ServiceOptions>, keeper = createStateRecorder()) {
    this.recorder = keeper;
    this.options = { keys: [KEY], tracks: 'changes', ...options };
    this.service = createService(this.options);
  }

  /** A driver of a new service that continues from the recorded state. */
  restarted(): ServiceDriver {
    const other = new ServiceDriver({ ...this.options, restored: this.recorder.state() }, this.recorder);
    other.nowMs = this.nowMs;
    other.jobs.push(...this.jobs);
    other.attempts.push(...this.attempts);
    other.calls = this.calls;
    return other;
  }

  apply(input: CoreInput): CoreOutput {
    const result = this.service.apply(this.nowMs, input);
    this.recorder.record(this.service);
    if (input.kind === 'request' && result.reply === null) this.waiting.add(input.callId);
    this.log.push({ atMs: this.nowMs, reply: result.reply, effects: result.effects });
    for (const effect of result.effects) this.recordEffect(effect);
    const id = (result.reply?.body as { id?: string } | null)?.id;
    if (id !== undefined) this.rememberJob(id);
    return result;
  }

  private rememberJob(id: string): void {
    if (!this.jobs.includes(id)) this.jobs.push(id);
  }

  private recordEffect(effect: Effect): void {
    if (effect.kind === 'start') {
      this.rememberJob(effect.job);
      this.attempts.push(effect.attempt);
      this.running.add(effect.attempt);
    }
    if (effect.kind === 'stop') this.running.delete(effect.attempt);
    if (effect.kind === 'webhook') this.hooks.add(effect.delivery);
    if (effect.kind === 'drop-webhook') this.hooks.delete(effect.delivery);
    if (effect.kind === 'reply') this.waiting.delete(effect.callId);
  }

  advance(ms: number): void {
    const untilMs = this.nowMs + ms;
    for (
      let due = this.service.nextDeadlineMs();
      due !== null && due <= untilMs;
      due = this.service.nextDeadlineMs()
    ) {
      this.nowMs = Math.max(this.nowMs, due);
      this.apply({ kind: 'settle' });
    }
    this.nowMs = untilMs;
    this.apply({ kind: 'settle' });
  }

  request(method: string, path: string, body: Json | null = null): CoreOutput {
    const [bare = '', search = ''] = path.split('?');
    const text = body === null ? null : JSON.stringify(body);
    const headers = { authorization: KEY, 'content-type': 'application/json' };
    const query = Object.fromEntries(new URLSearchParams(search));
    const bodyBytes = text === null ? 0 : Buffer.byteLength(text);
    const request = { method, path: bare, query, headers, body: text, bodyBytes };
    return this.apply({ kind: 'request', callId: ++this.calls, request });
  }

  perform(act: Command): void {
    switch (act.do) {
      case 'submit':
        return void this.request('POST', `/v2/${act.ep}/${act.op}`, act.body);
      case 'endpoint':
        return void this.request(act.op === 'purge-queue' ? 'POST' : 'GET', `/v2/${act.ep}/${act.op}`);
      case 'job': {
        if (this.jobs.length === 0) return;
        const id = this.jobs[this.jobs.length - 1 - (act.nth % this.jobs.length)]!;
        const method = act.op === 'status' || act.op === 'stream' ? 'GET' : 'POST';
        const query = act.op === 'status' && act.ttl !== null ? `?ttl=${act.ttl}` : '';
        for (const endpoint of ENDPOINTS) this.request(method, `/v2/${endpoint}/${act.op}/${id}${query}`);
        return;
      }
      case 'report': {
        const attempt = this.attempts.at(-1 - (act.nth % Math.max(1, this.attempts.length)));
        if (attempt !== undefined) this.report(attempt, act.report);
        return;
      }
      case 'hook': {
        const hook = [...this.hooks].at(act.nth % Math.max(1, this.hooks.size));
        if (hook !== undefined) this.hookEnded(hook, act.status);
        return;
      }
      case 'hang-up': {
        const callId = [...this.waiting].at(act.nth % Math.max(1, this.waiting.size));
        if (callId !== undefined) this.hangUp(callId);
        return;
      }
      case 'workers':
        return void this.apply({ kind: 'set-workers', endpoint: act.ep, workers: act.count });
      case 'empty':
        return void this.apply({ kind: 'create-endpoint', endpoint: act.ep, workers: act.count });
      case 'scale':
        return void this.apply({
          kind: 'create-endpoint',
          endpoint: act.ep,
          workers: scalingTo(act.count),
          jobsPerWorker: 2,
        });
      case 'delete':
        return void this.apply({ kind: 'delete-endpoint', endpoint: act.ep });
      case 'pass':
        return this.advance(act.ms);
    }
  }

  report(attempt: number, what: WorkerReport): void {
    if (what.kind === 'success' || what.kind === 'error' || what.kind === 'crash')
      this.running.delete(attempt);
    this.apply({ kind: 'worker', attempt, report: what });
  }

  hookEnded(delivery: number, status: number | null): void {
    this.hooks.delete(delivery);
    this.apply({ kind: 'webhook-ended', delivery, status });
  }

  private hangUp(callId: number): void {
    this.waiting.delete(callId);
    this.apply({ kind: 'hang-up', callId });
  }

  /** Ends all that a restart would end: runs, webhook calls and waiting calls. */
  comeToRest(): void {
    for (const endpoint of ENDPOINTS) this.apply({ kind: 'set-workers', endpoint, workers: 0 });
    for (const callId of this.waiting) this.hangUp(callId);
    while (this.running.size > 0)
      for (const attempt of this.running) this.report(attempt, { kind: 'success', output: 'rest' });
    this.advance(2_500);
    while (this.hooks.size > 0) for (const hook of this.hooks) this.hookEnded(hook, null);
  }

  /** Reads all records and counts. */
  survey(): void {
    for (const id of this.jobs)
      for (const endpoint of ENDPOINTS)
        for (const op of ['status', 'stream']) this.request('GET', `/v2/${endpoint}/${op}/${id}`);
    for (const endpoint of ENDPOINTS) this.request('GET', `/v2/${endpoint}/health`);
  }
}

export const startUse = (options: Partial<ServiceOptions>, keeper?: StateRecorder): ServiceDriver => {
  const use = new ServiceDriver(options, keeper);
  for (const endpoint of ENDPOINTS) use.apply({ kind: 'create-endpoint', endpoint, workers: 1 });
  return use;
};
