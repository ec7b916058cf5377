/**
 * In real time a target may die, restart or be cut off: when it is known to have lived. An absence proves nothing after
 * the last sign of life, and what was pending when the target was lost may be forgotten.
 */
import type { CallEvent, HistoryEvent, RunEvent, WebhookEvent } from '../../history/events.js';
import { ascending, countBelow } from './rate-windows.js';
import { idIn, idInPath } from './recorded-call.js';
import { HarnessLags, onItsClock } from './tolerance.js';
import { DOUBTFUL_MS, READ_BY_MS, RESTART_MIN_MS } from './assumptions.js';

/** A time in which the target was not lost, in ms of the history's clock. */
export interface LifePeriod {
  /** The first call that it answered was sent then; -Infinity for the first period. */
  readonly fromMs: number;
  /** What arrived later is doubtful, since the target was about to be lost; Infinity if it was not. */
  readonly untilMs: number;
  /** The last instant at which it is known to have lived. */
  readonly livedUntilMs: number;
}

export interface TargetLife {
  readonly periods: readonly LifePeriod[];
  /** It was lost, and answered nothing after that. */
  readonly isOver: boolean;
}

/** Virtual and controlled clocks stand still without their target. */
export const ALWAYS: TargetLife = {
  periods: [{ fromMs: -Infinity, untilMs: Infinity, livedUntilMs: Infinity }],
  isOver: false,
};

/** While a larger body is sent, a service may close the connection to refuse it. */
const LARGE_BYTES = 100_000;

/** Calls without a reply, with no other call answered between the first and the last of them. */
interface Losses {
  readonly calls: CallEvent[];
  readonly fromMs: number;
  toMs: number;
}

/** Of a target in real time. */
export function lifeOf(run: RunEvent, events: readonly HistoryEvent[]): TargetLife {
  return new Signs(run, events).life();
}

/** Whether the target of a run in real time had stopped answering by its end. */
export function hasStoppedAnswering(events: readonly HistoryEvent[]): boolean {
  const [first] = events;
  return first?.kind === 'run' && first.clock === 'real' && lifeOf(first, events).isOver;
}

class Signs {
  private readonly run: RunEvent;
  private readonly calls: readonly CallEvent[];
  private readonly answered: readonly CallEvent[];
  private readonly webhooks: readonly WebhookEvent[];
  /** When answered calls were sent, sorted. */
  private readonly sentMs: readonly number[];
  private readonly lags: HarnessLags;

  constructor(run: RunEvent, events: readonly HistoryEvent[]) {
    this.run = run;
    const calls = events.filter((event): event is CallEvent => event.kind === 'call');
    this.calls = [...calls, ...(run.signs ?? [])];
    this.answered = this.calls.filter(({ reply }) => reply !== null);
    this.webhooks = events.filter((event): event is WebhookEvent => event.kind === 'webhook');
    this.sentMs = this.answered.map((call) => call.sentMs).sort(ascending);
    this.lags = HarnessLags.of(
      run,
      events.flatMap((event) => (event.kind === 'script-end' ? (event.harnessLags ?? []) : [])),
    );
  }

  life(): TargetLife {
    const periods: LifePeriod[] = [];
    let fromMs = -Infinity;
    for (const losses of this.losses().filter((one) => this.mayBeRestart(one))) {
      const untilMs = this.doubtfulFromMs(losses);
      // Lost again before it had answered for long: one and the same outage.
      if (untilMs > fromMs)
        periods.push({ fromMs, untilMs, livedUntilMs: this.livedUntilMs(fromMs, untilMs) });
      fromMs = this.answeredFromMs(losses.toMs);
      if (fromMs === Infinity) return { periods, isOver: true };
    }
    periods.push({ fromMs, untilMs: Infinity, livedUntilMs: this.livedUntilMs(fromMs, Infinity) });
    return { periods, isOver: false };
  }

  private losses(): readonly Losses[] {
    const found: Losses[] = [];
    const lost = this.calls
      .filter((call) => this.isSign(call))
      .map((call) => ({ call, fromMs: lostFromMs(call), toMs: lostByMs(call) }))
      .sort((left, right) => left.fromMs - right.fromMs);
    for (const { call, fromMs, toMs } of lost) {
      const last = found.at(-1);
      if (last !== undefined && this.answeredFromMs(last.toMs) >= fromMs) {
        last.calls.push(call);
        last.toMs = Math.max(last.toMs, toMs);
      } else found.push({ calls: [call], fromMs, toMs });
    }
    return found;
  }

  /** It may have been lost because the target was. A call that timed out says so only if no other was answered meanwhile. */
  private isSign(call: CallEvent): boolean {
    const { lost, request, op, held } = call;
    if (lost === 'refused') return true;
    if (lost === 'timeout') return this.answeredFromMs(call.sentMs) > lostByMs(call);
    const size = request.body.as === 'none' ? 0 : request.body.bytes;
    return (
      lost === 'reset' && op !== null && request.illegal === null && held === undefined && size < LARGE_BYTES
    );
  }

  /** False if it certainly lived on and forgot nothing: only connections were lost. */
  private mayBeRestart(losses: Losses): boolean {
    const { calls, fromMs, toMs } = losses;
    // A recording ends while its clients go on, and some call is the last.
    if (this.run.capture !== undefined && this.answeredFromMs(toMs) === Infinity) return false;
    if (calls.some(({ lost }) => lost === 'refused')) return true;
    if (calls.every(({ lost }) => lost === 'timeout')) return calls.length > 1;
    const lagMs = this.lags.worstBetween(fromMs, toMs);
    const readByMs = toMs + onItsClock(this.run, READ_BY_MS) + lagMs;
    const isOutlived = this.answered.some(
      ({ sentMs, receivedMs }) => sentMs < fromMs - lagMs && receivedMs! > readByMs,
    );
    if (isOutlived) return false;
    const restartMinMs = RESTART_MIN_MS * (this.run.speed ?? 1);
    return this.answeredFromMs(toMs) > toMs + restartMinMs || this.hasForgottenJobs(losses);
  }

  /** Jobs of before are asked for afterwards, and it knows none of them. */
  private hasForgottenJobs({ fromMs, toMs }: Losses): boolean {
    const before = new Set<string>();
    for (const call of this.answered)
      if ((call.op === 'run' || call.op === 'runsync') && call.receivedMs! < fromMs)
        before.add(idIn(call) ?? '');
    const isOnJob = (call: CallEvent): boolean =>
      call.sentMs >= toMs && call.op === 'status' && before.has(idInPath(call) ?? '');
    const after = this.answered.filter(isOnJob);
    return after.length > 0 && after.every(({ reply }) => reply!.status === 404);
  }

  /** The harness may have noticed late that the target was lost. */
  private doubtfulFromMs({ fromMs, toMs }: Losses): number {
    let lastMs = -Infinity;
    for (const { receivedMs } of this.answered)
      if (receivedMs! <= fromMs) lastMs = Math.max(lastMs, receivedMs!);
    const doubtfulMs = onItsClock(this.run, DOUBTFUL_MS) + this.lags.worstBetween(fromMs, toMs);
    return Math.min(lastMs, fromMs) - doubtfulMs;
  }

  /** When the first call was sent that was answered after then; Infinity if none was. */
  private answeredFromMs(ms: number): number {
    return this.sentMs[countBelow(this.sentMs, ms)] ?? Infinity;
  }

  private livedUntilMs(fromMs: number, untilMs: number): number {
    let lastMs = -Infinity;
    for (const { sentMs, receivedMs } of this.answered)
      if (sentMs >= fromMs && receivedMs! <= untilMs) lastMs = Math.max(lastMs, sentMs);
    for (const { arrivedMs, sinceMs = arrivedMs } of this.webhooks)
      if (sinceMs >= fromMs && arrivedMs <= untilMs) lastMs = Math.max(lastMs, sinceMs);
    return lastMs;
  }
}

const lostByMs = (call: CallEvent): number => call.gaveUpMs ?? call.sentMs;

/** A refused call found no listener when it was sent; a reply may have been due at any time before a call timed out. */
const lostFromMs = (call: CallEvent): number => (call.lost === 'reset' ? lostByMs(call) : call.sentMs);
