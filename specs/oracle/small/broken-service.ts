/** A service of a page that keeps to the document, and the rules that one of it may break. */
import type { RandomStream } from '../../../src/time/random.js';
import type { SmallCall, SmallJob, SmallWorld } from './reference.js';

/** Waiting, running, completed, failed, timed out, cancelled, purged, deleted. */
type State = 'Q' | 'R' | 'C' | 'F' | 'T' | 'X' | 'P' | 'D';
interface Life {
  readonly job: SmallJob;
  state: State;
  sinceMs: number;
  startedMs: number;
  readMs: number;
  retries: number;
  retriedMs: number;
}

/** What a service does, a rule each; which readings it has is drawn. */
export interface Service {
  workers(world: SmallWorld): number;
  /** When a worker takes it that is free from then on. */
  startsMs(life: Life, freeMs: number): number;
  /** When each timer fires; Infinity: never. */
  expiresMs(life: Life): number;
  stopsMs(life: Life): number;
  endsMs(life: Life): number;
  goneMs(life: Life): number;
  stopped: State;
  ended(life: Life): State;
  expired: State;
  /** What becomes of the job, and the answer. */
  cancelled(life: Life): readonly [State, number];
  retried(life: Life): readonly [State, number];
  /** Of a purge: which jobs it removes, which it counts, and what becomes of them. */
  removes(life: Life, removed: number): boolean;
  counts(life: Life, wasRemoved: boolean): boolean;
  removed: State;
  /** How it is told. */
  shown(life: Life): string;
}

const isIn =
  (...states: readonly State[]) =>
  ({ state }: Life): boolean =>
    states.includes(state);
const isLive = isIn('Q', 'R');
const KEPT_MS = 30 * 60_000;

/** A service that keeps to the document, with readings drawn. */
export function rightService(random: RandomStream): Service {
  const timedOut = random.pick(['TIMED_OUT', 'FAILED', 'CANCELLED']);
  const purged = random.pick(['404', 'CANCELLED']);
  const refused = random.pick([400, 404]);
  const cancelledWhenEnded = random.pick([200, 400]);
  const unsuccessfulMs = random.pick([5_000, 60_000, Infinity]);
  return {
    workers: ({ workers }) => workers,
    startsMs: (_, freeMs) => freeMs,
    expiresMs: ({ job }) => job.atMs + job.ttlMs,
    stopsMs: ({ job, startedMs }) => startedMs + job.executionTimeoutMs,
    endsMs: ({ job, startedMs }) => (job.plan.end === 'never' ? Infinity : startedMs + job.plan.ms),
    goneMs: ({ state, sinceMs }) => sinceMs + (state === 'C' ? KEPT_MS : unsuccessfulMs),
    stopped: 'T',
    ended: ({ job }) => (job.plan.end === 'ok' ? 'C' : 'F'),
    expired: 'D',
    cancelled: (life) =>
      isLive(life) ? ['X', 200] : [life.state, life.state === 'D' ? 404 : cancelledWhenEnded],
    retried: ({ state }) =>
      state === 'F' || (state === 'T' && timedOut !== 'CANCELLED')
        ? ['Q', 200]
        : [state, state === 'D' ? 404 : refused],
    removes: isIn('Q'),
    counts: (_, wasRemoved) => wasRemoved,
    removed: 'P',
    shown: ({ state }) =>
      ({
        Q: 'IN_QUEUE',
        R: 'IN_PROGRESS',
        C: 'COMPLETED',
        F: 'FAILED',
        T: timedOut,
        X: 'CANCELLED',
        P: purged,
        D: '404',
      })[state],
  };
}

type Broken = (right: Service) => Partial<Service>;
const hasEnded = isIn('C', 'F', 'T', 'X');

/** One rule broken each. */
export const BROKEN: { readonly [name: string]: Broken } = {
  'ttl: never': () => ({ expiresMs: () => Infinity }),
  'ttl: spares waiting jobs': ({ expiresMs }) => ({
    expiresMs: (life) => (life.state === 'Q' ? Infinity : expiresMs(life)),
  }),
  'ttl: spares running jobs': ({ expiresMs }) => ({
    expiresMs: (life) => (life.state === 'R' ? Infinity : expiresMs(life)),
  }),
  'ttl: spares ended jobs': ({ expiresMs }) => ({
    expiresMs: (life) => (isLive(life) ? expiresMs(life) : Infinity),
  }),
  'ttl: too early': () => ({ expiresMs: ({ job }) => job.atMs + job.ttlMs / 2 }),
  'ttl: too late': () => ({ expiresMs: ({ job }) => job.atMs + 2 * job.ttlMs }),
  'ttl: counts from the start': () => ({
    expiresMs: ({ job, state, startedMs }) => (state === 'Q' ? Infinity : startedMs + job.ttlMs),
  }),
  'ttl: begins anew with a retry': ({ expiresMs }) => ({
    expiresMs: (life) => Math.max(expiresMs(life), life.retriedMs + life.job.ttlMs),
  }),
  'ttl: begins anew with a read': () => ({
    expiresMs: ({ job, readMs }) => Math.max(job.atMs, readMs) + job.ttlMs,
  }),
  'ttl: fails the job': () => ({ expired: 'F' }),
  'timeout: never': () => ({ stopsMs: () => Infinity }),
  'timeout: too early': () => ({ stopsMs: ({ job, startedMs }) => startedMs + job.executionTimeoutMs / 5 }),
  'timeout: too late': () => ({ stopsMs: ({ job, startedMs }) => startedMs + 3 * job.executionTimeoutMs }),
  'timeout: counts from the submission': () => ({
    stopsMs: ({ job, startedMs }) => Math.max(startedMs, job.atMs + job.executionTimeoutMs),
  }),
  'timeout: completes the job': () => ({ stopped: 'C' }),
  'timeout: has the job wait again': () => ({ stopped: 'Q' }),
  'work: a failed job completes': () => ({ ended: () => 'C' }),
  'work: a job that succeeds fails': () => ({ ended: () => 'F' }),
  'work: ends too early': () => ({ endsMs: ({ startedMs }) => startedMs + 500 }),
  'work: never ends': () => ({ endsMs: () => Infinity }),
  'retention: completed jobs for ever': ({ goneMs }) => ({
    goneMs: (life) => (life.state === 'C' ? Infinity : goneMs(life)),
  }),
  'retention: completed jobs for a minute': ({ goneMs }) => ({
    goneMs: (life) => (life.state === 'C' ? life.sinceMs + 60_000 : goneMs(life)),
  }),
  'retention: begins anew with a read': ({ goneMs }) => ({
    goneMs: (life) => Math.max(goneMs(life), life.readMs + KEPT_MS),
  }),
  'retention: none for failed jobs': ({ goneMs }) => ({
    goneMs: (life) => (life.state === 'F' ? life.sinceMs : goneMs(life)),
  }),
  'cancel: has no effect': ({ cancelled }) => ({ cancelled: (life) => [life.state, cancelled(life)[1]] }),
  'cancel: spares running jobs': ({ cancelled }) => ({
    cancelled: (life) => (life.state === 'R' ? ['R', 200] : cancelled(life)),
  }),
  'cancel: refused while the job waits': ({ cancelled }) => ({
    cancelled: (life) => (life.state === 'Q' ? ['Q', 400] : cancelled(life)),
  }),
  'cancel: refused while the job runs': ({ cancelled }) => ({
    cancelled: (life) => (life.state === 'R' ? ['R', 400] : cancelled(life)),
  }),
  'cancel: accepted when the job is gone': ({ cancelled }) => ({
    cancelled: (life) => [cancelled(life)[0], 200],
  }),
  'cancel: completes the job': ({ cancelled }) => ({
    cancelled: (life) => [isLive(life) ? 'C' : cancelled(life)[0], 200],
  }),
  'retry: has no effect': ({ retried }) => ({ retried: (life) => [life.state, retried(life)[1]] }),
  'retry: refused': ({ retried }) => ({
    retried: (life) => (retried(life)[0] === 'Q' ? [life.state, 400] : retried(life)),
  }),
  'retry: refused when timed out': ({ retried }) => ({
    retried: (life) => (life.state === 'T' ? ['T', 400] : retried(life)),
  }),
  'retry: of a completed job, too': ({ retried }) => ({
    retried: (life) => (life.state === 'C' ? ['Q', 200] : retried(life)),
  }),
  'retry: of a cancelled job, too': ({ retried }) => ({
    retried: (life) => (life.state === 'X' ? ['Q', 200] : retried(life)),
  }),
  'retry: of a deleted job, too': ({ retried }) => ({
    retried: (life) => (life.state === 'D' ? ['Q', 200] : retried(life)),
  }),
  'retry: of a running job, too': ({ retried }) => ({
    retried: (life) => (life.state === 'R' ? ['Q', 200] : retried(life)),
  }),
  'purge: removes nothing': () => ({ removes: () => false, counts: isIn('Q') }),
  'purge: removes one job only': ({ removes }) => ({
    removes: (life, removed) => removed === 0 && removes(life, removed),
  }),
  'purge: removes running jobs': () => ({ removes: isLive }),
  'purge: removes ended jobs': () => ({
    removes: (life) => life.state === 'Q' || hasEnded(life),
    counts: isIn('Q'),
  }),
  'purge: counts running jobs': () => ({ counts: isLive }),
  'purge: counts nothing': () => ({ counts: () => false }),
  'purge: fails the jobs': () => ({ removed: 'F' }),
  'workers: one too many': ({ workers }) => ({ workers: (world) => workers(world) + 1 }),
  'workers: one too few': ({ workers }) => ({ workers: (world) => workers(world) - 1 }),
  'workers: too late': () => ({ startsMs: (_, freeMs) => freeMs + 4_000 }),
  'workers: take no retried job': ({ startsMs }) => ({
    startsMs: (life, freeMs) => (life.retries > 0 ? Infinity : startsMs(life, freeMs)),
  }),
};

/** What the service answers to these calls, sent after all jobs. */
export function answersOfService(
  service: Service,
  world: SmallWorld,
  calls: readonly Omit<SmallCall, 'answer'>[],
  random: RandomStream,
): readonly SmallCall[] {
  const lives = world.jobs.map((job): Life => {
    const { atMs: sinceMs } = job;
    return { job, state: 'Q', sinceMs, startedMs: 0, readMs: -Infinity, retries: 0, retriedMs: -Infinity };
  });
  const free = Array.from({ length: Math.max(0, service.workers(world)) }, () => 0);
  let nowMs = 0;
  const move = (life: Life, state: State, backMs = 0): void => {
    if (state === life.state) return;
    if (life.state === 'R') free.push(nowMs + backMs);
    if (state === 'R') {
      life.startedMs = nowMs;
      free.splice(free.indexOf(Math.min(...free)), 1);
    }
    life.state = state;
    life.sinceMs = nowMs;
  };
  const stop = (life: Life, state: State): void => move(life, state, random.pick([0, 500, 30_000]));
  const eventsOf = (life: Life): readonly (readonly [ms: number, happens: () => void])[] => {
    const { state, sinceMs } = life;
    const ttl = [service.expiresMs(life), () => stop(life, service.expired)] as const;
    if (state === 'D' || state === service.expired) return [];
    if (state === 'Q')
      return [ttl, [service.startsMs(life, Math.max(sinceMs, Math.min(...free))), () => move(life, 'R')]];
    if (state === 'R')
      return [
        ttl,
        [service.stopsMs(life), () => stop(life, service.stopped)],
        [service.endsMs(life), () => move(life, service.ended(life))],
      ];
    return [ttl, [service.goneMs(life), () => move(life, 'D')]];
  };
  const until = (ms: number): void => {
    for (;;) {
      const due = random.shuffle(lives.flatMap(eventsOf));
      const firstMs = Math.min(...due.map(([atMs]) => Math.max(atMs, nowMs)));
      if (firstMs > ms) break;
      nowMs = firstMs;
      due.find(([atMs]) => atMs <= firstMs)![1]();
    }
    nowMs = ms;
  };
  return calls.map((call): SmallCall => {
    until(call.atMs);
    const life = lives[call.job]!;
    if (call.op === 'status') {
      const answer = service.shown(life);
      life.readMs = nowMs;
      return { ...call, answer };
    }
    if (call.op === 'purge') {
      let removed = 0;
      let answer = 0;
      for (const one of lives) {
        const isRemoved = service.removes(one, removed);
        if (service.counts(one, isRemoved)) answer += 1;
        if (!isRemoved) continue;
        removed += 1;
        stop(one, service.removed);
      }
      return { ...call, answer };
    }
    const [state, answer] = service[call.op === 'cancel' ? 'cancelled' : 'retried'](life);
    if (call.op === 'retry' && state === 'Q') {
      life.retries += 1;
      life.retriedMs = nowMs;
    }
    stop(life, state);
    return { ...call, answer };
  });
}
