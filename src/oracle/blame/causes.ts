/** What happened beside a job whose life cannot be, and may have done it: calls on the job itself, calls on others, their timers. */
import type { Breach } from '../proof/breach.js';
import type { CallEvent } from '../../history/events.js';
import type { RequirementId } from '../../spec/index.js';
import type { Job } from '../cast/cases.js';
import { answerOf, idInPath, isObject } from '../observed/reading.js';
import type { Scene } from '../scene/scene.js';
import {
  isWaitingOrRunning,
  precedes,
  retriedAtOnce,
  shownBefore,
  sightingsOf,
  type Sighting,
} from '../cast/sightings.js';

export interface Cause {
  readonly id: RequirementId;
  /** Null: it was done to this job, or by it. */
  readonly neighbour: Neighbour | null;
}

/** Something that was done to another job, or to all. */
export interface Neighbour {
  /** The call that did it, or that submitted the job whose timer struck: one event has one. */
  readonly call: CallEvent;
  /** The job that it concerns; null: all of them. */
  readonly job: Job | null;
  /** It took effect between these instants. */
  readonly fromMs: number;
  readonly byMs: number;
  /** It took effect on each job when so much time had passed since that job's submission. */
  readonly takenOverMs?: number;
}

/** All that may have removed or ended the job, the one that explains most first. */
export function removers(scene: Scene, job: Job, { op }: Breach): readonly Cause[] {
  const last = op.call!;
  const found: Cause[] = [];
  const calls = between(scene, job, last);
  const mine = (call: CallEvent): boolean => call.op === 'cancel' && idInPath(call) === job.id;
  const here = (call: CallEvent): boolean => call.endpoint === scene.session.endpoint;
  const refused = (call: CallEvent, code: 401 | 429): boolean => call.reply?.status === code;
  const purges = calls.filter((call) => call.op === 'purge-queue' && answerOf(call) !== 'unknown');
  const isOk = (call: CallEvent): boolean => answerOf(call) === 'ok';
  const own = (id: RequirementId): unknown => found.push({ id, neighbour: null });
  const others = (id: RequirementId, events: readonly CallEvent[]): void => {
    for (const call of events) found.push({ id, neighbour: doneBy(scene, call) });
  };
  const withoutKey = purges.filter((call) => here(call) && refused(call, 401));
  // What is not found any more was purged rather than cancelled.
  if (last.reply?.status === 404) others('5/unauthorized-purge-has-no-effect', withoutKey);
  const isPurged = last.reply?.status === 404 && withoutKey.length > 0 && cancelledNothing(scene);
  if (!isPurged && calls.some((call) => mine(call) && refused(call, 401)))
    own('5/unauthorized-cancel-has-no-effect');
  if (calls.some((call) => mine(call) && refused(call, 429))) own('8/refused-call-has-no-effect');
  others(
    '8/refused-call-has-no-effect',
    purges.filter((call) => here(call) && refused(call, 429)),
  );
  others('5/unauthorized-purge-has-no-effect', withoutKey);
  others(
    '1/endpoints-isolated-cancel',
    calls.filter((call) => mine(call) && !here(call) && isOk(call)),
  );
  if (calls.some(mine)) return found;
  const seen = sightingsOf(job).filter((sighting) => precedes(sighting.call, last));
  const was = shownBefore(job, last);
  const ended = was !== undefined && hasEnded(was);
  const purged = purges.filter((call) => here(call) && isOk(call));
  if (purged.length > 0) {
    if (ended) others('4.7/keeps-finished', purged);
    else if (was === 'IN_PROGRESS') others('4.7/keeps-running', purged);
    return found;
  }
  others(
    '1/endpoints-isolated-purge',
    purges.filter((call) => !here(call) && isOk(call)),
  );
  others(
    '4.5/this-job-only',
    calls.filter((call) => call.op === 'cancel' && here(call) && isOk(call)),
  );
  if (
    job.sync &&
    !job.retried &&
    seen.length <= 1 &&
    last.op === 'status' &&
    answerOf(job.submitted) === 'ok' &&
    !ended
  )
    own('4.1/wait-leaves-job-alive');
  if (ended && job.webhooks.some((call) => call.answered !== 200 && call.arrivedMs <= last.sentMs))
    own('6/failing-webhook-leaves-job-alone');
  // Where all explain as much, what was called just then comes first.
  const struck = timers(scene, job, last);
  const isCalled = ({ id }: Cause): boolean => id === '4.3/ttl-this-job-only';
  found.push(...struck.filter(isCalled), ...struck.filter((cause) => !isCalled(cause)));
  // Cancels that the harness makes when a script is over reach no result.
  if (!ended) found.push(...endedByHarness(scene));
  return found;
}

/** The harness cancelled these jobs when their scripts were over, which may have reached others. */
function endedByHarness({ session, cast }: Scene): readonly Cause[] {
  return [...session.ends.values()].flatMap(({ atMs, leaves = [] }) =>
    cast.jobs
      .filter(({ id }) => leaves.includes(id))
      .map((job) => {
        const byMs = atMs + session.run.graceMs;
        return {
          id: '4.5/this-job-only',
          neighbour: { call: job.submitted, job, fromMs: atMs, byMs },
        } as const;
      }),
  );
}

/** A `/cancel` without a valid key left a job waiting or running. */
function cancelledNothing({ session, cast }: Scene): boolean {
  return session.calls.some((call) => {
    if (call.op !== 'cancel' || call.reply?.status !== 401) return false;
    const job = cast.jobs.find(({ id }) => id === idInPath(call));
    return (
      job !== undefined &&
      sightingsOf(job).some((one) => precedes(call, one.call) && isWaitingOrRunning(one.shows))
    );
  });
}

/** All that may have brought an ended job back. */
export function revivers(scene: Scene, job: Job, { op }: Breach): readonly Cause[] {
  const calls = between(scene, job, op.call!).filter((call) => call.op === 'retry');
  const mine = calls.filter((call) => idInPath(call) === job.id);
  if (mine.some((call) => call.reply?.status === 401))
    return [{ id: '5/unauthorized-retry-has-no-effect', neighbour: null }];
  if (mine.some((call) => call.reply?.status === 429))
    return [{ id: '8/refused-call-has-no-effect', neighbour: null }];
  if (retriedAtOnce(job)) return [{ id: '4.6/retries-at-once-requeue-once', neighbour: null }];
  if (mine.length > 0) return [];
  return calls
    .filter((call) => answerOf(call) === 'ok')
    .map((call) => ({ id: '4.6/this-job-only', neighbour: doneBy(scene, call) }));
}

export function hasEnded(shows: Sighting['shows']): boolean {
  return shows === 'COMPLETED' || shows === 'FAILED' || shows === 'TIMED_OUT';
}

function doneBy(scene: Scene, call: CallEvent): Neighbour {
  const { sentMs, receivedMs } = call;
  const id = call.op === 'purge-queue' ? null : idInPath(call);
  const job = id === null ? null : (scene.cast.jobs.find((one) => one.id === id) ?? null);
  return { call, job, fromMs: sentMs, byMs: receivedMs ?? Infinity };
}

/** The last call that showed the job as it should be before the one that showed the breach. */
function lastGood(job: Job, last: CallEvent): CallEvent {
  return sightingsOf(job).findLast((sighting) => precedes(sighting.call, last))?.call ?? job.submitted;
}

/** Calls that were made after the job was last seen as it should be, and before the call that showed the breach. */
function between(scene: Scene, job: Job, last: CallEvent): readonly CallEvent[] {
  const before = lastGood(job, last);
  const calls = [scene.session, ...scene.beside.map(({ session }) => session)].flatMap(
    ({ calls: all }) => all,
  );
  return calls.filter(
    (call) =>
      call !== last &&
      call.sentTick < (last.endedTick ?? Infinity) &&
      (call.endedTick ?? Infinity) > before.sentTick &&
      call !== before,
  );
}

/** It was given a lifespan of its own by `/status`. */
const newTtlOf = (job: Job): CallEvent | undefined =>
  job.calls.findLast((call) => call.op === 'status' && call.request.query['ttl'] !== undefined);

/** Another job's timer struck, or its worker died, and took this job with it. */
function timers(scene: Scene, job: Job, last: CallEvent): readonly Cause[] {
  const found: Cause[] = [];
  const { graceMs } = scene.session.run;
  const own = job.submission['policy'];
  const hasOwnTtl = isObject(own) && own['ttl'] !== undefined;
  for (const other of scene.cast.jobs) {
    if (other === job || !precedes(other.submitted, last)) continue;
    const policy = other.submission['policy'];
    const given = isObject(policy) ? policy : {};
    const asked = newTtlOf(other);
    const sinceMs = other.life.submittedFromMs;
    const strikes = (id: RequirementId, ms: unknown, call: CallEvent, byMs?: number): boolean => {
      if (typeof ms !== 'number' || Number.isNaN(ms) || sinceMs + ms > last.sentMs) return false;
      const fromMs = sinceMs + ms;
      const neighbour = { call, job: other, fromMs, byMs: Math.max(fromMs, byMs ?? fromMs + graceMs) };
      found.push({ id, neighbour });
      return true;
    };
    // Its value became that of this job, which counts from its own submission.
    const takenOver = (id: RequirementId, ms: number, call: CallEvent): void => {
      const fromMs = Math.max(job.life.submittedFromMs + ms, call.sentMs);
      if (!(fromMs <= last.sentMs)) return;
      const byMs = Math.max(job.life.submittedByMs + ms, call.receivedMs ?? Infinity) + graceMs;
      found.push({ id, neighbour: { call, job: other, fromMs, byMs, takenOverMs: ms } });
    };
    if (last.reply?.status === 404) {
      const newMs = asked === undefined ? NaN : Number(asked.request.query['ttl']);
      if (asked !== undefined && newTtlOf(job) === undefined) {
        strikes('4.3/ttl-this-job-only', newMs, asked);
        takenOver('4.3/ttl-this-job-only', newMs, asked);
      }
      const ttl = given['ttl'];
      // It struck before this job was there, and whoever has a ttl of his own takes over no other's.
      const isOver = typeof ttl === 'number' && sinceMs + ttl + graceMs < job.life.submittedFromMs;
      if (!isOver || !hasOwnTtl) strikes('2.2/ttl-this-job-only', ttl, other.submitted);
      continue;
    }
    const failed = sightingsOf(other).find(({ shows }) => shows === 'FAILED' || shows === 'TIMED_OUT');
    const byMs = failed?.call.receivedMs ?? undefined;
    const plan = other.foreseen(0);
    const crashed =
      plan.outcome === 'crash' &&
      strikes('3/crash-leaves-other-jobs-alone', plan.lastsMs, other.submitted, byMs);
    if (!crashed)
      strikes('2.2/execution-timeout-this-job-only', given['executionTimeout'], other.submitted, byMs);
  }
  return found;
}

/** It happened while this job may have been touched: after it was last seen as it should be. */
export function isInTime(job: Job, { op }: Breach, { fromMs, byMs }: Neighbour): boolean {
  const last = op.call!;
  return byMs >= lastGood(job, last).sentMs && fromMs <= (last.receivedMs ?? Infinity);
}

/** Another job that was promised no more was seen where this one was, and for longer. */
export function wasOutlived(scene: Scene, job: Job, { op }: Breach): boolean {
  const before = sightingsOf(job).filter(({ call }) => precedes(call, op.call!));
  const was = before.at(-1)?.shows;
  const since = before.find(({ shows }) => shows === was)?.call ?? job.submitted;
  const lastedMs = op.fromMs - since.sentMs;
  const promisedMs = (one: Job): number => one.life.terms[0]?.ttlMs ?? Infinity;
  return scene.cast.jobs.some((other) => {
    if (other === job || other.sync !== job.sync || promisedMs(other) > promisedMs(job)) return false;
    if (newTtlOf(other) !== undefined) return false;
    const seen = sightingsOf(other).filter(({ shows }) =>
      was === undefined ? isWaitingOrRunning(shows) : shows === was,
    );
    const first = was === undefined ? other.submitted : seen[0]?.call;
    const last = seen.at(-1)?.call;
    return (
      first !== undefined && last !== undefined && last.sentMs - (first.receivedMs ?? Infinity) >= lastedMs
    );
  });
}

/**
 * What reaches jobs other than its own reaches all that are alike: whether one of them, where this job was, was there
 * before it and went on after it.
 */
export function wasSurvived(scene: Scene, job: Job, breach: Breach, event: Neighbour): boolean {
  const last = breach.op.call!;
  const was = sightingsOf(job).findLast((sighting) => precedes(sighting.call, last))?.shows;
  const isLater = ({ call }: Sighting): boolean => call.sentMs > event.byMs;
  const isEarlier = ({ call }: Sighting): boolean => (call.receivedMs ?? Infinity) < event.fromMs;
  const { takenOverMs } = event;
  return scene.cast.jobs.some((other) => {
    if (other === job || other === event.job) return false;
    const seen = sightingsOf(other);
    if (takenOverMs !== undefined) {
      if (!precedes(other.submitted, event.call) || newTtlOf(other) !== undefined) return false;
      const goneByMs = Math.max(other.life.submittedByMs + takenOverMs, event.call.receivedMs ?? Infinity);
      const { graceMs } = scene.session.run;
      return seen.some(({ call, shows }) => call.sentMs > goneByMs + graceMs && shows !== 'GONE');
    }
    if (other.life.submittedByMs >= event.fromMs) return false;
    if (was === undefined || was === 'IN_QUEUE')
      return seen.some(
        (one) =>
          isLater(one) && (one.shows === 'IN_QUEUE' || (was === undefined && isWaitingOrRunning(one.shows))),
      );
    const alike = (one: Sighting): boolean => one.shows === was;
    return seen.some((one) => alike(one) && isEarlier(one)) && seen.some((one) => alike(one) && isLater(one));
  });
}
