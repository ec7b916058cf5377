import type { WebhookAnswer } from '../observer.js';
import type { WebhookCall, WebhookCaller } from '../webhooks/webhook-caller.js';
import type { Faults } from './faults.js';

/** Webhook calls that get lost, are made twice or come late, as the faults say. Delays are real time. */
export function createFaultyWebhooks(caller: WebhookCaller, faults: Faults): WebhookCaller {
  return {
    call(request) {
      const fault = faults.ofWebhook();
      if (fault === null) return caller.call(request);
      faults.record('webhook', request.job, fault);
      const kind = fault.effect?.kind;
      const send = (): readonly WebhookCall[] =>
        kind === 'lost'
          ? []
          : kind === 'duplicate'
            ? [caller.call(request), caller.call(request)]
            : [caller.call(request)];
      return fault.delayMs === 0 ? combined(send()) : later(fault.delayMs, send);
    },
    close: () => caller.close(),
  };
}

/** In place of a call. */
export const LOST: WebhookAnswer = { status: null, error: 'lost by a fault' };

/** Ends as the first of the calls does, once all have ended; without a call as one without an answer. */
function combined(calls: readonly WebhookCall[]): WebhookCall {
  return {
    ended: Promise.all(calls.map(({ ended }) => ended)).then(([first = LOST]) => first),
    abort: () => calls.forEach((call) => call.abort()),
  };
}

function later(delayMs: number, send: () => readonly WebhookCall[]): WebhookCall {
  let sent: WebhookCall | null = null;
  let abort: () => void = () => undefined;
  const ended = new Promise<WebhookAnswer>((resolve) => {
    const timer = setTimeout(() => {
      sent = combined(send());
      void sent.ended.then(resolve);
    }, delayMs);
    abort = () => {
      clearTimeout(timer);
      if (sent === null) resolve(LOST);
      else sent.abort();
    };
  });
  return { ended, abort: () => abort() };
}
