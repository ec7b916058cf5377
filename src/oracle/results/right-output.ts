/** What is right to be told as the output of a run, and which promises that keeps. */
import type { Json } from '../../history/events.js';
import type { RequirementId } from '../../spec/index.js';
import type { Job } from '../cast/cases.js';
import { isObject } from '../observed/reading.js';
import type { Given } from './mixed-up.js';

export interface Right {
  readonly expected: Json;
  /** The promises that it keeps. */
  readonly kinds: readonly RequirementId[];
  /** What it shows of what the worker was given; null where it is the plan's alone. */
  readonly given: Given | null;
}

export function rightOf(job: Job, expected: Json, retries: number): Right {
  return { expected, kinds: kindsOf(job, expected, retries), given: givenIn(job, retries) };
}

function givenIn(job: Job, retries: number): Given | null {
  const steps = stepsOf(job, retries);
  if (steps === null) return 'input';
  const has = (name: string): boolean => steps.some((step) => isObject(step) && name in step);
  return has('s3Config') ? 's3Config' : has('echo') ? 'input' : null;
}

/** The plan that the run follows; null where there is none, and the input comes back. */
function stepsOf(job: Job, retries: number): readonly Json[] | null {
  const input = job.submission['input'];
  if (!isObject(input) || input['plan'] === undefined) return null;
  const plan = input[retries > 0 && input['planOnRetry'] !== undefined ? 'planOnRetry' : 'plan'];
  return Array.isArray(plan) ? (plan as readonly Json[]) : [];
}

/** Which promises the right output keeps, the one that a wrong output breaks first. */
export function kindsOf(
  job: Job,
  expected: Json,
  retries: number,
  given = givenIn(job, retries),
): RequirementId[] {
  const input = job.submission['input'];
  const op = job.sync ? 'runsync' : 'run';
  const unicode = !isAsciiJson(expected);
  if (given === 's3Config') return [...s3Kinds(job, retries, op)];
  if (given === 'input') {
    if (retries > 0) return ['4.6/keeps-input'];
    const ids: RequirementId[] = [`2.1/input-reaches-worker-${op}`];
    if (isObject(input) && Object.values(input).some((value) => typeof value === 'object'))
      ids.push('2.1/input-nested-unchanged');
    if (unicode) ids.push('2.1/input-unicode-unchanged');
    if (isObject(input) && ['id', 'status', 'policy', 'webhook'].some((name) => name in input))
      ids.push('2.1/input-content-not-interpreted');
    return ids;
  }
  const ids: RequirementId[] = [];
  if (unicode) ids.push('2.4/output-unicode-unchanged');
  if (Array.isArray(expected)) ids.push('2.4/output-array-unchanged');
  else if (isObject(expected)) ids.push('2.4/output-object-unchanged');
  else ids.push('2.4/output-scalar-unchanged');
  if (!job.sync && !unicode) ids.push('2.4/output-of-this-job');
  return ids;
}

function s3Kinds(job: Job, retries: number, op: 'run' | 'runsync'): RequirementId[] {
  if (job.submission['s3Config'] === undefined) return [];
  if (retries > 0) return ['2.3/kept-across-retry'];
  return [
    `2.3/passed-along-${op}`,
    '2.3/access-id-reaches-worker',
    '2.3/access-secret-reaches-worker',
    '2.3/bucket-name-reaches-worker',
    '2.3/endpoint-url-reaches-worker',
  ];
}

export function isAscii(text: string): boolean {
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
