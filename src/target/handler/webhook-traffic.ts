import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { ClientRequest } from 'node:http';
import type { WebhookReceiver } from '../session/webhook-receiver.js';

/** As undici publishes it, the one behind the global `fetch` and the package alike. */
interface UndiciMessage {
  readonly request: { readonly origin?: string | URL };
}
interface HttpMessage {
  readonly request: ClientRequest;
}

/**
 * Knows whether a webhook call is on its way to the receiver. Such calls are real: the clock has to wait for
 * them, or what they bring would seem late. Calls that the receiver keeps silent on are not waited for.
 */
export class WebhookTraffic {
  readonly #receiver: WebhookReceiver;
  readonly #onTheirWay = new Set<object>();
  readonly #unsubscribe: (() => void)[] = [];

  constructor(receiver: WebhookReceiver) {
    this.#receiver = receiver;
    this.#on<UndiciMessage>('undici:request:create', ({ request }) => {
      if (String(request.origin) === receiver.base) this.#onTheirWay.add(request);
    });
    for (const end of ['undici:request:trailers', 'undici:request:error']) {
      this.#on<UndiciMessage>(end, ({ request }) => this.#onTheirWay.delete(request));
    }
    this.#on<HttpMessage>('http.client.request.start', ({ request }) => {
      if (`http://${String(request.getHeader('host'))}` !== receiver.base) return;
      this.#onTheirWay.add(request);
      request.once('close', () => this.#onTheirWay.delete(request));
    });
  }

  /** A call has been started, or is being answered, or the receiver has not yet seen that it was given up. */
  get isMoving(): boolean {
    return this.#receiver.busy > 0 || this.#onTheirWay.size !== this.#receiver.silent;
  }

  /** What is still open now is not waited for any more. */
  forget(): void {
    this.#onTheirWay.clear();
  }

  close(): void {
    for (const unsubscribe of this.#unsubscribe) unsubscribe();
  }

  #on<M>(name: string, told: (message: M) => void): void {
    const listener = (message: unknown): void => told(message as M);
    subscribe(name, listener);
    this.#unsubscribe.push(() => unsubscribe(name, listener));
  }
}
