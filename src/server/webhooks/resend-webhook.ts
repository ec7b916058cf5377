import type { HostView } from '../host-view.js';
import type { ServerObserver } from '../observer.js';
import type { WebhookCaller } from './webhook-caller.js';

/**
 * Sends the webhook of an ended job once more, as its attempts do. It changes neither the job nor what follows from
 * its attempts. Resolves with the answered status code, or null without an answer; null at once where there is no
 * such job that has ended and has a webhook.
 */
export type ResendWebhook = (endpoint: string, id: string) => Promise<number | null> | null;

export function createResendWebhook(
  view: () => HostView,
  webhooks: WebhookCaller,
  { webhookCalled }: Required<Pick<ServerObserver, 'webhookCalled'>>,
): ResendWebhook {
  return (endpoint, id) => {
    const { nowMs, service } = view();
    const request = service.webhook(endpoint, id);
    if (request === null) return null;
    const { url, body } = request;
    const onEnd = webhookCalled({ job: id, url, attempt: null, atMs: nowMs, body });
    return webhooks.call(request).ended.then((answer) => {
      onEnd({ ...answer, againInMs: null });
      return answer.status;
    });
  };
}
