/**
 * Section 4.4: "larger outputs are split over several chunks". How anything but a text is split is open, so its pieces
 * cannot be put together here; yet they hold no less than the whole did.
 */
import type { CallEvent, Json } from '../../history/events.js';
import { jsonBytesOf } from '../../history/long-text.js';
import type { Job } from '../cast/cases.js';
import {
  answerOf,
  isObject,
  jsonOf,
  meantBy,
  sameJson,
  statusIn,
  type JsonObject,
} from '../observed/reading.js';
import type { Scene } from '../scene/scene.js';
import { chunksOf } from '../observed/chunks.js';
import { MEGABYTE } from './wrong-read.js';

/** What brackets and commas between pieces may have made of the whole. */
const LEAST_SHARE = 0.9;

export function cutShort(scene: Scene, job: Job): void {
  const { chunks, outcome } = job.foreseen(0);
  const [only, ...more] = chunks;
  if (only === undefined || more.length > 0 || typeof only.output === 'string' || outcome !== 'success')
    return;
  const wholeBytes = jsonBytesOf(only.output);
  if (wholeBytes < 1.1 * MEGABYTE || job.calls.some((call) => meantBy(call) === 'retry')) return;
  const reads = job.calls.filter(({ op }) => op === 'stream');
  const [last, before] = reads.toReversed();
  const completed = job.calls.find((call) => call.op === 'status' && statusIn(call) === 'COMPLETED');
  if (last === undefined || (completed?.endedTick ?? Infinity) > last.sentTick) return;
  const told = reads.map(outputsOf);
  if (told.includes(null)) return;
  // As long as a read may bring something new, more may come.
  const newest = outputsOf(last)!;
  const drained = newest.length === 0 || (before !== undefined && sameJson(newest, outputsOf(before)!));
  if (!drained) return;
  const bytes = told.flatMap((outputs) => outputs!.map(jsonBytesOf)).reduce((sum, each) => sum + each, 0);
  const said = `all reads together delivered ${bytes} bytes of ${wholeBytes}`;
  scene.check('4.4/chunks-not-lost', bytes >= LEAST_SHARE * wholeBytes, last, said);
}

function outputsOf(read: CallEvent): readonly Json[] | null {
  const chunks = answerOf(read) === 'ok' ? chunksOf(jsonOf(read.reply!.body)) : null;
  // Where an output is missing, that is what is wrong with it.
  if (chunks === null || !chunks.every((chunk) => isObject(chunk) && Object.hasOwn(chunk, 'output')))
    return null;
  return chunks.map((chunk) => (chunk as JsonObject)['output'] ?? null);
}
