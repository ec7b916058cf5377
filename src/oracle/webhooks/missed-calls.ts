/**
 * Section 6: first calls that never came. That a webhook is called is required, how soon is not stated: a sender may serve one
 * address after the other, or look into a queue. So a call is missed only if there was ample time for it in which no other
 * webhook was being delivered. Deliveries to other addresses may lie in other parts of the history, so this is settled at its end.
 */
import type { RunEvent, WebhookEvent } from '../../history/events.js';
import { WEBHOOK_ATTEMPTS_MAX, WEBHOOK_RETRY_PAUSE_MS } from '../../spec/limits.js';
import { getOrMake } from '../../util/maps.js';
import type { Ledger } from '../ledger/ledger.js';
import type { JudgingContext } from '../context/judging-context.js';
import type { Life } from '../context/life.js';
import type { Contradiction } from '../proof/contradiction.js';
import { isPrivateUrl } from '../../util/address.js';
import { dueBy, onCompletion, watchedUntilMs } from './expectations.js';
import { onItsClock } from '../observed/tolerance.js';
import { WEBHOOK_AMPLE_MS } from '../observed/assumptions.js';

/** No call came of what had completed by then. */
export function missedCall(
  life: Life,
  completedByMs: number,
  actual: string,
  contradiction: Contradiction | null = null,
  id = onCompletion(life),
): void {
  const { context, job } = life;
  const { originMs } = context.session;
  context.ledger.missedCalls.push({
    id,
    url: job.webhookUrl!,
    dueMs: originMs + dueBy(context, completedByMs),
    untilMs: originMs + watchedUntilMs(life),
    failure: context.observedFailure({
      script: job.script,
      actual,
      calls: [job.submitted.call],
      contradiction,
    }),
  });
}

/** Notes from when until when each address was served, the pauses between attempts included. */
export function noteDeliveries({ session, ledger, callIndex }: JudgingContext): void {
  const byReceiver = new Map<string | number, WebhookEvent[]>();
  for (const call of session.webhooks)
    getOrMake(byReceiver, callIndex.areWebhooksOfScripts ? call.script : call.url, () => []).push(call);
  for (const calls of byReceiver.values()) {
    const last = calls.reduce((one, other) => (other.endedMs > one.endedMs ? other : one));
    const mayGoOn = last.answered !== 200 && calls.length < WEBHOOK_ATTEMPTS_MAX;
    const pauseMs = mayGoOn ? WEBHOOK_RETRY_PAUSE_MS + session.run.graceMs : 0;
    const fromMs = Math.min(...calls.map(({ arrivedMs }) => arrivedMs));
    ledger.deliveries.push({
      fromMs: session.originMs + fromMs,
      byMs: session.originMs + last.endedMs + pauseMs,
    });
  }
}

export function settleMissedCalls(ledger: Ledger, run: RunEvent): void {
  const deliveries = ledger.deliveries.toSorted((one, other) => one.fromMs - other.fromMs);
  for (const { id, url, dueMs, untilMs, failure } of ledger.missedCalls) {
    let [idleMs, sinceMs] = [0, dueMs];
    for (const { fromMs, byMs } of deliveries) {
      if (fromMs >= untilMs) break;
      idleMs += Math.max(0, fromMs - sinceMs);
      sinceMs = Math.max(sinceMs, byMs);
    }
    idleMs += Math.max(0, untilMs - sinceMs);
    if (idleMs <= onItsClock(run, WEBHOOK_AMPLE_MS))
      ledger.inconclusive(
        id,
        'no call came, but the sender may have been busy with other webhooks until the end',
      );
    else {
      ledger.fail(id, failure);
      if (isPrivateUrl(url)) ledger.silentPrivateUrl ??= url;
    }
  }
}
