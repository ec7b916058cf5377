/** When `/stream` answers while its job waits or runs, and how it cuts what is too large for one chunk. */
import type { CallEvent, Json } from '../../history/events.js';
import { jsonBytesOf, lengthOf } from '../../history/long-text.js';
import { STREAM_CHUNK_MAX } from '../../spec/limits.js';
import type { Job } from '../cast/cases.js';
import { precedes, sightingsOf } from '../cast/sightings.js';
import type { Explained } from '../model/known.js';
import { ENDED, STARTED } from '../model/zone.js';
import { answerOf, isObject, jsonOf, sameJson, saysNothing } from '../observed/reading.js';
import { chunksOf } from '../observed/chunks.js';
import type { Scene } from '../scene/scene.js';

/** An answer that comes later than this had something to wait for. */
const AT_ONCE_MS = 1_000;

export function streamReadings(scene: Scene, job: Job, life: Explained): void {
  if (!scene.has('scripted-worker') || job.calls.some((call) => call.op === 'retry')) return;
  for (const call of job.calls) {
    if (call.op !== 'stream' || call.reply === null || saysNothing(call)) continue;
    whileWaiting(scene, job, call);
    whileRunning(scene, job, call, life);
    if (answerOf(call) === 'ok') split(scene, job, call);
  }
}

function outputsOf(call: CallEvent): readonly Json[] {
  const chunks = chunksOf(jsonOf(call.reply!.body)) ?? [];
  return chunks.map((chunk) => (isObject(chunk) ? (chunk['output'] ?? null) : null));
}

/** The job was waiting when the read was sent. */
function whileWaiting(scene: Scene, job: Job, call: CallEvent): void {
  const waits = sightingsOf(job).some(
    ({ call: look, shows }) => shows === 'IN_QUEUE' && look.sentTick > call.sentTick,
  );
  if (!waits) return;
  const tookMs = call.receivedMs! - call.sentMs;
  if (answerOf(call) === 'refused') scene.ledger.observe('4.4/queued-job', 'error');
  else if (tookMs > AT_ONCE_MS) scene.ledger.observe('4.4/queued-job', 'waits');
  else if (answerOf(call) === 'ok' && outputsOf(call).length === 0)
    scene.ledger.observe('4.4/queued-job', 'empty-array');
}

/** Everything produced so far had been read, and the next result was a while to come. */
function whileRunning(scene: Scene, job: Job, call: CallEvent, life: Explained): void {
  const { ledger } = scene;
  const { chunks, lastsMs, outcome } = job.foreseen(0);
  if (outcome !== 'success' || lastsMs === null || answerOf(call) !== 'ok' || job.sync) return;
  if (!life.mustBe((at) => at.place === 'completed' && at.runs === 0)) return;
  const startedFromMs = life.least(({ zone }) => zone.earliest(STARTED));
  const startedByMs = life.most(({ zone }) => zone.latest(STARTED));
  const endedFromMs = life.least(({ zone }) => zone.earliest(ENDED));
  if (call.sentMs <= startedByMs || call.sentMs >= endedFromMs - AT_ONCE_MS) return;
  const produced = chunks.filter(({ afterMs }) => startedByMs + afterMs <= call.sentMs).length;
  const next = chunks[produced];
  const nextFromMs = next === undefined ? endedFromMs : startedFromMs + next.afterMs;
  if (call.receivedMs! >= endedFromMs) {
    if (nextFromMs < endedFromMs - AT_ONCE_MS) ledger.observe('4.4/while-running', 'at-end');
    return;
  }
  const sinceMs = startedByMs + (chunks[produced - 1]?.afterMs ?? 0);
  const read = job.calls.some((one) => one.op === 'stream' && one.sentMs >= sinceMs && precedes(one, call));
  if (produced > 0 && !read) return;
  if (nextFromMs < call.sentMs + 2 * AT_ONCE_MS) return;
  if (call.receivedMs! <= call.sentMs + AT_ONCE_MS) ledger.observe('4.4/while-running', 'at-once');
  else ledger.observe('4.4/while-running', 'on-next-chunk');
}

/** Two quotes around a string, and `{"output":}` around those. */
const AROUND = { 'output-text': 0, 'output-json': 2, 'whole-chunk': 13 } as const;

/** The first read of a job whose only result is too large for a chunk. */
function split(scene: Scene, job: Job, call: CallEvent): void {
  const [only, ...more] = job.foreseen(0).chunks;
  const outputs = outputsOf(call);
  const [first] = outputs;
  if (only === undefined || more.length > 0 || outputs.length === 0) return;
  if (typeof only.output === 'string') {
    const size = typeof first === 'string' && outputs.length > 1 ? lengthOf(first) : 0;
    const limits = [STREAM_CHUNK_MAX.decimalBytes, STREAM_CHUNK_MAX.binaryBytes];
    const whole = Object.keys(chunksOf(jsonOf(call.reply!.body))?.[0] ?? {}).length === 1;
    for (const [reading, around] of Object.entries(AROUND))
      if (limits.includes(size + around) && (whole || reading !== 'whole-chunk'))
        scene.ledger.observe('4.4/chunk-size-measure', reading as 'output-text');
  } else if (jsonBytesOf(only.output) > 1.1 * STREAM_CHUNK_MAX.binaryBytes) {
    const kind = outputs.every((output) => isPartOf(only.output, output))
      ? 'by-elements'
      : outputs.every((output) => typeof output === 'string')
        ? 'json-text'
        : 'other';
    scene.ledger.observe('4.4/non-string-split', kind);
  }
}

/** An element, or some of the elements or members. */
function isPartOf(whole: Json, part: Json): boolean {
  if (Array.isArray(whole)) {
    const elements = whole as readonly Json[];
    const isElement = (one: Json): boolean => elements.some((element) => sameJson(element, one));
    return isElement(part) || (Array.isArray(part) && (part as readonly Json[]).every(isElement));
  }
  if (!isObject(whole) || !isObject(part)) return false;
  return Object.entries(part).every(([name, member]) => sameJson(whole[name], member));
}
