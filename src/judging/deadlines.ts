/** How long each step after a run may take. Steps also end soon after a signal and soon after the budget. */
import { realNowMs } from '../target/handler/fake-time.js';

/** Those of real time, also while a handler is played whose timers are faked. */
const { setTimeout, clearTimeout } = globalThis;

export interface MonotonicClock {
  /** Milliseconds that never go back. */
  monotonicMs(): number;
  /** The processor time that this process has used, in ms. */
  processorMs(): number;
}

export const REAL_CLOCK: MonotonicClock = {
  monotonicMs: realNowMs,
  processorMs: () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1_000;
  },
};

/** A step gets as many times its limit where other processes leave it too little of the processors. */
const STARVED_FACTOR = 10;

/** So long a run is judged after the user interrupted it: what it has found is not to be lost. */
export const JUDGED_AFTER_SIGNAL_MS = 9_000;

/** The limits of one step, in real ms. */
export interface StepLimits {
  /** While the step has a processor: on a busy machine it takes longer. */
  readonly maxMs: number;
  /** Allowed after the end of the budget, if there is one. */
  readonly afterBudgetMs: number;
  /** Allowed after the user interrupted the run. */
  readonly afterSignalMs: number;
  /** Allowed in any case: without judging, the whole run would be wasted. Default 0. */
  readonly minMs?: number;
}

/** What stopped a step before it was done. */
export type StoppedBy = 'time' | 'budget' | 'interrupted';

/** What the clock showed when a step began. */
export interface Begun {
  readonly monotonicMs: number;
  readonly processorMs: number;
}

export class StepDeadlines {
  private readonly clock: MonotonicClock;
  /** When the budget ends, on that clock; null: there is none. */
  private readonly budgetEndsMs: number | null;
  private readonly interrupted: AbortSignal;
  private interruptedMs: number | null = null;

  constructor(clock: MonotonicClock, interrupted: AbortSignal, budgetEndsMs: number | null) {
    this.clock = clock;
    this.interrupted = interrupted;
    this.budgetEndsMs = budgetEndsMs;
    const noteTime = (): void => {
      this.interruptedMs ??= clock.monotonicMs();
    };
    if (interrupted.aborted) noteTime();
    else interrupted.addEventListener('abort', noteTime, { once: true });
  }

  get isInterrupted(): boolean {
    return this.interrupted.aborted;
  }

  /** When a step that began then has to end, by what is known now, and why. A signal in between makes it earlier. */
  end(
    { monotonicMs: begunMs, processorMs }: Begun,
    time: StepLimits,
  ): { readonly atMs: number; readonly cut: StoppedBy } {
    const { clock } = this;
    const starvedMs = Math.max(
      0,
      clock.monotonicMs() - begunMs - Math.max(0, clock.processorMs() - processorMs),
    );
    const ends: { readonly atMs: number; readonly cut: StoppedBy }[] = [
      { atMs: begunMs + Math.min(time.maxMs + starvedMs, STARVED_FACTOR * time.maxMs), cut: 'time' },
      ...(this.budgetEndsMs === null
        ? []
        : [{ atMs: this.budgetEndsMs + time.afterBudgetMs, cut: 'budget' as const }]),
      ...(this.interruptedMs === null
        ? []
        : [{ atMs: this.interruptedMs + time.afterSignalMs, cut: 'interrupted' as const }]),
    ];
    const { atMs, cut } = ends.reduce((first, one) => (one.atMs < first.atMs ? one : first));
    return { atMs: Math.max(atMs, begunMs + (time.minMs ?? 0)), cut };
  }

  /** Resolves when the step has to end; `forget` stops watching. */
  watch(time: StepLimits): { readonly over: Promise<StoppedBy>; readonly forget: () => void } {
    const { clock, interrupted } = this;
    const begun = this.begin();
    let timer: NodeJS.Timeout | undefined;
    let check = (): void => undefined;
    const over = new Promise<StoppedBy>((resolve) => {
      check = () => {
        clearTimeout(timer);
        const { atMs, cut } = this.end(begun, time);
        const leftMs = atMs - clock.monotonicMs();
        if (leftMs <= 0) resolve(cut);
        else timer = setTimeout(check, Math.min(leftMs, 2 ** 31 - 1));
      };
      interrupted.addEventListener('abort', check);
      check();
    });
    return {
      over,
      forget: () => {
        clearTimeout(timer);
        interrupted.removeEventListener('abort', check);
      },
    };
  }

  /** The same for a step that blocks the event loop: returns whether it has to end now. */
  overdueCheck(time: StepLimits): () => boolean {
    const begun = this.begin();
    return () => this.clock.monotonicMs() >= this.end(begun, time).atMs;
  }

  private begin(): Begun {
    return { monotonicMs: this.clock.monotonicMs(), processorMs: this.clock.processorMs() };
  }
}
