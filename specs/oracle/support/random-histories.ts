/**
 * Lives of one job, drawn at random: what became of it, and what clients whose calls overlap were told. Told by a clock
 * that knows all instants, so that nothing in them contradicts the document, unless an answer is changed afterwards.
 */
import type { Json } from '../../../src/history/events.js';
import type { Operation } from '../../../src/spec/types.js';
import type { RandomStream } from '../../../src/time/random.js';
import { TraceBuilder } from './trace-builder.js';

interface Call {
  readonly op: Operation;
  readonly sentMs: number;
  readonly effectMs: number;
  readonly endMs: number;
  readonly isLost: boolean;
  readonly ttlMs: number | null;
  answer: readonly [code: number, reply: Json];
}

export interface Wish {
  /** Calls in all, and how many of them are under way at once at the most. */
  readonly calls: number;
  readonly atOnce: number;
  /** So many of a thousand histories have an answer that nobody gave. */
  readonly wrongPerMille: number;
  readonly ops: readonly Operation[];
}

const SPAN_MS = 12_000;
const STATUSES = ['IN_QUEUE', 'IN_PROGRESS', 'COMPLETED', 'FAILED', 'CANCELLED', 'TIMED_OUT'] as const;

/** The job itself, by a clock of its own. */
class TrueLife {
  state: 'queued' | 'running' | 'completed' | 'failed' | 'timed-out' | 'cancelled' | 'purged' | 'deleted' =
    'queued';
  private queuedMs = 0;
  private startedMs = 0;
  private endedMs = 0;
  private ttlMs: number;
  private readonly waitsMs: number;
  private readonly durationMs: number;
  private readonly fails: boolean;
  private readonly timeoutMs: number;

  constructor(waitsMs: number, durationMs: number, fails: boolean, timeoutMs: number, ttlMs: number) {
    this.waitsMs = waitsMs;
    this.durationMs = durationMs;
    this.fails = fails;
    this.timeoutMs = timeoutMs;
    this.ttlMs = ttlMs;
  }

  /** What was due by then has happened. */
  until(ms: number): void {
    if (this.state === 'queued') this.move('running', this.queuedMs + this.waitsMs, ms);
    if (this.state === 'running') {
      const inTime = this.durationMs < this.timeoutMs;
      const end = inTime ? (this.fails ? 'failed' : 'completed') : 'timed-out';
      this.move(end, this.startedMs + Math.min(this.durationMs, this.timeoutMs), ms);
    }
    if (ms >= this.ttlMs) this.state = 'deleted';
  }

  private move(state: TrueLife['state'], atMs: number, byMs: number): void {
    if (atMs > byMs || atMs >= this.ttlMs) return;
    if (state === 'running') this.startedMs = atMs;
    else this.endedMs = atMs;
    this.state = state;
  }

  stop(state: 'cancelled' | 'purged', atMs: number): void {
    this.state = state;
    this.endedMs = atMs;
  }

  requeue(atMs: number): void {
    this.state = 'queued';
    this.queuedMs = atMs;
  }

  live(ttlMs: number): void {
    this.ttlMs = ttlMs;
  }

  record(): Json {
    const status = {
      queued: 'IN_QUEUE',
      running: 'IN_PROGRESS',
      completed: 'COMPLETED',
      failed: 'FAILED',
      'timed-out': 'TIMED_OUT',
      cancelled: 'CANCELLED',
      purged: 'CANCELLED',
      deleted: 'GONE',
    }[this.state];
    const ended = this.state === 'completed' || this.state === 'failed' || this.state === 'timed-out';
    const times = ended
      ? { delayTime: this.startedMs - this.queuedMs, executionTime: this.endedMs - this.startedMs }
      : { delayTime: 0, executionTime: 0 };
    return { id: 'a', status, ...times, ...(this.state === 'completed' ? { output: { ok: 1 } } : {}) };
  }
}

const NOT_FOUND = [404, { error: 'not found' }] as const;

function answered(life: TrueLife, { op, effectMs, ttlMs }: Call, lenient: boolean): Call['answer'] {
  life.until(effectMs);
  const { state } = life;
  if (op === 'purge-queue') {
    if (state === 'queued') life.stop('purged', effectMs);
    return [200, { removed: state === 'queued' ? 1 : 0, status: 'completed' }];
  }
  if (state === 'deleted') return NOT_FOUND;
  const waitsOrRuns = state === 'queued' || state === 'running';
  switch (op) {
    case 'cancel':
      if (waitsOrRuns) life.stop('cancelled', effectMs);
      if (waitsOrRuns || lenient) return [200, { id: 'a', status: 'CANCELLED' }];
      return [400, { error: 'it has ended' }];
    case 'retry':
      if (state === 'failed' || state === 'timed-out') life.requeue(effectMs);
      else if (!lenient) return [400, { error: 'it has not failed' }];
      return [200, { id: 'a', status: 'IN_QUEUE' }];
    case 'stream':
      return [200, []];
    default:
      if (ttlMs !== null) life.live(effectMs + ttlMs);
      return [200, life.record()];
  }
}

export function drawLife(random: RandomStream, { calls, atOnce, wrongPerMille, ops }: Wish): TraceBuilder {
  const durationMs = random.pick([0, 400, 2_000, 20_000]);
  const fails = random.chance(500);
  const timeoutMs = random.pick([5_000, 60_000]);
  const ttlMs = random.pick([10_000, 100_000]);
  const lenient = random.chance(500);
  const drawn: Call[] = [];
  const underWay = (ms: number): number =>
    drawn.filter(({ sentMs, endMs }) => sentMs <= ms && ms <= endMs).length;
  const windowMs = random.pick([300, 3_000, SPAN_MS]);
  const aboutMs = random.intBetween(0, SPAN_MS - windowMs);
  for (let tries = 0; tries < 20 * calls && drawn.length < calls; tries += 1) {
    const sentMs = aboutMs + random.intBetween(1, windowMs);
    const tookMs = random.pick([0, random.intBetween(0, 300), random.intBetween(0, windowMs)]);
    const endMs = Math.min(sentMs + tookMs, SPAN_MS);
    if (
      [sentMs, endMs, ...drawn.flatMap((one) => [one.sentMs, one.endMs])].some(
        (ms) => ms >= sentMs && ms <= endMs && underWay(ms) >= atOnce,
      )
    )
      continue;
    const op = random.pick(ops);
    drawn.push({
      op,
      sentMs,
      effectMs: random.intBetween(sentMs, endMs),
      endMs,
      isLost: random.chance(50),
      ttlMs: op === 'status' && random.chance(60) ? random.pick([10_000, 12_000]) : null,
      answer: NOT_FOUND,
    });
  }
  // One look at the end, with nothing else under way.
  const lastMs = SPAN_MS + 1_000;
  drawn.push({
    op: 'status',
    sentMs: lastMs,
    effectMs: lastMs,
    endMs: lastMs,
    isLost: false,
    ttlMs: null,
    answer: NOT_FOUND,
  });
  const life = new TrueLife(random.pick([0, 1_500]), durationMs, fails, timeoutMs, ttlMs);
  for (const call of drawn.toSorted((left, right) => left.effectMs - right.effectMs))
    call.answer = answered(life, call, lenient);
  if (random.chance(wrongPerMille)) {
    const call = random.pick(drawn);
    if (call.op === 'status')
      call.answer = [200, { id: 'a', status: random.pick(STATUSES), delayTime: 0, executionTime: 0 }];
  }
  return trace(drawn, [{ sleepMs: durationMs }, fails ? { fail: 'x' } : { return: { ok: 1 } }], {
    executionTimeout: timeoutMs,
    ttl: ttlMs,
  });
}

/** In the order of their instants; at one instant what is sent comes before what ends. */
function trace(drawn: readonly Call[], plan: Json, policy: Json): TraceBuilder {
  const instants = drawn.flatMap((call) => [
    { call, ms: call.sentMs, end: false },
    { call, ms: call.endMs, end: true },
  ]);
  instants.sort((left, right) => left.ms - right.ms || Number(left.end) - Number(right.end));
  const tick = (call: Call, end: boolean): number =>
    2 + instants.findIndex((one) => one.call === call && one.end === end);
  const history = new TraceBuilder(null).submitted(0, 'a', plan, policy);
  for (const call of drawn.toSorted((left, right) => tick(left, true) - tick(right, true))) {
    const { op, sentMs, endMs, isLost, ttlMs } = call;
    const [code, reply] = call.answer;
    history.call(sentMs, op, op === 'purge-queue' ? null : 'a', isLost ? null : code, isLost ? null : reply, {
      receivedMs: endMs,
      ticks: [tick(call, false), tick(call, true)],
      ...(ttlMs === null ? {} : { query: { ttl: `${ttlMs}` } }),
    });
  }
  return history;
}
