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

/** @param onEnded called when a call has ended, with its status code; null without an answer */
export function createWebhookCalls(
  { webhooks, observer }: Pick<HostOptions, 'webhooks' | 'observer'>,
  pendingWork: PendingWork,
  onEnded: (delivery: number, status: number | null) => void,
): WebhookCalls {
  const calls = new Map<number, WebhookCall>();
  return {
    start(effect) {
      const { delivery } = effect;
      const call = webhooks.call(effect);
      calls.set(delivery, call);
      const onWebhookEnd = observer?.webhookCalled?.(effect.job, effect.url, effect.attempt);
      pendingWork.add(
        call.ended.then((status) => {
          // A dropped call ends too, but its result no longer matters.
          if (calls.get(delivery) !== call) return;
          calls.delete(delivery);
          onWebhookEnd?.(status);
          onEnded(delivery, status);
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
