/** Time for the naive server: the machine's own, or one that stands still until it is advanced. */
export interface Timer {
  readonly atMs: number;
  readonly run: () => void;
  over: boolean;
  handle?: NodeJS.Timeout;
}

export interface Clock {
  now(): number;
  /** Calls `run` at the instant `atMs`, or as soon as possible when that has passed. */
  at(atMs: number, run: () => void): Timer;
  stop(timer: Timer | undefined): void;
  close(): void;
}

export interface ControlledClock extends Clock {
  nextEventAtMs(): number | null;
  /** Handles what is due up to now + byMs, in time order; calls that overlap are queued. */
  advance(byMs: number): Promise<number>;
}

export function realClock(): Clock {
  const timers = new Set<Timer>();
  const now = (): number => Math.floor(performance.now());
  const arm = (timer: Timer): void => {
    timer.handle = setTimeout(
      () => {
        if (timer.over) return;
        // setTimeout may fire up to a millisecond early.
        if (now() < timer.atMs) return arm(timer);
        timer.over = true;
        timers.delete(timer);
        timer.run();
      },
      Math.min(2 ** 31 - 1, Math.max(0, timer.atMs - now())),
    );
  };
  const stop = (timer: Timer | undefined): void => {
    if (timer === undefined) return;
    timer.over = true;
    timers.delete(timer);
    clearTimeout(timer.handle);
  };
  return {
    now,
    at(atMs, run) {
      const timer: Timer = { atMs, run, over: false };
      timers.add(timer);
      arm(timer);
      return timer;
    },
    stop,
    close() {
      for (const timer of timers) stop(timer);
    },
  };
}

/** `settled` resolves when no call of the world outside is under way (webhooks, answers being written). */
export function controlledClock(startMs: number, settled: () => Promise<void>): ControlledClock {
  let nowMs = startMs;
  let timers: Timer[] = [];
  let last: Promise<unknown> = Promise.resolve();

  const peek = (): Timer | undefined => {
    while (timers[0]?.over === true) timers.shift();
    return timers[0];
  };
  const step = async (byMs: number): Promise<number> => {
    const targetMs = nowMs + byMs;
    for (;;) {
      await settled();
      const timer = peek();
      if (timer === undefined || timer.atMs > targetMs) break;
      timers.shift();
      timer.over = true;
      nowMs = Math.max(nowMs, timer.atMs);
      timer.run();
    }
    nowMs = targetMs;
    return nowMs;
  };
  return {
    now: () => nowMs,
    at(atMs, run) {
      const timer: Timer = { atMs: Math.max(atMs, nowMs), run, over: false };
      // Equal instants keep the order in which they were scheduled.
      let low = 0;
      let high = timers.length;
      while (low < high) {
        const middle = (low + high) >> 1;
        if ((timers[middle]?.atMs ?? 0) <= timer.atMs) low = middle + 1;
        else high = middle;
      }
      timers.splice(low, 0, timer);
      return timer;
    },
    stop(timer) {
      if (timer !== undefined) timer.over = true;
    },
    close() {
      timers = [];
    },
    nextEventAtMs: () => peek()?.atMs ?? null,
    advance(byMs) {
      const mine = last.then(() => step(byMs));
      last = mine.catch(() => undefined);
      return mine;
    },
  };
}
