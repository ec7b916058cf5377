/** What several faults do to jobs, workers, answers and webhooks. */
import type { Answer, Reply } from '../call.js';
import type { Endpoint } from '../endpoint.js';
import type { Hooks } from '../hooks.js';
import type { Job, Run, Status } from '../job.js';
import { isObject, type Json, type JsonObject } from '../json.js';
import type { Waiting } from '../operations/runsync.js';
import type { Notice } from '../webhooks.js';
import { later, nowIn, perEndpoint, RACE_MS } from './memory.js';

export const hasOverrun = (job: Job): boolean =>
  job.status === 'TIMED_OUT' || job.error === 'executionTimeout exceeded';

export function freeOnceMore({ workers }: Endpoint): void {
  workers.lost -= 1;
  workers.wake('freed');
}

/** Keeps the worker of a stopped job of this kind until its handler would have woken up. */
export function sleepsOn(isKept: (job: Job) => boolean) {
  return ({ job, handler }: Run): void => {
    const { endpoint } = job;
    const leftMs = (handler?.wakesMs ?? 0) - nowIn(endpoint);
    if (leftMs <= 0 || !isKept(job)) return;
    endpoint.workers.lost += 1;
    later(endpoint, leftMs, () => freeOnceMore(endpoint));
  };
}

export function queueLater(job: Job, ms: number): void {
  const { endpoint } = job;
  later(endpoint, ms, () => job.status === 'IN_QUEUE' && !job.deleted && endpoint.workers.enqueue(job));
}

/** Deletes a job that runs, and lets its handler and its worker go on. */
export function forgetRunning(job: Job): boolean {
  if (job.run === null) return false;
  job.run.over = true;
  job.endpoint.forget(job);
  return true;
}

export function failAbove(bytesMax: number, run: Run): void {
  const { endpoint, input } = run.job;
  if (JSON.stringify(input).length > bytesMax)
    later(endpoint, 0, () => endpoint.workers.failed(run, 'message too large'));
}

/** The worker that each job is given when it is submitted, or that ran it first. */
export function workerSlots() {
  const slots = new WeakMap<Job, number>();
  const submittedTo = perEndpoint(() => ({ count: 0 }));
  const slotOf = (job: Job): number => Number(slots.get(job)) % Math.max(1, job.endpoint.workers.count);
  const busy = ({ workers }: Endpoint): Set<number> => new Set(workers.running().map(slotOf));
  return {
    next(job: Job): void {
      const submitted = submittedTo(job.endpoint);
      submitted.count += 1;
      slots.set(job, submitted.count);
    },
    isBusy: (job: Job): boolean => busy(job.endpoint).has(slotOf(job)),
    takeFree(job: Job): void {
      const { workers } = job.endpoint;
      const taken = busy(job.endpoint);
      const free = Array.from(workers.busy.keys()).findIndex((_, slot) => !taken.has(slot));
      slots.set(job, free === -1 ? workers.busy.size : free);
    },
  };
}

/** Kills the job that starts at the instant at which `kill` was called. */
export function killingNext(
  status: Status,
  hooks: (kill: (endpoint: Endpoint) => undefined) => Partial<Hooks>,
): Partial<Hooks> {
  const signalOf = perEndpoint(() => ({ atMs: -Infinity }));
  return {
    ...hooks((endpoint) => void (signalOf(endpoint).atMs = nowIn(endpoint))),
    started(run) {
      const { endpoint } = run.job;
      const signal = signalOf(endpoint);
      if (signal.atMs !== nowIn(endpoint)) return;
      signal.atMs = -Infinity;
      later(endpoint, 100, () => endpoint.workers.finish(run, status, undefined, 'killed'));
    },
  };
}

/** Starts no job for a while. */
export function pausing() {
  const pausedOf = perEndpoint(() => ({ untilMs: -Infinity }));
  return {
    dispatches: (endpoint: Endpoint): boolean => nowIn(endpoint) >= pausedOf(endpoint).untilMs,
    for(endpoint: Endpoint, ms: number): undefined {
      pausedOf(endpoint).untilMs = nowIn(endpoint) + ms;
      later(endpoint, ms, () => endpoint.workers.wake('work'));
    },
  };
}

/** Finds jobs that have been deleted. */
export function deletedJobs() {
  const deletedOf = perEndpoint(() => new Map<string, Job>());
  return {
    hooks: { forgotten: (job: Job): void => void deletedOf(job.endpoint).set(job.id, job) },
    find: (endpoint: Endpoint, id: string): Job | null => deletedOf(endpoint).get(id) ?? null,
  };
}

// Answers

/** How the last key was judged holds for a second. */
export function rememberingTheKey(
  judge: (checked: string | Reply, hasPassed: boolean, right: string) => string | Reply,
): Partial<Hooks> {
  const lastOf = perEndpoint(() => ({ atMs: -Infinity, passed: false }));
  return {
    checkedKey(checked, endpoint, right) {
      const last = lastOf(endpoint);
      const nowMs = nowIn(endpoint);
      const judged = nowMs < last.atMs + 1000 ? judge(checked, last.passed, right) : checked;
      if (judged === checked) Object.assign(last, { atMs: nowMs, passed: typeof checked === 'string' });
      return judged;
    },
  };
}

/** Answers all that are under way with the newest reply. */
export function crossedAnswers(): (reply: Reply, job: Job, answer: Answer) => void {
  const underWayOf = perEndpoint(() => ({ answers: [] as Answer[] }));
  return (reply, { endpoint }, answer) => {
    const underWay = underWayOf(endpoint);
    underWay.answers.push(answer);
    if (underWay.answers.length > 1) {
      for (const each of underWay.answers.splice(0)) each(reply);
      return;
    }
    setTimeout(() => {
      if (!underWay.answers.includes(answer)) return;
      underWay.answers.splice(0);
      answer(reply);
    }, RACE_MS);
  };
}

/** Shows a job for a second as it was. */
export function shownForASecond() {
  const oldOf = new WeakMap<Job, { readonly record: JsonObject; readonly untilMs: number }>();
  return {
    keep: (job: Job): void =>
      void oldOf.set(job, { record: job.endpoint.record(job), untilMs: nowIn(job.endpoint) + 1000 }),
    statusRead(record: JsonObject, job: Job): JsonObject {
      const old = oldOf.get(job);
      return old !== undefined && nowIn(job.endpoint) < old.untilMs ? old.record : record;
    },
  };
}

export function neverAnswered(waiting: Waiting): boolean {
  waiting.endpoint.service.clock.stop(waiting.timer);
  return true;
}

/** Streams nothing of a job any more after a result like this. */
export function endingStreams(isEnd: (result: Json) => boolean): Partial<Hooks> {
  const over = new WeakSet<Job>();
  return {
    keepsChunk({ job }, result) {
      if (isEnd(result)) over.add(job);
      return !over.has(job);
    },
  };
}

export const withBody = (reply: Reply, members: JsonObject): Reply => ({
  ...reply,
  body: { ...(reply.body as JsonObject), ...members },
});

export function withoutMember(record: JsonObject, name: string): JsonObject {
  return Object.fromEntries(Object.entries(record).filter(([other]) => other !== name));
}

// Webhooks

/** Jobs whose webhook has not been called to the end. */
export function pendingNotices() {
  const pending = new WeakSet<Job>();
  return {
    has: (job: Job): boolean => pending.has(job),
    hooks: {
      notice(notice: Notice, job: Job): Notice {
        pending.add(job);
        return notice;
      },
      noticeDone: (job: Job): void => void pending.delete(job),
    },
  };
}

export const whileWanted = (notice: Notice, isWanted: () => boolean): Notice => ({
  ...notice,
  wanted: () => isWanted() && notice.wanted(),
});

export function changedUrl(url: string, change: (parts: URL) => void): string {
  const parts = new URL(url);
  change(parts);
  return parts.href;
}

// Values

export const isSame = (one: Json | undefined, other: Json | undefined): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

export const depthOf = (value: Json): number =>
  typeof value === 'object' && value !== null
    ? 1 + Object.values(value).reduce((most: number, member: Json) => Math.max(most, depthOf(member)), 0)
    : 0;

/** The members of an input that its handler follows. */
export const scriptOf = (input: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(input).filter(([name]) => name === 'plan' || name === 'planOnRetry'));

export const numberIn = (id: string): number => Number(id.replace(/\D/g, '').slice(0, 12));

/** `{"a.b": 1}` as `{"a": {"b": 1}}`. */
export function nested(name: string, value: Json): JsonObject {
  const [first = '', ...rest] = name.split('.');
  return { [first]: rest.length === 0 ? value : nested(rest.join('.'), value) };
}

export function changedMember(value: Json, name: string, change: (text: string) => string): Json {
  const member = isObject(value) ? value[name] : undefined;
  return isObject(value) && typeof member === 'string' ? { ...value, [name]: change(member) } : value;
}
