/**
 * Section 4.4: the chunks of a job, in order, each once, none lost, none invented.
 * Whether a read repeats what an earlier one delivered is open: each may go on where the last one stopped, or begin anew.
 */
import { wasThere } from '../scene/left-alone.js';
import type { CallEvent, Json } from '../../history/events.js';
import { jsonBytesOf, lengthOf } from '../../history/long-text.js';
import type { Job } from '../cast/cases.js';
import { isBesideRetry, precedes, sightingsOf } from '../cast/sightings.js';
import type { Foreseen } from '../observed/plan.js';
import { answerOf, brief, isObject, jsonOf, recordOf, sameJson, statusIn } from '../observed/reading.js';
import type { Scene } from '../scene/scene.js';
import type { Place } from '../model/hypothesis.js';
import { ENDED, STARTED } from '../model/zone.js';
import { chunksOf } from '../observed/chunks.js';
import { isRunOfAnother } from './anothers.js';
import { cutShort } from './cut-short.js';
import { differencesOf, inWords } from './differences.js';
import { BEGINNING, follow, furthest, isBeyond, type Position } from './follow.js';
import { stopped } from './stopped.js';
import { judgeMetrics } from './judge-metrics.js';
import { CHANGES_MAX } from './on-which-way.js';
import { MEGABYTE, wrongRead } from './wrong-read.js';

export function judgeStreams(scene: Scene): void {
  if (!scene.has('scripted-worker')) return;
  for (const job of scene.cast.jobs) {
    if (!job.streamed || !scene.isJudgedFurther(job)) continue;
    judgeMetrics(scene, job);
    judgeJobStream(scene, job);
    cutShort(scene, job);
  }
}

function judgeJobStream(scene: Scene, job: Job): void {
  if (job.foreseen(0).outcome === 'crash' || splitsAnyhow(job.foreseen(0)) || splitsAnyhow(job.foreseen(1)))
    return;
  stopped(scene, job);
  let plan = job.foreseen(0);
  let runs = 0;
  let reached = BEGINNING;
  /** Looks that showed the end of this run. */
  let over: CallEvent | null = null;
  let broken: CallEvent | null = null;
  for (const call of job.calls) {
    const retry = call.op === 'retry' ? scene.retryEffect(job, call) : 'nothing';
    if (retry === 'maybe') return;
    if (retry === 'requeued') {
      plan = job.foreseen(1);
      runs += 1;
      reached = BEGINNING;
      over = null;
      broken = null;
    } else if (call.op === 'status' && !isBesideRetry(job, call)) {
      const status = statusIn(call);
      if (status === 'COMPLETED') over ??= call;
      if (status === 'FAILED' || status === 'TIMED_OUT') broken ??= call;
    } else if (call.op === 'stream' && answerOf(call) === 'unknown') {
      // What its answer held was delivered, and nobody knows how much that was.
      return;
    } else if (call.op === 'stream' && answerOf(call) === 'ok') {
      // Two reads at once may each have got a part, and one beside a retry what was left of the run before.
      if (isBesideRead(job, call) || isBesideRetry(job, call)) return;
      const hadCompleted = over !== null && precedes(over, call);
      const hadFailed = broken !== null && precedes(broken, call);
      const next = judgeRead(scene, job, call, plan, reached, runs, hadCompleted);
      if (next === null) return;
      // Anything left of the run before would have been none of this run's results.
      if (runs > 0 && job.foreseen(0).streams) scene.pass('4.6/removes-stream');
      const isPart = isBeyond(next, reached);
      reached = next;
      if (hadCompleted || (hadFailed && failedByItself(scene, job, plan)))
        atTheEnd(scene, job, call, plan, reached, isPart);
      else whileRunning(scene, job, call, plan, reached, { runs, isPart, broken: hadFailed });
    }
  }
}

/** Another read of the job's stream was under way, and may have been delivered something. */
function isBesideRead(job: Job, call: CallEvent): boolean {
  return job.calls.some(
    (one) =>
      one !== call &&
      one.op === 'stream' &&
      answerOf(one) !== 'refused' &&
      !precedes(one, call) &&
      !precedes(call, one),
  );
}

/** How anything but a text is split is open, where it has to be. */
function splitsAnyhow({ chunks }: Foreseen): boolean {
  return chunks.some(({ output }) => typeof output !== 'string' && jsonBytesOf(output) > 0.9 * MEGABYTE);
}

function judgeRead(
  scene: Scene,
  job: Job,
  call: CallEvent,
  plan: Foreseen,
  reached: Position,
  runs: number,
  over: boolean,
): Position | null {
  const chunks = chunksOf(call.reply === null ? undefined : jsonOf(call.reply.body));
  if (chunks === null) return null;
  const outputs = chunks.map((chunk) => (isObject(chunk) ? chunk['output'] : undefined) ?? null);
  // A worker that does not know of the first run follows its plan again.
  if (plan.outcome === 'unknown' && runs > 0 && outputs.length > 0) return null;
  if (!plan.streams) {
    if (outputs.length > 0 && runs > 0) stale(scene, job, call, outputs);
    return reached;
  }
  const closed = mayHaveFailed(scene, job, runs);
  const onward = follow(plan, reached, outputs, closed);
  const anew = onward ?? follow(plan, BEGINNING, outputs, closed);
  if (anew === null) {
    if (runs === 0 && isRunOfAnother(scene, job, outputs)) return null;
    const produced = plan.chunks.map(({ output }) => output);
    const id = wrongRead(scene, job, plan, outputs, { runs, from: reached.chunk });
    const fault = {
      script: job.script,
      expected: `the results ${brief(produced, 200)}, from where the last read stopped or from the first`,
      actual: `/stream #${call.call} delivered ${brief(outputs, 200)}`,
      calls: [job.submitted.call, call.call],
    };
    if (id !== '2.5/chunk-output-unchanged' || outputs.length !== produced.length) scene.fail(id, fault);
    else
      scene.ledger.changedValues.push({
        way: 'streamed',
        changes: produced.flatMap((one, at) => differencesOf(one, outputs[at], CHANGES_MAX)).map(inWords),
        onTheWayThere: `2.1/input-reaches-worker-${job.sync ? 'runsync' : 'run'}`,
        onTheWayBack: id,
        failure: scene.seen(fault),
        expected: fault.expected,
      });
    return null;
  }
  const runsOn = scene
    .lifeOf(job)
    .mustBe(({ retries, zone }) => retries === 0 && zone.earliest(ENDED) > call.receivedMs!);
  if (outputs.length > 0) delivered(scene, plan, outputs, onward !== null, reached, over || !runsOn);
  return furthest(reached, anew);
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
  const ends: readonly Place[] = ['failed', 'timed-out', ...(toldAsFailed ? (['purged'] as const) : [])];
  return scene
    .lifeOf(job)
    .mayBe(
      ({ place, goneFrom, retries }) =>
        retries > runs || ends.includes(place) || (goneFrom !== null && ends.includes(goneFrom)),
    );
}

const SMALL_CHARACTERS = 65_536;

function delivered(
  scene: Scene,
  plan: Foreseen,
  outputs: readonly Json[],
  onward: boolean,
  reached: Position,
  mayBeOver: boolean,
): void {
  scene.pass('4.4/chunks-not-invented', '2.5/chunk-output-unchanged', '4.4/chunks-not-duplicated');
  if (outputs.length > 1) scene.pass('4.4/chunks-in-order');
  // What is answered once all was delivered, and the job may have ended, is a question of its own.
  const more = !mayBeOver || reached.chunk < plan.chunks.length;
  if (reached.chunk > 0 && more) scene.ledger.observe('4.4/second-read', onward ? 'only-new' : 'all-so-far');
  const large = plan.chunks.filter(
    ({ output }) => typeof output === 'string' && lengthOf(output) > 1.1 * MEGABYTE,
  );
  if (large.length > 0) scene.pass('4.4/large-output-split', '4.4/large-output-rejoins');
  const small = plan.chunks.filter(
    ({ output }) => typeof output === 'string' && lengthOf(output) < SMALL_CHARACTERS,
  );
  if (small.length > 0 && small.length === plan.chunks.length && outputs.length <= plan.chunks.length + 1)
    scene.pass('4.4/chunk-below-limit-whole');
}

/** A run that produces nothing incremental must not deliver what the run before it had produced. */
function stale(scene: Scene, job: Job, call: CallEvent, outputs: readonly Json[]): void {
  const old = outputs.some((output) =>
    job.foreseen(0).chunks.some((chunk) => sameJson(chunk.output, output)),
  );
  scene.check('4.6/removes-stream', !old, call, () => `/stream #${call.call} delivered ${brief(outputs)}`);
}

/** Its handler came to its error, and no timer was before it: all that it produced was produced. */
function failedByItself(scene: Scene, job: Job, plan: Foreseen): boolean {
  return plan.outcome === 'error' && scene.lifeOf(job).mustBe(({ place }) => place === 'failed');
}

/**
 * The reads after the end hold everything not delivered before. How much one of them holds is not shown: a part of it
 * will do, as long as each goes further (`isPart`).
 */
function atTheEnd(
  scene: Scene,
  job: Job,
  call: CallEvent,
  plan: Foreseen,
  reached: Position,
  isPart: boolean,
): void {
  if (!plan.streams || (plan.outcome !== 'success' && plan.outcome !== 'error')) return;
  const all = reached.chunk >= plan.chunks.length;
  const actual = `${reached.chunk} of ${plan.chunks.length} results had been delivered`;
  // A job that may be deleted has none left.
  if (!all && scene.isExplained(job) && !wasThere(scene, job, call)) return;
  if (all || !isPart) scene.check('4.4/chunks-not-lost', all, call, actual);
  if (all) scene.pass('4.4/chunks-after-end');
}

/** A read during the run holds what had been produced when it was sent, or a part of it. */
function whileRunning(
  scene: Scene,
  job: Job,
  call: CallEvent,
  plan: Foreseen,
  reached: Position,
  { runs, isPart, broken }: { readonly runs: number; readonly isPart: boolean; readonly broken: boolean },
): void {
  const life = scene.lifeOf(job);
  if (!plan.streams || runs > 0 || life.kind !== 'explained' || life.mayBe((at) => at.runs > 0)) return;
  const startedByMs = life.most((at) => at.zone.latest(STARTED));
  const graceMs = scene.graceAt(startedByMs, call.sentMs);
  // What would come when the run is being stopped, by its time or its ttl, may not come.
  const stoppedAfterMs = life.least(({ terms }) => Math.min(terms.executionLeastMs, terms.ttlMs ?? 0));
  const produced = plan.chunks.filter(
    ({ afterMs }) => startedByMs + afterMs + graceMs < call.sentMs && afterMs < stoppedAfterMs,
  ).length;
  if (produced === 0) return;
  const actual = `${reached.chunk} results had been delivered, ${produced} produced`;
  const all = reached.chunk >= produced;
  const id = broken ? '4.4/chunks-not-lost' : '4.4/chunks-while-running';
  if (all || !isPart) scene.check(id, all, call, actual);
}
