/** What a job's own history tells of why it was gone: read away, deleted by an old timer, or only not shown for a while. */
import type { Breach } from '../proof/breach.js';
import { RUN_RETENTION_MS } from '../../spec/limits.js';
import type { RequirementId } from '../../spec/index.js';
import type { Job } from '../cast/cases.js';
import { SHORTEST_RETENTION_MS } from '../model/life.js';
import type { Operation } from '../model/operations.js';
import { answerOf } from '../observed/reading.js';
import type { Scene } from '../scene/scene.js';
import { hasEnded } from './causes.js';
import { precedes, shownBefore, sightingsOf, type Sighting } from '../cast/sightings.js';

/** No retention is so short. */
const READ_AWAY_WITHIN_MS = 5_000;

/** It was read once, and right after that it was gone. */
export function byReader(job: Job, breach: Breach): RequirementId | null {
  if (breach.requirement !== '4.1/retention-kept' && breach.requirement !== '4.2/retention-kept') return null;
  const reads = readsBefore(job, breach);
  if (reads?.length !== 1) return null;
  // A time that was counted from its submission would be over just then.
  const keptMs = job.sync ? SHORTEST_RETENTION_MS : RUN_RETENTION_MS;
  if (breach.op.byMs - job.life.submittedFromMs >= keptMs) return null;
  return breach.op.fromMs - reads[0]!.call.sentMs <= READ_AWAY_WITHIN_MS
    ? '4.3/reading-does-not-consume'
    : null;
}

const KEPT: ReadonlySet<RequirementId> = new Set([
  '4.1/retention-kept',
  '4.2/retention-kept',
  '3/failed-stays',
  '3/timed-out-stays',
  '2.2/ttl-not-early-completed',
]);

/** By which a job is still there. */
export function isLasting(id: RequirementId): boolean {
  return KEPT.has(id) || id.startsWith('2.2/ttl-not-early') || id === '2.2/ttl-default-not-early';
}

/** The reads of its result, where that was gone too early; else null. */
export function readsBefore(job: Job, { op, requirement }: Breach): readonly Sighting[] | null {
  const was = op.code === 404 && KEPT.has(requirement) ? shownBefore(job, op.call!) : undefined;
  if (was === undefined || !hasEnded(was)) return null;
  return sightingsOf(job).filter(
    ({ call, shows }) => call.op === 'status' && hasEnded(shows) && precedes(call, op.call!),
  );
}

/** An earlier result's time may be any of those that the document names. */
const RETENTIONS_MS = [SHORTEST_RETENTION_MS, RUN_RETENTION_MS];
/** A ttl so much longer than the job's age is none that struck too early. */
const TTL_FAR = 10;

/** It was retried, and gone before its run had ended, just when the result of the run before was over. */
export function byOldTimer(scene: Scene, job: Job, { op }: Breach): RequirementId | null {
  if (op.code !== 404) return null;
  const seen = sightingsOf(job).filter(({ call }) => precedes(call, op.call!));
  const retried = job.calls.findLast(
    (call) => call.op === 'retry' && answerOf(call) === 'ok' && precedes(call, op.call!),
  );
  if (retried === undefined || seen.some(({ call, shows }) => hasEnded(shows) && precedes(retried, call)))
    return null;
  const ageMs = op.fromMs - job.life.submittedFromMs;
  if (job.life.terms.some(({ ttlMs }) => ttlMs !== null && ttlMs < TTL_FAR * ageMs)) return null;
  const ended = seen.findLast(({ call, shows }) => hasEnded(shows) && precedes(call, retried));
  if (ended === undefined) return null;
  const alive = seen.findLast(({ call, shows }) => !hasEnded(shows) && precedes(call, ended.call))?.call;
  const endedFromMs = (alive ?? job.submitted).sentMs;
  const thereMs = (seen.findLast(({ call }) => precedes(retried, call))?.call ?? retried).sentMs;
  const { graceMs } = scene.session.run;
  const struck = RETENTIONS_MS.some(
    (keptMs) => ended.call.receivedMs! + keptMs + graceMs >= thereMs && endedFromMs + keptMs <= op.byMs,
  );
  return struck ? '4.6/retried-job-not-expired' : null;
}

/** It was not found, and is there again: nothing had deleted it. */
export function hidden(job: Job, { op, requirement, rules }: Breach): RequirementId | null {
  if (op.code !== 404 || (op.kind !== 'status' && op.kind !== 'cancel')) return null;
  const seen = sightingsOf(job);
  const again = seen.some(({ call, shows }) => shows !== 'GONE' && precedes(op.call!, call));
  if (op.kind === 'status')
    return again || requirement === '4.3/shows-current-state' ? '4.3/shows-current-state' : null;
  // No record was asked for: it was not cancelled, though it had not ended yet.
  if (!again && seen.length > 0) return null;
  const before = seen.findLast(({ call }) => precedes(call, op.call!));
  if ((before ?? seen.find(({ call }) => precedes(op.call!, call)))?.shows === 'IN_PROGRESS')
    return '3/cancel-running';
  return rules.find((rule) => rule === '3/cancel-queued' || rule === '3/cancel-running') ?? '3/cancel-queued';
}

/** No timer strikes so soon. */
const AT_ONCE_MS = 5_000;

/** It was not found right after its submission, and never afterwards. */
export function wasNeverSeen(job: Job, { op }: Breach): boolean {
  if (op.code !== 404 || op.fromMs - job.life.submittedByMs > AT_ONCE_MS) return false;
  return sightingsOf(job).every(({ shows }) => shows === 'GONE');
}

/** There was none before its run can have ended. */
export function neverCreated(job: Job, breach: Breach): RequirementId | null {
  if (!wasNeverSeen(job, breach)) return null;
  const { lastsMs } = job.foreseen(0);
  if (lastsMs === null || lastsMs <= breach.op.byMs - job.life.submittedFromMs) return null;
  return creates(job);
}

export const creates = ({ sync }: Job): RequirementId =>
  sync ? '3/submission-creates-job-runsync' : '3/submission-creates-job-run';

/** A timer of its own may have ended it, and the state that this leads to is told wrongly. */
export function mayHaveOverrun(job: Job, { byMs }: Operation): boolean {
  return job.life.terms.some(
    ({ ttlMs, executionMs }) =>
      Math.min(ttlMs ?? Infinity, executionMs ?? Infinity) <= byMs - job.life.submittedFromMs,
  );
}
