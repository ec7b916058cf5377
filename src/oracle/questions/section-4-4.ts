/** How the target answers what section 4.4 of the document leaves open. */
import type { CallEvent, Json } from '../../history/events.js';
import { jsonBytesOf, lengthOf } from '../../history/long-text.js';
import { STREAM_CHUNK_MAX } from '../../spec/limits.js';
import { precedes, type Sighting } from '../cast/sightings.js';
import type { Hypothesis } from '../model/hypothesis.js';
import { ENDED, STARTED } from '../model/zone.js';
import { OUTPUT_BYTES_SAFE } from '../observed/plan.js';
import {
  answerOf,
  chunksOf,
  isObject,
  jsonOf,
  recordOf,
  sameJson,
  saysNothing,
} from '../observed/reading.js';
import { observedIn, onJob, remembered, type ObserversOf } from './observers.js';
import type { SeenJob } from './seen-job.js';

export const OBSERVED_4_4 = {
  '4.4/answer-shape': observedIn('calls'),
  '4.4/second-read': observedIn('results'),
  '4.4/while-running': onJob((job) => readsWhileAlive(job).map((read) => whileRunning(job, read))),
  '4.4/queued-job': onJob((job) =>
    readsWhileAlive(job).map(({ call, chunks, isRefused }) => {
      const waits = job.looks.some((look) => look.shows === 'IN_QUEUE' && look.call.sentTick > call.sentTick);
      if (!waits) return null;
      if (isRefused) return 'error';
      if (call.receivedMs! - call.sentMs > AT_ONCE_MS) return 'waits';
      return answerOf(call) === 'ok' && (chunks ?? []).length === 0 ? 'empty-array' : null;
    }),
  ),
  '4.4/non-streaming-handler': onJob((job) =>
    readsOnceEnded(job, 'COMPLETED').map(({ call, chunks, isRefused }) => {
      if (job.plan.streams || job.plan.outcome !== 'success' || !isFirst(job, call)) return null;
      if (isRefused) return 'error';
      return chunks === null ? null : chunks.length === 0 ? 'empty-array' : 'output-as-chunk';
    }),
  ),
  '4.4/drained': onJob((job) =>
    readsOnceEnded(job, 'COMPLETED').map(({ call, chunks, earlier }) => {
      if (!job.plan.streams || earlier < job.plan.chunks.length) return null;
      if (call.reply!.status === 404) return 'not-found';
      if (chunks?.length === 0) return 'empty-array';
      // Where it is something else, not everything had been delivered: a text is cut into several chunks.
      return chunks !== null && isWhole(job, chunks) ? 'all-again' : null;
    }),
  ),
  '4.4/failed-job': onJob((job) =>
    readsOnceEnded(job, 'FAILED').map(({ call, chunks, isRefused, earlier }) => {
      const produced = job.plan.chunks.length;
      if (!job.plan.streams || job.plan.outcome !== 'error') return null;
      if (isRefused) return 'error';
      if (chunks === null || earlier > 0) return null;
      if (chunks.length > produced) return 'chunks-and-error';
      // A service may deliver a few at a time, and the error after the last of them.
      return chunks.length === produced && isAll(job, call, chunks) ? 'chunks' : null;
    }),
  ),
  '4.4/cancelled-job': onJob((job) =>
    readsOnceEnded(job, 'CANCELLED').map(({ call, chunks, isRefused, earlier }) => {
      // Only a first read of something that was certainly produced tells.
      if (earlier > 0 || job.plan.chunks[0]?.afterMs !== 0 || !job.isStopped) return null;
      if (job.life.mayBe((at) => !hadBegun(at, job.scene.graceMax))) return null;
      if (call.reply!.status === 404) return 'not-found';
      if (isRefused) return 'error';
      return chunks === null ? null : chunks.length > 0 ? 'chunks' : 'empty-array';
    }),
  ),
  '4.4/final-output': onJob(finalOutput),
  '4.4/chunk-size-measure': onJob((job) => readsWhileAlive(job).flatMap((read) => measuresOf(job, read))),
  '4.4/non-string-split': onJob((job) =>
    readsWhileAlive(job).map(({ chunks }) => {
      const whole = onlyResult(job);
      if (whole === undefined || typeof whole === 'string' || chunks === null || chunks.length === 0)
        return null;
      if (jsonBytesOf(whole) <= 1.1 * STREAM_CHUNK_MAX.binaryBytes) return null;
      const outputs = outputsOf(chunks);
      if (outputs.every((output) => isPartOf(whole, output))) return 'by-elements';
      return outputs.every((output) => typeof output === 'string') ? 'json-text' : 'other';
    }),
  ),
} as const satisfies ObserversOf<'4.4'>;

/** An answer that comes later than this had something to wait for. */
const AT_ONCE_MS = 1_000;

type Chunks = readonly Json[];

/** A `/stream` call that was answered, on a job that was never retried. */
interface Read {
  readonly call: CallEvent;
  /** The job's state by the last look before. */
  readonly before: Sighting['shows'] | undefined;
  /** Null: it was not answered with chunks. */
  readonly chunks: Chunks | null;
  readonly isRefused: boolean;
  /** How many chunks the reads before had delivered. */
  readonly earlier: number;
}

const readsOf = remembered((job: SeenJob): readonly Read[] => {
  if (job.job.retried || !job.job.streamed) return [];
  let delivered = 0;
  return job.calls('stream').flatMap((call) => {
    if (call.reply === null || saysNothing(call)) return [];
    const chunks = answerOf(call) === 'ok' ? chunksOf(jsonOf(call.reply.body)) : null;
    const earlier = delivered;
    delivered += chunks?.length ?? 0;
    const before = job.lookBefore(call)?.shows;
    return [{ call, before, chunks, isRefused: answerOf(call) === 'refused', earlier }];
  });
});

function readsOnceEnded(job: SeenJob, state: Sighting['shows']): readonly Read[] {
  return readsOf(job).filter(
    ({ before, call }) => before === state && !(call.reply!.status === 404 && job.mayBeUnknown(call)),
  );
}

const readsWhileAlive = (job: SeenJob): readonly Read[] =>
  job.scene.has('scripted-worker') ? readsOf(job) : [];

/** No other read was sent before this one had ended. */
function isFirst(job: SeenJob, call: CallEvent): boolean {
  return !job.calls('stream').some((one) => one !== call && one.sentTick < (call.endedTick ?? Infinity));
}

/** It had been running for so long that a worker slow to begin had begun. */
function hadBegun({ goneFrom, zone }: Hypothesis, graceMs: number): boolean {
  return goneFrom === 'progress' && -zone.bound(STARTED, ENDED) > graceMs;
}

/** Each result is one chunk of it. */
function isWhole({ plan }: SeenJob, chunks: Chunks): boolean {
  return (
    chunks.length === plan.chunks.length &&
    chunks.every((chunk, at) => isObject(chunk) && sameJson(chunk['output'], plan.chunks[at]!.output))
  );
}

/** No later read brought something else. */
function isAll(job: SeenJob, call: CallEvent, chunks: Chunks): boolean {
  return job.calls('stream').every((one) => {
    if (one.sentTick <= call.sentTick || answerOf(one) !== 'ok') return true;
    const later = chunksOf(jsonOf(one.reply!.body)) ?? [];
    return later.length === 0 || sameJson(later.at(-1), chunks.at(-1));
  });
}

/** Everything produced so far had been read, and the next result was a while to come. */
function whileRunning(job: SeenJob, { call }: Read): 'at-once' | 'on-next-chunk' | 'at-end' | null {
  const { chunks, lastsMs, outcome } = job.plan;
  if (outcome !== 'success' || lastsMs === null || answerOf(call) !== 'ok' || job.job.sync) return null;
  if (!job.life.mustBe((at) => at.place === 'completed' && at.runs === 0)) return null;
  const started = job.when(STARTED);
  const endedFromMs = job.when(ENDED).fromMs;
  if (call.sentMs <= started.byMs || call.sentMs >= endedFromMs - AT_ONCE_MS) return null;
  const produced = chunks.filter(({ afterMs }) => started.byMs + afterMs <= call.sentMs).length;
  const next = chunks[produced];
  const nextFromMs = next === undefined ? endedFromMs : started.fromMs + next.afterMs;
  if (call.receivedMs! >= endedFromMs) return nextFromMs < endedFromMs - AT_ONCE_MS ? 'at-end' : null;
  const sinceMs = started.byMs + (chunks[produced - 1]?.afterMs ?? 0);
  const isRead = job.calls('stream').some((one) => one.sentMs >= sinceMs && precedes(one, call));
  if ((produced > 0 && !isRead) || nextFromMs < call.sentMs + 2 * AT_ONCE_MS) return null;
  return call.receivedMs! <= call.sentMs + AT_ONCE_MS ? 'at-once' : 'on-next-chunk';
}

/** What a job that streams has for its output at its end. */
function finalOutput(
  job: SeenJob,
): 'all-chunks' | 'last-chunk' | 'handler-return' | 'absent' | 'other' | null {
  const { chunks, streams, outcome } = job.plan;
  const done = job.first('COMPLETED');
  if (done === undefined || !streams || outcome !== 'success' || job.job.retried) return null;
  const output = recordOf(done.call)?.['output'];
  const all = chunks.map((chunk) => chunk.output);
  // A large output may have been dropped for its size.
  if (jsonBytesOf(all) > OUTPUT_BYTES_SAFE) return null;
  const { returned } = job.plan;
  if (output === undefined || output === null) return 'absent';
  if (sameJson(output, all)) return 'all-chunks';
  if (returned !== undefined && sameJson(output, returned)) return 'handler-return';
  // Of a single chunk, the last one, all of them joined and the like are the same.
  if (all.length < 2) return null;
  if (sameJson(output, all.at(-1))) return 'last-chunk';
  return returned === undefined ? null : 'other';
}

/** The only incremental result of the job; undefined where there are others, or none. */
function onlyResult({ plan: { chunks } }: SeenJob): Json | undefined {
  return chunks.length === 1 ? chunks[0]!.output : undefined;
}

const outputsOf = (chunks: Chunks): Chunks =>
  chunks.map((chunk) => (isObject(chunk) ? (chunk['output'] ?? null) : null));

/** Two quotes around a string, and `{"output":}` around those. */
const AROUND = { 'output-text': 0, 'output-json': 2, 'whole-chunk': 13 } as const;

/** Of a text that is too large for one chunk: the measures by which the first part of it is exactly as large as allowed. */
function measuresOf(job: SeenJob, { chunks }: Read): (keyof typeof AROUND)[] {
  if (typeof onlyResult(job) !== 'string' || chunks === null || chunks.length < 2) return [];
  const [first] = outputsOf(chunks);
  const size = typeof first === 'string' ? lengthOf(first) : 0;
  const limits: readonly number[] = [STREAM_CHUNK_MAX.decimalBytes, STREAM_CHUNK_MAX.binaryBytes];
  const isBare = Object.keys(chunks[0] ?? {}).length === 1;
  return (['output-text', 'output-json', 'whole-chunk'] as const).filter(
    (reading) => limits.includes(size + AROUND[reading]) && (isBare || reading !== 'whole-chunk'),
  );
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
