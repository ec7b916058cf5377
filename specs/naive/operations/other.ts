/** Other paths (section 4.9) */
import { refuse, type Answer, type EndpointCall, type Reply } from '../call.js';
import { hasEnded } from '../job.js';
import type { Json, JsonObject } from '../json.js';
import { SECOND_MS } from '../submission.js';
import { emptySubmission } from './body.js';

/** Passes the call to a worker and answers with its output. */
export function openai(call: EndpointCall, answer: Answer): void {
  const { endpoint } = call;
  const { clock, choices } = endpoint.service;
  if (choices.openai === 'not-found') return answer(refuse(404, 'no such route'));
  if (choices.openai === 'stub') return answer({ code: 200, body: { object: 'list', data: [] } });
  let openaiInput: Json;
  try {
    openaiInput = JSON.parse(call.body?.toString('utf8') || '{}') as Json;
  } catch {
    return answer(refuse(400, 'the body is no JSON'));
  }
  const input: JsonObject = { openai_route: `/${call.rest.join('/')}`, openai_input: openaiInput };
  const job = endpoint.submit({ ...emptySubmission(endpoint, 'runsync'), input });
  const timer = clock.at(clock.now() + 90 * SECOND_MS, () =>
    close(refuse(504, 'no worker answered in time')),
  );
  const close = (reply: Reply | null): void => {
    clock.stop(timer);
    job.watchers.delete(watch);
    if (reply !== null) answer(reply);
  };
  const watch = (): void => {
    if (job.deleted) return close(refuse(404, 'the job is gone'));
    if (!hasEnded(job)) return;
    close(
      job.status === 'COMPLETED' ? { code: 200, body: job.output ?? null } : refuse(500, 'the worker failed'),
    );
  };
  job.watchers.add(watch);
  call.onGone(() => close(null));
  watch();
}

export function requests({ endpoint }: EndpointCall, answer: Answer): void {
  endpoint.service.hooks.requestsRead(endpoint);
  const jobs = [...endpoint.jobs.values()];
  answer({ code: 200, body: { requests: jobs.map((job) => ({ id: job.id, status: job.status })) } });
}
