/** What the output of a job is that streams, that returns nothing, or that returns several megabytes. */
import type { Json } from '../../history/events.js';
import { jsonBytesOf } from '../../history/long-text.js';
import type { Job } from '../cast/cases.js';
import type { Sighting } from '../cast/sightings.js';
import { OUTPUT_BYTES_SAFE } from '../observed/plan.js';
import { answerOf, isObject, recordOf, sameJson } from '../observed/reading.js';
import type { Scene } from '../scene/scene.js';

export function outputs(scene: Scene, job: Job, seen: readonly Sighting[]): void {
  finalOutput(scene, job, seen);
  outputSize(scene, job, seen);
}

/** What a job that streams has for its output at its end. */
function finalOutput({ ledger }: Scene, job: Job, seen: readonly Sighting[]): void {
  const { chunks, streams: streaming, outcome } = job.foreseen(0);
  const done = seen.find(({ shows }) => shows === 'COMPLETED');
  const returned = plainReturn(job);
  if (done === undefined || !streaming || outcome !== 'success' || job.calls.some(({ op }) => op === 'retry'))
    return;
  const output = recordOf(done.call)?.['output'];
  const all = chunks.map((chunk) => chunk.output);
  // A large output may have been dropped for its size.
  if (jsonBytesOf(all) > OUTPUT_BYTES_SAFE) return;
  if (output === undefined || output === null) ledger.observe('4.4/final-output', 'absent');
  else if (sameJson(output, all)) ledger.observe('4.4/final-output', 'all-chunks');
  else if (returned !== undefined && sameJson(output, returned))
    ledger.observe('4.4/final-output', 'handler-return');
  // Of a single chunk, the last one, all of them joined and the like are the same.
  else if (all.length < 2) return;
  else if (sameJson(output, all.at(-1))) ledger.observe('4.4/final-output', 'last-chunk');
  else if (returned !== undefined) ledger.observe('4.4/final-output', 'other');
}

/** An output of null, and one of several megabytes. */
function outputSize({ ledger }: Scene, job: Job, seen: readonly Sighting[]): void {
  const input = job.submission['input'];
  const plan = isObject(input) && Array.isArray(input['plan']) ? (input['plan'] as readonly Json[]) : [];
  const [only] = plan;
  const end = seen.find(({ shows }) => shows === 'COMPLETED' || shows === 'FAILED');
  if (!isObject(only) || plan.length !== 1 || end === undefined || answerOf(end.call) !== 'ok') return;
  const output = recordOf(end.call)?.['output'];
  if ('return' in only && only['return'] === null && end.shows === 'COMPLETED')
    ledger.observe('2.4/output-of-null', output === undefined ? 'absent' : 'null');
  if (typeof only['returnBytes'] !== 'number' || only['returnBytes'] < SEVERAL_MB) return;
  if (end.shows === 'FAILED') ledger.observe('2.4/output-size-limit', 'failed');
  else ledger.observe('2.4/output-size-limit', (output ?? null) === null ? 'dropped' : 'kept');
}

const SEVERAL_MB = 2_500_000;

function plainReturn(job: Job): Json | undefined {
  const input = job.submission['input'];
  const plan = isObject(input) && Array.isArray(input['plan']) ? (input['plan'] as readonly Json[]) : [];
  const last = plan.at(-1);
  // A plan that runs off its end returns this.
  if (!isObject(last) || RUN_ON.some((step) => step in last)) return { ok: true };
  return last['return'];
}

/** Steps that do not end a plan. */
const RUN_ON = ['stream', 'streamBytes', 'sleepMs'] as const;

/** In which form the valid key is taken; only where a script has tried both. */
