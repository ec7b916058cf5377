/** How long the steps after a run may take: each has a time of its own, and ends soon after a signal or with the budget. */

export interface MonotonicClock {
  /** Milliseconds that never go back. */
  monotonicMs(): number;
}

export const REAL_CLOCK: MonotonicClock = { monotonicMs: () => performance.now() };

/** Real ms. */
export interface StepLimits {
  readonly maxMs: number;
  /** It is over so long after the end of the budget, if there is one. */
  readonly afterBudgetMs: number;
  /** And so long after the user has had enough. */
  readonly afterSignalMs: number;
  /** So long it may take in any case: who judges nothing has wasted the whole run. */
  readonly minMs?: number;
}

/** What ended a step that was not done. */
export type StoppedBy = 'time' | 'budget' | 'interrupted';

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
    const note = (): void => {
      this.interruptedMs ??= clock.monotonicMs();
    };
    if (interrupted.aborted) note();
    else interrupted.addEventListener('abort', note, { once: true });
  }

  get isInterrupted(): boolean {
    return this.interrupted.aborted;
  }

  /** When a step that begins now has to be over, and why then: asked again, it may be earlier. */
  end(begunMs: number, time: StepLimits): { readonly atMs: number; readonly cut: StoppedBy } {
    const ends: { readonly atMs: number; readonly cut: StoppedBy }[] = [
      { atMs: begunMs + time.maxMs, cut: 'time' },
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

  /** Resolves when the step has to be over; `forget` ends the watch. */
  watch(time: StepLimits): { readonly over: Promise<StoppedBy>; readonly forget: () => void } {
    const { clock, interrupted } = this;
    const begunMs = clock.monotonicMs();
    let timer: NodeJS.Timeout | undefined;
    let look = (): void => undefined;
    const over = new Promise<StoppedBy>((resolve) => {
      look = () => {
        clearTimeout(timer);
        const { atMs, cut } = this.end(begunMs, time);
        const leftMs = atMs - clock.monotonicMs();
        if (leftMs <= 0) resolve(cut);
        else timer = setTimeout(look, Math.min(leftMs, 2 ** 31 - 1));
      };
      interrupted.addEventListener('abort', look);
      look();
    });
    return {
      over,
      forget: () => {
        clearTimeout(timer);
        interrupted.removeEventListener('abort', look);
      },
    };
  }

  /** The same for who does the step himself, without leaving the word to anybody. */
  overdueCheck(time: StepLimits): () => boolean {
    const begunMs = this.clock.monotonicMs();
    return () => this.clock.monotonicMs() >= this.end(begunMs, time).atMs;
  }
}
