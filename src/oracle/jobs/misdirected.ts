/** Webhook calls sent to the address of a job other than the one they report (section 6). */
import type { WebhookEvent } from '../../history/events.js';
import { idIn, isObject, jsonOf, submissionOf, type JsonObject } from '../observed/recorded-call.js';
import type { CallIndex } from './call-index.js';

export interface Misdirected {
  readonly webhook: WebhookEvent;
  /** The job that is reported, and the first of the jobs whose address was called. */
  readonly reported: string;
  readonly called: string;
}

/**
 * The document does not show the payload, so a call that names another job may still concern the job at this
 * address. It is misdirected if the named job was not reported at its own address, or if another call to this
 * address names the job that owns it.
 */
export function misdirectedIn(
  callIndex: CallIndex,
  webhooks: readonly WebhookEvent[],
): readonly Misdirected[] {
  if (webhooks.length === 0) return [];
  const reported = webhooks.flatMap((webhook) => {
    const ownIds = (callIndex.callsByWebhook.get(webhook.url) ?? []).flatMap((call) => idIn(call) ?? []);
    return ownIds.length === 0 ? [] : idsIn(webhook).map((id) => ({ webhook, reported: id, ownIds }));
  });
  const ownAt = (isThere: (webhook: WebhookEvent) => boolean): boolean =>
    reported.some((one) => isThere(one.webhook) && one.ownIds.includes(one.reported));
  return reported.flatMap(({ webhook, reported: id, ownIds }) => {
    const other = callIndex.byId.get(id)?.submitted;
    if (ownIds.includes(id) || other === undefined || other === null) return [];
    if (ownAt((one) => one === webhook)) return [];
    const url = submissionOf(other)?.['webhook'];
    const isMeantForIt = ownAt((one) => one.url === webhook.url) || !webhooks.some((one) => one.url === url);
    return isMeantForIt ? [{ webhook, reported: id, called: ownIds[0]! }] : [];
  });
}

/** It names a known job, and none that owns this address: so it may not concern the job at this address. */
export function reportsAnotherJob({ byId, callsByWebhook }: CallIndex, webhook: WebhookEvent): boolean {
  const ids = idsIn(webhook).filter((id) => byId.get(id)?.submitted);
  if (ids.length === 0) return false;
  const own = (callsByWebhook.get(webhook.url) ?? []).map(idIn);
  return !ids.some((id) => own.includes(id));
}

/** Ids in the records of its payload. */
export function idsIn(webhook: WebhookEvent): readonly string[] {
  return recordsIn(webhook).flatMap(({ id }) => (typeof id === 'string' ? [id] : []));
}

/** The records of jobs in a payload: at the top level or in a member, but not in a handler's data. */
export function recordsIn({ body }: WebhookEvent): readonly JsonObject[] {
  const value = jsonOf(body);
  if (!isObject(value)) return [];
  const { output: _, input: __, ...members } = value;
  return [value, ...Object.values(members)].filter((one) => isObject(one));
}
