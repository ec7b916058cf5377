/** `/status` (section 4.3) */
import { refuse, type Answer, type EndpointCall } from '../call.js';
import type { Choices } from '../choices.js';
import { hasEnded } from '../job.js';
import { SECOND_MS, WEEK_MS } from '../submission.js';
import { isRefusal, named } from './common.js';

export function status(call: EndpointCall, answer: Answer): void {
  const { endpoint } = call;
  const { choices, hooks } = endpoint.service;
  const job = named(call, 'status');
  if (isRefusal(job)) return answer(job);
  const given = call.query.get('ttl');
  const isMeant = choices.wrongType === 'rejected' || /^\d+$/.test(given ?? '');
  const ttl = given === null || !isMeant ? null : hooks.statusTtlGiven(given);
  const problem = ttl === null ? null : problemOf(ttl, choices);
  if (problem !== null) return answer(refuse(400, problem));
  const { statusTtlOfEnded } = choices;
  if (ttl !== null && hasEnded(job) && statusTtlOfEnded !== 'used')
    return answer(refuse(statusTtlOfEnded, 'the job has ended'));
  const refusal = hooks.statusRefused(job);
  if (refusal !== null) return answer(refusal);
  const body = hooks.statusRead(endpoint.record(job), job, ttl);
  if (ttl !== null) endpoint.lifespans.setTtl(job, Number(ttl));
  hooks.answerStatus({ code: 200, body }, job, answer);
}

function problemOf(ttl: string, { statusTtlBelowMinimum, statusTtlAboveMaximum }: Choices): string | null {
  if (!/^\d{1,15}$/.test(ttl)) return 'ttl is no integer';
  const isTooLow = statusTtlBelowMinimum === 'rejected' && Number(ttl) < 10 * SECOND_MS;
  const isTooHigh = statusTtlAboveMaximum === 'rejected' && Number(ttl) > WEEK_MS;
  return isTooLow || isTooHigh ? 'ttl is out of range' : null;
}
