/** Small histories by hand: a clock that stands still between events, one endpoint, calls one after the other. */
import { judge, type Findings } from '../../../src/oracle/index.js';
import type {
  CallEvent,
  HarnessLag,
  HistoryEvent,
  Json,
  RunEvent,
  WebhookEvent,
} from '../../../src/history/events.js';
import type { Operation } from '../../../src/spec/types.js';
import { runHeader } from '../../support/run-header.js';

const METHODS: { readonly [op: string]: string } = {
  status: 'GET',
  stream: 'GET',
  health: 'GET',
  requests: 'GET',
};

export interface CallOptions {
  readonly query?: { readonly [name: string]: string };
  readonly body?: Json;
  readonly auth?: CallEvent['request']['auth'];
  readonly illegal?: string;
  /** Answered at; default: at once. */
  readonly receivedMs?: number;
  /** Another method than the operation's own. */
  readonly method?: string;
  /** Its place in the count of sendings and ends, where calls overlap; default: after all before it. */
  readonly ticks?: readonly [number, number];
  /** Why it got no answer; default: it timed out. */
  readonly lost?: string;
  /** The last byte of its body was held back. */
  readonly held?: CallEvent['held'];
}

export class TraceBuilder {
  readonly events: HistoryEvent[] = [];
  private readonly lags: HarnessLag[] = [];
  private readonly overMs = new Map<number, { atMs: number; leaves: readonly string[] }>();
  private calls = 0;
  private ticks = 0;
  private script = 0;
  private endpoint = 'e';
  private readonly fresh: boolean;
  private readonly workers: number | null;
  private readonly run: RunEvent;

  constructor(workers: number | null = 1, run: Partial<RunEvent> = {}, fresh = true) {
    this.run = runHeader({
      target: { kind: 'simulator', name: 'told' },
      capabilities: [
        'scripted-worker',
        'test-control',
        'webhook-reachable',
        'dedicated',
        'load-allowed',
        'worker-count-known',
      ],
      clock: 'virtual',
      graceMs: 100,
      executionTimeoutDefaultMs: 600_000,
      ...run,
    });
    this.fresh = fresh;
    this.workers = workers;
    this.begun(0);
  }

  private begun(script: number): void {
    const { fresh, workers } = this;
    const titles = { scenario: 'told', title: 'told by hand' };
    this.events.push({ kind: 'script', script, ...titles, endpoint: 'e', fresh, workers, atMs: 0 });
  }

  /** What follows was done by another script. */
  by(script: number): this {
    if (!this.events.some((event) => event.kind === 'script' && event.script === script)) this.begun(script);
    this.script = script;
    return this;
  }

  /** The script is over, and the harness cancels these jobs of it. */
  over(atMs: number, script: number, leaves: readonly string[]): this {
    this.overMs.set(script, { atMs, leaves });
    return this;
  }

  /** What follows was done on this endpoint. */
  on(endpoint: string): this {
    this.endpoint = endpoint;
    return this;
  }

  /** One call at `atMs`; `code` null: it got no answer. */
  call(
    atMs: number,
    op: Operation,
    id: string | null,
    code: number | null,
    reply: Json | null,
    how: CallOptions = {},
  ): this {
    const [sentTick, endedTick] = how.ticks ?? [this.ticks++, this.ticks++];
    this.ticks = Math.max(this.ticks, endedTick + 1);
    const receivedMs = how.receivedMs ?? atMs;
    const json = (value: Json) => ({ as: 'json', value, bytes: JSON.stringify(value).length }) as const;
    this.events.push({
      kind: 'call',
      call: this.calls++,
      script: this.script,
      lane: 'main',
      endpoint: this.endpoint,
      op: how.method === undefined ? op : null,
      label: id,
      request: {
        method: how.method ?? METHODS[op] ?? 'POST',
        path: `/v2/${this.endpoint}/${op}${id === null ? '' : `/${id}`}`,
        query: how.query ?? {},
        auth: how.auth ?? 'bare',
        contentType: how.body === undefined ? null : 'application/json',
        body: how.body === undefined ? { as: 'none' } : json(how.body),
        illegal: how.illegal ?? null,
      },
      sentTick,
      endedTick,
      sentMs: atMs,
      arrivedByMs: code === null ? null : atMs,
      receivedMs: code === null ? null : receivedMs,
      reply:
        code === null
          ? null
          : {
              status: code,
              contentType: 'application/json',
              headers: {},
              body: reply === null ? { as: 'none' } : json(reply),
            },
      lost: code === null ? (how.lost ?? 'timeout') : null,
      ...(how.held === undefined ? {} : { held: how.held }),
      ...(code === null ? { gaveUpMs: receivedMs } : {}),
    });
    return this;
  }

  /** `/run` of a plan, accepted. */
  submitted(
    atMs: number,
    id: string,
    plan: Json,
    policy?: Json,
    more: { readonly [key: string]: Json } = {},
  ): this {
    const body = { input: { plan }, ...(policy === undefined ? {} : { policy }), ...more };
    return this.call(atMs, 'run', null, 200, { id, status: 'IN_QUEUE' }, { body });
  }

  /** `/health`, answered: in real time a silence counts only up to the last sign of life. */
  alive(atMs: number): this {
    const jobs = { completed: 0, failed: 0, inProgress: 0, inQueue: 0, retried: 0 };
    return this.call(atMs, 'health', null, 200, { jobs, workers: { idle: 0, running: 0 } });
  }

  /** A call that was lost with its connection, sent then; `how`: its connection was refused, or closed at `gaveUpMs`. */
  lost(
    sentMs: number,
    op: Operation,
    id: string | null,
    how: 'refused' | 'reset' | 'timeout',
    gaveUpMs = sentMs,
  ): this {
    this.call(sentMs, op, id, null, null, { receivedMs: gaveUpMs });
    const event = this.events.pop() as CallEvent;
    this.events.push({ ...event, lost: how });
    return this;
  }

  /** The endpoint's number of workers is changed. */
  staffed(atMs: number, workers: number): this {
    this.events.push({ kind: 'workers', script: 0, endpoint: 'e', workers, sentMs: atMs, receivedMs: atMs });
    return this;
  }

  /** `/status`, answered with this status, or 404 for `GONE`. */
  seen(atMs: number, id: string, status: string, more: { readonly [key: string]: Json } = {}): this {
    if (status === 'GONE') return this.call(atMs, 'status', id, 404, { error: 'not found' });
    return this.call(atMs, 'status', id, 200, { id, status, delayTime: 0, executionTime: 0, ...more });
  }

  /** `sinceMs`: it may have come at any instant from then on. */
  webhook(atMs: number, url: string, answered: number | null, body: Json = {}, sinceMs?: number): this {
    this.events.push({
      kind: 'webhook',
      script: 0,
      url,
      method: 'POST',
      contentType: 'application/json',
      headers: {},
      body: { as: 'json', value: body, bytes: 2 },
      arrivedMs: atMs,
      ...(sinceMs === undefined ? {} : { sinceMs }),
      endedMs: atMs,
      answered,
    });
    return this;
  }

  /** A call that reached the storage which a submission names. */
  stored(atMs: number, url: string): this {
    this.events.push({ kind: 'storage', script: 0, url, method: 'PUT', path: '/b/o', arrivedMs: atMs });
    return this;
  }

  /** A webhook call that nobody answered, ended so. */
  unanswered(atMs: number, url: string, endedMs: number, silence: 'given-up' | 'cut'): this {
    this.webhook(atMs, url, null);
    const event = this.events.pop() as WebhookEvent;
    this.events.push({ ...event, endedMs, silence });
    return this;
  }

  /** The harness itself was held up from then to then, all the time. */
  heldUp(fromMs: number, toMs: number): this {
    this.lags.push({ fromMs, toMs, lostMs: toMs - fromMs });
    return this;
  }

  history(endMs: number): readonly HistoryEvent[] {
    const lag =
      this.lags.length === 0
        ? {}
        : { harnessLagMs: Math.max(...this.lags.map(({ lostMs }) => lostMs)), harnessLags: this.lags };
    const ends = this.events.flatMap((event): HistoryEvent[] => {
      if (event.kind !== 'script') return [];
      const { script } = event;
      const over = this.overMs.get(script) ?? { atMs: endMs };
      return [{ kind: 'script-end', script, ...over, outcome: 'played', reason: null, ...lag }];
    });
    return [this.run, ...this.events, ...ends];
  }

  judged(endMs: number): Findings {
    return judge(this.history(endMs));
  }
}

/** Ids of what failed, in the catalogue's order. */
export function failed(findings: Findings): readonly string[] {
  return findings.requirements.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id);
}

export function verdictOf(findings: Findings, id: string): string | undefined {
  return findings.requirements.find((one) => one.id === id)?.verdict;
}
