import type { HistoryEvent } from '../history/events.js';
import type { HistorySink } from './port.js';

/** Where times, calls and positions stand when a script begins. */
interface Start {
  readonly ms: number;
  readonly call: number;
  readonly tick: number;
}

/** Appends what scripts recorded that were played at the same time as if each had begun when the one before had ended. */
export class InOrder {
  readonly #sink: HistorySink;
  readonly #waiting = new Map<number, readonly HistoryEvent[]>();
  #next = 0;
  #at: Start = { ms: 0, call: 0, tick: 0 };

  constructor(sink: HistorySink) {
    this.#sink = sink;
  }

  /** @param index position of the script; all before it are put as well, sooner or later */
  put(index: number, events: readonly HistoryEvent[]): void {
    this.#waiting.set(index, events);
    for (;;) {
      const next = this.#waiting.get(this.#next);
      if (next === undefined) return;
      this.#waiting.delete(this.#next);
      this.#next += 1;
      this.#append(next);
    }
  }

  #append(events: readonly HistoryEvent[]): void {
    const from = startOf(events);
    const by: Start = {
      ms: this.#at.ms - from.ms,
      call: this.#at.call - from.call,
      tick: this.#at.tick - from.tick,
    };
    const moved = events.map((event) => movedBy(by, event));
    for (const event of moved) this.#sink.append(event);
    this.#at = endOf(moved, this.#at);
  }
}

/** Where the clock stood when a script began, its first call, and the first position in the sequence of calls. */
function startOf(events: readonly HistoryEvent[]): Start {
  const calls = events.filter((event) => event.kind === 'call');
  const least = (numbers: readonly number[]): number => numbers.reduce((a, b) => Math.min(a, b), Infinity);
  const begins = events.find((event) => event.kind === 'script');
  return {
    ms: begins?.atMs ?? 0,
    call: calls.length === 0 ? 0 : least(calls.map(({ call }) => call)),
    tick: calls.length === 0 ? 0 : least(calls.map(({ sentTick }) => sentTick)),
  };
}

/** Where the next script begins. */
function endOf(events: readonly HistoryEvent[], before: Start): Start {
  let { ms, call, tick } = before;
  for (const event of events) {
    if (event.kind === 'script-end') ms = Math.max(ms, event.atMs);
    if (event.kind !== 'call') continue;
    call = Math.max(call, event.call + 1);
    tick = Math.max(tick, event.sentTick + 1, (event.endedTick ?? 0) + 1);
  }
  return { ms, call, tick };
}

function movedBy(by: Start, event: HistoryEvent): HistoryEvent {
  switch (event.kind) {
    case 'run':
      return event;
    case 'call': {
      const called = plus(event, by.ms, ['sentMs', 'arrivedByMs', 'receivedMs', 'gaveUpMs']);
      add(called, by.tick, ['sentTick', 'endedTick']);
      add(called, by.call, ['call']);
      if (event.held === undefined) return called;
      const held = plus(event.held, by.tick, ['fromTick', 'untilTick', 'overTick']);
      return { ...called, held: plus(held, by.ms, ['untilMs']) };
    }
    case 'script-end': {
      const ended = plus(event, by.ms, ['atMs']);
      if (event.harnessLags === undefined) return ended;
      return { ...ended, harnessLags: event.harnessLags.map((lag) => plus(lag, by.ms, ['fromMs', 'toMs'])) };
    }
    case 'script':
    case 'cleanup':
      return plus(event, by.ms, ['atMs']);
    case 'webhook':
      return plus(event, by.ms, ['arrivedMs', 'sinceMs', 'endedMs']);
    case 'storage':
      return plus(event, by.ms, ['arrivedMs']);
    case 'workers':
      return plus(event, by.ms, ['sentMs', 'receivedMs']);
  }
}

/** The same record, with those of the fields increased that are numbers. */
function plus<T extends object>(record: T, by: number, names: readonly (keyof T)[]): T {
  const moved = { ...record };
  add(moved, by, names);
  return moved;
}

function add<T extends object>(record: T, by: number, names: readonly (keyof T)[]): void {
  for (const name of names) {
    const value = record[name];
    if (typeof value === 'number') record[name] = (value + by) as T[keyof T];
  }
}
