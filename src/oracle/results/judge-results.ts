/** What jobs return: sections 2.1, 2.3, 2.4, 4.1, 4.3 and 4.6. Needs a scripted worker, whose results are foreseen. */
import type { CallEvent, Json } from '../../history/events.js';
import type { RequirementId } from '../../spec/index.js';
import type { Job } from '../cases.js';
import { isBesideRetry, precedes } from '../effects/sightings.js';
import type { Foreseen } from '../plan.js';
import {
  answerOf,
  brief,
  idIn,
  isObject,
  recordOf,
  sameJson,
  statusIn,
  type JsonObject,
} from '../reading.js';
import type { Scene } from '../scene.js';
import { largeOutput } from './large-output.js';
import { keptApart, mixedUp, type Given } from './mixed-up.js';
import { isAscii, kindsOf, rightOf, type Right } from './right-output.js';

export function judgeResults(scene: Scene): void {
  for (const { call, first } of scene.cast.roll.duplicates)
    scene.fail('2.4/id-unique', {
      script: call.script,
      actual: `calls #${first.call} and #${call.call} were both answered with the id of one job`,
      calls: [first.call, call.call],
    });
  if (scene.cast.jobs.length > 1 && scene.cast.roll.duplicates.length === 0) scene.pass('2.4/id-unique');
  for (const job of scene.cast.jobs) judgeJobResults(scene, job);
}

function judgeJobResults(scene: Scene, job: Job): void {
  let first: JsonObject | null = null;
  let firstCall: CallEvent | null = null;
  let retries = 0;
  const rights: Right[] = [];
  const calls = job.sync ? [job.submitted, ...job.calls] : job.calls;
  for (const call of calls) {
    const retry = call.op === 'retry' ? scene.retryEffect(job, call) : 'nothing';
    if (retry === 'maybe') return;
    if (retry === 'requeued') {
      retries += 1;
      first = null;
      afterRetryAnswer(scene, job, call);
    }
    if (call.op === 'cancel') afterCancelAnswer(scene, job, call);
    if ((call.op !== 'status' && call.op !== 'runsync') || isBesideRetry(job, call)) continue;
    const record = recordOf(call);
    const status = statusIn(call);
    if (record === null || answerOf(call) !== 'ok') continue;
    if (status === 'IN_QUEUE' || status === 'IN_PROGRESS') unfinished(scene, job, call, record, retries);
    largeOutput(scene, job, call);
    if (status !== 'COMPLETED') continue;
    finished(scene, job, call, record, retries, rights);
    if (first !== null && firstCall !== null) again(scene, job, call, record, first, firstCall);
    first ??= record;
    firstCall ??= call;
  }
}

function unfinished(scene: Scene, job: Job, call: CallEvent, record: JsonObject, retries: number): void {
  const output = record['output'] ?? null;
  if (statusIn(call) === 'IN_QUEUE') {
    const id = retries > 0 ? '4.6/removes-output' : '2.4/no-output-while-queued';
    const mayHaveRun = retries === 0 && job.foreseen(0).outcome === 'crash';
    if (!mayHaveRun) scene.check(id, output === null, call, () => `output: ${brief(output)}`);
  } else if (retries > 0) {
    const before = job.foreseen(0);
    const old = output !== null && before.chunks.some((chunk) => sameJson(chunk.output, output));
    const fresh = job.foreseen(1).chunks.some((chunk) => sameJson(chunk.output, output));
    scene.check('4.6/removes-output', !old || fresh, call, () => `output: ${brief(output)}`);
  }
}

/** `rights`: by the retries before it, once that was asked. */
function finished(
  scene: Scene,
  job: Job,
  call: CallEvent,
  record: JsonObject,
  retries: number,
  rights: Right[],
): void {
  if (!scene.has('scripted-worker') || !scene.isJudgedFurther(job)) return;
  const plan = job.foreseen(retries);
  if (ranTwice(job, plan, record['output'], retries)) {
    scene.fail(secondRun(job, call), {
      script: job.script,
      actual: `output ${brief(record['output'])}, which only a second run returns`,
      calls: [job.submitted.call, call.call],
    });
    return;
  }
  // A worker that died may have been replaced by one that follows `planOnRetry`.
  if (plan.outcome !== 'success' || plan.output === undefined || job.foreseen(0).outcome === 'crash') return;
  const output = record['output'];
  const { expected, kinds, given } = (rights[retries] ??= rightOf(job, plan.output, retries));
  const there = output !== undefined && (output !== null || expected === null);
  if (expected !== null)
    scene.check(
      call.op === 'runsync' ? '2.4/output-in-runsync' : '2.4/output-in-status',
      there,
      call,
      () => `no output in ${brief(record)}`,
    );
  if (!there) return;
  if (sameJson(output, expected) || sameJson(output, withoutUnknown(expected))) {
    scene.pass(...kinds);
    if (given !== null) keptApart(scene, job, given, call);
    return;
  }
  const foreign =
    (given === null ? null : mixedUp(scene, job, given, output)) ??
    (isAnothers(scene, job, given, output) ? '2.4/output-of-this-job' : null);
  const stale = retries > 0 && sameJson(output, job.foreseen(0).output);
  // Nobody asked for a second run, and this is what a worker makes of one.
  const twice = retries === 0 && sameJson(output, job.foreseen(1).output);
  const id =
    foreign ??
    (stale
      ? '4.6/removes-output'
      : twice
        ? secondRun(job, call)
        : brokenKind(job, expected, output, retries));
  scene.fail(id, {
    script: job.script,
    actual: `output ${brief(output)}`,
    expected: `output ${brief(expected)}`,
    calls: [job.submitted.call, call.call],
  });
}

/** What a worker says of an s3Config is the same for every job that has none. */
function isAnothers({ cast }: Scene, job: Job, given: Given | null, output: Json): boolean {
  if (given === 's3Config' && isObject(output) && 's3Config' in output) return false;
  return cast.jobs.some((other) => other !== job && sameJson(other.foreseen(0).output, output));
}

/** What a job that streams returns in the end is open, but not that it is what only another run would return. */
function ranTwice(job: Job, plan: Foreseen, output: Json | undefined, retries: number): boolean {
  const second = job.foreseen(1);
  if (retries > 0 || !plan.streams || plan.outcome !== 'success' || second.streams) return false;
  if (second.outcome !== 'success' || typeof second.output !== 'string' || output !== second.output)
    return false;
  const input = job.submission['input'];
  return isObject(input) && !JSON.stringify(input['plan']).includes(second.output);
}

/** Nobody asked for a second run, save a retry that must not have any effect. */
function secondRun(job: Job, last: CallEvent): RequirementId {
  const retry = job.calls.find((call) => call.op === 'retry' && answerOf(call) === 'ok');
  if (retry === undefined || (retry.endedTick ?? Infinity) > last.sentTick) return '1/job-processed-once';
  const before = job.calls.filter(
    (call) => call.op === 'status' && (call.endedTick ?? Infinity) < retry.sentTick,
  );
  return before.some((call) => statusIn(call) === 'IN_PROGRESS')
    ? '4.6/no-effect-in-progress'
    : '4.6/no-effect-in-queue';
}

/** The promise that this very difference breaks. */
function brokenKind(job: Job, expected: Json, output: Json, retries: number): RequirementId {
  const kinds = kindsOf(job, expected, retries);
  const path = firstDifference(expected, output);
  const field = S3_KINDS[path.names[1] ?? ''];
  if (path.names[0] === 's3Config' && field !== undefined && kinds.includes(field)) return field;
  const particular = (id: RequirementId): boolean => kinds.includes(id);
  const unicode = kinds.find((id) => id.endsWith('-unicode-unchanged'));
  const told = [path.names.at(-1), path.expected];
  if (unicode !== undefined && told.some((text) => typeof text === 'string' && !isAscii(text)))
    return unicode;
  // `echo` returns the input itself, or as a member of its answer.
  const depth = path.names.length - (path.names[0] === 'echo' ? 1 : 0);
  if (depth > 1 && particular('2.1/input-nested-unchanged')) return '2.1/input-nested-unchanged';
  // What comes where nothing was submitted is another's.
  return kinds.find((id) => id !== unicode) ?? kinds[0] ?? '2.3/not-mixed-between-jobs';
}

const S3_KINDS: { readonly [field: string]: RequirementId } = {
  accessId: '2.3/access-id-reaches-worker',
  accessSecret: '2.3/access-secret-reaches-worker',
  bucketName: '2.3/bucket-name-reaches-worker',
  endpointUrl: '2.3/endpoint-url-reaches-worker',
};

interface Difference {
  readonly names: readonly string[];
  readonly expected: Json | undefined;
}

/** Where two values differ first, by the names of the members that lead there. */
function firstDifference(expected: Json | undefined, output: Json | undefined): Difference {
  if (expected === undefined || output === undefined) return { names: [], expected };
  const [left, right] = [membersOf(expected), membersOf(output)];
  if (left === null || right === null) return { names: [], expected };
  for (const name of new Set([...left.keys(), ...right.keys()])) {
    if (sameJson(left.get(name), right.get(name))) continue;
    const inner = firstDifference(left.get(name), right.get(name));
    return { names: [name, ...inner.names], expected: inner.expected };
  }
  return { names: [], expected };
}

function membersOf(value: Json): Map<string, Json> | null {
  if (Array.isArray(value))
    return new Map((value as readonly Json[]).map((item, index) => [`${index}`, item]));
  return isObject(value) ? new Map(Object.entries(value)) : null;
}

const S3_FIELDS: ReadonlySet<string> = new Set(['accessId', 'accessSecret', 'bucketName', 'endpointUrl']);

/** Whether fields of `s3Config` that the document does not name are passed along is an open question. */
function withoutUnknown(expected: Json): Json | undefined {
  const s3Config = isObject(expected) ? expected['s3Config'] : undefined;
  if (!isObject(s3Config)) return undefined;
  const known = Object.entries(s3Config).filter(([name]) => S3_FIELDS.has(name));
  return { s3Config: Object.fromEntries(known) };
}

/** A result read a second time is the same result. */
function again(
  scene: Scene,
  job: Job,
  call: CallEvent,
  record: JsonObject,
  first: JsonObject,
  firstCall: CallEvent,
): void {
  const same = sameJson(record['output'] ?? null, first['output'] ?? null);
  const id = firstCall.op === 'runsync' ? '4.1/answer-agrees-with-status' : '4.3/reading-does-not-consume';
  const actual = (): string =>
    `call #${firstCall.call} answered output ${brief(first['output'])}, call #${call.call} ${brief(record['output'])}`;
  scene.check(id, same, call, actual);
  // A second run would have ended otherwise.
  const otherwise = (): boolean => !sameJson(job.foreseen(0).output, job.foreseen(1).output);
  const retried = (): boolean => job.calls.some((one) => one.op === 'retry' && answerOf(one) === 'ok');
  if (same && otherwise() && !retried()) scene.pass('1/job-processed-once');
  const settled =
    record['delayTime'] === first['delayTime'] && record['executionTime'] === first['executionTime'];
  scene.check('2.4/times-settled', settled, call);
}

function afterRetryAnswer(scene: Scene, job: Job, call: CallEvent): void {
  if (answerOf(call) !== 'ok') return;
  if (!scene.lifeOf(job).mustBe((at) => at.retries > 0)) return;
  scene.check('4.6/status-in-queue', statusIn(call) === 'IN_QUEUE', call);
  const id = idIn(call);
  if (id !== null)
    scene.check('2.4/id-kept-across-retry', id === job.id, call, `retried ${job.id}, got ${id}`);
}

function afterCancelAnswer(scene: Scene, job: Job, call: CallEvent): void {
  if (answerOf(call) !== 'ok') return;
  const cancelledFrom = (place: 'queue' | 'progress'): boolean =>
    scene.lifeOf(job).mustBe((at) => at.goneFrom === place && at.place === 'cancelled');
  // Only the call that ended it: what a second one answers is an open question, and so is one before its last run.
  const retries = job.calls.filter((one) => one.op === 'retry' && answerOf(one) !== 'refused');
  const first = job.calls.find(
    (one) => one.op === 'cancel' && answerOf(one) === 'ok' && retries.every((retry) => precedes(retry, one)),
  );
  if (first !== call) return;
  if (cancelledFrom('queue'))
    scene.check('4.5/status-cancelled-queued', statusIn(call) === 'CANCELLED', call);
  else if (cancelledFrom('progress'))
    scene.check('4.5/status-cancelled-running', statusIn(call) === 'CANCELLED', call);
}
