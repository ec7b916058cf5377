/**
 * A job's life that cannot be shows that something was done to the job; which promise that breaks depends on
 * what happened beside it. Where exactly that may explain the breach, the narrower promise is named, else the rule itself.
 */
import type { CallEvent } from '../../history/events.js';
import {
  EXECUTION_TIMEOUT_MAX_MS,
  EXECUTION_TIMEOUT_MIN_MS,
  TTL_MAX_MS,
  TTL_MIN_MS,
} from '../../spec/limits.js';
import type { RequirementId } from '../../spec/index.js';
import type { Job } from '../cases.js';
import type { Breach } from '../life/job.js';
import { answerOf, idInPath, isObject } from '../reading.js';
import type { Scene } from '../scene.js';
import { precedes, retriedAtOnce, sightingsOf } from './sightings.js';

export function blame(scene: Scene, job: Job, breach: Breach): RequirementId {
  const { requirement, op } = breach;
  const last = op.call;
  if (last === null) return op.kind === 'webhook' ? calledTooSoon(breach) : requirement;
  return (
    byAnswer(scene, job, breach) ??
    doneAndFailed(job, breach) ??
    byPolicy(job, requirement) ??
    (removed(breach) ? (byRemover(scene, job, last) ?? byReader(job, breach)) : null) ??
    (revived(breach) ? byReviver(scene, job, last) : null) ??
    byStatusTtl(job, requirement) ??
    byKind(job, requirement) ??
    requirement
  );
}

/** The webhook tells of an end that cannot have been: the job goes on. */
function calledTooSoon({ requirement }: Breach): RequirementId {
  return requirement === '3/not-completed-before-handler-ends' ? '6/no-call-before-completion' : requirement;
}

/** So quick a handler was through before any `executionTimeout` could be over: its success was taken for a failure. */
function doneAndFailed(job: Job, { op, requirement }: Breach): RequirementId | null {
  if (!requirement.startsWith('2.2/execution-timeout') || !requirement.endsWith('not-early')) return null;
  if (op.shows !== 'FAILED' || job.calls.some(({ op: called }) => called === 'retry')) return null;
  const { outcome, lastsMs } = job.foreseen(0);
  const done = outcome === 'success' && lastsMs! < EXECUTION_TIMEOUT_MIN_MS / 2;
  return !done ? null : job.sync ? '3/success-completes-runsync' : '3/success-completes-run';
}

/** What the last look before the breach showed tells what the call should have done. */
function byAnswer(scene: Scene, job: Job, { op, requirement }: Breach): RequirementId | null {
  const seen = sightingsOf(job).filter((sighting) => precedes(sighting.call, op.call!));
  const last = seen.at(-1)?.shows;
  const kept = (id: RequirementId): RequirementId => byKind(job, id) ?? id;
  if (op.kind === 'cancel' && op.answer === 'refused') {
    if (last === 'IN_PROGRESS') return kept('3/cancel-running');
    return last === 'IN_QUEUE' ? kept('3/cancel-queued') : null;
  }
  if (op.kind === 'retry' && op.answer === 'refused') {
    const before = job.calls.some(
      (call) => call.op === 'retry' && answerOf(call) === 'ok' && precedes(call, op.call!),
    );
    if (before && (last === 'FAILED' || last === 'TIMED_OUT')) return '4.6/failed-again-can-be-retried';
    if (last === 'FAILED' && requirement !== '3/timed-out-stays') return kept('3/retry-requeues-failed');
    return last === 'TIMED_OUT' || last === 'FAILED' ? kept('3/retry-requeues-timed-out') : null;
  }
  if (op.kind !== 'status') return null;
  const untold = !seen.some(({ shows }) => shows === 'CANCELLED' || shows === 'GONE');
  if (untold && op.shows === 'IN_PROGRESS' && requirement === '3/cancelled-never-completes')
    return kept('3/cancel-running');
  if (untold && op.shows === 'IN_QUEUE' && requirement === '3/cancelled-never-starts')
    return kept('3/cancel-queued');
  const overrun = requirement === '2.2/execution-timeout-not-early' && op.answer === 'ok';
  return overrun && last === 'IN_QUEUE' && !waitedLittle(scene, job, op.call!)
    ? '2.2/execution-timeout-not-in-queue'
    : null;
}

/** Its last look in the queue is so far back that it may well have run since. */
function waitedLittle(scene: Scene, job: Job, last: CallEvent): boolean {
  const queued = sightingsOf(job).findLast(
    ({ call, shows }) => shows === 'IN_QUEUE' && precedes(call, last),
  )!.call;
  const policy = job.submission['policy'];
  const limit = isObject(policy) ? policy['executionTimeout'] : undefined;
  return typeof limit !== 'number' || last.sentMs - queued.sentMs > limit - scene.session.run.graceMs;
}

/** It is gone or cancelled, and should not be. */
function removed({ op, requirement }: Breach): boolean {
  if (op.kind !== 'status' && op.kind !== 'reply') return false;
  return (
    op.code === 404 ||
    op.shows === 'CANCELLED' ||
    ((op.shows === 'FAILED' || op.shows === 'TIMED_OUT') && requirement !== '2.2/execution-timeout-not-early')
  );
}

/** It had ended, and waits or runs again. */
function revived({ op }: Breach): boolean {
  return (
    op.kind === 'status' &&
    (op.shows === 'IN_QUEUE' || op.shows === 'IN_PROGRESS' || op.shows === 'COMPLETED')
  );
}

/** Calls that were made after the job was last seen as it should be, and before the call that showed the breach. */
function between(scene: Scene, job: Job, last: CallEvent): readonly CallEvent[] {
  const before =
    sightingsOf(job).findLast((sighting) => precedes(sighting.call, last))?.call ?? job.submitted;
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

function byRemover(scene: Scene, job: Job, last: CallEvent): RequirementId | null {
  const calls = between(scene, job, last);
  const mine = (call: CallEvent): boolean => idInPath(call) === job.id;
  const here = (call: CallEvent): boolean => call.endpoint === scene.session.endpoint;
  const code = (call: CallEvent): number => call.reply?.status ?? 0;
  const ok = (call: CallEvent): boolean => answerOf(call) === 'ok';
  const some = (test: (call: CallEvent) => boolean): boolean => calls.some(test);
  // The job's own calls explain more than those beside it.
  const byPurge = some((call) => call.op === 'purge-queue' && here(call) && code(call) === 401);
  // What is not found any more was purged rather than cancelled.
  if (byPurge && last.reply?.status === 404) return '5/unauthorized-purge-has-no-effect';
  if (some((call) => call.op === 'cancel' && mine(call) && code(call) === 401))
    return '5/unauthorized-cancel-has-no-effect';
  if (some((call) => (call.op === 'cancel' ? mine(call) : call.op === 'purge-queue') && code(call) === 429))
    return '8/refused-call-has-no-effect';
  if (byPurge) return '5/unauthorized-purge-has-no-effect';
  if (some((call) => call.op === 'cancel' && mine(call))) return null;
  const seen = sightingsOf(job).filter((sighting) => precedes(sighting.call, last));
  const ended = seen.some(
    ({ shows }) => shows === 'COMPLETED' || shows === 'FAILED' || shows === 'TIMED_OUT',
  );
  if (some((call) => call.op === 'purge-queue' && here(call) && ok(call)))
    return ended
      ? '4.7/keeps-finished'
      : seen.some(({ shows }) => shows === 'IN_PROGRESS')
        ? '4.7/keeps-running'
        : null;
  if (some((call) => call.op === 'purge-queue' && !here(call) && ok(call)))
    return '1/endpoints-isolated-purge';
  if (some((call) => call.op === 'cancel' && here(call) && ok(call))) return '4.5/this-job-only';
  if (job.sync && seen.length <= 1 && last.op === 'status' && answerOf(job.submitted) === 'ok' && !ended)
    return '4.1/wait-leaves-job-alive';
  if (ended && job.webhooks.some((call) => call.answered !== 200 && call.arrivedMs <= last.sentMs))
    return '6/failing-webhook-leaves-job-alone';
  return byOtherJobs(scene, job, last);
}

/** No retention is so short. */
const READ_AWAY_WITHIN_MS = 5_000;

/** It was read once, and right after that it was gone. */
function byReader(job: Job, { op, requirement }: Breach): RequirementId | null {
  if (requirement !== '4.1/retention-kept' && requirement !== '4.2/retention-kept') return null;
  const reads = sightingsOf(job).filter(
    ({ call, shows }) => call.op === 'status' && shows === 'COMPLETED' && precedes(call, op.call!),
  );
  const soon = reads.length === 1 && op.fromMs - reads[0]!.call.sentMs <= READ_AWAY_WITHIN_MS;
  return soon ? '4.3/reading-does-not-consume' : null;
}

/** It was given a lifespan of its own by `/status`. */
const hasNewTtl = (job: Job): boolean =>
  job.calls.some((call) => call.op === 'status' && call.request.query['ttl'] !== undefined);

/** Another job's timer struck, or its worker died, and took this job with it. */
function byOtherJobs(scene: Scene, job: Job, last: CallEvent): RequirementId | null {
  for (const other of scene.cast.jobs) {
    if (other === job || !precedes(other.submitted, last)) continue;
    const policy = other.submission['policy'];
    const given = isObject(policy) ? policy : {};
    const asked = other.calls.findLast(
      (call) => call.op === 'status' && call.request.query['ttl'] !== undefined,
    );
    const ttlMs = Number(asked?.request.query['ttl'] ?? NaN);
    const struck = (ms: unknown, sinceMs: number): boolean =>
      typeof ms === 'number' && sinceMs + ms <= last.sentMs;
    if (last.reply?.status === 404) {
      if (asked !== undefined && !hasNewTtl(job) && struck(ttlMs, other.life.submittedFromMs))
        return '4.3/ttl-this-job-only';
      if (struck(given['ttl'], other.life.submittedFromMs)) return '2.2/ttl-this-job-only';
      continue;
    }
    if (
      other.foreseen(0).outcome === 'crash' &&
      struck(other.foreseen(0).lastsMs, other.life.submittedFromMs)
    )
      return '3/crash-leaves-other-jobs-alone';
    if (struck(given['executionTimeout'], other.life.submittedFromMs))
      return '2.2/execution-timeout-this-job-only';
  }
  return null;
}

function byReviver(scene: Scene, job: Job, last: CallEvent): RequirementId | null {
  const calls = between(scene, job, last).filter((call) => call.op === 'retry');
  const mine = calls.filter((call) => idInPath(call) === job.id);
  if (mine.some((call) => call.reply?.status === 401)) return '5/unauthorized-retry-has-no-effect';
  if (mine.some((call) => call.reply?.status === 429)) return '8/refused-call-has-no-effect';
  if (retriedAtOnce(job)) return '4.6/retries-at-once-requeue-once';
  const others = calls.some((call) => idInPath(call) !== job.id && answerOf(call) === 'ok');
  return mine.length === 0 && others ? '4.6/this-job-only' : null;
}

/** What was asked for lay beyond its bounds, and took effect as given. */
function byPolicy(job: Job, requirement: RequirementId): RequirementId | null {
  const policy = job.submission['policy'];
  if (!isObject(policy)) return null;
  const { ttl, executionTimeout } = policy;
  if (typeof executionTimeout === 'number') {
    if (executionTimeout < EXECUTION_TIMEOUT_MIN_MS && requirement === '2.2/execution-timeout-not-early')
      return '2.2/execution-timeout-min-enforced';
    if (executionTimeout > EXECUTION_TIMEOUT_MAX_MS && requirement.startsWith('2.2/execution-timeout-stops'))
      return '2.2/execution-timeout-max-enforced';
  }
  if (typeof ttl === 'number') {
    if (ttl < TTL_MIN_MS && requirement.startsWith('2.2/ttl-not-early')) return '2.2/ttl-min-enforced';
    if (ttl > TTL_MAX_MS && requirement.startsWith('2.2/ttl-removes')) return '2.2/ttl-max-enforced';
  }
  return null;
}

/** A lifespan that `/status` has set: it holds instead of the submission's. */
function byStatusTtl(job: Job, requirement: RequirementId): RequirementId | null {
  const asked = job.calls.filter(
    (call) => call.op === 'status' && call.request.query['ttl'] !== undefined && answerOf(call) === 'ok',
  );
  const last = asked.at(-1);
  if (last === undefined) return null;
  if (requirement.startsWith('2.2/ttl-removes') || requirement === '2.2/ttl-default-removes')
    return '4.3/ttl-shortens-life';
  if (!requirement.startsWith('2.2/ttl-not-early') && requirement !== '2.2/ttl-default-not-early')
    return null;
  const given = job.life.terms[0]?.ttlMs ?? 0;
  return Number(last.request.query['ttl']) > given ? '4.3/ttl-lengthens-life' : '4.3/ttl-not-at-once';
}

/** The same rule, for a job of a particular kind. */
function byKind(job: Job, requirement: RequirementId): RequirementId | null {
  const retried = job.calls.some((call) => call.op === 'retry' && answerOf(call) === 'ok');
  switch (requirement) {
    case '3/cancel-queued':
    case '3/cancel-running':
      return retried ? '4.5/cancels-retried-job' : job.sync ? '4.5/cancels-runsync-job' : null;
    case '3/retry-requeues-failed':
    case '3/retry-requeues-timed-out':
      return job.sync ? '4.6/retries-runsync-job' : null;
    case '4.7/removes-all-waiting':
      if (retried) return '4.7/removes-waiting-retried';
      return job.life.life.lowPriority
        ? '4.7/removes-waiting-low-priority'
        : job.sync
          ? '4.7/removes-waiting-runsync'
          : null;
    case '4.1/retention-kept':
      if (retried) return '4.1/retention-after-retry';
      return job.life.life.waitGiven ? '4.1/wait-does-not-shorten-retention' : null;
    case '2.2/ttl-removes-failed':
    case '2.2/ttl-removes-timed-out':
      return retried ? '2.2/ttl-removes-retried' : null;
    case '2.2/ttl-removes-queued':
    case '2.2/ttl-removes-running':
    case '2.2/ttl-removes-completed':
      if (retried) return '2.2/ttl-removes-retried';
      if (job.sync) return '2.2/ttl-removes-runsync';
      return requirement !== '2.2/ttl-removes-queued' && waitedLong(job)
        ? '2.2/ttl-starts-at-submission'
        : null;
    case '4.2/retention-kept':
      return retried ? '4.2/retention-after-retry' : null;
    default:
      return null;
  }
}

/** It was seen waiting so long after its submission that a ttl from its start would have been another one. */
function waitedLong(job: Job): boolean {
  return sightingsOf(job).some(
    ({ call, shows }) => shows === 'IN_QUEUE' && call.sentMs > job.life.submittedByMs + 1000,
  );
}
