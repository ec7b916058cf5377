/** Bytes of memory that bodies on their way in may take, all together. */
export interface BodyBudget {
  reserve(body: IncomingBody): Reservation;
}

/** A body that comes in, as who keeps the budget sees it. */
interface IncomingBody {
  /** Bytes that have come. */
  received(): number;
  /** Nothing more is to be read of it until `goOn`. */
  pause(): void;
  resume(): void;
  /** It comes too slowly for what it holds, and others wait. */
  abandon(): void;
}

export interface Reservation {
  /** It takes so much now. */
  resize(bytes: number): void;
  /** It is over, whichever way. */
  release(): void;
}

export interface BudgetOptions {
  /** So much may be taken, and for each body its last piece beyond it; one body may go on to its end beyond that. */
  readonly bytesMax: number;
  /** Bodies that hold no more than that neither wait nor are given up. */
  readonly smallBytes: number;
  /** While others wait, a body that holds more has to bring so much in each of these. */
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
  /** What had come when the window began; null where it waited then. */
  mark: number | null;
}

/**
 * When the memory is taken, bodies that want more wait in the order of their asking, with what they hold. One of them
 * goes on to its end whatever it takes, then the next. Whoever is slow while others wait is given up: so a sender that
 * takes its time never stops another for longer than a window or two.
 */
export function createBodyBudget(options: Partial<BudgetOptions> = {}): BodyBudget {
  const { bytesMax, smallBytes, briskBytes, windowMs } = { ...DEFAULTS, ...options };
  const large = new Set<Tracked>();
  const waiting = new Set<Tracked>();
  let taken = 0;
  /** Goes on to its end. */
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
    // What has come by then is read first, however late the timer is.
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
