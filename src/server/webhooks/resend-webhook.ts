import type { HostView } from '../host-view.js';
import type { WebhookLog } from '../page/webhook-log.js';
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
  log: WebhookLog,
): ResendWebhook {
  return (endpoint, id) => {
    const request = view().service.webhook(endpoint, id);
    if (request === null) return null;
    const onEnd = log.webhookCalled(id, request.url, null);
    return webhooks.call(request).ended.then((status) => {
      onEnd(status);
      return status;
    });
  };
}
