/** What jobs return: sections 2.1, 2.3, 2.4, 4.1, 4.3 and 4.6. Needs a scripted worker, whose results are foreseen. */
import type { CallEvent, Json } from '../../history/events.js';
import type { RequirementId } from '../../spec/index.js';
import type { Job } from '../cast/cases.js';
import { isOfSecondRun, secondRun } from '../blame/second-run.js';
import { isBesideRetry, precedes } from '../cast/sightings.js';
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
import type { Fault, Scene } from '../scene/scene.js';
import { anothers, isReturnedByAnother, runOfAnother } from './anothers.js';
import { readAgain } from './read-again.js';
import { differencesOf, inWords } from './differences.js';
import { largeOutput } from './large-output.js';
import { keptApart, mixedUp, type Given } from './mixed-up.js';
import { CHANGES_MAX } from './on-which-way.js';
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
    // What a retry that must do nothing has done to a result is not the reader's doing.
    if (call.op === 'retry' && answerOf(call) !== 'refused') first = firstCall = null;
    if (retry === 'requeued') {
      retries += 1;
      afterRetryAnswer(scene, job, call);
    } else if (call.op === 'retry' && answerOf(call) === 'ok') {
      // It must not have done anything; where it did all the same, that is what was broken.
      first = null;
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
    if (first !== null && firstCall !== null) readAgain(scene, job, call, record, first, firstCall);
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
  if (retries === 0 && isOfSecondRun(job, record)) {
    scene.broken(job, secondRun(job, call), {
      script: job.script,
      actual: `output ${brief(record['output'])}, which only a second run returns`,
      calls: [job.submitted.call, call.call],
    });
    return;
  }
  if (retries === 0 && runOfAnother(scene, job, record) !== null) {
    scene.fail('2.4/output-of-this-job', {
      script: job.script,
      actual: `output ${brief(record['output'])}`,
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
  const mixed = given === null ? null : mixedUp(scene, job, given, output);
  const stale = retries > 0 && sameJson(output, job.foreseen(0).output);
  const id =
    (given === 's3Config' ? null : mixed) ??
    (mixed === null && anothers(scene, job, given, output) !== null ? '2.4/output-of-this-job' : null) ??
    (mixed === null && stale ? '4.6/removes-output' : null);
  const fault = {
    script: job.script,
    actual: `output ${brief(output)}`,
    expected: `output ${brief(expected)}`,
    calls: [job.submitted.call, call.call],
  };
  if (id !== null) scene.fail(id, fault);
  else {
    // A worker makes nothing else of what it is given: this is some other output.
    const isMadeOfIt = isObject(output) && (given !== 's3Config' || 's3Config' in output);
    const likely = mixed ?? givenAnother(job, output, retries);
    changed(scene, job, { expected, output, retries, given: isMadeOfIt ? given : null, likely }, fault);
  }
}

interface Changed {
  readonly expected: Json;
  readonly output: Json;
  readonly retries: number;
  readonly given: Given | null;
  /** What it shows to be broken, whatever was changed; null: that is to be found out. */
  readonly likely: RequirementId | null;
}

/** It is not what it should be, nor certainly what anything else would have been. */
function changed(
  scene: Scene,
  job: Job,
  { expected, output, retries, given, likely }: Changed,
  fault: Fault & { readonly expected: string },
): void {
  const broken = (what: Given | null): RequirementId => brokenKind(job, expected, output, retries, what);
  const isAnothers = isReturnedByAnother(scene, job, output);
  if (likely !== null && !isAnothers) scene.fail(likely, fault);
  else
    scene.ledger.changedValues.push({
      way: given !== null && likely === null ? 'echoed' : 'returned',
      changes: likely === null ? differencesOf(expected, output, CHANGES_MAX).map(inWords) : [],
      onTheWayThere: likely ?? broken(given ?? 'input'),
      onTheWayBack: likely ?? broken(null),
      isAnothers,
      failure: scene.seen(fault),
      expected: fault.expected,
    });
}

/** Without a plan a worker returns its input so: it was given another one than this job's, which has a plan. */
function givenAnother(job: Job, output: Json, retries: number): RequirementId | null {
  const input = job.submission['input'];
  const isWithoutPlan = isObject(output) && isObject(output['echo']) && Object.keys(output).length === 1;
  if (!isWithoutPlan || !isObject(input) || input['plan'] === undefined) return null;
  return retries > 0 ? '4.6/keeps-input' : `2.1/input-reaches-worker-${job.sync ? 'runsync' : 'run'}`;
}

/** The promise that this very difference breaks: of those for what the worker was given, or for what it returned. */
function brokenKind(
  job: Job,
  expected: Json,
  output: Json,
  retries: number,
  given: Given | null,
): RequirementId {
  const kinds = kindsOf(job, expected, retries, given);
  const [difference] = differencesOf(expected, output, 1);
  const names = difference?.names ?? [];
  const field = S3_KINDS[names[1] ?? ''];
  if (names[0] === 's3Config' && field !== undefined && kinds.includes(field)) return field;
  const unicode = kinds.find((id) => id.endsWith('-unicode-unchanged'));
  const told = [names.at(-1), difference?.expected];
  if (unicode !== undefined && told.some((text) => typeof text === 'string' && !isAscii(text)))
    return unicode;
  // `echo` returns the input itself, or as a member of its answer.
  const depth = names.length - (names[0] === 'echo' ? 1 : 0);
  if (depth > 1 && kinds.includes('2.1/input-nested-unchanged')) return '2.1/input-nested-unchanged';
  // What comes where nothing was submitted is another's.
  return kinds.find((id) => id !== unicode) ?? kinds[0] ?? '2.3/not-mixed-between-jobs';
}

const S3_KINDS: { readonly [field: string]: RequirementId } = {
  accessId: '2.3/access-id-reaches-worker',
  accessSecret: '2.3/access-secret-reaches-worker',
  bucketName: '2.3/bucket-name-reaches-worker',
  endpointUrl: '2.3/endpoint-url-reaches-worker',
};

const S3_FIELDS: ReadonlySet<string> = new Set(['accessId', 'accessSecret', 'bucketName', 'endpointUrl']);

/** Whether fields of `s3Config` that the document does not name are passed along is an open question. */
function withoutUnknown(expected: Json): Json | undefined {
  const s3Config = isObject(expected) ? expected['s3Config'] : undefined;
  if (!isObject(s3Config)) return undefined;
  const known = Object.entries(s3Config).filter(([name]) => S3_FIELDS.has(name));
  return { s3Config: Object.fromEntries(known) };
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
