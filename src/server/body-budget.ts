/** Bytes of memory that bodies on their way in may take, all together. */
export interface BodyBudget {
  enter(body: OnItsWay): Place;
}

/** A body that comes in, as who keeps the budget sees it. */
export interface OnItsWay {
  /** Bytes that have come. */
  received(): number;
  /** Nothing more is to be read of it until `goOn`. */
  pause(): void;
  goOn(): void;
  /** It comes too slowly for what it holds, and others wait. */
  giveUp(): void;
}

export interface Place {
  /** It takes so much now. */
  holds(bytes: number): void;
  /** It is over, whichever way. */
  leave(): void;
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

interface Known {
  readonly body: OnItsWay;
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
  const large = new Set<Known>();
  const waiting = new Set<Known>();
  let taken = 0;
  /** Goes on to its end. */
  let first: Known | null = null;
  let timer: NodeJS.Timeout | null = null;

  function admit(): void {
    for (const known of waiting) {
      if (taken > bytesMax) {
        if (first !== null || [...large].some((each) => !waiting.has(each))) return;
        first = known;
      }
      waiting.delete(known);
      known.mark = null;
      known.body.goOn();
    }
  }

  function watch(): void {
    if (timer !== null || waiting.size === 0) return;
    for (const known of large) known.mark = waiting.has(known) ? null : known.body.received();
    // What has come by then is read first, however late the timer is.
    timer = setTimeout(() => setImmediate(look), windowMs).unref();
  }

  function look(): void {
    timer = null;
    for (const known of [...large]) {
      if (waiting.size === 0) break;
      if (waiting.has(known) || known.mark === null) continue;
      if (known.body.received() - known.mark < briskBytes) known.body.giveUp();
    }
    watch();
  }

  return {
    enter(body) {
      const known: Known = { body, held: 0, mark: null };
      return {
        holds(bytes) {
          taken += bytes - known.held;
          known.held = bytes;
          if (bytes <= smallBytes) return;
          large.add(known);
          if (taken <= bytesMax || known === first || waiting.has(known)) return;
          waiting.add(known);
          body.pause();
          admit();
          watch();
        },
        leave() {
          taken -= known.held;
          known.held = 0;
          large.delete(known);
          waiting.delete(known);
          if (first === known) first = null;
          admit();
        },
      };
    },
  };
}
