/**
 * Sections 2.5 and 4.4: how far reads have come through the results that a worker was told to produce; which
 * requirements one read satisfies or violates; and the metrics of chunks, if the plan sets them.
 */
import type { CallEvent, Json } from '../../history/events.js';
import { jsonBytesOf } from '../../history/json-size.js';
import { lengthOf, mayContain, mayHaveAt } from '../../history/long-text.js';
import type { RequirementId } from '../../spec/index.js';
import type { Prediction } from '../observed/worker-prediction.js';
import {
  answerOf,
  excerpt,
  chunksOf,
  isGiven,
  isObject,
  type JsonObject,
  jsonOf,
  sameJson,
} from '../observed/recorded-call.js';
import type { JudgingContext } from '../context/judging-context.js';
import type { Life } from '../context/life.js';
import { SECOND_RUN } from '../jobs/doubtful.js';
import { changesOf } from './changed-values.js';
import { inputReaches, isStreamedByAnother } from './expected-output.js';

/** How much of the expected chunks was delivered: complete chunks, and characters of the next one. */
export interface StreamPosition {
  readonly chunk: number;
  /** UTF-16 units. */
  readonly chars: number;
}

export const BEGINNING: StreamPosition = { chunk: 0, chars: 0 };

export function isFurtherThan(one: StreamPosition, other: StreamPosition): boolean {
  return one.chunk > other.chunk || (one.chunk === other.chunk && one.chars > other.chars);
}

/**
 * The position after these outputs; null if they do not continue from `from`. `mayBeClosed`: the job may have
 * been stopped, so that its last chunk is its error, before its plan was finished.
 */
export function matchChunks(
  plan: Prediction,
  from: StreamPosition,
  outputs: readonly Json[],
  mayBeClosed: boolean,
): StreamPosition | null {
  let at = from;
  for (const [index, output] of outputs.entries()) {
    const isLast = index === outputs.length - 1;
    const next = plan.chunks[at.chunk];
    // The handler's return value, or the error, may close the stream.
    const mayClose = mayBeClosed || (next === undefined && ['success', 'error'].includes(plan.outcome));
    const reached = next === undefined ? null : after(at, next.output, output);
    if (reached === null) return mayClose && isLast ? at : null;
    at = reached;
  }
  return at;
}

function after({ chunk, chars }: StreamPosition, expected: Json, output: Json): StreamPosition | null {
  const next = { chunk: chunk + 1, chars: 0 };
  if (typeof expected !== 'string' || typeof output !== 'string')
    return sameJson(expected, output) ? next : null;
  if ((output === '' && expected !== '') || !mayHaveAt(expected, chars, output)) return null;
  const told = chars + lengthOf(output);
  return told >= lengthOf(expected) ? next : { chunk, chars: told };
}

/** The smaller of the two meanings of 1 MB. */
export const MEGABYTE = 1_000_000;

/** Well below 1 MB, in characters or bytes. */
const SMALL = 32_768;

/**
 * How a value other than a text is split is open, and larger ones than these may be: what came may be its pieces, several, or
 * one of them.
 */
export function mayBeInPieces({ chunks }: Prediction, outputs: readonly Json[]): boolean {
  const bytes = chunks.map(({ output }) => (typeof output === 'string' ? 0 : jsonBytesOf(output)));
  const largest = bytes.reduce((most, each) => Math.max(most, each), 0);
  if (largest <= SMALL) return false;
  const strange = outputs.filter((output) => !chunks.some((one) => holds(one.output, output)));
  return strange.length > 1 || strange.some((output) => jsonBytesOf(output) < 0.9 * largest);
}

export function passRead(
  context: JudgingContext,
  { chunks }: Prediction,
  outputs: readonly Json[],
  call: CallEvent,
): void {
  context.pass('4.4/chunks-not-invented', '2.5/chunk-output-unchanged', '4.4/chunks-not-duplicated');
  if (outputs.length > 1) context.pass('4.4/chunks-in-order');
  const chars = chunks.map(({ output }) => (typeof output === 'string' ? lengthOf(output) : null));
  if (chars.some((count) => count !== null && count > 1.1 * MEGABYTE))
    context.pass('4.4/large-output-split', '4.4/large-output-rejoins');
  // The last one may be what the handler returned.
  const isWhole = outputs.length <= chunks.length + 1;
  if (chars.every((count) => count !== null && count < SMALL))
    context.check('4.4/chunk-below-limit-whole', isWhole, call, `${outputs.length} chunks`);
}

/** One run of the job, as far as its stream was read. */
export interface Run {
  readonly life: Life;
  readonly plan: Prediction;
  /** Number of runs before it. */
  readonly before: number;
  reached: StreamPosition;
  /** Reads of the status that showed its end. */
  completed: CallEvent | null;
  failed: CallEvent | null;
}

/** The read neither continues nor starts again. */
export function failRead(run: Run, call: CallEvent, outputs: readonly Json[]): void {
  const { life, plan } = run;
  const { context, job } = life;
  const produced = plan.chunks.map(({ output }) => output);
  const id = violatedByRead(run, produced, outputs);
  const failureReport = {
    script: job.script,
    expected: `the results ${excerpt(produced, 200)}, continuing after the last read or starting again`,
    actual: `/stream #${call.call} delivered ${excerpt(outputs, 200)}`,
    calls: [job.submitted.call, call.call],
    ...(id === '4.4/chunks-not-duplicated' && isOfTwoRuns(life, produced, outputs)
      ? { or: [SECOND_RUN] }
      : {}),
  };
  if (id !== '2.5/chunk-output-unchanged' || outputs.length !== produced.length)
    context.fail(id, failureReport);
  else
    context.ledger.changedValues.push({
      way: 'streamed',
      changes: produced.flatMap((one, at) => changesOf(one, outputs[at])),
      ifChangedThere: inputReaches(job),
      ifChangedBack: id,
      failure: context.observedFailure(failureReport),
      expected: failureReport.expected,
    });
}

/** Nothing requested a second run, and these are the results of two in their order, as they came. */
function isOfTwoRuns(life: Life, produced: readonly Json[], outputs: readonly Json[]): boolean {
  if (life.calls('retry').length > 0) return false;
  const isNext = (at: number, output: Json): boolean =>
    at < produced.length && sameJson(produced[at]!, output);
  // How far the first may be; the other has delivered the rest.
  let reached: ReadonlySet<number> = new Set([0]);
  for (const [index, output] of outputs.entries())
    reached = new Set(
      [...reached].flatMap((at) => [
        ...(isNext(at, output) ? [at + 1] : []),
        ...(isNext(index - at, output) ? [at] : []),
      ]),
    );
  return reached.size > 0;
}

/** A read that does not continue the expected sequence has failed: which requirement it violates. */
function violatedByRead(
  { life, before: runs, reached: { chunk: from } }: Run,
  expected: readonly Json[],
  outputs: readonly Json[],
): RequirementId {
  const isLarge = expected.some(isLargeText);
  // As many as expected: each one is what became of one result.
  const isOfEach = outputs.length === expected.length || outputs.length === expected.length - from;
  const strange = outputs.filter((output) => !expected.some((one) => holds(one, output)));
  if (strange.length > 0) {
    const before = runs > 0 ? life.plan.chunks : [];
    if (strange.every((output) => before.some((chunk) => holds(chunk.output, output))))
      return '4.6/removes-stream';
    const areAnothers = strange.every((output) => isStreamedByAnother(life, output));
    // All its own results are there as well, so these are not changed versions of them.
    const own = outputs.filter((output) => !strange.includes(output));
    if (areAnothers || isReordered(expected, own)) return '4.4/chunks-not-invented';
    if (isLarge) return '4.4/large-output-rejoins';
    const isNoneItsOwn = strange.length === outputs.length && !isOfEach;
    return isNoneItsOwn ? '4.4/chunks-not-invented' : '2.5/chunk-output-unchanged';
  }
  if (isReordered(expected, outputs) || isReordered(expected.slice(from), outputs))
    return '4.4/chunks-in-order';
  const keys = outputs.map((output) => JSON.stringify(output));
  const once = outputs.filter((_, index) => keys.indexOf(keys[index]!) === index);
  if (once.length < outputs.length && isReordered(expected, once)) return '4.4/chunks-not-duplicated';
  if (piecesFallShort(expected, outputs)) return '4.4/large-output-rejoins';
  const wanted = expected.map((output) => JSON.stringify(output));
  // An output in the place of another one is a changed value if the others are in their places, counted from
  // the first or from the last read.
  const first = keys.length === wanted.length ? 0 : from;
  const inPlace = keys.filter((key, index) => key === wanted[first + index]).length;
  if (isOfEach && !isLarge && 2 * inPlace >= keys.length) return '2.5/chunk-output-unchanged';
  // Pieces of a text that fits into one chunk, which do not join to it.
  if (!isLarge && keys.some((key) => !wanted.includes(key))) return '2.5/chunk-output-unchanged';
  const count = (list: readonly string[], key: string): number => list.filter((one) => one === key).length;
  const isRepeated = keys.some((key) => count(keys, key) > Math.max(1, count(wanted, key)));
  // It continues after the last read, except that it repeats its end.
  const goesOn = from > 1 && keys.length > 0 && keys.every((key, index) => key === wanted[from - 1 + index]);
  if (isRepeated || goesOn) return '4.4/chunks-not-duplicated';
  const positions = keys.map((key) => wanted.indexOf(key));
  const isSorted = positions.every((position, index) => index === 0 || position >= positions[index - 1]!);
  return isSorted ? '4.4/chunks-not-lost' : '4.4/chunks-in-order';
}

/** All the results, or all their pieces, and nothing else. */
function isReordered(expected: readonly Json[], outputs: readonly Json[]): boolean {
  const [left, pieces] = unmatched(expected, outputs);
  if (left.length === 0 || pieces.length === 0) return left.length === pieces.length;
  const areTexts = left.every((one) => typeof one === 'string');
  const arePieces = pieces.every(
    (piece) => typeof piece === 'string' && left.some((one) => holds(one, piece)),
  );
  return areTexts && arePieces && charsIn(left) === charsIn(pieces);
}

/** The remaining pieces are shorter than the large results, so they do not join to them. */
function piecesFallShort(expected: readonly Json[], outputs: readonly Json[]): boolean {
  const large = expected.filter(isLargeText);
  const others = expected.filter((output) => !isLargeText(output));
  return large.length > 0 && charsIn(unmatched(others, outputs)[1]) < charsIn(large);
}

/** What remains of both after removing equal elements pairwise. */
function unmatched(expected: readonly Json[], outputs: readonly Json[]): readonly [Json[], Json[]] {
  const left = [...expected];
  const keys = left.map((output) => JSON.stringify(output));
  const others = outputs.filter((output) => {
    const at = keys.indexOf(JSON.stringify(output));
    if (at < 0) return true;
    keys.splice(at, 1);
    left.splice(at, 1);
    return false;
  });
  return [left, others];
}

function isLargeText(output: Json): output is string {
  return typeof output === 'string' && lengthOf(output) > MEGABYTE;
}

function charsIn(texts: readonly Json[]): number {
  return texts.reduce<number>((sum, text) => sum + (typeof text === 'string' ? lengthOf(text) : 0), 0);
}

function holds(expected: Json, output: Json): boolean {
  if (typeof expected === 'string' && typeof output === 'string' && output !== '')
    return mayContain(expected, output);
  return sameJson(expected, output);
}

/**
 * A worker may not know the step that sets metrics, or its host may drop them: only present metrics are
 * judged, and only if the output identifies the step that produced the chunk.
 */
export function judgeMetrics({ context, job }: Life): void {
  const steps = stepsOf(job.submission['input'] ?? null);
  const mayBeLeftOut = steps.some((step) => isGiven(step['metrics']));
  for (const call of job.calls) {
    if (call.op !== 'stream' || answerOf(call) !== 'ok') continue;
    for (const chunk of chunksOf(jsonOf(call.reply!.body)) ?? []) {
      if (!isObject(chunk)) continue;
      const metrics = chunk['metrics'] ?? null;
      // Most streams have no metrics; comparing every chunk with every step would be expensive.
      if (metrics === null && !mayBeLeftOut) continue;
      const [step, ...others] = steps.filter(({ output = null }) => sameJson(output, chunk['output']));
      if (step === undefined || others.length > 0) continue;
      const set = step['metrics'] ?? null;
      if (metrics === null && set !== null) context.ledger.observe('2.5/metrics', 'left-out', call);
      if (!isObject(metrics)) continue;
      const names = Object.keys(metrics);
      const ofWorker = names.filter((name) => isObject(set) && Object.hasOwn(set, name));
      if (ofWorker.length < names.length) context.ledger.observe('2.5/metrics', 'own', call);
      else if (ofWorker.length > 0) context.ledger.observe('2.5/metrics', 'as-set', call);
      const isAnothers = set === null && steps.some((other) => areThoseOf(other, metrics));
      if (!isAnothers && ofWorker.length === 0) continue;
      const isSame = isObject(set) && ofWorker.every((name) => sameJson(metrics[name], set[name]));
      const actual = (): string => `metrics ${excerpt(metrics)}, but the worker set ${excerpt(set)}`;
      context.check('2.5/metrics-unchanged', isSame, call, actual);
    }
  }
}

/** All that the step set, and so many that a service does not count the same by itself. */
function areThoseOf({ metrics: set }: JsonObject, metrics: JsonObject): boolean {
  if (!isObject(set)) return false;
  const names = Object.keys(set);
  return names.length > 2 && names.every((name) => sameJson(metrics[name], set[name]));
}

/** The steps of both plans that produce a chunk: its output and its metrics, if any. */
function stepsOf(input: Json): readonly JsonObject[] {
  if (!isObject(input)) return [];
  const steps = [input['plan'], input['planOnRetry']].flatMap((plan) => (Array.isArray(plan) ? plan : []));
  return steps.flatMap((step: Json): readonly JsonObject[] => {
    if (!isObject(step)) return [];
    if (Object.hasOwn(step, 'stream')) return [{ output: step['stream'] ?? null }];
    const both = step['streamWithMetrics'];
    return isObject(both) && isObject(both['metrics'] ?? null) ? [both] : [];
  });
}
