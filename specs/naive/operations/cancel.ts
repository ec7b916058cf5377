/** `/cancel` (section 4.5) */
import { refuse, type Answer, type EndpointCall, type Reply } from '../call.js';
import { hasEnded, type Job } from '../job.js';
import { idAndStatus, isRefusal, named } from './common.js';

export function cancel(call: EndpointCall, answer: Answer): void {
  const { endpoint } = call;
  const { choices, hooks } = endpoint.service;
  const job = named(call, 'cancel');
  if (isRefusal(job)) return answer(job);
  const before = job.status;
  const cancelled = (): Reply => ({
    code: choices.cancelCode,
    body: idAndStatus(endpoint, job.id, 'CANCELLED'),
  });
  if (hasEnded(job)) hooks.cancelOfEnded(job);
  const proceed = (): void => {
    if (hasEnded(job) && before !== 'CANCELLED') return answer(cancelEnded(job));
    const refusal = hooks.cancelRefused(job);
    if (refusal !== null) return answer(refusal);
    if (!hasEnded(job)) cancelJob(job);
    const reply = hooks.cancelReply(cancelled(), job, before);
    hooks.answerCancel(endpoint, () => answer(reply));
  };
  hooks.cancelCall(job, proceed, () => answer(cancelled()));
}

function cancelEnded(job: Job): Reply {
  const { endpoint } = job;
  const { choices } = endpoint.service;
  switch (choices.cancelFinished) {
    case 'own-status':
      return { code: choices.cancelCode, body: idAndStatus(endpoint, job.id, job.status) };
    case 'becomes-cancelled':
      Object.assign(job, { status: 'CANCELLED', output: undefined });
      return { code: choices.cancelCode, body: idAndStatus(endpoint, job.id, 'CANCELLED') };
    case 'claims-cancelled':
      return { code: choices.cancelCode, body: idAndStatus(endpoint, job.id, 'CANCELLED') };
    default:
      return refuse(choices.cancelFinished, 'the job has ended');
  }
}

/** Cancels a job that has not ended. */
export function cancelJob(job: Job): void {
  const { endpoint, run } = job;
  const { choices, hooks } = endpoint.service;
  if (hooks.cancels(job)) return;
  if (run === null) {
    if (hooks.cancelsWaiting(job)) return;
    endpoint.endWaiting(job, 'CANCELLED');
  } else {
    if (hooks.cancelsRunning(run)) return;
    endpoint.workers.finish(run, 'CANCELLED', undefined, null);
  }
  if (choices.cancelledAfter === 'gone') endpoint.remove(job);
}
