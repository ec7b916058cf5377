import type { Script } from '../../scenario/script.js';
import type { Operation } from '../../spec/types.js';
import { createEventQueue } from '../../time/event-queue.js';
import type { CreateScriptRunner } from '../port.js';
import type { Latency } from '../../schedule/latency.js';
import { ClientRateLimiter } from '../../schedule/rate-limiter.js';
import { scheduledScript, Scheduler } from './timetable.js';
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
export function simulateSchedule(
  scripts: readonly Script[],
  workers: number,
  createPlayer: CreateScriptRunner,
  pace: Latency,
): { readonly wallMs: number; readonly endsLast: Script | null } {
  return new ScheduleSimulation(scripts, workers, createPlayer, pace).play();
}

class ScheduleSimulation {
  #nowMs = 0;
  #eventMs = 0;
  readonly #coming = createEventQueue<() => void>();
  readonly #rateLimiter = new ClientRateLimiter(() => this.#nowMs);
  readonly #table: Scheduler;
  #endsLast: Script | null = null;
  /** Somebody may begin who could not before. */
  #news = false;

  constructor(scripts: readonly Script[], workers: number, createPlayer: CreateScriptRunner, pace: Latency) {
    this.#table = new Scheduler(
      scripts.map((script, number) => scheduledScript(script, number, createPlayer, pace)),
      {
        slots: new WorkerSlots(workers, () => (this.#news = true)),
        rateLimiter: this.#rateLimiter,
        nowMs: () => this.#nowMs,
      },
    );
  }

  play(): ReturnType<typeof simulateSchedule> {
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

  #begin({ entry, workerLease, end }: NonNullable<ReturnType<Scheduler['next']>>): void {
    const { works, timesByOperation, firstMs, lastsMs } = entry.dryRun;
    const submittedMs = Math.min(firstMs.get('run') ?? Infinity, firstMs.get('runsync') ?? Infinity, lastsMs);
    // Jobs that are over at once leave no span: their worker is free as soon as they have been submitted.
    if (!works.some(({ fromMs, toMs }) => fromMs <= submittedMs && submittedMs < toMs))
      this.#after(submittedMs, workerLease.release);
    for (const { fromMs, toMs } of works) {
      this.#after(fromMs, workerLease.hold);
      this.#after(toMs, workerLease.release);
    }
    // It is over when its time is, and when all of its calls have been let through.
    let toCome = 1;
    const done = (): void => {
      toCome -= 1;
      if (toCome > 0) return;
      workerLease.release();
      end();
      this.#endsLast = entry.script;
      this.#news = true;
    };
    for (const [op, times] of timesByOperation) {
      toCome += times.length;
      const isDriven = entry.saturated.includes(op);
      for (const atMs of times) this.#after(atMs, () => this.#call(op, isDriven, done));
    }
    this.#after(lastsMs + COSTS_MS, done);
  }

  #call(op: Operation, isDriven: boolean, done: () => void): void {
    const waitMs = isDriven ? 0 : (this.#rateLimiter.waitMs(op) ?? 0);
    if (waitMs > 0) return this.#after(waitMs, () => this.#call(op, isDriven, done));
    this.#rateLimiter.begin(op);
    this.#rateLimiter.end(op);
    done();
  }

  #after(ms: number, happens: () => void): void {
    this.#coming.schedule(this.#nowMs + ms, 0, happens);
  }
}
