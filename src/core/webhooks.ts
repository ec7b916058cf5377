/** Section 6: webhook calls and their retries, as effects. A failing webhook never affects the job. */
import type { WebhookRequest } from './api.js';
import { noteDelivery } from './saved/changes.js';
import type { ServiceState } from './state.js';
import { recordOf } from './saved/job-record.js';
import type { Delivery, Endpoint, Job } from './entities.js';
import type { Rules } from './rules.js';

/** Called after each transition of a job; the rules decide whether its webhook is called. */
export function callIfWanted(state: ServiceState, job: Job, nowMs: number): void {
  if (state.rules.webhookWanted(job)) callWebhook(state, job, nowMs);
}

/** What a call of the webhook of an ended job sends; null when it has not ended, or has no webhook. */
export function webhookOf(rules: Rules, job: Job): WebhookRequest | null {
  if (job.endedMs === null || job.submission.webhook === null) return null;
  return {
    job: job.id,
    url: rules.webhookUrl(job),
    method: rules.webhookMethod(),
    headers: rules.webhookHeaders(),
    body: rules.webhookBody(recordOf(rules, job, 'webhook', job.endedMs)),
  };
}

/** Calls the webhook of a job with its present record. */
export function callWebhook(state: ServiceState, job: Job, nowMs: number): void {
  const delivery: Delivery = {
    id: ++state.lastDelivery,
    endpoint: job.endpoint,
    job,
    url: state.rules.webhookUrl(job),
    body: state.rules.webhookBody(recordOf(state.rules, job, 'webhook', nowMs)),
    attempt: 0,
    calledMs: nowMs,
    timer: null,
  };
  state.deliveries.set(delivery.id, delivery);
  job.endpoint.deliveries.add(delivery);
  const firstMs = state.rules.webhookFirstAtMs(nowMs);
  if (firstMs <= nowMs) return attempt(state, delivery, nowMs);
  callAgainAt(state, delivery, firstMs);
}

/** Makes the next attempt at `atMs`. */
export function callAgainAt(state: ServiceState, delivery: Delivery, atMs: number): void {
  delivery.timer = state.deadlines.set('webhook', delivery, atMs, (firedMs) =>
    attempt(state, delivery, firedMs),
  );
  noteDelivery(state, delivery);
}

function attempt(state: ServiceState, delivery: Delivery, nowMs: number): void {
  delivery.timer = null;
  noteDelivery(state, delivery);
  if (delivery.attempt > 0 && !delivery.job.present && !state.rules.webhookOutlivesJob())
    return forget(state, delivery);
  delivery.calledMs = nowMs;
  delivery.attempt++;
  const { id, url, body } = delivery;
  state.effects.push({
    kind: 'webhook',
    delivery: id,
    job: delivery.job.id,
    url,
    body,
    attempt: delivery.attempt,
    method: state.rules.webhookMethod(),
    headers: state.rules.webhookHeaders(),
  });
}

function forget(state: ServiceState, delivery: Delivery): void {
  noteDelivery(state, delivery);
  state.deliveries.delete(delivery.id);
  delivery.endpoint.deliveries.delete(delivery);
}

/** A webhook call has ended. Ignored when the call is not in flight. */
export function webhookEnded(state: ServiceState, id: number, status: number | null, nowMs: number): void {
  const delivery = state.deliveries.get(id);
  if (delivery === undefined || delivery.timer !== null) return;
  if (state.rules.webhookSucceeded(status) || delivery.attempt >= state.rules.webhookAttemptsMax()) {
    return forget(state, delivery);
  }
  const dueMs = state.rules.firesAtMs(
    'webhook',
    state.rules.webhookAgainAtMs(delivery.calledMs, nowMs, delivery.attempt),
  );
  callAgainAt(state, delivery, Math.max(nowMs, dueMs));
}

/** The endpoint is deleted: its webhook calls are dropped. */
export function dropDeliveries(state: ServiceState, endpoint: Endpoint): void {
  for (const delivery of endpoint.deliveries) {
    state.deadlines.drop(delivery.timer);
    state.deliveries.delete(delivery.id);
    noteDelivery(state, delivery);
    state.effects.push({ kind: 'drop-webhook', delivery: delivery.id });
  }
  endpoint.deliveries.clear();
}
