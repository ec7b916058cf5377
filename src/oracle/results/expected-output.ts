/**
 * Sections 2.1, 2.3, 2.4 and 4.6: the right output of a run, the promises that it keeps, and the one that another output breaks;
 * and what is another job's: an output, a stream, or what its submission carries.
 */
import type { CallEvent, Json } from '../../history/events.js';
import { idsFor, SUBMISSIONS, type RequirementId } from '../../spec/index.js';
import type { Job } from '../jobs/observed-jobs.js';
import { precedes } from '../jobs/sightings.js';
import type { Prediction } from '../observed/worker-prediction.js';
import { isObject, recordOf, sameJson, statusIn, type JsonObject } from '../observed/recorded-call.js';
import type { JudgingContext } from '../context/judging-context.js';
import { differencesOf, OF_THIS_JOB } from './changed-values.js';

/** What an output shows of what the worker was given; null where it is the plan's alone. */
type Given = 'input' | 's3Config' | null;

export interface ExpectedOutput {
  readonly expected: Json;
  readonly given: Given;
  readonly retries: number;
  /** The promises that it keeps. */
  readonly satisfied: readonly RequirementId[];
}

export function expectedOutputOf(job: Job, expected: Json, retries: number): ExpectedOutput {
  const given = givenIn(job, retries);
  return { expected, given, retries, satisfied: promisesOf(job, expected, retries, given) };
}

function givenIn(job: Job, retries: number): Given {
  const input = job.submission['input'];
  // Where there is no plan the input comes back.
  if (!isObject(input) || input['plan'] === undefined) return 'input';
  const plan = input[retries > 0 && input['planOnRetry'] !== undefined ? 'planOnRetry' : 'plan'];
  const steps: readonly Json[] = Array.isArray(plan) ? plan : [];
  const has = (name: string): boolean => steps.some((step) => isObject(step) && name in step);
  return has('s3Config') ? 's3Config' : has('echo') ? 'input' : null;
}

/** What shows that the submission was given to the worker, by its operation. */
const INPUT_REACHES = idsFor('2.1/input-reaches-worker-*', SUBMISSIONS);
const CONFIG_REACHES = idsFor('2.3/passed-along-*', SUBMISSIONS);
const UNCHANGED = idsFor('2.4/output-*-unchanged', ['array', 'object', 'scalar']);

export const inputReaches = ({ sync }: Job): RequirementId => INPUT_REACHES[sync ? 'runsync' : 'run'];

const S3_FIELDS: { readonly [field: string]: RequirementId } = {
  accessId: '2.3/access-id-reaches-worker',
  accessSecret: '2.3/access-secret-reaches-worker',
  bucketName: '2.3/bucket-name-reaches-worker',
  endpointUrl: '2.3/endpoint-url-reaches-worker',
};

const KEEPS_INPUT = '4.6/keeps-input';

/** The one that a wrong output breaks comes first. */
function promisesOf(job: Job, expected: Json, retries: number, given: Given): readonly RequirementId[] {
  const { input, s3Config } = job.submission;
  const isBeyondAscii = !isAsciiJson(expected);
  if (given === 's3Config') {
    if (s3Config === undefined) return [];
    if (retries > 0) return ['2.3/kept-across-retry'];
    return [CONFIG_REACHES[job.sync ? 'runsync' : 'run'], ...Object.values(S3_FIELDS)];
  }
  const ids: RequirementId[] = [];
  if (given === 'input') {
    if (retries > 0) return [KEEPS_INPUT];
    const members = isObject(input) ? input : {};
    ids.push(inputReaches(job));
    if (Object.values(members).some((value) => typeof value === 'object'))
      ids.push('2.1/input-nested-unchanged');
    if (isBeyondAscii) ids.push('2.1/input-unicode-unchanged');
    if (['id', 'status', 'policy', 'webhook'].some((name) => name in members))
      ids.push('2.1/input-content-not-interpreted');
    return ids;
  }
  if (isBeyondAscii) ids.push('2.4/output-unicode-unchanged');
  ids.push(UNCHANGED[Array.isArray(expected) ? 'array' : isObject(expected) ? 'object' : 'scalar']);
  if (!job.sync && !isBeyondAscii) ids.push(OF_THIS_JOB);
  return ids;
}

/** Whether fields of `s3Config` that the document does not name are passed along is an open question. */
export function matchesOutput({ expected }: ExpectedOutput, output: Json): boolean {
  if (sameJson(output, expected)) return true;
  const s3Config = isObject(expected) ? expected['s3Config'] : undefined;
  if (!isObject(s3Config)) return false;
  const named = Object.entries(s3Config).filter(([name]) => Object.hasOwn(S3_FIELDS, name));
  return sameJson(output, { s3Config: Object.fromEntries(named) });
}

/** The promise that this very difference breaks: of those for what the worker was given, or for what it returned (null). */
export function violatedBy(
  job: Job,
  { expected, retries }: ExpectedOutput,
  output: Json,
  given: Given,
): RequirementId {
  const promises = promisesOf(job, expected, retries, given);
  const [difference] = differencesOf(expected, output, 1);
  const names = difference?.names ?? [];
  const field = S3_FIELDS[names[1] ?? ''];
  if (names[0] === 's3Config' && field !== undefined && promises.includes(field)) return field;
  const unicode = promises.find((id) => id.endsWith('-unicode-unchanged'));
  const told = [names.at(-1), difference?.expected];
  if (unicode !== undefined && told.some((text) => typeof text === 'string' && !isAscii(text)))
    return unicode;
  // `echo` returns the input itself, or as a member of its answer.
  const depth = names.length - (names[0] === 'echo' ? 1 : 0);
  if (depth > 1 && promises.includes('2.1/input-nested-unchanged')) return '2.1/input-nested-unchanged';
  // What comes where nothing was submitted is another's.
  return promises.find((id) => id !== unicode) ?? promises[0] ?? NOT_MIXED.s3Config;
}

/** Without a plan a worker returns its input so: it was given another one than this job's, which has a plan. */
export function madeOfAnother(job: Job, output: Json, retries: number): RequirementId | null {
  const input = job.submission['input'];
  const isWithoutPlan = isObject(output) && isObject(output['echo']) && Object.keys(output).length === 1;
  if (!isWithoutPlan || !isObject(input) || input['plan'] === undefined) return null;
  return retries > 0 ? KEEPS_INPUT : inputReaches(job);
}

function isAscii(text: string): boolean {
  for (let index = 0; index < text.length; index += 1) if (text.charCodeAt(index) > 127) return false;
  return true;
}

/** Of the value's JSON text; a surrogate that stands alone is escaped there. */
function isAsciiJson(value: Json): boolean {
  if (typeof value === 'string') return isAscii(value) || isAscii(JSON.stringify(value));
  if (Array.isArray(value)) return (value as readonly Json[]).every(isAsciiJson);
  if (!isObject(value)) return true;
  return Object.keys(value).every((name) => isAsciiJson(name) && isAsciiJson(value[name]!));
}

/** The job whose output it is, where it is not this one's; null where it is none's, or may be many a job's. */
export function whoseOutput(context: JudgingContext, job: Job, output: Json): Job | null {
  return isCommon(output) ? null : returnedBy(context, job, output);
}

/** Another job that returns it, too, which by itself is no sign of that one. */
export function returnedBy({ observedJobs }: JudgingContext, job: Job, output: Json): Job | null {
  return observedJobs.jobs.find((other) => other !== job && mayReturn(other.predicted(0), output)) ?? null;
}

/** A handler that streams may return what it says, or all its results; what it returns in the end is open otherwise. */
function mayReturn({ chunks, returned }: Prediction, output: Json): boolean {
  if (sameJson(returned, output)) return true;
  const results = chunks.map((chunk) => chunk.output);
  return results.length > 0 && sameJson(results, output);
}

const isAmong = (output: Json, { chunks }: Prediction): boolean =>
  chunks.some((chunk) => sameJson(chunk.output, output));

/** The record of a job that streams shows the output of another one: that is the run of which it tells. */
export function jobWithSameRun(context: JudgingContext, job: Job, record: JsonObject): Job | null {
  const plan = job.predicted(0);
  const output = record['output'] ?? null;
  // What the output of a job that streams is, is open: it may be one of its own results.
  if (!plan.streams || plan.outcome !== 'success' || mayReturn(plan, output) || isAmong(output, plan))
    return null;
  return whoseOutput(context, job, output);
}

/** Its record shows the output of another job, and so does its stream: that its worker was given the other's input is told there. */
export function isRunOfAnother(context: JudgingContext, job: Job, outputs: readonly Json[]): boolean {
  return job.calls.some((call) => {
    if (call.op !== 'status' || statusIn(call) !== 'COMPLETED') return false;
    const other = jobWithSameRun(context, job, recordOf(call)!);
    return outputs.every((output) => other !== null && isAmong(output, other.predicted(0)));
  });
}

/** One of the results that another job streams. */
export function isStreamedByAnother({ observedJobs }: JudgingContext, job: Job, output: Json): boolean {
  if (typeof output === 'string' ? output === '' : isCommon(output)) return false;
  return observedJobs.jobs.some((other) => other !== job && isAmong(output, other.predicted(0)));
}

/** Characters of `{}`, `[""]`, `null`, `false` and small numbers. */
const COMMON_MAX = 5;

/** What many a job returns is no sign of another one. */
function isCommon(output: Json): boolean {
  const text = JSON.stringify(output);
  return text.length <= COMMON_MAX || text === '{"ok":true}' || text === '{"echo":{}}';
}

const NOT_MIXED = {
  input: '2.1/input-not-mixed-between-jobs',
  s3Config: '2.3/not-mixed-between-jobs',
} as const;

const carried = (job: Job, given: 'input' | 's3Config'): Json => job.submission[given] ?? null;

/** The job was given its own, as `call` shows: with another one about that carries something else, that might not have been. */
export function passNotMixed(
  context: JudgingContext,
  job: Job,
  given: NonNullable<Given>,
  call: CallEvent,
): void {
  const own = carried(job, given);
  const others = context.jobs.some(
    (other) => other !== job && precedes(other.submitted, call) && !sameJson(carried(other, given), own),
  );
  if (others) context.pass(NOT_MIXED[given]);
}

/** The output is what the worker would have made of what another submission carries; null where it is none of those. */
export function mixedWithAnother(
  { observedJobs }: JudgingContext,
  job: Job,
  given: Given,
  output: Json,
): RequirementId | null {
  if (given === null) return null;
  const shown = given === 'input' ? output : isObject(output) ? output['s3Config'] : undefined;
  if (shown === undefined || sameJson(shown, carried(job, given))) return null;
  const isMadeOf = (its: Json): boolean =>
    its !== null && (sameJson(its, shown) || (given === 'input' && sameJson({ echo: its }, shown)));
  const isForeign = observedJobs.jobs.some((other) => other !== job && isMadeOf(carried(other, given)));
  return isForeign ? NOT_MIXED[given] : null;
}
