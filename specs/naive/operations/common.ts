/** What several operations need: the job named in the path, and answers of one shape. */
import { refuse, type EndpointCall, type Reply } from '../call.js';
import type { Endpoint } from '../endpoint.js';
import type { Job } from '../job.js';
import type { JsonObject } from '../json.js';
import type { Operation } from '../limits.js';

/** An answer of the shape `{id, status}`. */
export function idAndStatus({ service }: Endpoint, id: string, status: string): JsonObject {
  const shown: JsonObject = { id, status };
  if (service.choices.extraFields) Object.assign(shown, { message: 'ok', queuePosition: 1 });
  return service.hooks.idAndStatus(shown);
}

/** The job named in the path, or the refusal. */
export function named(call: EndpointCall, operation: Operation): Job | Reply {
  const { endpoint } = call;
  const { choices, hooks, ids } = endpoint.service;
  const id = call.rest[0] ?? '';
  const job = hooks.find(endpoint, id, operation, endpoint.jobs.get(id) ?? null);
  if (job !== null) return hooks.hidden(endpoint, job, operation) ?? job;
  const wrong = hooks.unknown(endpoint, id, operation);
  if (wrong !== null) return wrong;
  return refuse(ids.wellFormed(id) ? 404 : choices.malformedIdCode, 'no such job');
}

export const isRefusal = (value: Job | Reply): value is Reply => 'code' in value;

/** The answer given last under this name, until `ms` have passed. */
export function cached(endpoint: Endpoint, name: string, ms: number, fresh: JsonObject): JsonObject {
  const nowMs = endpoint.service.clock.now();
  const known = endpoint.cache.get(name);
  if (known !== undefined && known.untilMs > nowMs) return known.answer;
  endpoint.cache.set(name, { untilMs: nowMs + ms, answer: fresh });
  return fresh;
}
