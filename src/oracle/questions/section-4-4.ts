/** How the target answers what section 4.4 of the document leaves open. */
import type { CallEvent, Json } from '../../history/events.js';
import { jsonBytesOf } from '../../history/json-size.js';
import { lengthOf } from '../../history/long-text.js';
import { STREAM_CHUNK_MAX } from '../../spec/limits.js';
import { precedes, type StatusObservation } from '../jobs/status-observations.js';
import { ENDED, STARTED } from '../model/zone.js';
import { OUTPUT_BYTES_SAFE } from '../observed/worker-prediction.js';
import {
  answerOf,
  chunksOf,
  isObject,
  jsonOf,
  outputsIn,
  recordOf,
  sameJson,
  isUninformative,
} from '../observed/recorded-call.js';
import { observedIn, onAnswer, onJob, type ObserversOf } from './observers.js';
import { remembered } from '../context/judging-context.js';
import type { Life } from '../context/life.js';
import { atOnceMs } from './kept.js';

export const OBSERVED_4_4 = {
  '4.4/answer-shape': onAnswer(['stream'], ({ call }) => {
    const value = jsonOf(call.reply!.body);
    return chunksOf(value) === null ? null : Array.isArray(value) ? 'bare-array' : 'wrapped';
  }),
  ...observedIn('results', '4.4/second-read'),
  '4.4/while-running': onReads(readsWhileAlive, whileRunning),
  '4.4/queued-job': onReads(readsWhileAlive, ({ call, outputs, isRefused }, seen) => {
    const waits = ({ observed, call: { sentTick } }: StatusObservation): boolean =>
      observed === 'IN_QUEUE' && sentTick > call.sentTick;
    if (!seen.reads.some(waits)) return null;
    if (isRefused) return 'error';
    if (call.receivedMs! - call.sentMs > atOnceMs(seen)) return 'waits';
    return answerOf(call) === 'ok' && (outputs ?? []).length === 0 ? 'empty-array' : null;
  }),
  '4.4/non-streaming-handler': onReads(readsOnceEnded('COMPLETED'), ({ call, outputs, isRefused }, seen) => {
    // No other read was sent before this one had ended.
    const byTick = call.endedTick ?? Infinity;
    const isFirst = seen.calls('stream').every((one) => one === call || one.sentTick >= byTick);
    if (seen.plan.streams || seen.plan.outcome !== 'success' || !isFirst) return null;
    if (isRefused) return 'error';
    return outputs === null ? null : outputs.length === 0 ? 'empty-array' : 'output-as-chunk';
  }),
  '4.4/drained': onReads(readsOnceEnded('COMPLETED'), ({ call, outputs, earlier }, seen) => {
    const produced = producedBy(seen);
    if (!seen.plan.streams || earlier < produced.length) return null;
    if (call.reply!.status === 404) return 'not-found';
    if (outputs?.length === 0) return 'empty-array';
    // Any other answer means that not everything had been delivered: a text is split into several chunks.
    return outputs !== null && sameJson(outputs, produced) ? 'all-again' : null;
  }),
  '4.4/failed-job': onReads(readsOnceEnded('FAILED'), ({ call, outputs, isRefused, earlier }, seen) => {
    const produced = seen.plan.chunks.length;
    if (!seen.plan.streams || seen.plan.outcome !== 'error') return null;
    if (isRefused) return 'error';
    if (outputs === null || earlier > 0) return null;
    if (outputs.length > produced) return 'chunks-and-error';
    // A service may deliver a few chunks at a time, and the error after the last one.
    const isAll = seen.calls('stream').every((one) => {
      const later = one.sentTick > call.sentTick ? (outputsIn(one) ?? []) : [];
      return later.length === 0 || sameJson(later.at(-1), outputs.at(-1));
    });
    return outputs.length === produced && isAll ? 'chunks' : null;
  }),
  '4.4/cancelled-job': onReads(readsOnceEnded('CANCELLED'), ({ call, outputs, isRefused, earlier }, seen) => {
    // Only a first read of something certainly produced shows it.
    if (earlier > 0 || seen.plan.chunks[0]?.afterMs !== 0 || !seen.isStopped) return null;
    // It had been running long enough that even a slow worker had begun.
    const graceMs = seen.context.graceMax;
    const hadBegun = seen.mustBe(
      ({ previousState, zone }) => previousState === 'running' && -zone.bound(STARTED, ENDED) > graceMs,
    );
    if (!hadBegun) return null;
    if (call.reply!.status === 404) return 'not-found';
    if (isRefused) return 'error';
    return outputs === null ? null : outputs.length > 0 ? 'chunks' : 'empty-array';
  }),
  '4.4/final-output': onJob('any', finalOutput),
  '4.4/chunk-size-measure': onReads(readsWhileAlive, measuresOf),
  '4.4/non-string-split': onReads(readsWhileAlive, ({ outputs }, seen) => {
    const [whole, ...others] = producedBy(seen);
    if (whole === undefined || others.length > 0 || typeof whole === 'string') return null;
    if (outputs === null || outputs.length === 0) return null;
    if (jsonBytesOf(whole) <= 1.1 * STREAM_CHUNK_MAX.binaryBytes) return null;
    if (outputs.every((output) => isPartOf(whole, output))) return 'by-elements';
    return outputs.every((output) => typeof output === 'string') ? 'json-text' : 'other';
  }),
} as const satisfies ObserversOf<'4.4'>;

/** An answered `/stream` call on a job that was never retried. */
interface Read {
  readonly call: CallEvent;
  /** The job's state at the last preceding status observation. */
  readonly before: StatusObservation['observed'] | undefined;
  /** The outputs of its chunks; null: the answer contained no chunks. */
  readonly outputs: readonly Json[] | null;
  readonly isRefused: boolean;
  /** How many chunks earlier reads had delivered. */
  readonly earlier: number;
}

const readsOf = remembered((seen: Life): readonly Read[] => {
  if (seen.job.retried || !seen.job.streamed) return [];
  let delivered = 0;
  return seen.calls('stream').flatMap((call) => {
    if (call.reply === null || isUninformative(call)) return [];
    const outputs = outputsIn(call);
    const earlier = delivered;
    delivered += outputs?.length ?? 0;
    const before = seen.readBefore(call)?.observed;
    return [{ call, before, outputs, isRefused: answerOf(call) === 'refused', earlier }];
  });
});

/** Examines each of these reads of a job. */
function onReads<T extends string>(
  of: (life: Life) => readonly Read[],
  observe: (read: Read, life: Life) => T | null | readonly T[],
) {
  return onJob('streamed', (life) => of(life).flatMap((read) => observe(read, life)));
}

function readsOnceEnded(state: StatusObservation['observed']): (life: Life) => readonly Read[] {
  return (life) =>
    readsOf(life).filter(
      ({ before, call }) => before === state && !(call.reply!.status === 404 && !life.wasKept(call)),
    );
}

function readsWhileAlive(life: Life): readonly Read[] {
  return life.context.has('scripted-worker') ? readsOf(life) : [];
}

const producedBy = ({ plan }: Life): readonly Json[] => plan.chunks.map(({ output }) => output);

/** Everything produced so far had been read, and the next result was not due soon. */
function whileRunning({ call }: Read, seen: Life): 'at-once' | 'on-next-chunk' | 'at-end' | null {
  const { chunks, durationMs, outcome } = seen.plan;
  if (outcome !== 'success' || durationMs === null || answerOf(call) !== 'ok' || seen.job.sync) return null;
  if (!seen.mustBe((at) => at.state === 'completed' && at.runs === 0)) return null;
  const started = seen.when(STARTED);
  const endedFromMs = seen.when(ENDED).fromMs;
  if (call.sentMs <= started.byMs || call.sentMs >= endedFromMs - atOnceMs(seen)) return null;
  const produced = chunks.filter(({ afterMs }) => started.byMs + afterMs <= call.sentMs).length;
  const next = chunks[produced];
  const nextFromMs = next === undefined ? endedFromMs : started.fromMs + next.afterMs;
  if (call.receivedMs! >= endedFromMs) return nextFromMs < endedFromMs - atOnceMs(seen) ? 'at-end' : null;
  const sinceMs = started.byMs + (chunks[produced - 1]?.afterMs ?? 0);
  const isRead = seen.calls('stream').some((one) => one.sentMs >= sinceMs && precedes(one, call));
  if ((produced > 0 && !isRead) || nextFromMs < call.sentMs + 2 * atOnceMs(seen)) return null;
  return call.receivedMs! <= call.sentMs + atOnceMs(seen) ? 'at-once' : 'on-next-chunk';
}

/** The final output of a streaming job. */
function finalOutput(seen: Life): 'all-chunks' | 'last-chunk' | 'handler-return' | 'absent' | 'other' | null {
  const { streams, outcome, returned } = seen.plan;
  const done = streams && outcome === 'success' && !seen.job.retried ? seen.first('COMPLETED') : undefined;
  const all = producedBy(seen);
  // A large output may have been dropped because of its size.
  if (done === undefined || jsonBytesOf(all) > OUTPUT_BYTES_SAFE) return null;
  const output = recordOf(done)?.['output'] ?? null;
  if (output === null) return 'absent';
  if (sameJson(output, all)) return 'all-chunks';
  if (returned !== undefined && sameJson(output, returned)) return 'handler-return';
  // For a single chunk, the last one and all of them joined are the same.
  if (all.length < 2) return null;
  if (sameJson(output, all.at(-1))) return 'last-chunk';
  return returned === undefined ? null : 'other';
}

/** Two quotes around a string, and `{"output":}` around those. */
const AROUND = { 'output-text': 0, 'output-json': 2, 'whole-chunk': 13 } as const;

/** For a text too large for one chunk: the measures that make its first part exactly full. */
function measuresOf({ call, outputs }: Read, seen: Life): (keyof typeof AROUND)[] {
  const [whole, ...others] = producedBy(seen);
  if (typeof whole !== 'string' || others.length > 0 || outputs === null || outputs.length < 2) return [];
  const size = typeof outputs[0] === 'string' ? lengthOf(outputs[0]) : 0;
  const limits: readonly number[] = [STREAM_CHUNK_MAX.decimalBytes, STREAM_CHUNK_MAX.binaryBytes];
  const isBare = Object.keys(chunksOf(jsonOf(call.reply!.body))![0] ?? {}).length === 1;
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
