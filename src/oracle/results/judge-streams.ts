/**
 * Section 4.4: the chunks of a job, in order, each once, none lost, none invented.
 * Whether a read repeats what an earlier one delivered is open: each may go on where the last one stopped, or begin anew.
 */
import type { CallEvent, Json } from '../../history/events.js';
import { jsonBytesOf } from '../../history/long-text.js';
import type { RequirementId } from '../../spec/index.js';
import type { Job } from '../cast/cases.js';
import { isBeside, isBesideRetry, precedes, sightingsOf } from '../cast/sightings.js';
import type { Place } from '../model/hypothesis.js';
import { ENDED, STARTED } from '../model/zone.js';
import type { Foreseen } from '../observed/plan.js';
import { answerOf, brief, meantBy, outputsIn, recordOf, sameJson, statusIn } from '../observed/reading.js';
import { wasThere } from '../scene/left-alone.js';
import type { Scene } from '../scene/scene.js';
import { isRunOfAnother } from './anothers.js';
import { BEGINNING, follow, furthest, isBeyond, type Position } from './follow.js';
import { judgeMetrics } from './judge-metrics.js';
import { judgeStopped } from './stopped-streams.js';
import { failRead, MEGABYTE, passRead } from './one-read.js';

export function judgeStreams(scene: Scene): void {
  if (!scene.has('scripted-worker')) return;
  for (const job of scene.cast.jobs) {
    if (!job.streamed || !scene.isJudgedFurther(job)) continue;
    judgeMetrics(scene, job);
    const [first, again] = [job.foreseen(0), job.foreseen(1)];
    if (isSplitAnyhow(first) || isSplitAnyhow(again)) judgePieces(scene, job, first);
    else if (first.outcome !== 'crash') {
      judgeStopped(scene, job);
      judgeReads(scene, job);
    }
  }
}

/** How anything but a text is split is open, where it has to be. */
function isSplitAnyhow({ chunks }: Foreseen): boolean {
  return chunks.some(({ output }) => typeof output !== 'string' && jsonBytesOf(output) > 0.9 * MEGABYTE);
}

/** What brackets and commas between pieces may have made of the whole. */
const LEAST_SHARE = 0.9;

/** Its only result is split anyhow: its pieces cannot be put together here, yet they hold no less than the whole did. */
function judgePieces(scene: Scene, job: Job, { chunks, outcome }: Foreseen): void {
  const [only] = chunks;
  if (chunks.length !== 1 || typeof only!.output === 'string' || outcome !== 'success') return;
  const wholeBytes = jsonBytesOf(only!.output);
  if (wholeBytes < 1.1 * MEGABYTE || job.calls.some((call) => meantBy(call) === 'retry')) return;
  const reads = job.calls.filter(({ op }) => op === 'stream');
  const last = reads.at(-1);
  const completed = job.calls.find((call) => call.op === 'status' && statusIn(call) === 'COMPLETED');
  if (last === undefined || (completed?.endedTick ?? Infinity) > last.sentTick) return;
  const told = reads.map(outputsIn);
  // Where an output is missing, that is what is wrong with it.
  if (told.some((outputs) => outputs === null || outputs.includes(null))) return;
  // As long as a read may bring something new, more may come.
  const [newest, before] = told.toReversed();
  const drained = newest!.length === 0 || (before !== undefined && sameJson(newest!, before!));
  if (!drained) return;
  const bytes = told.flatMap((outputs) => outputs!.map(jsonBytesOf)).reduce((sum, each) => sum + each, 0);
  const said = `all reads together delivered ${bytes} bytes of ${wholeBytes}`;
  scene.check('4.4/chunks-not-lost', bytes >= LEAST_SHARE * wholeBytes, last, said);
}

/** One run of the job, as far as its stream was read. */
interface Run {
  readonly plan: Foreseen;
  /** Runs before it. */
  readonly before: number;
  reached: Position;
  /** Looks that showed its end. */
  completed: CallEvent | null;
  failed: CallEvent | null;
}

const runOf = (job: Job, before: number): Run => ({
  plan: job.foreseen(Math.min(before, 1)),
  before,
  reached: BEGINNING,
  completed: null,
  failed: null,
});

function judgeReads(scene: Scene, job: Job): void {
  let run = runOf(job, 0);
  for (const call of job.calls) {
    const retry = call.op === 'retry' ? scene.retryEffect(job, call) : 'nothing';
    if (retry === 'maybe') return;
    if (retry === 'requeued') run = runOf(job, run.before + 1);
    else if (call.op === 'status' && !isBesideRetry(job, call)) {
      const status = statusIn(call);
      if (status === 'COMPLETED') run.completed ??= call;
      if (status === 'FAILED' || status === 'TIMED_OUT') run.failed ??= call;
    } else if (call.op === 'stream' && answerOf(call) !== 'refused') {
      // What a lost answer held was delivered, and nobody knows how much that was.
      if (answerOf(call) === 'unknown') return;
      // Two reads at once may each have got a part, and one beside a retry what was left of the run before.
      if (isBeside(job, call, 'stream') || isBesideRetry(job, call)) return;
      const from = run.reached;
      if (!judgeRead(scene, job, call, run)) return;
      // Anything left of the run before would have been none of this run's results.
      if (run.before > 0 && job.foreseen(0).streams) scene.pass('4.6/removes-stream');
      judgeDelivered(scene, job, call, run, isBeyond(run.reached, from));
    }
  }
}

/** Follows what the read delivered. False where nothing is known of what later ones have to deliver. */
function judgeRead(scene: Scene, job: Job, call: CallEvent, run: Run): boolean {
  const { plan, before, reached } = run;
  const outputs = outputsIn(call);
  // A worker that does not know of the first run follows its plan again.
  if (outputs === null || (plan.outcome === 'unknown' && before > 0 && outputs.length > 0)) return false;
  if (!plan.streams) {
    // It must not deliver what the run before it had produced.
    const isOld = (output: Json): boolean =>
      job.foreseen(0).chunks.some((chunk) => sameJson(chunk.output, output));
    const actual = (): string => `/stream #${call.call} delivered ${brief(outputs)}`;
    if (outputs.length > 0 && before > 0)
      scene.check('4.6/removes-stream', !outputs.some(isOld), call, actual);
    return true;
  }
  const mayBeClosed = mayHaveFailed(scene, job, before);
  const onward = follow(plan, reached, outputs, mayBeClosed);
  const anew = onward ?? follow(plan, BEGINNING, outputs, mayBeClosed);
  if (anew === null) {
    if (before > 0 || !isRunOfAnother(scene, job, outputs)) failRead(scene, job, call, outputs, run);
    return false;
  }
  if (outputs.length > 0) {
    passRead(scene, plan, outputs);
    // What is answered once all was delivered, and the job may have ended, is a question of its own.
    const isMore = reached.chunk < plan.chunks.length || runsOn(scene, job, call, run);
    if (reached.chunk > 0 && isMore)
      scene.ledger.observe('4.4/second-read', onward === null ? 'all-so-far' : 'only-new');
  }
  run.reached = furthest(reached, anew);
  return true;
}

/** It had not ended when the read was answered. */
function runsOn(scene: Scene, job: Job, call: CallEvent, { completed }: Run): boolean {
  if (completed !== null && precedes(completed, call)) return false;
  return scene
    .lifeOf(job)
    .mustBe(({ retries, zone }) => retries === 0 && zone.earliest(ENDED) > call.receivedMs!);
}

/**
 * A job that was stopped by its time may have its error for a last chunk, before its plan was through. `runs`:
 * those before this one; a run that another retry followed has most likely failed.
 */
function mayHaveFailed(scene: Scene, job: Job, runs: number): boolean {
  // A purge may be told as a failure, too, or by an error.
  const toldAsFailed = sightingsOf(job).some(
    ({ call, shows }) => shows === 'FAILED' || typeof recordOf(call)?.['error'] === 'string',
  );
  const ends: readonly (Place | null)[] = [
    'failed',
    'timed-out',
    ...(toldAsFailed ? (['purged'] as const) : []),
  ];
  return scene
    .lifeOf(job)
    .mayBe(
      ({ place, goneFrom, retries }) => retries > runs || ends.includes(place) || ends.includes(goneFrom),
    );
}

/** What all reads so far must have delivered. */
interface Due {
  readonly id: RequirementId;
  readonly results: number;
  readonly inWords: (delivered: number) => string;
}

/** How much one read holds is not shown: a part of what is due will do, as long as each goes further (`isFurther`). */
function judgeDelivered(scene: Scene, job: Job, call: CallEvent, run: Run, isFurther: boolean): void {
  const { plan, reached, completed, failed } = run;
  if (!plan.streams) return;
  const hasFailed = failed !== null && precedes(failed, call);
  // Its handler came to its error, and no timer was before it: all that it produced was produced.
  const failedByItself = (): boolean =>
    hasFailed && plan.outcome === 'error' && scene.lifeOf(job).mustBe(({ place }) => place === 'failed');
  const isOver = (completed !== null && precedes(completed, call)) || failedByItself();
  const due = isOver ? dueAtTheEnd(plan) : dueWhileRunning(scene, job, call, run, hasFailed);
  if (due === null) return;
  const isAll = reached.chunk >= due.results;
  // A job that may be deleted has none left.
  if (isOver && !isAll && scene.isExplained(job) && !wasThere(scene, job, call)) return;
  if (isAll || !isFurther) scene.check(due.id, isAll, call, due.inWords(reached.chunk));
  if (isOver && isAll) scene.pass('4.4/chunks-after-end');
}

/** The reads after the end hold everything not delivered before. */
function dueAtTheEnd({ outcome, chunks: { length } }: Foreseen): Due | null {
  if (outcome !== 'success' && outcome !== 'error') return null;
  const inWords = (delivered: number): string => `${delivered} of ${length} results had been delivered`;
  return { id: '4.4/chunks-not-lost', results: length, inWords };
}

/** A read during the run holds what had been produced when it was sent. */
function dueWhileRunning(scene: Scene, job: Job, call: CallEvent, run: Run, hasFailed: boolean): Due | null {
  const life = scene.lifeOf(job);
  if (run.before > 0 || life.kind !== 'explained' || life.mayBe((at) => at.runs > 0)) return null;
  const startedByMs = life.most((at) => at.zone.latest(STARTED));
  const graceMs = scene.graceAt(startedByMs, call.sentMs);
  // What would come when the run is being stopped, by its time or its ttl, may not come.
  const stoppedAfterMs = life.least(({ terms }) => Math.min(terms.executionLeastMs, terms.ttlMs ?? 0));
  const results = run.plan.chunks.filter(
    ({ afterMs }) => startedByMs + afterMs + graceMs < call.sentMs && afterMs < stoppedAfterMs,
  ).length;
  if (results === 0) return null;
  const inWords = (delivered: number): string =>
    `${delivered} results had been delivered, ${results} produced`;
  return { id: hasFailed ? '4.4/chunks-not-lost' : '4.4/chunks-while-running', results, inWords };
}
