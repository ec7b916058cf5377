/** An output of several MB: nothing in the document bounds one (1 MB is the most of a streamed chunk, section 4.4). */
import type { CallEvent } from '../../history/events.js';
import { jsonBytesOf } from '../../history/long-text.js';
import { EXECUTION_TIMEOUT_MIN_MS } from '../../spec/limits.js';
import { mayBeTakenAway } from '../scene/may-be-gone.js';
import type { Job } from '../cast/cases.js';
import { brief, recordOf, sameJson, statusIn } from '../observed/reading.js';
import type { Scene } from '../scene/scene.js';

/** What is more than several MB may well be beyond what a service has room for. */
const SEVERAL_MB_MAX = 10_000_000;
/** So quick a handler is stopped by no `executionTimeout`. */
const QUICK_MS = EXECUTION_TIMEOUT_MIN_MS / 2;

/** `call` shows a record of the job: of its first run, which nothing but the size of its output could spoil. */
export function largeOutput(scene: Scene, job: Job, call: CallEvent): void {
  const { large, lastsMs } = job.foreseen(0);
  if (large === undefined || lastsMs === null || lastsMs > QUICK_MS || !scene.isJudgedFurther(job)) return;
  const status = statusIn(call);
  if (status !== 'COMPLETED' && status !== 'FAILED') return;
  if (job.retried || mayBeTakenAway(scene, call) || jsonBytesOf(large) > SEVERAL_MB_MAX) return;
  const output = recordOf(call)?.['output'];
  scene.check(
    '2.4/large-output-whole',
    status === 'COMPLETED' && sameJson(output, large),
    call,
    () => `${status}, output ${brief(output)}`,
  );
}
