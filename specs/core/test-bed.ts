/**
 * A service with short functions for calls and for reports of workers; records every effect with its instant.
 */
import type { CoreReply, Effect, WorkerCall, WorkerReport } from '../../src/core/api.js';
import type { WorkerSettings } from '../../src/core/workers/scaling-settings.js';
import type { ServiceOptions } from '../../src/core/service.js';
import { createService } from '../../src/core/service.js';
import type { Json } from '../../src/history/events.js';

export const KEY = 'rp_test_key';

interface CallOptions {
  readonly key?: string | null;
  readonly endpoint?: string;
  readonly query?: { readonly [name: string]: string };
  readonly method?: string;
  readonly text?: string;
  readonly bytes?: number;
}

type Start = Extract<Effect, { kind: 'start' }>;
type Hook = Extract<Effect, { kind: 'webhook' }>;
export type JsonRecord = { readonly [field: string]: Json };

export interface TestBed {
  nowMs: number;
  readonly effects: { readonly atMs: number; readonly effect: Effect }[];
  /** Moves time forward, timer by timer. */
  advance(ms: number): void;
  get(path: string, options?: CallOptions): CoreReply;
  post(path: string, body?: Json, options?: CallOptions): CoreReply;
  /** A `/runsync` that waits; returns its call id. */
  runsync(path: string, body: Json, options?: CallOptions): number;
  /** The reply to the waiting call `callId`, with its instant; null while it waits. */
  lateReply(callId: number): { readonly atMs: number; readonly reply: CoreReply } | null;
  hangUp(callId: number): void;
  /** `/run` with these other members of the body; returns the job id. */
  run(more?: JsonRecord, input?: Json): string;
  /** The last start of the job. */
  startOf(job: string): Start | undefined;
  starts(): readonly Start[];
  webhooks(): readonly (Hook & { readonly atMs: number })[];
  report(job: string, report: WorkerReport): void;
  reportAttempt(attempt: number, report: WorkerReport): void;
  webhookEnded(delivery: number, status: number | null): void;
  workers(count: number, endpoint?: string): void;
  create(endpoint: string, workers: WorkerSettings['workers'], more?: Partial<WorkerSettings>): void;
  /** A call of the external worker of that name, on endpoint `ep`. */
  worker(name: string, call: WorkerCall): void;
  /** The attempt of the job that this external worker is running. */
  attemptOf(worker: string, job: string): number | null;
  remove(endpoint: string): void;
  status(job: string, query?: CallOptions['query']): CoreReply;
  /** The status of the job, or the status code of the refusal. */
  stateOf(job: string): string | number;
  nextMs(): number | null;
}

export function createTestBed(
  options: Partial<ServiceOptions> & { readonly workers?: number } = {},
): TestBed {
  const { workers = 1, ...rest } = options;
  const service = createService({ keys: [KEY], endpoints: [{ id: 'ep', workers }], ...rest });
  const effects: { atMs: number; effect: Effect }[] = [];
  let calls = 0;

  function apply(input: Parameters<typeof service.apply>[1]): CoreReply | null {
    const output = service.apply(testBed.nowMs, input);
    for (const effect of output.effects) effects.push({ atMs: testBed.nowMs, effect });
    return output.reply;
  }

  function call(method: string, path: string, body: Json | undefined, o: CallOptions): CoreReply | null {
    const text = o.text ?? (body === undefined ? null : JSON.stringify(body));
    const authorization = o.key === null ? undefined : (o.key ?? KEY);
    return apply({
      kind: 'request',
      callId: ++calls,
      request: {
        method: o.method ?? method,
        path: path.startsWith('//') ? path.slice(1) : `/v2/${o.endpoint ?? 'ep'}${path}`,
        query: o.query ?? {},
        headers: { authorization },
        body: text,
        bodyBytes: o.bytes ?? (text === null ? 0 : Buffer.byteLength(text)),
      },
    });
  }

  function answered(reply: CoreReply | null): CoreReply {
    if (reply === null) throw new Error('the call waits');
    return reply;
  }

  const of = <K extends Effect['kind']>(kind: K): Extract<Effect, { kind: K }>[] =>
    effects.map(({ effect }) => effect).filter((e): e is Extract<Effect, { kind: K }> => e.kind === kind);

  const testBed: TestBed = {
    nowMs: 0,
    effects,
    advance(ms) {
      const untilMs = testBed.nowMs + ms;
      for (
        let next = service.nextDeadlineMs();
        next !== null && next <= untilMs;
        next = service.nextDeadlineMs()
      ) {
        testBed.nowMs = next;
        apply({ kind: 'settle' });
      }
      testBed.nowMs = untilMs;
      apply({ kind: 'settle' });
    },
    get: (path, o = {}) => answered(call('GET', path, undefined, o)),
    post: (path, body, o = {}) => answered(call('POST', path, body, o)),
    runsync(path, body, o = {}) {
      if (call('POST', path, body, o) !== null) throw new Error('the call does not wait');
      return calls;
    },
    lateReply(callId) {
      for (const { atMs, effect } of effects) {
        if (effect.kind === 'reply' && effect.callId === callId) return { atMs, reply: effect.reply };
      }
      return null;
    },
    hangUp: (callId) => void apply({ kind: 'hang-up', callId }),
    run: (more = {}, input = { a: 1 }) => idOf(testBed.post('/run', { input, ...more })),
    startOf: (job) => of('start').findLast((start) => start.job === job),
    starts: () => of('start'),
    webhooks: () =>
      effects.flatMap(({ atMs, effect }) => (effect.kind === 'webhook' ? [{ ...effect, atMs }] : [])),
    report(job, report) {
      const start = testBed.startOf(job);
      if (start === undefined) throw new Error(`${job} never started`);
      testBed.reportAttempt(start.attempt, report);
    },
    reportAttempt: (attempt, report) => void apply({ kind: 'worker', attempt, report }),
    webhookEnded: (delivery, status) => void apply({ kind: 'webhook-ended', delivery, status }),
    workers: (count, endpoint = 'ep') => void apply({ kind: 'set-workers', endpoint, workers: count }),
    create: (endpoint, count, more) =>
      void apply({ ...more, kind: 'create-endpoint', endpoint, workers: count }),
    worker: (name, call) => void apply({ ...call, endpoint: 'ep', worker: name }),
    attemptOf: (worker, job) => service.attemptOf('ep', worker, job),
    remove: (endpoint) => void apply({ kind: 'delete-endpoint', endpoint }),
    status: (job, query = {}) => testBed.get(`/status/${job}`, { query }),
    stateOf(job) {
      const reply = testBed.status(job);
      return reply.status === 200 ? String(fields(reply)['status']) : reply.status;
    },
    nextMs: () => service.nextDeadlineMs(),
  };
  return testBed;
}

export function fields(reply: CoreReply): JsonRecord {
  if (typeof reply.body !== 'object' || reply.body === null || Array.isArray(reply.body)) {
    throw new Error(`no object: ${JSON.stringify(reply)}`);
  }
  return reply.body as JsonRecord;
}

export const idOf = (reply: CoreReply): string => String(fields(reply)['id']);
export const success = (output: Json = null): WorkerReport => ({ kind: 'success', output });
export const failure = (message = 'broken'): WorkerReport => ({ kind: 'error', message });
