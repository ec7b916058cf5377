/** One call in words, for the evidence of a failure. */
import type { CallEvent, Json } from '../../history/events.js';
import { brief, isObject, jsonOf, seconds } from './reading.js';

/** Of an error that a record tells of: enough to know it by. */
const ERROR_CHARACTERS = 200;

/** `status #17, sent at 12.310 s, was answered 200 IN_PROGRESS`. */
export function describeCall(call: CallEvent): string {
  const name = call.op ?? `${call.request.method} ${call.request.path}`;
  const sent = `${name} #${call.call}, sent at ${seconds(call.sentMs)},`;
  if (call.reply === null) return `${sent} got no answer (${call.lost ?? 'lost'})`;
  const body = jsonOf(call.reply.body);
  const said =
    isObject(body) && typeof body['status'] === 'string'
      ? `${body['status']}${errorIn(body['error'])}`
      : brief(body, 80);
  return `${sent} was answered ${call.reply.status} ${said}`;
}

function errorIn(error: Json | undefined): string {
  return error === undefined || error === null ? '' : `, error ${brief(error, ERROR_CHARACTERS)}`;
}
