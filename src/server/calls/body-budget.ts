/** Limits the memory that request bodies being received may take together. */
export interface BodyBudget {
  reserve(body: IncomingBody): Reservation;
}

/** A body being received, as the budget sees it. */
interface IncomingBody {
  /** Bytes received so far. */
  received(): number;
  /** Stops reading until `resume`. */
  pause(): void;
  resume(): void;
  /** Ends it: it is too slow for the memory it holds while others wait. */
  abandon(): void;
}

export interface Reservation {
  /** Sets the memory that it holds now. */
  resize(bytes: number): void;
  /** Gives its memory back: the body has ended, in whichever way. */
  release(): void;
}

export interface BudgetOptions {
  /**
   * Total memory. Each body may exceed it by its last chunk, and one body at a time may exceed it until it is
   * complete.
   */
  readonly bytesMax: number;
  /** Bodies holding no more than this are neither paused nor ended. */
  readonly smallBytes: number;
  /** While others wait, a larger body has to receive at least this much per window. */
  readonly briskBytes: number;
  readonly windowMs: number;
}

const DEFAULTS: BudgetOptions = {
  bytesMax: 192 * 1024 * 1024,
  smallBytes: 16 * 1024,
  briskBytes: 256 * 1024,
  windowMs: 1_000,
};

interface Tracked {
  readonly body: IncomingBody;
  held: number;
  /** Bytes received when the window began; null if it was paused then. */
  mark: number | null;
}

/**
 * When the memory is used up, bodies that need more are paused in the order in which they asked. One of them
 * at a time may continue to its end regardless. A body that is too slow while others wait is ended, so that a
 * slow sender delays others by no more than a window or two.
 */
export function createBodyBudget(options: Partial<BudgetOptions> = {}): BodyBudget {
  const { bytesMax, smallBytes, briskBytes, windowMs } = { ...DEFAULTS, ...options };
  const large = new Set<Tracked>();
  const waiting = new Set<Tracked>();
  let taken = 0;
  /** The body that may continue to its end. */
  let first: Tracked | null = null;
  let timer: NodeJS.Timeout | null = null;

  function admit(): void {
    for (const tracked of waiting) {
      if (taken > bytesMax) {
        if (first !== null || [...large].some((each) => !waiting.has(each))) return;
        first = tracked;
      }
      waiting.delete(tracked);
      tracked.mark = null;
      tracked.body.resume();
    }
  }

  function watch(): void {
    if (timer !== null || waiting.size === 0) return;
    for (const tracked of large) tracked.mark = waiting.has(tracked) ? null : tracked.body.received();
    // Data that has already arrived is read first, however late the timer is.
    timer = setTimeout(() => setImmediate(look), windowMs).unref();
  }

  function look(): void {
    timer = null;
    for (const tracked of [...large]) {
      if (waiting.size === 0) break;
      if (waiting.has(tracked) || tracked.mark === null) continue;
      if (tracked.body.received() - tracked.mark < briskBytes) tracked.body.abandon();
    }
    watch();
  }

  return {
    reserve(body) {
      const tracked: Tracked = { body, held: 0, mark: null };
      return {
        resize(bytes) {
          taken += bytes - tracked.held;
          tracked.held = bytes;
          if (bytes <= smallBytes) return;
          large.add(tracked);
          if (taken <= bytesMax || tracked === first || waiting.has(tracked)) return;
          waiting.add(tracked);
          body.pause();
          admit();
          watch();
        },
        release() {
          taken -= tracked.held;
          tracked.held = 0;
          large.delete(tracked);
          waiting.delete(tracked);
          if (first === tracked) first = null;
          admit();
        },
      };
    },
  };
}
