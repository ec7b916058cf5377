/** What jobs return: sections 2.1, 2.3, 2.4, 4.1, 4.3 and 4.6, judged by `expected-output.ts`. */
import type { CallEvent, Json } from '../../history/events.js';
import { jsonBytesOf } from '../../history/json-size.js';
import { idsFor, type RequirementId } from '../../spec/index.js';
import { EXECUTION_TIMEOUT_MIN_MS } from '../../spec/limits.js';
import { areOfTwoRuns, attributedSecondRun, isOfSecondRun } from '../attribution/second-run.js';
import { precedes } from '../jobs/status-observations.js';
import {
  answerOf,
  excerpt,
  idIn,
  isObject,
  recordOf,
  sameJson,
  statusIn,
} from '../observed/recorded-call.js';
import type { FailureReport, JudgingContext } from '../context/judging-context.js';
import type { Life } from '../context/life.js';
import { changesOf, OF_THIS_JOB } from './changed-values.js';
import {
  violatedBy,
  matchesOutput,
  passNotMixed,
  madeOfAnother,
  mixedWithAnother,
  returnedBy,
  expectedOutputOf,
  jobWithSameRun,
  KEEPS_INPUT,
  whoseOutput,
  type ExpectedOutput,
} from './expected-output.js';

export function judgeResults(context: JudgingContext): void {
  const { jobs, callIndex } = context;
  for (const { call, first } of callIndex.duplicates)
    context.fail('2.4/id-unique', {
      script: call.script,
      actual: `calls #${first.call} and #${call.call} were answered with the same id`,
      calls: [first.call, call.call],
    });
  if (jobs.length > 1 && callIndex.duplicates.length === 0) context.pass('2.4/id-unique');
  for (const life of context.eachLife()) judgeJobResults(life);
}

const isUnsuccessful = (status: string | null): boolean =>
  status === 'FAILED' || status === 'TIMED_OUT' || status === 'CANCELLED';

function judgeJobResults(life: Life): void {
  const { context, job } = life;
  let first: CallEvent | null = null;
  let unsuccessful: CallEvent | null = null;
  let retries = 0;
  const expectedOutputs: ExpectedOutput[] = [];
  for (const call of job.sync ? [job.submitted, ...job.calls] : job.calls) {
    if (call.op === 'retry' && answerOf(call) !== 'refused') {
      // A change caused by a retry is not caused by reading, even if the retry should have had no effect.
      first = null;
      unsuccessful = null;
      const retry = life.retryEffect(call);
      if (retry === 'maybe') return;
      if (retry === 'requeued') {
        retries += 1;
        retryAnswer(life, call);
      }
    }
    if (call.op === 'cancel') cancelAnswer(life, call);
    if ((call.op !== 'status' && call.op !== 'runsync') || life.isAmidRetry(call)) continue;
    if (recordOf(call) === null || answerOf(call) !== 'ok') continue;
    unfinished(life, call, retries);
    largeOutput(life, call);
    if (isUnsuccessful(statusIn(call))) {
      if (unsuccessful !== null && statusIn(unsuccessful) === statusIn(call))
        timesAgain(context, unsuccessful, call);
      unsuccessful ??= call;
    }
    if (statusIn(call) !== 'COMPLETED') continue;
    if (context.has('scripted-worker') && life.isJudgedFurther)
      finished(life, call, retries, expectedOutputs);
    if (first !== null) readAgain(life, first, call);
    first ??= call;
  }
}

/** The output in a job's record, or null. */
const outputIn = (call: CallEvent): Json => recordOf(call)?.['output'] ?? null;

function unfinished({ context, job, plan: before }: Life, call: CallEvent, retries: number): void {
  const output = outputIn(call);
  const actual = (): string => `output: ${excerpt(output)}`;
  if (statusIn(call) === 'IN_QUEUE') {
    const mayHaveRun = retries === 0 && before.outcome === 'crash';
    const id = retries > 0 ? '4.6/removes-output' : '2.4/no-output-while-queued';
    if (!mayHaveRun) context.check(id, output === null, call, actual);
  } else if (statusIn(call) === 'IN_PROGRESS' && retries > 0) {
    const isOf = ({ chunks }: typeof before): boolean =>
      chunks.some((chunk) => sameJson(chunk.output, output));
    const isOld = output !== null && isOf(before) && !isOf(job.predicted(1));
    context.check('4.6/removes-output', !isOld, call, actual);
  }
}

/** More than several MB may exceed what a service can store. */
const SEVERAL_MB_MAX = 10_000_000;
/** No `executionTimeout` stops a handler this fast. */
const QUICK_MS = EXECUTION_TIMEOUT_MIN_MS / 2;

/** A first run that only its output's size could affect; only streamed chunks have a limit (4.4). */
function largeOutput(life: Life, call: CallEvent): void {
  const { context, job } = life;
  const { large, durationMs } = life.plan;
  if (large === undefined || durationMs === null || durationMs > QUICK_MS || !life.isJudgedFurther) return;
  const status = statusIn(call);
  if (status !== 'COMPLETED' && status !== 'FAILED') return;
  if (job.retried || life.mayBeTakenAway(call) || jsonBytesOf(large) > SEVERAL_MB_MAX) return;
  const output = outputIn(call);
  const isWhole = status === 'COMPLETED' && sameJson(output, large);
  context.check('2.4/large-output-whole', isWhole, call, () => `${status}, output ${excerpt(output)}`);
}

/** `expectedOutputs`: by number of retries before, once computed. */
function finished(life: Life, call: CallEvent, retries: number, expectedOutputs: ExpectedOutput[]): void {
  const { context, job } = life;
  const record = recordOf(call)!;
  const plan = job.predicted(retries);
  const { output } = record;
  const seen = { script: job.script, calls: [job.submitted.call, call.call] };
  if (retries === 0 && isOfSecondRun(job, record)) {
    const actual = `output ${excerpt(output)}, which only a second run would return`;
    return failSecondRun(life, call, { ...seen, actual });
  }
  if (retries === 0 && jobWithSameRun(life, record) !== null) {
    context.fail(OF_THIS_JOB, { ...seen, actual: `output ${excerpt(output)}` });
    return;
  }
  // A crashed worker may have been replaced by one that follows `planOnRetry`.
  const planned = plan.outcome === 'success' ? plan.output : plan.ifCompleted;
  if (planned === undefined || life.plan.outcome === 'crash') return;
  const expectedOutput = (expectedOutputs[retries] ??= expectedOutputOf(job, planned, retries));
  const isThere = output !== undefined && (output !== null || expectedOutput.expected === null);
  if (expectedOutput.expected !== null)
    context.check(OUTPUT_IN[call.op as 'status'], isThere, call, () => `no output in ${excerpt(record)}`);
  if (!isThere) return;
  if (!matchesOutput(expectedOutput, output))
    return wrongOutput(life, expectedOutput, output, { ...seen, actual: `output ${excerpt(output)}` });
  context.pass(...expectedOutput.satisfied);
  // It follows the part of the input that is for a second run.
  if (plan.ifCompleted !== undefined) context.pass(KEEPS_INPUT);
  if (expectedOutput.given !== null) passNotMixed(life, expectedOutput.given, call);
}

const OUTPUT_IN = idsFor('2.4/output-in-*', ['runsync', 'status']);

/**
 * The output belongs to another job, to the previous run, or to another input; otherwise it is a changed
 * value, settled at the end of the run.
 */
function wrongOutput(life: Life, expectedOutput: ExpectedOutput, output: Json, seen: FailureReport): void {
  const { context, job } = life;
  const { expected, given, retries } = expectedOutput;
  const failureReport = { ...seen, expected: `output ${excerpt(expected)}` };
  // What a worker reports without an s3Config is the same for every job.
  const isOfConfig = given === 's3Config' && isObject(output) && 's3Config' in output;
  const mixed = mixedWithAnother(life, given, output);
  const certain = (): RequirementId | null => {
    if (mixed !== null) return given === 'input' ? mixed : null;
    if (!isOfConfig && whoseOutput(life, output) !== null) return OF_THIS_JOB;
    return retries > 0 && sameJson(output, job.predicted(0).output) ? '4.6/removes-output' : null;
  };
  const likely = mixed ?? madeOfAnother(job, output, retries);
  const isAnothers = returnedBy(life, output) !== null;
  const id = certain() ?? (isAnothers ? null : likely);
  if (id !== null) return context.fail(id, failureReport);
  // The worker makes nothing else of its data, so this is another output.
  const isMadeOfIt = given !== null && isObject(output) && (given === 'input' || isOfConfig);
  context.ledger.changedValues.push({
    way: isMadeOfIt && likely === null ? 'echoed' : 'returned',
    changes: likely === null ? changesOf(expected, output) : [],
    ifChangedThere: likely ?? violatedBy(job, expectedOutput, output, isMadeOfIt ? given : 'input'),
    ifChangedBack: likely ?? violatedBy(job, expectedOutput, output, null),
    isAnothers,
    failure: context.observedFailure(failureReport),
    expected: failureReport.expected,
  });
}

const failSecondRun = ({ context, job }: Life, call: CallEvent, seen: FailureReport): void =>
  context.failAttributed(job, attributedSecondRun(job, call), seen);

/** A second read returns the same result. */
function readAgain(life: Life, first: CallEvent, call: CallEvent): void {
  const { context, job } = life;
  const [record, earlier] = [recordOf(call)!, recordOf(first)!];
  const [now, before] = [outputIn(call), outputIn(first)];
  const isSame = sameJson(now, before);
  const actual = (): string =>
    `call #${first.call} answered output ${excerpt(earlier['output'])}, call #${call.call} ${excerpt(record['output'])}`;
  if (!isSame && now !== null && context.has('scripted-worker')) {
    if (before !== null && areOfTwoRuns(job, record, earlier)) {
      const calls = [job.submitted.call, first.call, call.call];
      return failSecondRun(life, call, { script: job.script, actual: actual(), calls });
    }
    // The first read reported a success without its output, which appeared later: reading did not change it.
    if (before === null && [0, 1].some((run) => sameJson(now, job.predicted(run).output))) {
      // For a job that is judged further, that is checked separately.
      if (!life.isJudgedFurther) context.check(OUTPUT_IN[first.op as 'status'], false, first, actual);
      return;
    }
  }
  const id = first.op === 'runsync' ? '4.1/answer-agrees-with-status' : '4.3/reading-does-not-consume';
  if (isSame || life.wasKept(call)) context.check(id, isSame, call, actual);
  // A second run would have ended differently.
  const isOtherwise = (): boolean => !sameJson(life.plan.output, job.predicted(1).output);
  if (isSame && isOtherwise() && life.done('retry') === undefined) context.pass('1/job-processed-once');
  timesAgain(context, first, call);
}

/** A second read of an ended job reports the same times. A missing time is judged elsewhere. */
function timesAgain(context: JudgingContext, first: CallEvent, call: CallEvent): void {
  const [record, earlier] = [recordOf(call)!, recordOf(first)!];
  // How long a job ran that is stopped may be known later.
  const isMissing = (time: unknown): boolean =>
    time === undefined || (time === null && statusIn(call) !== 'COMPLETED');
  const isSettled = (name: string): boolean =>
    isMissing(record[name]) || isMissing(earlier[name]) || record[name] === earlier[name];
  context.check('2.4/times-settled', ['delayTime', 'executionTime'].every(isSettled), call);
}

function retryAnswer({ context, job, explanations }: Life, call: CallEvent): void {
  if (answerOf(call) !== 'ok' || !explanations.mustBe((at) => at.retries > 0)) return;
  context.check('4.6/status-in-queue', statusIn(call) === 'IN_QUEUE', call);
  const id = idIn(call);
  if (id !== null)
    context.check('2.4/id-kept-across-retry', id === job.id, call, `retried ${job.id}, but got ${id}`);
}

const CANCELLED = {
  queued: '4.5/status-cancelled-queued',
  running: '4.5/status-cancelled-running',
} as const;

function cancelAnswer(life: Life, call: CallEvent): void {
  const { context, retries } = life;
  // Only the call that ended the job: what a later cancel answers is open, and so is one before its last run.
  const first = life
    .calls('cancel')
    .find((one) => answerOf(one) === 'ok' && retries.every((retry) => precedes(retry, one)));
  if (first !== call) return;
  const shown = statusIn(call);
  for (const from of ['queued', 'running'] as const)
    if (life.mustBe((at) => at.previousState === from && at.state === 'cancelled'))
      return context.check(CANCELLED[from], shown === 'CANCELLED', call);
  // Whether it waited, ran, or had just ended: for none of these may the answer of a cancel that worked say that it goes on.
  if ((shown === 'IN_QUEUE' || shown === 'IN_PROGRESS') && life.mustBe(({ state }) => state === 'cancelled'))
    context.check(CANCELLED[shown === 'IN_QUEUE' ? 'queued' : 'running'], false, call);
}
