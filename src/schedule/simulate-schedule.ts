import type { Script } from '../scenario/script.js';
import type { Operation } from '../spec/types.js';
import { createEventQueue } from '../time/event-queue.js';
import { ClientRateLimiter } from './rate-limiter.js';
import { Scheduler, type ScheduledScript } from './scheduler.js';
import { WorkerSlots } from './worker-slots.js';

/** Real ms that a script costs beside its waits: preparing it, its calls' way, starting the next one. */
const OVERHEAD_MS = 50;
/** How often the scheduler is asked again, as in a real run, real ms. */
const ASK_EVERY_MS = 250;
/** Longer than every window of section 8: a script that cannot start after such a pause never can. */
const GIVE_UP_MS = 60_000;

export interface SimulatedSchedule {
  /** On the endpoint's clock. */
  readonly wallMs: number;
  /** When each script ends, in this order. */
  readonly endsMs: readonly number[];
  /** Null where there are no scripts. */
  readonly endsLast: Script | null;
}

/**
 * Runs the scheduler in virtual time: how long scripts take on an endpoint that they share, when each occupies its
 * workers and makes its calls as in its dry run.
 *
 * @param speed how many times as fast as real time the endpoint's clock runs
 */
export function simulateSchedule(
  scripts: readonly ScheduledScript[],
  workers: number,
  speed = 1,
): SimulatedSchedule {
  return new ScheduleSimulation(scripts, workers, speed).run();
}

class ScheduleSimulation {
  #nowMs = 0;
  #eventMs = 0;
  readonly #events = createEventQueue<() => void>();
  readonly #rateLimiter = new ClientRateLimiter(() => this.#nowMs);
  readonly #scheduler: Scheduler;
  readonly #endsMs: number[] = [];
  #endsLast: Script | null = null;
  /** A script may be able to start that was not able to before. */
  #mayStart = false;
  readonly #speed: number;

  constructor(scripts: readonly ScheduledScript[], workers: number, speed: number) {
    this.#speed = speed;
    this.#scheduler = new Scheduler(scripts, {
      slots: new WorkerSlots(workers, () => (this.#mayStart = true)),
      rateLimiter: this.#rateLimiter,
      nowMs: () => this.#nowMs,
    });
  }

  run(): SimulatedSchedule {
    const scheduler = this.#scheduler;
    for (;;) {
      for (let next = scheduler.next(); next !== null; next = scheduler.next()) this.#start(next);
      const isIdle = this.#events.size === 0;
      if (isIdle && (scheduler.isEmpty || this.#nowMs > this.#eventMs + GIVE_UP_MS)) {
        return { wallMs: this.#nowMs, endsMs: this.#endsMs, endsLast: this.#endsLast };
      }
      this.#pass(scheduler.isEmpty ? Infinity : this.#nowMs + ASK_EVERY_MS * this.#speed);
    }
  }

  #pass(untilMs: number): void {
    this.#mayStart = false;
    while ((this.#events.nextAtMs() ?? Infinity) <= untilMs && !this.#mayStart) {
      const event = this.#events.pop();
      if (event === undefined) return;
      this.#nowMs = event.atMs;
      this.#eventMs = event.atMs;
      event.value();
    }
    if (!this.#mayStart && untilMs !== Infinity) this.#nowMs = untilMs;
  }

  #start({ entry, lease, end }: NonNullable<ReturnType<Scheduler['next']>>): void {
    const { works, timesByOperation, firstMs, lastsMs } = entry.dryRun;
    const submittedMs = Math.min(firstMs.get('run') ?? Infinity, firstMs.get('runsync') ?? Infinity, lastsMs);
    // Jobs that end at once leave no span: their worker is free as soon as they have been submitted.
    if (!works.some(({ fromMs, toMs }) => fromMs <= submittedMs && submittedMs < toMs))
      this.#after(submittedMs, lease.release);
    for (const { fromMs, toMs } of works) {
      this.#after(fromMs, lease.hold);
      this.#after(toMs, lease.release);
    }
    // The script ends when its time is over and all of its calls have been made.
    let pending = 1;
    const done = (): void => {
      pending -= 1;
      if (pending > 0) return;
      lease.release();
      end();
      this.#endsMs.push(this.#nowMs);
      this.#endsLast = entry.script;
      this.#mayStart = true;
    };
    for (const [op, times] of timesByOperation) {
      pending += times.length;
      const isSaturated = entry.saturated.includes(op);
      for (const atMs of times) this.#after(atMs, () => this.#call(op, isSaturated, done));
    }
    this.#after(lastsMs + OVERHEAD_MS * this.#speed, done);
  }

  #call(op: Operation, isSaturated: boolean, done: () => void): void {
    const waitMs = isSaturated ? 0 : (this.#rateLimiter.waitMs(op) ?? 0);
    if (waitMs > 0) return this.#after(waitMs, () => this.#call(op, isSaturated, done));
    this.#rateLimiter.begin(op);
    this.#rateLimiter.end(op);
    done();
  }

  #after(ms: number, happens: () => void): void {
    this.#events.schedule(this.#nowMs + ms, 0, happens);
  }
}
