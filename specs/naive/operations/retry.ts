/** `/retry` (section 4.6) */
import { refuse, type Answer, type EndpointCall } from '../call.js';
import type { Job } from '../job.js';
import { idAndStatus, isRefusal, named } from './common.js';

export function retry(call: EndpointCall, answer: Answer): void {
  const { endpoint } = call;
  const { choices, hooks } = endpoint.service;
  const job = named(call, 'retry');
  if (isRefusal(job)) return answer(job);
  const before = job.status;
  if (!hooks.mayRetry(before === 'FAILED' || before === 'TIMED_OUT', job)) {
    hooks.retryRefused(job);
    if (choices.retryRefusal !== 'unchanged')
      return answer(refuse(choices.retryRefusal, `the job is ${before}`));
    return answer({ code: 200, body: idAndStatus(endpoint, job.id, before) });
  }
  const reply = (id: string): void => {
    const right = { code: choices.retryCode, body: idAndStatus(endpoint, id, 'IN_QUEUE') };
    answer(hooks.retryReply(right, before));
  };
  const proceed = (): void => {
    retryJob(job);
    hooks.answerRetry(job, () => reply(job.id));
  };
  hooks.retryCall(job, proceed, reply);
}

/** Puts a job into the queue again, without what it has left behind. */
export function retryJob(job: Job): void {
  const { endpoint } = job;
  const { clock, choices, hooks } = endpoint.service;
  if (hooks.retries(job)) return;
  if (hooks.retryForgets('retention')) {
    clock.stop(job.retentionTimer);
    job.retainedUntilMs = Infinity;
  }
  if (hooks.retryForgets('output')) Object.assign(job, { output: undefined, error: null });
  if (hooks.retryForgets('chunks')) Object.assign(job, { chunks: [], chunksRead: 0 });
  if (job.run !== null && hooks.stopsForRetry()) endpoint.workers.stop(job.run);
  if (job.startedMs !== null) job.earlierExecutionMs += (job.endedMs ?? clock.now()) - job.startedMs;
  Object.assign(job, { status: 'IN_QUEUE', startedMs: null, endedMs: null, run: null });
  job.queuedMs = clock.now();
  job.retries += 1;
  job.crashes = 0;
  endpoint.counts.retried += 1;
  hooks.retried(job);
  hooks.requeue(job, () => {
    if (choices.retryPlace === 'back') return endpoint.workers.enqueue(job);
    endpoint.workers.queue.unshift(job);
    endpoint.workers.wake('work');
  });
}
