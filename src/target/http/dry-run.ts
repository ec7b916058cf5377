import type { Script } from '../../scenario/script.js';
import type { Operation } from '../../spec/types.js';
import { createEventQueue } from '../../time/event-queue.js';
import type { CreatePlayer } from '../port.js';
import type { Pace } from '../../schedule/latency.js';
import { RateAllowance } from '../../schedule/rate-limiter.js';
import { entryOf, Timetable } from './timetable.js';
import { WorkerSlots } from '../../schedule/worker-slots.js';

/** Real ms that a script costs beside its waits: its place, its calls' way, the look for the next one. */
const COSTS_MS = 50;
/** As the run itself looks whether time alone has made room. */
const LOOK_EVERY_MS = 250;
/** Far beyond every window of section 8: a script that may not begin after so long a rest never may. */
const GIVE_UP_MS = 60_000;

/**
 * Walks through the timetable in virtual time: how long scripts take on an endpoint that they share, when each
 * holds its workers and calls what it calls as in its rehearsal.
 */
export function dryRun(
  scripts: readonly Script[],
  workers: number,
  createPlayer: CreatePlayer,
  pace: Pace,
): { readonly wallMs: number; readonly endsLast: Script | null } {
  return new DryRun(scripts, workers, createPlayer, pace).play();
}

class DryRun {
  #nowMs = 0;
  #eventMs = 0;
  readonly #coming = createEventQueue<() => void>();
  readonly #allowance = new RateAllowance(() => this.#nowMs);
  readonly #table: Timetable;
  #endsLast: Script | null = null;
  /** Somebody may begin who could not before. */
  #news = false;

  constructor(scripts: readonly Script[], workers: number, createPlayer: CreatePlayer, pace: Pace) {
    this.#table = new Timetable(
      scripts.map((script, number) => entryOf(script, number, createPlayer, pace)),
      {
        slots: new WorkerSlots(workers, () => (this.#news = true)),
        allowance: this.#allowance,
        nowMs: () => this.#nowMs,
      },
    );
  }

  play(): ReturnType<typeof dryRun> {
    for (;;) {
      for (let next = this.#table.next(); next !== null; next = this.#table.next()) this.#begin(next);
      const nothingComes = this.#coming.size === 0;
      if (nothingComes && (this.#table.isEmpty || this.#nowMs > this.#eventMs + GIVE_UP_MS)) {
        return { wallMs: this.#nowMs, endsLast: this.#endsLast };
      }
      this.#pass(this.#table.isEmpty ? Infinity : this.#nowMs + LOOK_EVERY_MS);
    }
  }

  #pass(untilMs: number): void {
    this.#news = false;
    while ((this.#coming.nextAtMs() ?? Infinity) <= untilMs && !this.#news) {
      const event = this.#coming.pop();
      if (event === undefined) return;
      this.#nowMs = event.atMs;
      this.#eventMs = event.atMs;
      event.value();
    }
    if (!this.#news && untilMs !== Infinity) this.#nowMs = untilMs;
  }

  #begin({ entry, lease, end }: NonNullable<ReturnType<Timetable['next']>>): void {
    const { works, timesByOperation, firstMs, lastsMs } = entry.rehearsal;
    const submittedMs = Math.min(firstMs.get('run') ?? Infinity, firstMs.get('runsync') ?? Infinity, lastsMs);
    // Jobs that are over at once leave no span: their worker is free as soon as they have been submitted.
    if (!works.some(({ fromMs, toMs }) => fromMs <= submittedMs && submittedMs < toMs))
      this.#after(submittedMs, lease.give);
    for (const { fromMs, toMs } of works) {
      this.#after(fromMs, lease.take);
      this.#after(toMs, lease.give);
    }
    // It is over when its time is, and when all of its calls have been let through.
    let toCome = 1;
    const done = (): void => {
      toCome -= 1;
      if (toCome > 0) return;
      lease.give();
      end();
      this.#endsLast = entry.script;
      this.#news = true;
    };
    for (const [op, times] of timesByOperation) {
      toCome += times.length;
      const isDriven = entry.driven.includes(op);
      for (const atMs of times) this.#after(atMs, () => this.#call(op, isDriven, done));
    }
    this.#after(lastsMs + COSTS_MS, done);
  }

  #call(op: Operation, isDriven: boolean, done: () => void): void {
    const waitMs = isDriven ? 0 : (this.#allowance.waitMs(op) ?? 0);
    if (waitMs > 0) return this.#after(waitMs, () => this.#call(op, isDriven, done));
    this.#allowance.begin(op);
    this.#allowance.end(op);
    done();
  }

  #after(ms: number, happens: () => void): void {
    this.#coming.schedule(this.#nowMs + ms, 0, happens);
  }
}
