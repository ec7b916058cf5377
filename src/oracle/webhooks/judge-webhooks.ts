/** Section 6: the webhook of a completed job. */
import type { CallEvent, WebhookEvent } from '../../history/events.js';
import type { RequirementId } from '../../spec/index.js';
import { WEBHOOK_ATTEMPTS_MAX } from '../../spec/limits.js';
import { isShared, type Job } from '../cast/cases.js';
import { answerOf, isObject, jsonOf, seconds } from '../observed/reading.js';
import type { Contradiction } from '../proof/contradiction.js';
import { tooLate, type Term } from '../proof/in-time.js';
import { allowedOnTheWay, onTheWayMs } from '../scene/on-the-way.js';
import type { Scene } from '../scene/scene.js';
import { isPrivate } from '../calls/submissions.js';
import {
  AMPLE_MS,
  completion,
  fault,
  lateMs,
  mayBeUnheard,
  tellingAnEnd,
  UNHEARD,
  watchedUntilMs,
} from './expectations.js';
import { afterAttempt, openAnswer } from './attempts.js';
import { besideFailures, calledOn, removed } from './other-ends.js';
import { judgeSharedAddresses } from './shared-addresses.js';
import { judgeStrayCalls } from './stray-calls.js';

export function judgeWebhooks(scene: Scene): void {
  if (!scene.has('webhook-reachable')) return;
  const { roll, jobs } = scene.cast;
  if (scene.session.webhooks.length > 0) scene.ledger.webhookCame = true;
  judgeStrayCalls(scene);
  for (const job of jobs)
    if (job.webhookUrl !== null && !isShared(roll, job.webhookUrl) && scene.isJudgedFurther(job))
      judgeJobWebhooks(scene, job);
  judgeSharedAddresses(scene);
  if (eachItsOwn(scene)) scene.pass('6/each-job-its-own-url');
}

/** A job was told of at its address, as often as one is at the most: no other of these jobs was told of there. */
function eachItsOwn({ session, cast: { jobs, roll } }: Scene): boolean {
  const told = jobs.some(
    ({ webhookUrl, webhooks: { length } }) =>
      webhookUrl !== null && !isShared(roll, webhookUrl) && length > 0 && length <= WEBHOOK_ATTEMPTS_MAX,
  );
  return told && jobs.length > 1 && session.webhooks.every(({ url }) => roll.webhookAsked.has(url));
}

function judgeJobWebhooks(scene: Scene, job: Job): void {
  const calls = [...job.webhooks].sort((left, right) => left.arrivedMs - right.arrivedMs);
  if (calls.length > 0) scene.pass('6/called-at-given-url');
  if (endsAfterTheFirst(scene, job, calls).length > 0) {
    severalCompletions(scene, job, tellingAnEnd(scene, calls));
    return;
  }
  removed(scene, job, calls);
  calledOn(scene, job, calls);
  besideFailures(scene, job, calls);
  const completed = completion(scene, job);
  if (completed !== null) firstCall(scene, job, calls, completed);
  const tried = tellingAnEnd(scene, calls);
  attempts(scene, job, tried);
  // After the last attempt none follows, whatever its answer was taken for.
  tried
    .slice(0, WEBHOOK_ATTEMPTS_MAX - 1)
    .forEach((call, index) => openAnswer(scene, job, call, tried[index + 1]));
  tried.forEach((call, index) => afterAttempt(scene, job, call, tried[index + 1], index + 1));
  observePayload(scene, job, calls[0]);
}

function firstCall(
  scene: Scene,
  job: Job,
  calls: readonly WebhookEvent[],
  completed: { readonly fromMs: number; readonly byMs: number },
): void {
  const id = job.sync ? '6/called-on-completion-runsync' : '6/called-on-completion-run';
  const dueMs = completed.byMs + lateMs(scene, completed.byMs) + onTheWayMs(scene);
  const first = calls[0];
  if (first !== undefined) {
    scene.pass(id);
    const atLeastMs = (first.sinceMs ?? first.arrivedMs) - completed.byMs;
    scene.ledger.late('webhook', atLeastMs, first.arrivedMs - completed.fromMs);
    const prompt = (first.sinceMs ?? first.arrivedMs) <= dueMs;
    if (prompt) scene.pass('6/called-without-delay');
    else
      scene.fail(
        '6/called-without-delay',
        fault(
          job,
          `completed by ${seconds(completed.byMs)}, called at ${seconds(first.arrivedMs)}`,
          calledLate(scene, job, completed.byMs, first.sinceMs ?? first.arrivedMs),
        ),
      );
    if (first.arrivedMs >= completed.fromMs) scene.pass('6/no-call-before-completion');
    return;
  }
  if (watchedUntilMs(scene, job) > dueMs + AMPLE_MS) {
    if (mayBeUnheard(scene, completed.fromMs, dueMs)) {
      scene.ledger.doubt(id, UNHEARD);
      return;
    }
    if (isPrivate(job.webhookUrl!)) scene.ledger.silentPrivateUrl ??= job.webhookUrl;
    scene.fail(
      id,
      fault(
        job,
        `completed by ${seconds(completed.byMs)}, and no call by ${seconds(watchedUntilMs(scene, job))}`,
        calledLate(scene, job, completed.byMs, watchedUntilMs(scene, job)),
      ),
    );
  }
}

function attempts(scene: Scene, job: Job, calls: readonly WebhookEvent[]): void {
  const broken = tooMany(calls, 1);
  if (broken !== null) scene.fail(broken, fault(job, `${calls.length} calls`));
  else if (calls.length === WEBHOOK_ATTEMPTS_MAX) scene.pass('6/at-most-three-attempts', '6/three-attempts');
}

/** Calls that may have let the job end once more: a retry, or a cancel of what had ended already. */
function endsAfterTheFirst(scene: Scene, job: Job, calls: readonly WebhookEvent[]): readonly CallEvent[] {
  const stopped = scene
    .lifeOf(job)
    .mustBe(
      ({ place, goneFrom }) => place === 'cancelled' && (goneFrom === 'queue' || goneFrom === 'progress'),
    );
  const taken = job.calls.filter(
    (call) => (call.op === 'retry' || call.op === 'cancel') && answerOf(call) !== 'refused',
  );
  // What ended it first is no end after that; its webhook may arrive before its answer does.
  if (stopped && taken.length === 1) return [];
  return taken.filter((call) => {
    const told = calls.some(({ arrivedMs }) => arrivedMs <= (call.receivedMs ?? Infinity));
    return call.op === 'retry' || told || !stopped;
  });
}

function severalCompletions(scene: Scene, job: Job, calls: readonly WebhookEvent[]): void {
  const ends = 1 + endsAfterTheFirst(scene, job, calls).length;
  const broken = tooMany(calls, ends);
  if (broken !== null) scene.fail(broken, fault(job, `${calls.length} calls for ${ends} ends`));
}

/** What so many calls break, if there are too many: the job may as well have ended once more, and each call tells of one end. */
function tooMany(calls: readonly WebhookEvent[], ends: number): RequirementId | null {
  if (calls.length <= WEBHOOK_ATTEMPTS_MAX * ends) return null;
  const told = new Map<string, number>();
  for (const { body } of calls) {
    const record = jsonOf(body);
    const end = isObject(record) ? [record['status'], record['delayTime'], record['executionTime']] : [];
    const key = JSON.stringify(end);
    told.set(key, (told.get(key) ?? 0) + 1);
  }
  const isOneMore = told.size > ends && [...told.values()].every((times) => times <= WEBHOOK_ATTEMPTS_MAX);
  return isOneMore ? '1/job-processed-once' : '6/at-most-three-attempts';
}

function calledLate(scene: Scene, job: Job, completedByMs: number, atMs: number): Contradiction | null {
  const completed = {
    name: 'completed',
    ms: completedByMs,
    why: 'the job had completed by then',
    call: null,
  };
  const called = { name: 'called', ms: atMs, why: 'no webhook call before', call: null };
  const terms: readonly Term[] = [
    { ms: 0, why: 'called on completion', requirement: '6/called-without-delay' },
    ...allowedOnTheWay(scene, lateMs(scene, completedByMs)),
  ];
  return tooLate(job.id, completed, terms, called);
}

function observePayload(scene: Scene, job: Job, call: WebhookEvent | undefined): void {
  if (call === undefined) return;
  const body = jsonOf(call.body);
  const record = isObject(body) && body['id'] === job.id && typeof body['status'] === 'string';
  const withInput = isObject(body) && body['input'] !== undefined;
  scene.ledger.observe('6/payload-shape', record ? (withInput ? 'record-with-input' : 'record') : 'other');
  const type = (call.contentType ?? '').split(';')[0]!.trim().toLowerCase();
  scene.ledger.observe('6/content-type', type === 'application/json' ? 'json' : 'other');
  const signed = Object.keys(call.headers).some((name) => /signature|hmac/i.test(name));
  scene.ledger.observe('6/signature', signed ? 'header' : 'none');
  scene.ledger.observe('6/method', call.method === 'POST' ? 'POST' : 'other');
}
