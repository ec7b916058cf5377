/** `/purge-queue` (sections 2.6 and 4.7) */
import type { Answer, EndpointCall } from '../call.js';
import type { Endpoint } from '../endpoint.js';
import type { Job } from '../job.js';
import type { Json, JsonObject } from '../json.js';

export function purge({ endpoint }: EndpointCall, answer: Answer): void {
  const { choices, hooks } = endpoint.service;
  const reply = (removed: Json): void => {
    const body: JsonObject = { removed, status: 'completed' };
    if (choices.extraFields) body['queue'] = endpoint.id;
    answer({ code: choices.purgeCode, body: hooks.purgeBody(body) });
  };
  const proceed = (): void => {
    const removed = purgeQueue(endpoint);
    hooks.answerPurge(endpoint, () => reply(removed));
  };
  const refusal = hooks.purgeCall(endpoint, proceed, reply);
  if (refusal !== null) answer(refusal);
}

/** Removes the jobs that wait; answers how many. */
export function purgeQueue(endpoint: Endpoint): Json {
  const { hooks } = endpoint.service;
  const { workers } = endpoint;
  const taken = hooks.purgeTaken([...workers.queue], endpoint);
  const removed = hooks.removed(taken, endpoint);
  if (hooks.purges(endpoint, taken) === true) return removed;
  // The queue is emptied as one: a worker must not take a job while the others are being removed.
  workers.queue = workers.queue.filter((job) => !taken.includes(job));
  for (const job of taken) purgeJob(job);
  hooks.purged(endpoint, taken);
  return removed;
}

function purgeJob(job: Job): void {
  const { endpoint } = job;
  const { choices, hooks } = endpoint.service;
  if (hooks.purgesJob(job)) return;
  if (choices.purgedAfter === 'cancelled') endpoint.endWaiting(job, 'CANCELLED');
  else endpoint.remove(job);
}
