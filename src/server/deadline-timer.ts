/** The longest delay that `setTimeout` keeps; beyond it, it fires at once. */
const TIMEOUT_MAX_MS = 2 ** 31 - 1;

/** One timer for everything: it rings at the earliest instant that it was set to. */
export interface DeadlineTimer {
  /** Rings at `atMs` of the clock or earlier, as `ring` must set it again anyway; null: need not ring. */
  set(atMs: number | null): void;
  cancel(): void;
}

export function createDeadlineTimer(nowMs: () => number, onDue: () => void): DeadlineTimer {
  let timer: NodeJS.Timeout | null = null;
  let armedForMs = Infinity;

  const disarm = () => {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    armedForMs = Infinity;
  };

  return {
    set(atMs) {
      // A timer armed for an earlier instant may stand: most deadlines are cancelled long before they are
      // due, and an early ring costs less than a new timer for every call.
      if (atMs === null || atMs >= armedForMs) return;
      disarm();
      armedForMs = atMs;
      timer = setTimeout(
        () => {
          disarm();
          onDue();
        },
        Math.min(Math.max(0, atMs - nowMs()), TIMEOUT_MAX_MS),
      );
      // An open socket keeps the process alive, a pending deadline of a served endpoint need not.
      timer.unref();
    },
    cancel: disarm,
  };
}
