/** Section 6: the call on completion and its repetitions, as effects. A failing webhook never touches the job. */
import { noteDelivery } from './changes.js';
import type { Machine } from './machine.js';
import { recordOf } from './record.js';
import type { Delivery, Endpoint, Job } from './state.js';

/** A job has come to another state: whether its webhook is called is the rules' decision. */
export function announce(m: Machine, job: Job, nowMs: number): void {
  if (m.rules.webhookWanted(job)) call(m, job, nowMs);
}

/** Calls the job's webhook, with the record as it stands now. */
export function call(m: Machine, job: Job, nowMs: number): void {
  const delivery: Delivery = {
    id: ++m.lastDelivery,
    endpoint: job.endpoint,
    job,
    url: m.rules.webhookUrl(job),
    body: m.rules.webhookBody(recordOf(m.rules, job, 'webhook', nowMs)),
    attempt: 0,
    calledMs: nowMs,
    timer: null,
  };
  m.deliveries.set(delivery.id, delivery);
  job.endpoint.deliveries.add(delivery);
  const firstMs = m.rules.webhookFirstAtMs(nowMs);
  if (firstMs <= nowMs) return attempt(m, delivery, nowMs);
  pause(m, delivery, firstMs);
}

/** Calls it at that instant. */
export function pause(m: Machine, delivery: Delivery, untilMs: number): void {
  delivery.timer = m.deadlines.set(untilMs, (atMs) => attempt(m, delivery, atMs));
  noteDelivery(m, delivery);
}

function attempt(m: Machine, delivery: Delivery, nowMs: number): void {
  delivery.timer = null;
  noteDelivery(m, delivery);
  if (delivery.attempt > 0 && !delivery.job.present && !m.rules.webhookOutlivesJob())
    return forget(m, delivery);
  delivery.calledMs = nowMs;
  delivery.attempt++;
  const { id, url, body } = delivery;
  m.effects.push({
    kind: 'webhook',
    delivery: id,
    url,
    body,
    attempt: delivery.attempt,
    method: m.rules.webhookMethod(),
    headers: m.rules.webhookHeaders(),
  });
}

function forget(m: Machine, delivery: Delivery): void {
  noteDelivery(m, delivery);
  m.deliveries.delete(delivery.id);
  delivery.endpoint.deliveries.delete(delivery);
}

/** A webhook call has ended. News of a call that is not under way changes nothing. */
export function webhookEnded(m: Machine, id: number, status: number | null, nowMs: number): void {
  const delivery = m.deliveries.get(id);
  if (delivery === undefined || delivery.timer !== null) return;
  if (m.rules.webhookSucceeded(status) || delivery.attempt >= m.rules.webhookAttemptsMax()) {
    return forget(m, delivery);
  }
  const dueMs = m.rules.strikesAtMs(
    'webhook',
    m.rules.webhookAgainAtMs(delivery.calledMs, nowMs, delivery.attempt),
  );
  pause(m, delivery, Math.max(nowMs, dueMs));
}

/** The endpoint is gone: nothing is called any more. */
export function dropDeliveries(m: Machine, endpoint: Endpoint): void {
  for (const delivery of endpoint.deliveries) {
    m.deadlines.drop(delivery.timer);
    m.deliveries.delete(delivery.id);
    noteDelivery(m, delivery);
    m.effects.push({ kind: 'drop-webhook', delivery: delivery.id });
  }
  endpoint.deliveries.clear();
}
