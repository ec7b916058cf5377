/** The calls of recorded traffic as those of a client: what a recording may lack is not known of them. */
import { answerOf, jsonOf, replyIn, type Caller, type Exchange } from '../history/exchange.js';
import type { Body, Json } from '../history/events.js';
import { isJobStatus } from '../spec/index.js';
import { isObject, jsonIn } from '../util/json.js';
import type { ClientCall, KeySent, WebhookDelivery } from './session.js';

/** What is kept of an exchange until its client is judged: bodies as values, and of an answer what rules ask for. */
export function heldOf(exchange: Exchange): Exchange<Body> {
  const { request, outcome } = exchange;
  const { 'content-type': contentType } = request.headers;
  return {
    ...exchange,
    request: {
      ...request,
      headers: contentType === undefined ? {} : { 'content-type': contentType },
      body: sentOf(exchange),
    },
    outcome:
      outcome.kind === 'answer'
        ? { ...outcome, headers: waitIn(outcome.headers), body: toldBy(exchange) }
        : outcome,
  };
}

const waitIn = ({ 'retry-after': after }: Exchange['request']['headers']) =>
  after === undefined ? {} : { 'retry-after': after };

/** Undefined: not known. A text that is no JSON may be what a recorder has left of one, unless the service refused it. */
function sentOf({ request, outcome, client, cutBodies = 0 }: Exchange): Body | null | undefined {
  const { body, headers } = request;
  const sizeBytes = headers['content-length'];
  if (body === undefined) return undefined;
  if (body === null) return sizeBytes === undefined || sizeBytes === '0' ? null : undefined;
  if (typeof body !== 'string') return body.as === 'none' ? null : body;
  const bytes = Buffer.byteLength(body);
  const value = jsonIn(body) as Json | undefined;
  if (value !== undefined)
    return { as: 'json', value, bytes: 'content-encoding' in headers ? Number(sizeBytes ?? bytes) : bytes };
  const isRefused = outcome.kind === 'answer' && outcome.status === 400;
  const isAll = client !== undefined || sizeBytes === String(bytes);
  return isRefused && isAll && cutBodies === 0 ? { as: 'text', text: '', bytes } : undefined;
}

/** The state of a job, its id, and whether there were chunks. */
function toldBy(exchange: Exchange): Body | undefined {
  const value = replyIn(exchange);
  const chunks = (list: unknown): readonly Json[] => (Array.isArray(list) && list.length > 0 ? [0] : []);
  if (Array.isArray(value)) return { as: 'json', value: chunks(value), bytes: 0 };
  if (!isObject(value)) return undefined;
  const { id, status, stream } = value;
  const kept = {
    ...(typeof id === 'string' && { id }),
    ...(typeof status === 'string' && { status }),
    ...(Array.isArray(stream) && { stream: chunks(stream) }),
  };
  return { as: 'json', value: kept, bytes: 0 };
}

/** @param lastMs when the recording ends */
export function seenCall(
  held: Exchange<Body>,
  number: number,
  connection: number,
  lastMs: number,
): ClientCall {
  const { fromMs, byMs, names, request, outcome, client } = held;
  const { body } = request;
  return {
    ...{ id: number, fromMs, byMs: byMs ?? lastMs, request, outcome, names, connection, fault: null },
    bytes: body === null ? 0 : body === undefined || body.as === 'none' ? null : body.bytes,
    key: client === undefined ? null : keyOf(client),
    reached: outcome.kind !== 'lost' || outcome.why !== 'refused',
  };
}

/** That of a bare key no rule asks. */
const keyOf = ({ key, isKeyInQuery }: Caller): KeySent => ({
  header: key === null ? 'missing' : 'bearer',
  elsewhere: isKeyInQuery === true ? 'the query' : null,
});

/** Codes of what stands before a receiver that does not answer. */
const OF_GATEWAYS: readonly number[] = [502, 503, 504];

/** A call of a webhook, of the job that its body names; null: it names none. */
export function deliveryOf(exchange: Exchange): Omit<WebhookDelivery, 'number'> | null {
  const record = jsonOf(exchange.request.body);
  if (!isObject(record) || typeof record['id'] !== 'string') return null;
  const status = answerOf(exchange)?.status ?? null;
  return {
    ...{ job: record['id'], address: exchange.webhook ?? '', fate: 'delivered' },
    ...{ startedMs: exchange.fromMs, endedMs: exchange.byMs },
    status: status === null || OF_GATEWAYS.includes(status) ? null : status,
    state: isJobStatus(record['status']) ? record['status'] : null,
  };
}
