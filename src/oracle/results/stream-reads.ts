/**
 * Sections 2.5 and 4.4: how far reads have come through the results that a worker was told to produce, and what one read of a
 * stream keeps, or else what is wrong with it; the metrics of a chunk, where the plan says which ones the worker set.
 */
import type { CallEvent, Json } from '../../history/events.js';
import { lengthOf, mayHold, NOTHING_TOLD, toldWith, type Told } from '../../history/long-text.js';
import type { RequirementId } from '../../spec/index.js';
import type { Job } from '../jobs/observed-jobs.js';
import type { Prediction } from '../observed/worker-prediction.js';
import {
  answerOf,
  brief,
  chunksOf,
  isGiven,
  isObject,
  type JsonObject,
  jsonOf,
  sameJson,
} from '../observed/recorded-call.js';
import type { JudgingContext } from '../context/judging-context.js';
import { changesOf } from './changed-values.js';
import { inputReaches, isStreamedByAnother } from './expected-output.js';

/** How far the expected chunks have been delivered: whole chunks, and characters of the next one. */
export interface StreamPosition {
  readonly chunk: number;
  readonly told: Told;
}

export const BEGINNING: StreamPosition = { chunk: 0, told: NOTHING_TOLD };

export function isFurtherThan(one: StreamPosition, other: StreamPosition): boolean {
  return one.chunk > other.chunk || (one.chunk === other.chunk && one.told.chars > other.told.chars);
}

/**
 * Where the outputs lead when read from a position; null when they are not what stands there.
 * `mayBeClosed`: the job may have been stopped, and its error be the last chunk, before its plan was through.
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
    // The handler's own return value, or the error, may close the stream.
    const mayClose = mayBeClosed || (next === undefined && ['success', 'error'].includes(plan.outcome));
    const reached = next === undefined ? null : after(at, next.output, output);
    if (reached === null) return mayClose && isLast ? at : null;
    at = reached;
  }
  return at;
}

function after({ chunk, told }: StreamPosition, expected: Json, output: Json): StreamPosition | null {
  if (typeof expected !== 'string' || typeof output !== 'string')
    return sameJson(expected, output) ? { chunk: chunk + 1, told: NOTHING_TOLD } : null;
  if (output === '' && expected !== '') return null;
  const next = toldWith(expected, told, output);
  if (next === null) return null;
  return next.chars >= lengthOf(expected) ? { chunk: chunk + 1, told: NOTHING_TOLD } : { chunk, told: next };
}

/** The smaller of the two that 1 MB may be. */
export const MEGABYTE = 1_000_000;

const SMALL_CHARACTERS = 65_536;

export function passRead(context: JudgingContext, { chunks }: Prediction, outputs: readonly Json[]): void {
  context.pass('4.4/chunks-not-invented', '2.5/chunk-output-unchanged', '4.4/chunks-not-duplicated');
  if (outputs.length > 1) context.pass('4.4/chunks-in-order');
  const chars = chunks.map(({ output }) => (typeof output === 'string' ? lengthOf(output) : null));
  if (chars.some((count) => count !== null && count > 1.1 * MEGABYTE))
    context.pass('4.4/large-output-split', '4.4/large-output-rejoins');
  const areSmall = chars.every((count) => count !== null && count < SMALL_CHARACTERS);
  if (areSmall && outputs.length <= chunks.length + 1) context.pass('4.4/chunk-below-limit-whole');
}

/** It does not go on, nor begin anew. `before`: the runs before this one; `reached`: how far the reads before it came. */
export function failRead(
  context: JudgingContext,
  job: Job,
  call: CallEvent,
  outputs: readonly Json[],
  {
    plan,
    before,
    reached,
  }: { readonly plan: Prediction; readonly before: number; readonly reached: StreamPosition },
): void {
  const produced = plan.chunks.map(({ output }) => output);
  const id = violatedByRead(context, job, produced, outputs, before, reached.chunk);
  const failureReport = {
    script: job.script,
    expected: `the results ${brief(produced, 200)}, from where the last read stopped or from the first`,
    actual: `/stream #${call.call} delivered ${brief(outputs, 200)}`,
    calls: [job.submitted.call, call.call],
  };
  if (id !== '2.5/chunk-output-unchanged' || outputs.length !== produced.length)
    context.fail(id, failureReport);
  else
    context.ledger.changedValues.push({
      way: 'streamed',
      changes: produced.flatMap((one, at) => changesOf(one, outputs[at])),
      onTheWayThere: inputReaches(job),
      onTheWayBack: id,
      failure: context.observedFailure(failureReport),
      expected: failureReport.expected,
    });
}

/**
 * Which promise a read breaks that does not continue the expected sequence. `runs`: before this one; `from`: the first result
 * not delivered before.
 */
function violatedByRead(
  context: JudgingContext,
  job: Job,
  expected: readonly Json[],
  outputs: readonly Json[],
  runs: number,
  from: number,
): RequirementId {
  const isLarge = expected.some(isLargeText);
  // As many as there are: each is what became of one of them.
  const isOfEach = outputs.length === expected.length || outputs.length === expected.length - from;
  const strange = outputs.filter((output) => !expected.some((one) => holds(one, output)));
  if (strange.length > 0) {
    const before = runs > 0 ? job.predicted(0).chunks : [];
    if (strange.every((output) => before.some((chunk) => holds(chunk.output, output))))
      return '4.6/removes-stream';
    const areAnothers = strange.every((output) => isStreamedByAnother(context, job, output));
    // All of its own are there, too: these are none of them.
    const own = outputs.filter((output) => !strange.includes(output));
    if (areAnothers || isReordered(expected, own)) return '4.4/chunks-not-invented';
    if (isLarge) return '4.4/large-output-rejoins';
    const isNoneItsOwn = strange.length === outputs.length && !isOfEach;
    return isNoneItsOwn ? '4.4/chunks-not-invented' : '2.5/chunk-output-unchanged';
  }
  if (isReordered(expected, outputs) || isReordered(expected.slice(from), outputs))
    return '4.4/chunks-in-order';
  if (piecesFallShort(expected, outputs)) return '4.4/large-output-rejoins';
  const keys = outputs.map((output) => JSON.stringify(output));
  const wanted = expected.map((output) => JSON.stringify(output));
  // One that is as another one should be is changed, where the others stand at their places: from the first, or from the last read.
  const first = keys.length === wanted.length ? 0 : from;
  const atTheirPlaces = keys.filter((key, index) => key === wanted[first + index]).length;
  if (isOfEach && !isLarge && 2 * atTheirPlaces >= keys.length) return '2.5/chunk-output-unchanged';
  // Pieces of a text that fits into one chunk, and they do not join again.
  if (!isLarge && keys.some((key) => !wanted.includes(key))) return '2.5/chunk-output-unchanged';
  const count = (list: readonly string[], key: string): number => list.filter((one) => one === key).length;
  const isRepeated = keys.some((key) => count(keys, key) > Math.max(1, count(wanted, key)));
  // It goes on where the last read stopped, save that it begins with the end of that.
  const goesOn = from > 1 && keys.length > 0 && keys.every((key, index) => key === wanted[from - 1 + index]);
  if (isRepeated || goesOn) return '4.4/chunks-not-duplicated';
  const positions = keys.map((key) => wanted.indexOf(key));
  const isSorted = positions.every((position, index) => index === 0 || position >= positions[index - 1]!);
  return isSorted ? '4.4/chunks-not-lost' : '4.4/chunks-in-order';
}

/** Each of the results, or all pieces of it, and nothing else. */
function isReordered(expected: readonly Json[], outputs: readonly Json[]): boolean {
  const [left, pieces] = unmatched(expected, outputs);
  if (left.length === 0 || pieces.length === 0) return left.length === pieces.length;
  const areTexts = left.every((one) => typeof one === 'string');
  const arePieces = pieces.every(
    (piece) => typeof piece === 'string' && left.some((one) => holds(one, piece)),
  );
  return areTexts && arePieces && charsIn(left) === charsIn(pieces);
}

/** What is none of the other results are pieces of the large ones, and less in sum than those: they do not join again. */
function piecesFallShort(expected: readonly Json[], outputs: readonly Json[]): boolean {
  const large = expected.filter(isLargeText);
  const others = expected.filter((output) => !isLargeText(output));
  return large.length > 0 && charsIn(unmatched(others, outputs)[1]) < charsIn(large);
}

/** Without what is the same in both, each as often as it stands there. */
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
    return mayHold(expected, output);
  return sameJson(expected, output);
}

/**
 * A worker may not know the step that sets metrics, or its host may pass none on: only what a chunk holds is judged,
 * and only where its output tells which step produced it.
 */
export function judgeMetrics(context: JudgingContext, job: Job): void {
  const steps = stepsOf(job.submission['input'] ?? null);
  const mayBeLeftOut = steps.some((step) => isGiven(step['metrics']));
  for (const call of job.calls) {
    if (call.op !== 'stream' || answerOf(call) !== 'ok') continue;
    for (const chunk of chunksOf(jsonOf(call.reply!.body)) ?? []) {
      if (!isObject(chunk)) continue;
      const metrics = chunk['metrics'] ?? null;
      // Most streams have none, and long ones have many chunks, each of which would be held against each step.
      if (metrics === null && !mayBeLeftOut) continue;
      const [step, ...others] = steps.filter(({ output = null }) => sameJson(output, chunk['output']));
      if (step === undefined || others.length > 0) continue;
      const set = step['metrics'] ?? null;
      if (metrics === null && set !== null) context.ledger.observe('2.5/metrics', 'left-out');
      if (!isObject(metrics)) continue;
      const names = Object.keys(metrics);
      const ofWorker = names.filter((name) => isObject(set) && Object.hasOwn(set, name));
      if (ofWorker.length < names.length) context.ledger.observe('2.5/metrics', 'own');
      else if (ofWorker.length > 0) context.ledger.observe('2.5/metrics', 'as-set');
      if (!isObject(set) || ofWorker.length === 0) continue;
      const isSame = ofWorker.every((name) => sameJson(metrics[name], set[name]));
      const actual = (): string => `metrics ${brief(metrics)} where the worker set ${brief(set)}`;
      context.check('2.5/metrics-unchanged', isSame, call, actual);
    }
  }
}

/** The steps of both plans that produce a chunk: its output, and the metrics that are set with it, if any. */
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
