/** `/run` (section 4.2) */
import type { Answer, EndpointCall } from '../call.js';
import { isReply, readBody } from './body.js';
import { idAndStatus } from './common.js';

export function run(call: EndpointCall, answer: Answer): void {
  const { endpoint } = call;
  const { choices, hooks } = endpoint.service;
  const refusal = hooks.runRefused(endpoint);
  if (refusal !== null) return answer(refusal);
  const submission = readBody(call, 'run', null);
  if (isReply(submission)) return answer(submission);
  hooks.run(endpoint, () => {
    const job = endpoint.submit(submission);
    const body = hooks.runBody(idAndStatus(endpoint, job.id, 'IN_QUEUE'), job);
    hooks.answerRun(job, () => answer({ code: choices.runCode, body }));
  });
}
