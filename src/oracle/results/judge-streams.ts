/**
 * Section 4.4: the chunks of a job: in order, each once, none lost, none invented. Whether a read repeats
 * what an earlier one delivered is open: each read may continue after the last one or start again.
 */
import type { CallEvent, Json } from '../../history/events.js';
import { jsonBytesOf } from '../../history/json-size.js';
import { precedes } from '../jobs/status-observations.js';
import type { JobState } from '../model/hypothesis.js';
import { ENDED, STARTED } from '../model/zone.js';
import { predictedAgain } from '../attribution/second-run.js';
import type { Prediction } from '../observed/worker-prediction.js';
import {
  answerOf,
  authorized,
  excerpt,
  effectiveOperation,
  outputsIn,
  sameJson,
  statusIn,
} from '../observed/recorded-call.js';
import type { JudgingContext } from '../context/judging-context.js';
import type { Life } from '../context/life.js';
import {
  BEGINNING,
  failRead,
  matchChunks,
  mayBeInPieces,
  isFurtherThan,
  judgeMetrics,
  MEGABYTE,
  passRead,
  type Run,
} from './stream-reads.js';
import { isRunOfAnother } from './expected-output.js';
import { judgeStopped } from './stopped-streams.js';

export function judgeStreams(context: JudgingContext): void {
  if (!context.has('scripted-worker')) return;
  for (const life of context.eachLife()) {
    if (!life.job.streamed || !life.isJudgedFurther) continue;
    judgeMetrics(life);
    if (isSplitAnyhow(life.plan) || isSplitAnyhow(life.job.predicted(1))) judgePieces(life);
    else if (life.plan.outcome !== 'crash') {
      judgeStopped(life);
      judgeReads(life);
    }
  }
}

/** How values other than texts are split, if they must be, is open. */
function isSplitAnyhow({ chunks }: Prediction): boolean {
  return chunks.some(({ output }) => typeof output !== 'string' && jsonBytesOf(output) > 0.9 * MEGABYTE);
}

/** Brackets and commas may differ between the pieces and the whole. */
const LEAST_SHARE = 0.9;

/**
 * Its only result must be split in an unspecified way: the pieces cannot be joined here, but together they
 * are no smaller than the whole.
 */
function judgePieces(life: Life): void {
  const { context, job } = life;
  const { chunks, outcome } = life.plan;
  const [only] = chunks;
  if (chunks.length !== 1 || typeof only!.output === 'string' || outcome !== 'success') return;
  const wholeBytes = jsonBytesOf(only!.output);
  if (wholeBytes < 1.1 * MEGABYTE || job.calls.some((call) => effectiveOperation(call) === 'retry')) return;
  const reads = life.calls('stream');
  const last = reads.at(-1);
  const completed = life.calls('status').find((call) => statusIn(call) === 'COMPLETED');
  if (last === undefined || (completed?.endedTick ?? Infinity) > last.sentTick) return;
  const delivered = reads.map(outputsIn);
  // A missing output is judged elsewhere.
  if (delivered.some((outputs) => outputs === null || outputs.includes(null))) return;
  // While reads still deliver new chunks, more may follow.
  const [newest, before] = delivered.toReversed();
  const drained = newest!.length === 0 || (before !== undefined && sameJson(newest, before));
  if (!drained) return;
  const bytes = delivered
    .flatMap((outputs) => outputs!.map(jsonBytesOf))
    .reduce((sum, each) => sum + each, 0);
  const said = `all reads together delivered ${bytes} of ${wholeBytes} bytes`;
  context.check('4.4/chunks-not-lost', bytes >= LEAST_SHARE * wholeBytes, last, said);
}

const runOf = (life: Life, before: number, retry: CallEvent | null = null): Run => ({
  life,
  plan: planOf(life, before, retry),
  before,
  reached: BEGINNING,
  completed: null,
  failed: null,
});

/** A worker that does not know of the first run follows its plan again; where only the other one succeeds, a success tells. */
function planOf(life: Life, before: number, retry: CallEvent | null): Prediction {
  const { job, plan } = life;
  const predicted = job.predicted(Math.min(before, 1));
  const isOpen = retry !== null && predicted.outcome === 'unknown';
  if (!isOpen || (plan.outcome !== 'error' && plan.outcome !== 'never')) return predicted;
  const last = life.calls('retry').findLast((call) => answerOf(call) !== 'refused');
  const completed = life.last('COMPLETED');
  return last === retry && completed !== undefined && precedes(retry, completed)
    ? predictedAgain(job)
    : predicted;
}

function judgeReads(life: Life): void {
  const { context } = life;
  let run = runOf(life, 0);
  let isLost = false;
  for (const call of life.job.calls) {
    const retry = call.op === 'retry' ? life.retryEffect(call) : 'nothing';
    if (retry === 'maybe') return;
    if (retry === 'requeued') run = runOf(life, run.before + 1, call);
    else if (call.op === 'status' && !life.isAmidRetry(call)) {
      const status = statusIn(call);
      if (status === 'COMPLETED') run.completed ??= call;
      if (status === 'FAILED' || status === 'TIMED_OUT') run.failed ??= call;
    } else if (call.op === 'stream' && answerOf(call) === 'unknown') {
      isLost = true;
      noteUnanswered(run, call);
    } else if (call.op === 'stream') {
      // What a lost answer contained counts as delivered, and it is unknown how much that was.
      if (isLost) {
        if (outputsIn(call)?.length && isDueWhileRunning(run, call)) context.pass('4.4/chunks-while-running');
        return;
      }
      if (answerOf(call) === 'refused') {
        judgeRefusal(run, call);
        continue;
      }
      // Two concurrent reads may share the chunks, and one concurrent with a retry may get the rest of the
      // previous run.
      if (life.isConcurrent(call, 'stream') || life.isAmidRetry(call)) return;
      const from = run.reached;
      if (!judgeRead(run, call)) return;
      // Chunks of the previous run would not have matched this run's results.
      if (run.before > 0 && life.plan.streams) context.pass('4.6/removes-stream');
      judgeDelivered(run, call, run.reached !== from);
    }
  }
}

/** Matches what the read delivered. False if it is unknown what later reads have to deliver. */
function judgeRead(run: Run, call: CallEvent): boolean {
  const { life, plan, before, reached } = run;
  const { context } = life;
  const outputs = outputsIn(call);
  if (outputs === null || (plan.outcome === 'unknown' && before > 0 && outputs.length > 0)) return false;
  if (!plan.streams) {
    // It must not deliver what the previous run produced.
    const isOld = (output: Json): boolean => life.plan.chunks.some((chunk) => sameJson(chunk.output, output));
    const actual = (): string => `/stream #${call.call} delivered ${excerpt(outputs)}`;
    if (outputs.length > 0 && before > 0)
      context.check('4.6/removes-stream', !outputs.some(isOld), call, actual);
    return true;
  }
  const mayBeClosed = mayHaveFailed(life, before);
  const onward = matchChunks(plan, reached, outputs, mayBeClosed);
  const anew = onward ?? matchChunks(plan, BEGINNING, outputs, mayBeClosed);
  if (anew === null) {
    if (mayBeInPieces(plan, outputs)) return false;
    if (before > 0 || !isRunOfAnother(life, outputs)) failRead(run, call, outputs);
    return false;
  }
  if (outputs.length > 0) {
    passRead(context, plan, outputs, call);
    // What is answered after everything was delivered, and the job may have ended, is a separate question.
    const isMore = reached.chunk < plan.chunks.length || runsOn(run, call);
    if (reached.chunk > 0 && isMore)
      context.ledger.observe('4.4/second-read', onward === null ? 'all-so-far' : 'only-new', call);
  }
  if (isFurtherThan(anew, reached)) run.reached = anew;
  return true;
}

/** The job had not ended when the read was answered. */
function runsOn({ life, completed }: Run, call: CallEvent): boolean {
  if (completed !== null && precedes(completed, call)) return false;
  return life.mustBe(({ retries, zone }) => retries === 0 && zone.earliest(ENDED) > call.receivedMs!);
}

/**
 * The last chunk of a job stopped by a timer may be its error, before its plan was finished. `runs`: number
 * of runs before; a run followed by another retry has most likely failed.
 */
function mayHaveFailed(life: Life, runs: number): boolean {
  // A purge may also be reported as a failure, with its reason wherever the service puts one.
  const isFailed = (state: JobState | null): boolean =>
    state === 'failed' || state === 'timed-out' || state === 'purged';
  return life.mayBe((at) => at.retries > runs || isFailed(at.state) || isFailed(at.previousState));
}

/**
 * One read may be lost by chance; where none of a running job is ever answered, that is the target's answer. In real time
 * many are lost at once where the target is.
 */
function noteUnanswered(run: Run, call: CallEvent): void {
  const { context } = run.life;
  if (call.reply === null && (call.lost !== 'reset' || context.session.run.clock === 'real')) return;
  if (isDueWhileRunning(run, call)) context.serverError(['4.4/chunks-while-running'], call);
}

/** It runs, and has produced more than was delivered. */
function isDueWhileRunning(run: Run, call: CallEvent): boolean {
  const isOver = run.completed !== null || run.failed !== null;
  if (!run.plan.streams || isOver || run.life.isAmidRetry(call)) return false;
  return producedBy(run, call) > run.reached.chunk;
}

/** These refuse a call for what it is, or say that the job is gone, which is judged by itself. */
const OTHERWISE_REFUSED: readonly number[] = [401, 404, 405, 429];

/** A read that is refused delivers nothing. What a failed job's stream answers is open. */
function judgeRefusal(run: Run, call: CallEvent): void {
  const { life } = run;
  if (call.request.illegal !== null || OTHERWISE_REFUSED.includes(call.reply!.status)) return;
  if (!authorized(call) || life.context.callIndex.forbidden.has(call)) return;
  // Whether a second reader is admitted is not stated.
  if (life.isConcurrent(call, 'stream') || life.isAmidRetry(call)) return;
  // A call may be held until the job has ended, and then be told of its failure.
  if (mayHaveEndedBy(life, ['failed', 'timed-out'], call.receivedMs!)) return;
  const isDelivered = run.reached.chunk >= run.plan.chunks.length;
  // With which code an expired job is refused is judged by itself.
  if (!isDelivered && run.failed === null && life.wasKept(call)) judgeDelivered(run, call, false);
}

/** A read may deliver a part of what is due, as long as each gets further (`isFurther`). */
function judgeDelivered(run: Run, call: CallEvent, isFurther: boolean): void {
  const { life, plan, reached, completed, failed } = run;
  const { context } = life;
  if (!plan.streams) return;
  const hasFailed = failed !== null && precedes(failed, call);
  // Its handler ended with its error and no timer came first, so everything that it was to produce was
  // produced.
  const failedByItself = (): boolean =>
    hasFailed && plan.outcome === 'error' && life.mustBe(({ state }) => state === 'failed');
  const isOver = (completed !== null && precedes(completed, call)) || failedByItself();
  const isAllProduced = isOver && (plan.outcome === 'success' || plan.outcome === 'error');
  // Reads after the end must deliver everything not delivered before; a read during the run, what had been
  // produced when it was sent.
  const due = isAllProduced ? plan.chunks.length : isOver ? 0 : producedBy(run, call);
  if (due === 0 && !isAllProduced) return;
  // What a cancelled job streams is open (4.4), also if a timeout cancelled it (3).
  if (mayHaveEndedBy(life, ['cancelled'], call.receivedMs!)) return;
  const isAll = reached.chunk >= due;
  // A job that may have been deleted has no chunks left.
  if (isOver && !isAll && life.isExplained && !life.wasKept(call)) return;
  const id = isOver || hasFailed ? '4.4/chunks-not-lost' : '4.4/chunks-while-running';
  const delivered = `${reached.chunk} of ${due} results ${isOver ? '' : 'produced '}were delivered`;
  if (isAll || !isFurther) context.check(id, isAll, call, delivered);
  if (isOver && isAll) context.pass('4.4/chunks-after-end');
}

function mayHaveEndedBy(life: Life, states: readonly (JobState | null)[], byMs: number): boolean {
  return life.mayBe(
    ({ state, previousState, zone }) =>
      (states.includes(state) || states.includes(previousState)) && zone.earliest(ENDED) <= byMs,
  );
}

/** How many results had certainly been produced when the call was sent. */
function producedBy({ life, plan, before }: Run, call: CallEvent): number {
  if (before > 0 || life.mayBe((at) => at.runs > 0)) return 0;
  const startedByMs = life.when(STARTED).byMs;
  const graceMs = life.context.graceAt(startedByMs, call.sentMs);
  return plan.chunks.filter(
    ({ afterMs }) =>
      startedByMs + afterMs + graceMs < call.sentMs &&
      // Results due about when a timeout or ttl stops the run may be missing: workers are late as well.
      life.mustBe(({ policy }) => afterMs + graceMs < Math.min(policy.executionLeastMs, policy.ttlMs ?? 0)),
  ).length;
}
