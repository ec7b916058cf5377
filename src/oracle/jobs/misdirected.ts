/** Webhook calls that went to the address of another job than the one they tell of (section 6). */
import type { WebhookEvent } from '../../history/events.js';
import { idIn, isObject, jsonOf, submissionOf, type JsonObject } from '../observed/recorded-call.js';
import type { CallIndex } from './call-index.js';

export interface Misdirected {
  readonly webhook: WebhookEvent;
  /** The job that it tells of, and the first of those whose address was called. */
  readonly told: string;
  readonly called: string;
}

/**
 * What a call holds is not shown: one that names another job may tell of its own all the same. But where that other job was
 * not told of at its own address, the call was meant for it; and where another call of the same address names the job whose
 * address it is, so would this one.
 */
export function misdirectedIn(
  callIndex: CallIndex,
  webhooks: readonly WebhookEvent[],
): readonly Misdirected[] {
  if (webhooks.length === 0) return [];
  const told = webhooks.flatMap((webhook) => {
    const askers = (callIndex.callsByWebhook.get(webhook.url) ?? []).flatMap((call) => idIn(call) ?? []);
    return askers.length === 0 ? [] : idsIn(webhook).map((id) => ({ webhook, told: id, askers }));
  });
  const ownAt = (isThere: (webhook: WebhookEvent) => boolean): boolean =>
    told.some((one) => isThere(one.webhook) && one.askers.includes(one.told));
  return told.flatMap(({ webhook, told: id, askers }) => {
    const other = callIndex.byId.get(id)?.submitted;
    if (askers.includes(id) || other === undefined || other === null) return [];
    if (ownAt((one) => one === webhook)) return [];
    const url = submissionOf(other)?.['webhook'];
    const isMeantForIt = ownAt((one) => one.url === webhook.url) || !webhooks.some((one) => one.url === url);
    return isMeantForIt ? [{ webhook, told: id, called: askers[0]! }] : [];
  });
}

/** It names a known job, and none whose address this is: nobody knows that it tells of the one whose address it is. */
export function tellsOfAnother(
  { byId, callsByWebhook: webhookAsked }: CallIndex,
  webhook: WebhookEvent,
): boolean {
  const ids = idsIn(webhook).filter((id) => byId.get(id)?.submitted);
  if (ids.length === 0) return false;
  const own = (webhookAsked.get(webhook.url) ?? []).map(idIn);
  return !ids.some((id) => own.includes(id));
}

function idsIn(webhook: WebhookEvent): readonly string[] {
  return recordsIn(webhook).flatMap(({ id }) => (typeof id === 'string' ? [id] : []));
}

/** What a payload says of jobs: at its top, or in one of its members; what a handler made says nothing of the job. */
export function recordsIn({ body }: WebhookEvent): readonly JsonObject[] {
  const value = jsonOf(body);
  if (!isObject(value)) return [];
  const { output: _, input: __, ...members } = value;
  return [value, ...Object.values(members)].filter((one) => isObject(one));
}
