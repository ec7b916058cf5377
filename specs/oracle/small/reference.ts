/**
 * Section 3 once more, in few lines and by brute force: every way in which jobs may have lived, one event after the other.
 * It shares nothing with the oracle but the words of the document, so what both get wrong is wrong in the document.
 *
 * An event has a window, from when it is due until it may be late no longer, and happens at one end of it: histories whose
 * calls keep away from the windows' insides cannot tell more. Where the document says nothing, everything is allowed.
 */

/** A job of `/run`: what its worker does, and its policy; ms. */
export interface SmallJob {
  readonly atMs: number;
  readonly plan: { readonly ms: number; readonly end: 'ok' | 'error' | 'never' };
  readonly ttlMs: number;
  readonly executionTimeoutMs: number;
}

/** A call and its answer: a status of section 3, a code, or the number of removed jobs. */
export interface SmallCall {
  readonly atMs: number;
  /** Answered then; default: at once. It had its effect at some instant between. */
  readonly endMs?: number;
  readonly op: 'status' | 'cancel' | 'retry' | 'purge';
  /** The place of the job; of no matter for a purge. */
  readonly job: number;
  readonly answer: string | number;
}

export interface SmallWorld {
  readonly workers: number;
  readonly lateMs: number;
  readonly jobs: readonly SmallJob[];
}

const KEPT_MS = 30 * 60_000;
/** "Long enough for an immediate /retry". */
const UNSUCCESSFUL_KEPT_MS = 5_000;
/** A worker whose job was stopped may have to start anew. */
const WORKER_BACK_MS = 60_000;

/** Not yet submitted, waiting, running, completed, failed, timed out, cancelled, purged, deleted. */
type State = '-' | 'Q' | 'R' | 'C' | 'F' | 'T' | 'X' | 'P' | 'D';
interface Life {
  readonly state: State;
  readonly sinceMs: number;
  /** What a job that its timeout ended, or that was purged, was shown as: the document does not say. Empty: not yet. */
  readonly shown: string;
  readonly retries: number;
  readonly wasPurged: boolean;
}
export interface Way {
  readonly ms: number;
  readonly lives: readonly Life[];
  /** Of each worker that no job holds: when it is back at the earliest, and at the latest. */
  readonly free: readonly (readonly [fromMs: number, byMs: number])[];
}

const changed = (way: Way, job: number, life: Partial<Life>, ms: number, free = way.free): Way => ({
  ms,
  lives: way.lives.map((one, at) => (at === job ? { ...one, sinceMs: ms, shown: '', ...life } : one)),
  free,
});

const freed = ({ free }: Way, fromMs: number, byMs: number): Way['free'] => [
  ...free,
  [fromMs, byMs] as const,
];

interface Event {
  readonly fromMs: number;
  readonly byMs: number;
  happens(ms: number): readonly Way[];
}

/** What may happen next to each job by itself. */
function events(world: SmallWorld, way: Way): readonly Event[] {
  const { lateMs } = world;
  return way.lives.flatMap((life, job): readonly Event[] => {
    const { atMs, plan, ttlMs, executionTimeoutMs } = world.jobs[job]!;
    const { state, sinceMs } = life;
    const event = (dueMs: number, happens: Event['happens'], byMs: number = dueMs + lateMs): Event => ({
      ...{ fromMs: dueMs, byMs, happens },
    });
    if (state === '-') return [event(atMs, (ms) => [changed(way, job, { state: 'Q' }, ms)], atMs)];
    if (state === 'D') return [];
    const back = (ms: number): Way['free'] => freed(way, ms, ms + WORKER_BACK_MS);
    const ttl = event(atMs + ttlMs, (ms) => [
      changed(way, job, { state: 'D', wasPurged: state === 'P' }, ms, state === 'R' ? back(ms) : way.free),
    ]);
    if (state === 'Q')
      return [
        ttl,
        ...way.free.map(([fromMs, byMs], worker) =>
          event(
            Math.max(sinceMs, fromMs),
            (ms) => [
              changed(
                way,
                job,
                { state: 'R' },
                ms,
                way.free.filter((_, at) => at !== worker),
              ),
            ],
            Math.max(sinceMs, byMs) + lateMs,
          ),
        ),
      ];
    if (state === 'R') {
      const timeout = event(
        sinceMs + executionTimeoutMs,
        (ms) => [changed(way, job, { state: 'T' }, ms, back(ms))],
        // That a retried job keeps its policy is advice.
        life.retries > 0 ? Infinity : undefined,
      );
      const end = event(sinceMs + plan.ms, (ms) => [
        changed(way, job, { state: plan.end === 'ok' ? 'C' : 'F' }, ms, freed(way, ms, ms)),
      ]);
      return plan.end === 'never' ? [ttl, timeout] : [ttl, timeout, end];
    }
    if (state === 'P') return [ttl];
    const leastMs = state === 'C' ? KEPT_MS : state === 'F' || state === 'T' ? UNSUCCESSFUL_KEPT_MS : 0;
    const gone = event(
      sinceMs + leastMs,
      (ms) => [changed(way, job, { state: 'D' }, ms)],
      state === 'C' ? sinceMs + leastMs + lateMs : Infinity,
    );
    return [ttl, gone];
  });
}

/** The same without what makes no difference any more. */
function settled({ ms, lives, free }: Way): Way {
  const isIdle = lives.every(({ state }) => state !== 'Q');
  return {
    ms,
    lives: lives.map((life) => {
      if (life.state === 'X') return { ...life, sinceMs: 0 };
      return life.state === 'D' ? { ...life, sinceMs: 0, shown: '', retries: 0 } : life;
    }),
    free: free
      .map((worker) => (isIdle && worker[1] <= ms ? ([0, 0] as const) : worker))
      .toSorted((left, right) => left[0] - right[0] || left[1] - right[1]),
  };
}

const keyOf = ({ ms, lives, free }: Way): string => {
  let key = `${ms} ${free.join(' ')}`;
  for (const { state, sinceMs, shown, retries, wasPurged } of lives)
    key += ` ${state}${sinceMs} ${shown}${retries}${wasPurged}`;
  return key;
};

/** All ways in which things may stand then. */
export function until(world: SmallWorld, ways: readonly Way[], ms: number): readonly Way[] {
  const found = new Map<string, Way>();
  const left = [...ways];
  const seen = new Set<string>();
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    const way = settled(next);
    const key = keyOf(way);
    if (seen.has(key)) continue;
    seen.add(key);
    const all = events(world, way);
    const latestMs = Math.min(...all.map(({ byMs }) => byMs));
    const then = settled({ ...way, ms });
    if (latestMs >= ms) found.set(keyOf(then), then);
    for (const { fromMs, byMs, happens } of all)
      for (const at of new Set([Math.max(fromMs, way.ms), Math.min(byMs, ms)]))
        if (at >= Math.max(fromMs, way.ms) && at <= Math.min(latestMs, ms)) left.push(...happens(at));
  }
  return [...found.values()];
}

/** What a job in this state may be shown as. */
const SHOWN: { readonly [state in State]: readonly string[] } = {
  ...{ '-': [], Q: ['IN_QUEUE'], R: ['IN_PROGRESS'], C: ['COMPLETED'], F: ['FAILED'], D: ['404'] },
  T: ['TIMED_OUT', 'FAILED', 'CANCELLED'],
  X: ['CANCELLED'],
  P: ['404', 'CANCELLED', 'FAILED'],
};

function after(way: Way, { op, job, answer }: SmallCall): readonly Way[] {
  const { ms } = way;
  if (op === 'purge') {
    const waiting = way.lives.filter(({ state }) => state === 'Q').length;
    const lives = way.lives.map((one) =>
      one.state === 'Q' ? { ...one, state: 'P' as const, sinceMs: ms, shown: '' } : one,
    );
    return answer === waiting ? [{ ...way, lives }] : [];
  }
  const life = way.lives[job]!;
  const { state, shown } = life;
  const isOk = answer === 200;
  if (op === 'status') {
    const words = SHOWN[state].filter((word) => shown === '' || word === shown);
    // Whether a cancelled job can be read is open, each time.
    const told = words.filter((word) => answer === word || (answer === '404' && word === 'CANCELLED'));
    const isOpen = state === 'T' || state === 'P';
    return told.map((word) => (isOpen ? changed(way, job, { shown: word, sinceMs: life.sinceMs }, ms) : way));
  }
  // Its record is gone, but it may be told as purged for good.
  if (state === 'D') return answer === 404 || (life.wasPurged && !isOk) ? [way] : [];
  const cancelled = changed(
    way,
    job,
    { state: 'X' },
    ms,
    state === 'R' ? freed(way, ms, ms + WORKER_BACK_MS) : way.free,
  );
  const requeued = changed(way, job, { state: 'Q', retries: life.retries + 1 }, ms);
  if (op === 'cancel') {
    if (state === 'Q' || state === 'R') return isOk ? [cancelled] : [];
    // What becomes of a job that had ended is open: nothing, CANCELLED, or it is not found any more.
    return isOk ? [way, cancelled] : [way];
  }
  // A purged job may be told as FAILED, and then be retried like one.
  if (state === 'P' && isOk && (shown === '' || shown === 'FAILED')) return [way, requeued];
  if (state !== 'F' && state !== 'T') return [way];
  const asCancelled = state === 'T' && (shown === '' || shown === 'CANCELLED');
  const told = asCancelled ? [changed(way, job, { shown: 'CANCELLED', sinceMs: life.sinceMs }, ms)] : [];
  if (shown === 'CANCELLED') return told;
  return isOk ? [requeued, ...told] : life.retries < 2 ? told : [way, ...told];
}

export function begun(world: SmallWorld): readonly Way[] {
  const free = Array.from({ length: world.workers }, () => [0, 0] as const);
  const lives = world.jobs.map((): Life => ({
    state: '-',
    sinceMs: 0,
    shown: '',
    retries: 0,
    wasPurged: false,
  }));
  return [{ ms: 0, lives, free }];
}

/** How things may stand after the call, if it was answered so: in no way, where a right service does not. */
export const answered = (ways: readonly Way[], call: SmallCall): readonly Way[] =>
  ways.flatMap((way) => after(way, call));

/** The calls that had their effect, as bits, and how things may stand then. */
type Made = Map<number, readonly Way[]>;

/** Whether a service that keeps to the document may have answered so. Calls that overlap had any order. */
export function isLegal(world: SmallWorld, calls: readonly SmallCall[]): boolean {
  const ends = calls.map(({ atMs, endMs = atMs }) => endMs);
  const instants = [...new Set([...calls.map(({ atMs }) => atMs), ...ends])].toSorted(
    (one, two) => one - two,
  );
  let made: Made = new Map([[0, begun(world)]]);
  for (const ms of instants) {
    made = new Map([...made].map(([done, ways]) => [done, until(world, ways, ms)]));
    // A bit is only added, so each set of calls is visited before those that it leads to.
    for (let done = 0; done < 2 ** calls.length; done += 1)
      for (const [nth, call] of calls.entries()) {
        const ways = (done & (1 << nth)) === 0 && call.atMs <= ms && ends[nth]! >= ms ? made.get(done) : [];
        const more = answered(ways ?? [], call);
        if (more.length > 0) made.set(done | (1 << nth), [...(made.get(done | (1 << nth)) ?? []), ...more]);
      }
    const isOver = (done: number): boolean => ends.every((end, nth) => end > ms || (done & (1 << nth)) !== 0);
    made = new Map([...made].filter(([done, ways]) => isOver(done) && ways.length > 0));
  }
  return made.size > 0;
}
