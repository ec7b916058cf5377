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

/** A call that took no time, and its answer: a status of section 3, a code, or the number of removed jobs. */
export interface SmallCall {
  readonly atMs: number;
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
  /** What a job that its timeout ended, or that was purged, is shown as: the document does not say. */
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
  lives: way.lives.map((one, at) => (at === job ? { ...one, sinceMs: ms, ...life } : one)),
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
      const shown = ['TIMED_OUT', 'FAILED', 'CANCELLED'];
      const timeout = event(
        sinceMs + executionTimeoutMs,
        (ms) => shown.map((word) => changed(way, job, { state: 'T', shown: word }, ms, back(ms))),
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

/** All ways in which things may stand then. */
export function until(world: SmallWorld, ways: readonly Way[], ms: number): readonly Way[] {
  const found = new Map<string, Way>();
  const left = [...ways];
  const seen = new Set<string>();
  for (let way = left.pop(); way !== undefined; way = left.pop()) {
    const key = JSON.stringify(way);
    if (seen.has(key)) continue;
    seen.add(key);
    const all = events(world, way);
    const latestMs = Math.min(...all.map(({ byMs }) => byMs));
    if (latestMs >= ms) found.set(JSON.stringify([way.lives, way.free]), { ...way, ms });
    for (const { fromMs, byMs, happens } of all)
      for (const at of new Set([Math.max(fromMs, way.ms), Math.min(byMs, ms)]))
        if (at >= Math.max(fromMs, way.ms) && at <= Math.min(latestMs, ms)) left.push(...happens(at));
  }
  return [...found.values()];
}

const SHOWN: { readonly [state in State]?: string } = {
  Q: 'IN_QUEUE',
  R: 'IN_PROGRESS',
  C: 'COMPLETED',
  F: 'FAILED',
};

function after(way: Way, { op, job, answer }: SmallCall): readonly Way[] {
  const { ms } = way;
  if (op === 'purge') {
    const waiting = way.lives.filter(({ state }) => state === 'Q').length;
    const purged = ['404', 'CANCELLED', 'FAILED'].map((shown) => ({
      ...way,
      lives: way.lives.map((one) =>
        one.state === 'Q' ? { ...one, state: 'P' as const, sinceMs: ms, shown } : one,
      ),
    }));
    return answer !== waiting ? [] : waiting === 0 ? [way] : purged;
  }
  const life = way.lives[job]!;
  const { state, shown } = life;
  const isOk = answer === 200;
  if (op === 'status') {
    const words = SHOWN[state] ?? (state === 'T' || state === 'P' ? shown : 'CANCELLED');
    const mayBeMissing = state === 'D' || (words === 'CANCELLED' && state !== 'C');
    return answer === words && state !== 'D'
      ? [way]
      : answer === '404' && (mayBeMissing || words === '404')
        ? [way]
        : [];
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
  if (state === 'F' || (state === 'T' && shown !== 'CANCELLED'))
    return isOk ? [requeued] : life.retries < 2 ? [] : [way];
  return [way];
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

/** Whether a service that keeps to the document may have answered so. */
export function isLegal(world: SmallWorld, calls: readonly SmallCall[]): boolean {
  let ways = begun(world);
  for (const call of calls) ways = answered(until(world, ways, call.atMs), call);
  return ways.length > 0;
}
