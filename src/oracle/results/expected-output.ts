/**
 * Sections 2.1, 2.3, 2.4 and 4.6: the expected output of a run, the requirements that it satisfies, and the
 * one that a different output violates; and what belongs to another job: an output, a stream, or submitted
 * data.
 */
import type { CallEvent, Json } from '../../history/events.js';
import { idsFor, SUBMISSIONS, type RequirementId } from '../../spec/index.js';
import type { Job } from '../jobs/observed-jobs.js';
import { precedes } from '../jobs/status-observations.js';
import type { Prediction } from '../observed/worker-prediction.js';
import { isObject, recordOf, sameJson, statusIn, type JsonObject } from '../observed/recorded-call.js';
import type { Life } from '../context/life.js';
import { differencesOf, OF_THIS_JOB } from './changed-values.js';

/** Which submitted data the output reflects; null if it comes from the plan alone. */
type Given = 'input' | 's3Config' | null;

export interface ExpectedOutput {
  readonly expected: Json;
  readonly given: Given;
  readonly retries: number;
  /** The requirements that the expected output satisfies. */
  readonly satisfied: readonly RequirementId[];
}

export function expectedOutputOf(job: Job, expected: Json, retries: number): ExpectedOutput {
  const given = givenIn(job, retries);
  return { expected, given, retries, satisfied: promisesOf(job, expected, retries, given) };
}

function givenIn(job: Job, retries: number): Given {
  const input = job.submission['input'];
  // Without a plan the worker returns its input.
  if (!isObject(input) || input['plan'] === undefined) return 'input';
  const plan = input[retries > 0 && input['planOnRetry'] !== undefined ? 'planOnRetry' : 'plan'];
  const steps: readonly Json[] = Array.isArray(plan) ? plan : [];
  const has = (name: string): boolean => steps.some((step) => isObject(step) && name in step);
  return has('s3Config') ? 's3Config' : has('echo') ? 'input' : null;
}

/** Requirements that the submission reaches the worker, by operation. */
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

export const KEEPS_INPUT = '4.6/keeps-input';
const INPUT_BEYOND_ASCII = '2.1/input-unicode-unchanged';
const OUTPUT_BEYOND_ASCII = '2.4/output-unicode-unchanged';
const BEYOND_ASCII_UNCHANGED: readonly RequirementId[] = [INPUT_BEYOND_ASCII, OUTPUT_BEYOND_ASCII];

/** The first one is the one that a wrong output violates. */
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
    if (isBeyondAscii) ids.push(INPUT_BEYOND_ASCII);
    if (['id', 'status', 'policy', 'webhook'].some((name) => name in members))
      ids.push('2.1/input-content-not-interpreted');
    return ids;
  }
  if (isBeyondAscii) ids.push(OUTPUT_BEYOND_ASCII);
  ids.push(UNCHANGED[Array.isArray(expected) ? 'array' : isObject(expected) ? 'object' : 'scalar']);
  if (!job.sync && !isBeyondAscii) ids.push(OF_THIS_JOB);
  return ids;
}

/** Whether undocumented fields of `s3Config` are passed along is an open question. */
export function matchesOutput({ expected }: ExpectedOutput, output: Json): boolean {
  if (sameJson(output, expected)) return true;
  const s3Config = isObject(expected) ? expected['s3Config'] : undefined;
  if (!isObject(s3Config)) return false;
  const named = Object.entries(s3Config).filter(([name]) => Object.hasOwn(S3_FIELDS, name));
  return sameJson(output, { s3Config: Object.fromEntries(named) });
}

/** The requirement that this difference violates, about the data received or returned (null). */
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
  const unicode = promises.find((id) => BEYOND_ASCII_UNCHANGED.includes(id));
  const told = [names.at(-1), difference?.expected];
  if (unicode !== undefined && told.some((text) => typeof text === 'string' && !isAscii(text)))
    return unicode;
  // `echo` returns the input itself, or as a member of its answer.
  const depth = names.length - (names[0] === 'echo' ? 1 : 0);
  if (depth > 1 && promises.includes('2.1/input-nested-unchanged')) return '2.1/input-nested-unchanged';
  // Nothing was submitted, so the data belong to another job.
  return promises.find((id) => id !== unicode) ?? promises[0] ?? NOT_MIXED.s3Config;
}

/** Without a plan a worker echoes its input: this job has one, so the worker got another input. */
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

/** Of the value's JSON text; a lone surrogate is escaped there. */
function isAsciiJson(value: Json): boolean {
  if (typeof value === 'string') return isAscii(value) || isAscii(JSON.stringify(value));
  if (Array.isArray(value)) return (value as readonly Json[]).every(isAsciiJson);
  if (!isObject(value)) return true;
  return Object.keys(value).every((name) => isAsciiJson(name) && isAsciiJson(value[name]!));
}

/** Another job that certainly returned this output; null if none did, or if many jobs may. */
export function whoseOutput(life: Life, output: Json): Job | null {
  return isCommon(output) ? null : returnedBy(life, output);
}

/** Another job that returns the same output, which alone does not prove a mix-up. */
export function returnedBy({ context, job }: Life, output: Json): Job | null {
  return context.jobs.find((other) => other !== job && mayReturn(other.predicted(0), output)) ?? null;
}

/** A streaming handler may return its own value or all its results; its final output is open otherwise. */
function mayReturn({ chunks, returned }: Prediction, output: Json): boolean {
  if (sameJson(returned, output)) return true;
  const results = chunks.map((chunk) => chunk.output);
  return results.length > 0 && sameJson(results, output);
}

const isAmong = (output: Json, { chunks }: Prediction): boolean =>
  chunks.some((chunk) => sameJson(chunk.output, output));

/** The record of a streaming job shows the output of another job, so it reports that job's run. */
export function jobWithSameRun(life: Life, record: JsonObject): Job | null {
  const { plan } = life;
  const output = record['output'] ?? null;
  // The output of a streaming job is open: it may be one of its own results.
  if (!plan.streams || plan.outcome !== 'success' || mayReturn(plan, output) || isAmong(output, plan))
    return null;
  return whoseOutput(life, output);
}

/**
 * Its record and its stream show results of the same other job. That the worker received the other's input is
 * reported with the record.
 */
export function isRunOfAnother(life: Life, outputs: readonly Json[]): boolean {
  return life.calls('status').some((call) => {
    if (statusIn(call) !== 'COMPLETED') return false;
    const other = jobWithSameRun(life, recordOf(call)!);
    return outputs.every((output) => other !== null && isAmong(output, other.predicted(0)));
  });
}

/** One of the results that another job streams. */
export function isStreamedByAnother({ context, job }: Life, output: Json): boolean {
  if (typeof output === 'string' ? output === '' : isCommon(output)) return false;
  return context.jobs.some((other) => other !== job && isAmong(output, other.predicted(0)));
}

/** Length of `{}`, `[""]`, `null`, `false` and small numbers. */
const COMMON_MAX = 5;

/** An output that many jobs return does not identify another job. */
function isCommon(output: Json): boolean {
  const text = JSON.stringify(output);
  return text.length <= COMMON_MAX || text === '{"ok":true}' || text === '{"echo":{}}';
}

const NOT_MIXED = {
  input: '2.1/input-not-mixed-between-jobs',
  s3Config: '2.3/not-mixed-between-jobs',
} as const;

const carried = (job: Job, given: 'input' | 's3Config'): Json => job.submission[given] ?? null;

/** The job received its own data, although another submission carried different data. */
export function passNotMixed({ context, job }: Life, given: NonNullable<Given>, call: CallEvent): void {
  const own = carried(job, given);
  const others = context.jobs.some(
    (other) => other !== job && precedes(other.submitted, call) && !sameJson(carried(other, given), own),
  );
  if (others) context.pass(NOT_MIXED[given]);
}

/** The output is what the worker makes of another submission's data; null if it is not. */
export function mixedWithAnother({ context, job }: Life, given: Given, output: Json): RequirementId | null {
  if (given === null) return null;
  const shown = given === 'input' ? output : isObject(output) ? output['s3Config'] : undefined;
  if (shown === undefined || sameJson(shown, carried(job, given))) return null;
  const isMadeOf = (its: Json): boolean =>
    its !== null && (sameJson(its, shown) || (given === 'input' && sameJson({ echo: its }, shown)));
  const isForeign = context.jobs.some((other) => other !== job && isMadeOf(carried(other, given)));
  return isForeign ? NOT_MIXED[given] : null;
}
