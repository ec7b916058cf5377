import type { Effect } from '../../core/api.js';
import type { HostOptions } from '../host-options.js';
import type { PendingWork } from '../pending-work.js';
import type { WebhookCall } from './webhook-caller.js';

/** The webhook calls in progress. */
export interface WebhookCalls {
  start(effect: Extract<Effect, { readonly kind: 'webhook' }>): void;
  /** The end of this call no longer matters. */
  drop(delivery: number): void;
  dropAll(): void;
}

/**
 * @param nowMs the instant of the host
 * @param onEnded called when a call has ended, with its status code; null without an answer. Gives the ms until the next
 * attempt; null: there is none
 */
export function createWebhookCalls(
  { webhooks, observer }: Pick<HostOptions, 'webhooks' | 'observer'>,
  pendingWork: PendingWork,
  nowMs: () => number,
  onEnded: (delivery: number, status: number | null) => number | null,
): WebhookCalls {
  const calls = new Map<number, WebhookCall>();
  return {
    start(effect) {
      const { delivery, job, url, attempt, body } = effect;
      const call = webhooks.call(effect);
      calls.set(delivery, call);
      const onWebhookEnd = observer?.webhookCalled?.({ job, url, attempt, atMs: nowMs(), body });
      pendingWork.add(
        call.ended.then((answer) => {
          // A dropped call ends too, but its result no longer matters.
          if (calls.get(delivery) !== call) return;
          calls.delete(delivery);
          onWebhookEnd?.({ ...answer, againInMs: onEnded(delivery, answer.status) });
        }),
      );
    },
    drop(delivery) {
      calls.get(delivery)?.abort();
      calls.delete(delivery);
    },
    dropAll() {
      for (const call of calls.values()) call.abort();
      calls.clear();
    },
  };
}
