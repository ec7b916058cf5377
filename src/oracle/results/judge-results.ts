/** What jobs return: sections 2.1, 2.3, 2.4, 4.1, 4.3 and 4.6. What is right is told by `right-output.ts`. */
import type { CallEvent, Json } from '../../history/events.js';
import { jsonBytesOf } from '../../history/long-text.js';
import type { RequirementId } from '../../spec/index.js';
import { EXECUTION_TIMEOUT_MIN_MS } from '../../spec/limits.js';
import { areOfTwoRuns, isOfSecondRun, secondRun } from '../blame/second-run.js';
import type { Job } from '../cast/cases.js';
import { isBesideRetry, mayBeOver, precedes } from '../cast/sightings.js';
import {
  answerOf,
  brief,
  idIn,
  isObject,
  recordOf,
  sameJson,
  statusIn,
  type JsonObject,
} from '../observed/reading.js';
import { mayBeTakenAway } from '../scene/left-alone.js';
import type { Scene } from '../scene/scene.js';
import { isReturnedByAnother, keptApart, mixedUp, runOfAnother, whoseOutput } from './anothers.js';
import { CHANGES_MAX, differencesOf, inWords } from './changed-values.js';
import { brokenBy, inputReaches, isRight, rightOf, type Right } from './right-output.js';

export function judgeResults(scene: Scene): void {
  const { jobs, roll } = scene.cast;
  for (const { call, first } of roll.duplicates)
    scene.fail('2.4/id-unique', {
      script: call.script,
      actual: `calls #${first.call} and #${call.call} were both answered with the id of one job`,
      calls: [first.call, call.call],
    });
  if (jobs.length > 1 && roll.duplicates.length === 0) scene.pass('2.4/id-unique');
  for (const job of jobs) judgeJobResults(scene, job);
}

/** A successful answer with the job's record. */
interface Look {
  readonly call: CallEvent;
  readonly record: JsonObject;
}

function judgeJobResults(scene: Scene, job: Job): void {
  let first: Look | null = null;
  let retries = 0;
  const rights: Right[] = [];
  for (const call of job.sync ? [job.submitted, ...job.calls] : job.calls) {
    const retry = call.op === 'retry' ? scene.retryEffect(job, call) : 'nothing';
    if (retry === 'maybe') return;
    // What a retry has done to a result is not the reader's doing, not even where it must do nothing.
    if (call.op === 'retry' && answerOf(call) !== 'refused') first = null;
    if (retry === 'requeued') {
      retries += 1;
      retryAnswer(scene, job, call);
    }
    if (call.op === 'cancel') cancelAnswer(scene, job, call);
    if ((call.op !== 'status' && call.op !== 'runsync') || isBesideRetry(job, call)) continue;
    const record = recordOf(call);
    if (record === null || answerOf(call) !== 'ok') continue;
    const look = { call, record };
    unfinished(scene, job, look, retries);
    largeOutput(scene, job, look);
    if (statusIn(call) !== 'COMPLETED') continue;
    if (scene.has('scripted-worker') && scene.isJudgedFurther(job))
      finished(scene, job, look, retries, rights);
    if (first !== null) readAgain(scene, job, first, look);
    first ??= look;
  }
}

function unfinished(scene: Scene, job: Job, { call, record }: Look, retries: number): void {
  const output = record['output'] ?? null;
  const actual = (): string => `output: ${brief(output)}`;
  const before = job.foreseen(0);
  if (statusIn(call) === 'IN_QUEUE') {
    const mayHaveRun = retries === 0 && before.outcome === 'crash';
    const id = retries > 0 ? '4.6/removes-output' : '2.4/no-output-while-queued';
    if (!mayHaveRun) scene.check(id, output === null, call, actual);
  } else if (statusIn(call) === 'IN_PROGRESS' && retries > 0) {
    const isOf = ({ chunks }: typeof before): boolean =>
      chunks.some((chunk) => sameJson(chunk.output, output));
    const isOld = output !== null && isOf(before) && !isOf(job.foreseen(1));
    scene.check('4.6/removes-output', !isOld, call, actual);
  }
}

/** What is more than several MB may well be beyond what a service has room for. */
const SEVERAL_MB_MAX = 10_000_000;
/** So quick a handler is stopped by no `executionTimeout`. */
const QUICK_MS = EXECUTION_TIMEOUT_MIN_MS / 2;

/** Of its first run, which nothing but the size of its output could spoil; the document bounds only streamed chunks (section 4.4). */
function largeOutput(scene: Scene, job: Job, { call, record }: Look): void {
  const { large, lastsMs } = job.foreseen(0);
  if (large === undefined || lastsMs === null || lastsMs > QUICK_MS || !scene.isJudgedFurther(job)) return;
  const status = statusIn(call);
  if (status !== 'COMPLETED' && status !== 'FAILED') return;
  if (job.retried || mayBeTakenAway(scene, call) || jsonBytesOf(large) > SEVERAL_MB_MAX) return;
  const isWhole = status === 'COMPLETED' && sameJson(record['output'], large);
  const actual = (): string => `${status}, output ${brief(record['output'])}`;
  scene.check('2.4/large-output-whole', isWhole, call, actual);
}

/** `rights`: by the retries before it, once that was asked. */
function finished(scene: Scene, job: Job, look: Look, retries: number, rights: Right[]): void {
  const { call, record } = look;
  const plan = job.foreseen(retries);
  const output = record['output'];
  const seen = { script: job.script, calls: [job.submitted.call, call.call] };
  if (retries === 0 && isOfSecondRun(job, record)) {
    const actual = `output ${brief(output)}, which only a second run returns`;
    scene.broken(job, secondRun(job, call), { ...seen, actual });
    return;
  }
  if (retries === 0 && runOfAnother(scene, job, record) !== null) {
    scene.fail('2.4/output-of-this-job', { ...seen, actual: `output ${brief(output)}` });
    return;
  }
  // A worker that died may have been replaced by one that follows `planOnRetry`.
  if (plan.outcome !== 'success' || plan.output === undefined || job.foreseen(0).outcome === 'crash') return;
  const right = (rights[retries] ??= rightOf(job, plan.output, retries));
  const isThere = output !== undefined && (output !== null || right.expected === null);
  if (right.expected !== null)
    scene.check(outputIn(call), isThere, call, () => `no output in ${brief(record)}`);
  if (!isThere) return;
  if (isRight(right, output)) {
    scene.pass(...right.kept);
    if (right.given !== null) keptApart(scene, job, right.given, call);
  } else wrongOutput(scene, job, call, right, output);
}

const outputIn = ({ op }: CallEvent): RequirementId =>
  op === 'runsync' ? '2.4/output-in-runsync' : '2.4/output-in-status';

/** It is another job's, of the run before, or made of another input; or else a changed value, which is settled at the end of the run. */
function wrongOutput(scene: Scene, job: Job, call: CallEvent, right: Right, output: Json): void {
  const { expected, given, retries } = right;
  const fault = {
    script: job.script,
    actual: `output ${brief(output)}`,
    expected: `output ${brief(expected)}`,
    calls: [job.submitted.call, call.call],
  };
  // What a worker says of an s3Config is the same for every job that has none.
  const isOfConfig = given === 's3Config' && isObject(output) && 's3Config' in output;
  const mixed = mixedUp(scene, job, given, output);
  const certain = (): RequirementId | null => {
    if (mixed !== null) return given === 'input' ? mixed : null;
    if (!isOfConfig && whoseOutput(scene, job, output) !== null) return '2.4/output-of-this-job';
    return retries > 0 && sameJson(output, job.foreseen(0).output) ? '4.6/removes-output' : null;
  };
  const likely = mixed ?? madeOfAnother(job, output, retries);
  const isAnothers = isReturnedByAnother(scene, job, output);
  const id = certain() ?? (isAnothers ? null : likely);
  if (id !== null) {
    scene.fail(id, fault);
    return;
  }
  // A worker makes nothing else of what it is given: this is some other output.
  const isMadeOfIt = given !== null && isObject(output) && (given === 'input' || isOfConfig);
  scene.ledger.changedValues.push({
    way: isMadeOfIt && likely === null ? 'echoed' : 'returned',
    changes: likely === null ? differencesOf(expected, output, CHANGES_MAX).map(inWords) : [],
    onTheWayThere: likely ?? brokenBy(job, right, output, isMadeOfIt ? given : 'input'),
    onTheWayBack: likely ?? brokenBy(job, right, output, null),
    isAnothers,
    failure: scene.seen(fault),
    expected: fault.expected,
  });
}

/** Without a plan a worker returns its input so: it was given another one than this job's, which has a plan. */
function madeOfAnother(job: Job, output: Json, retries: number): RequirementId | null {
  const input = job.submission['input'];
  const isWithoutPlan = isObject(output) && isObject(output['echo']) && Object.keys(output).length === 1;
  if (!isWithoutPlan || !isObject(input) || input['plan'] === undefined) return null;
  return retries > 0 ? '4.6/keeps-input' : inputReaches(job);
}

/** A result read a second time is the same result. */
function readAgain(scene: Scene, job: Job, first: Look, again: Look): void {
  const { call, record } = again;
  const outputOf = (look: Look): Json => look.record['output'] ?? null;
  const [before, now] = [outputOf(first), outputOf(again)];
  const isSame = sameJson(now, before);
  const actual = (): string =>
    `call #${first.call.call} answered output ${brief(first.record['output'])}, call #${call.call} ${brief(record['output'])}`;
  if (!isSame && now !== null && scene.has('scripted-worker')) {
    if (before !== null && areOfTwoRuns(job, record, first.record)) {
      const calls = [job.submitted.call, first.call.call, call.call];
      scene.broken(job, secondRun(job, call), { script: job.script, actual: actual(), calls });
      return;
    }
    // It told of a success without its output, which came later: no reader has changed that.
    if (before === null && [0, 1].some((run) => sameJson(now, job.foreseen(run).output))) {
      // Of a job that is judged further it is asked by itself.
      if (!scene.isJudgedFurther(job)) scene.check(outputIn(first.call), false, first.call, actual);
      return;
    }
  }
  const id = first.call.op === 'runsync' ? '4.1/answer-agrees-with-status' : '4.3/reading-does-not-consume';
  if (isSame || !mayBeOver(job, call)) scene.check(id, isSame, call, actual);
  // A second run would have ended otherwise.
  const otherwise = (): boolean => !sameJson(job.foreseen(0).output, job.foreseen(1).output);
  const retried = (): boolean => job.calls.some((one) => one.op === 'retry' && answerOf(one) === 'ok');
  if (isSame && otherwise() && !retried()) scene.pass('1/job-processed-once');
  // One that is missing is judged where it is.
  const unlike = (name: string): boolean =>
    record[name] !== undefined && first.record[name] !== undefined && record[name] !== first.record[name];
  scene.check('2.4/times-settled', !unlike('delayTime') && !unlike('executionTime'), call);
}

function retryAnswer(scene: Scene, job: Job, call: CallEvent): void {
  if (answerOf(call) !== 'ok' || !scene.lifeOf(job).mustBe((at) => at.retries > 0)) return;
  scene.check('4.6/status-in-queue', statusIn(call) === 'IN_QUEUE', call);
  const id = idIn(call);
  if (id !== null)
    scene.check('2.4/id-kept-across-retry', id === job.id, call, `retried ${job.id}, got ${id}`);
}

function cancelAnswer(scene: Scene, job: Job, call: CallEvent): void {
  // Only the call that ended it: what a second one answers is an open question, and so is one before its last run.
  const retries = job.calls.filter((one) => one.op === 'retry' && answerOf(one) !== 'refused');
  const first = job.calls.find(
    (one) => one.op === 'cancel' && answerOf(one) === 'ok' && retries.every((retry) => precedes(retry, one)),
  );
  if (first !== call) return;
  const cancelledFrom = (place: 'queue' | 'progress'): boolean =>
    scene.lifeOf(job).mustBe((at) => at.goneFrom === place && at.place === 'cancelled');
  const isCancelled = statusIn(call) === 'CANCELLED';
  if (cancelledFrom('queue')) scene.check('4.5/status-cancelled-queued', isCancelled, call);
  else if (cancelledFrom('progress')) scene.check('4.5/status-cancelled-running', isCancelled, call);
}
