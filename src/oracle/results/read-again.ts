/** A result that was read before: sections 2.4, 4.1 and 4.3. */
import type { CallEvent } from '../../history/events.js';
import type { Job } from '../cast/cases.js';
import { areOfTwoRuns, secondRun } from '../blame/second-run.js';
import { mayBeOver } from '../cast/sightings.js';
import { answerOf, brief, sameJson, type JsonObject } from '../observed/reading.js';
import type { Scene } from '../scene/scene.js';

/** A result read a second time is the same result. */
export function readAgain(
  scene: Scene,
  job: Job,
  call: CallEvent,
  record: JsonObject,
  first: JsonObject,
  firstCall: CallEvent,
): void {
  const same = sameJson(record['output'] ?? null, first['output'] ?? null);
  const id = firstCall.op === 'runsync' ? '4.1/answer-agrees-with-status' : '4.3/reading-does-not-consume';
  const actual = (): string =>
    `call #${firstCall.call} answered output ${brief(first['output'])}, call #${call.call} ${brief(record['output'])}`;
  if (!same && scene.has('scripted-worker')) {
    if (isThere(record) && isThere(first) && areOfTwoRuns(job, record, first)) {
      const calls = [job.submitted.call, firstCall.call, call.call];
      scene.broken(job, secondRun(job, call), { script: job.script, actual: actual(), calls });
      return;
    }
    if (wasNotThereYet(job, first, record)) {
      // Of a job that is judged further it is asked by itself.
      const missing = firstCall.op === 'runsync' ? '2.4/output-in-runsync' : '2.4/output-in-status';
      if (!scene.isJudgedFurther(job)) scene.check(missing, false, firstCall, actual);
      return;
    }
  }
  if (same || !mayBeOver(job, call)) scene.check(id, same, call, actual);
  // A second run would have ended otherwise.
  const otherwise = (): boolean => !sameJson(job.foreseen(0).output, job.foreseen(1).output);
  const retried = (): boolean => job.calls.some((one) => one.op === 'retry' && answerOf(one) === 'ok');
  if (same && otherwise() && !retried()) scene.pass('1/job-processed-once');
  // One that is missing is judged where it is.
  const unlike = (name: string): boolean =>
    record[name] !== undefined && first[name] !== undefined && record[name] !== first[name];
  scene.check('2.4/times-settled', !unlike('delayTime') && !unlike('executionTime'), call);
}

const isThere = ({ output }: JsonObject): boolean => (output ?? null) !== null;

/** The record told of a success without its output, which came later: no reader has changed that. */
function wasNotThereYet(job: Job, first: JsonObject, later: JsonObject): boolean {
  if (isThere(first) || !isThere(later)) return false;
  return [0, 1].some((run) => sameJson(later['output'] ?? null, job.foreseen(run).output));
}
