/** Sections 2.1, 2.3, 2.4 and 4.6: the right output of a run, the promises that it keeps, and the one that another output breaks. */
import type { Json } from '../../history/events.js';
import { idsFor, type RequirementId } from '../../spec/index.js';
import { SUBMISSIONS } from '../../spec/operations.js';
import type { Job } from '../cast/cases.js';
import { isObject, sameJson } from '../observed/reading.js';
import { differencesOf } from './changed-values.js';

/** What an output shows of what the worker was given; null where it is the plan's alone. */
export type Given = 'input' | 's3Config' | null;

export interface Right {
  readonly expected: Json;
  readonly given: Given;
  readonly retries: number;
  /** The promises that it keeps. */
  readonly kept: readonly RequirementId[];
}

export function rightOf(job: Job, expected: Json, retries: number): Right {
  const given = givenIn(job, retries);
  return { expected, given, retries, kept: promisesOf(job, expected, retries, given) };
}

/** What shows that the submission was given to the worker, by its operation. */
const INPUT_REACHES = idsFor('2.1/input-reaches-worker-*', SUBMISSIONS);
const CONFIG_REACHES = idsFor('2.3/passed-along-*', SUBMISSIONS);
const UNCHANGED = idsFor('2.4/output-*-unchanged', ['array', 'object', 'scalar']);

export const inputReaches = ({ sync }: Job): RequirementId => INPUT_REACHES[sync ? 'runsync' : 'run'];

function givenIn(job: Job, retries: number): Given {
  const input = job.submission['input'];
  // Where there is no plan the input comes back.
  if (!isObject(input) || input['plan'] === undefined) return 'input';
  const plan = input[retries > 0 && input['planOnRetry'] !== undefined ? 'planOnRetry' : 'plan'];
  const steps: readonly Json[] = Array.isArray(plan) ? plan : [];
  const has = (name: string): boolean => steps.some((step) => isObject(step) && name in step);
  return has('s3Config') ? 's3Config' : has('echo') ? 'input' : null;
}

const S3_FIELDS: { readonly [field: string]: RequirementId } = {
  accessId: '2.3/access-id-reaches-worker',
  accessSecret: '2.3/access-secret-reaches-worker',
  bucketName: '2.3/bucket-name-reaches-worker',
  endpointUrl: '2.3/endpoint-url-reaches-worker',
};

/** The one that a wrong output breaks comes first. */
function promisesOf(job: Job, expected: Json, retries: number, given: Given): readonly RequirementId[] {
  const { input, s3Config } = job.submission;
  const isBeyondAscii = !isAsciiJson(expected);
  const ids: RequirementId[] = [];
  if (given === 's3Config') {
    if (s3Config === undefined) return [];
    return retries > 0
      ? ['2.3/kept-across-retry']
      : [CONFIG_REACHES[job.sync ? 'runsync' : 'run'], ...Object.values(S3_FIELDS)];
  }
  if (given === 'input') {
    if (retries > 0) return ['4.6/keeps-input'];
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
  const type = Array.isArray(expected) ? 'array' : isObject(expected) ? 'object' : 'scalar';
  ids.push(UNCHANGED[type]);
  if (!job.sync && !isBeyondAscii) ids.push('2.4/output-of-this-job');
  return ids;
}

/** Whether fields of `s3Config` that the document does not name are passed along is an open question. */
export function isRight({ expected }: Right, output: Json): boolean {
  if (sameJson(output, expected)) return true;
  const s3Config = isObject(expected) ? expected['s3Config'] : undefined;
  if (!isObject(s3Config)) return false;
  const named = Object.entries(s3Config).filter(([name]) => Object.hasOwn(S3_FIELDS, name));
  return sameJson(output, { s3Config: Object.fromEntries(named) });
}

/** The promise that this very difference breaks: of those for what the worker was given, or for what it returned (null). */
export function brokenBy(job: Job, { expected, retries }: Right, output: Json, given: Given): RequirementId {
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
  return promises.find((id) => id !== unicode) ?? promises[0] ?? '2.3/not-mixed-between-jobs';
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
