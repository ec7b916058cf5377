/** A successful answer of `/runsync` that came before its `wait` was over and shows no state. */
import type { CallEvent } from '../../history/events.js';
import type { Job } from '../cast/cases.js';
import { earlyFor } from '../observed/earliness.js';
import { isWaitingOrRunning, precedes, sightingsOf, type Sighting } from '../cast/sightings.js';
import { foresee } from '../observed/plan.js';
import {
  answerOf,
  brief,
  jsonOf,
  mayStrikeDuring,
  policyFieldOf,
  recordOf,
  submissionOf,
} from '../observed/reading.js';
import type { Scene } from '../scene/scene.js';

/** Its job's ttl was over before the answer, or a purge came before it: how such a wait is answered is open. */
export function mayBeGone(scene: Scene, call: CallEvent): boolean {
  const ttlMs = policyFieldOf(submissionOf(call), 'ttl');
  // One below the minimum may have been taken as it is.
  if (
    typeof ttlMs === 'number' &&
    call.receivedMs! >= call.sentMs + ttlMs - earlyFor(scene.session.run.earlyMs, ttlMs)
  )
    return true;
  return scene.cast.roll.purges.some((one) => answerOf(one) !== 'refused' && mayStrikeDuring(one, call));
}

/** Nothing tells that the job had not come to its end, or been ended, when the call was answered. */
export function mayHaveEnded(scene: Scene, call: CallEvent, job: Job | undefined): boolean {
  const wentOn = ({ call: look, shows }: Sighting): boolean =>
    precedes(call, look) && isWaitingOrRunning(shows);
  if (job !== undefined && !job.retried && sightingsOf(job).some(wentOn)) return false;
  const submission = submissionOf(call);
  const input = submission?.['input'];
  if (input === undefined || !scene.has('scripted-worker')) return true;
  const heldMs = call.receivedMs! - call.sentMs;
  const stoppedMs = policyFieldOf(submission, 'executionTimeout');
  const { lastsMs } = foresee(input, null, false);
  const endsMs = Math.min(lastsMs ?? 0, typeof stoppedMs === 'number' ? stoppedMs : Infinity);
  const cancelled = job?.calls.some((one) => one.op === 'cancel' && mayStrikeDuring(one, call));
  return cancelled === true || heldMs >= endsMs - earlyFor(scene.session.run.earlyMs, endsMs);
}

/** What comes before its `wait` is over tells of an ended job: then it is the job's record. */
export function noRecord(scene: Scene, call: CallEvent): void {
  // What is no JSON is judged as that.
  if (call.reply!.body.as !== 'json') return;
  const { id, status } = recordOf(call) ?? {};
  const told = `the answer, before its wait was over: ${brief(jsonOf(call.reply!.body))}`;
  if (typeof id !== 'string' || id === '') scene.check('2.4/id-in-runsync', false, call, told);
  // Any other status is judged where the answer is.
  if (status === undefined) scene.check('2.4/status-in-runsync', false, call, told);
}
