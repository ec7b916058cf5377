/** The longest delay that `setTimeout` keeps; beyond it, it fires at once. */
const TIMEOUT_MAX_MS = 2 ** 31 - 1;

/** A single timer for all deadlines of a host. */
export interface DeadlineTimer {
  /**
   * Calls `onDue` at `atMs` of the clock or earlier; the host sets it again afterwards. Null: nothing is due.
   */
  set(atMs: number | null): void;
  cancel(): void;
}

/** @param realMsUntil real ms until the clock shows an instant */
export function createDeadlineTimer(realMsUntil: (atMs: number) => number, onDue: () => void): DeadlineTimer {
  let timer: NodeJS.Timeout | null = null;
  let armedForMs = Infinity;

  const disarm = () => {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    armedForMs = Infinity;
  };

  return {
    set(atMs) {
      // An already armed earlier timer stays: most deadlines are cancelled long before they are due, and an
      // early wake-up costs less than a new timer for every call.
      if (atMs === null || atMs >= armedForMs) return;
      disarm();
      armedForMs = atMs;
      timer = setTimeout(
        () => {
          disarm();
          onDue();
        },
        Math.min(Math.max(0, Math.ceil(realMsUntil(atMs))), TIMEOUT_MAX_MS),
      );
      // An open socket keeps the process alive; a pending deadline alone should not.
      timer.unref();
    },
    cancel: disarm,
  };
}
