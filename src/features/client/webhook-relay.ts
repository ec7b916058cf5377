/** Stands between the emulator and the client's receiver of webhooks: calls it as the weather says, and notes its answers. */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { WebhookDelivery } from '../../client/session.js';
import type { WebhookFault } from '../../client/weather/weather.js';
import type { JobStatus } from '../../spec/index.js';
import { isObject, jsonIn } from '../../util/json.js';
import { isLoopbackUrl } from '../../util/address.js';
import { callReceiver } from '../../wire/call-receiver.js';
import { listen } from '../../wire/listen.js';
import { readBody } from '../../wire/read-body.js';

export interface WebhookRelay {
  /** Where the emulator sends webhooks. */
  readonly url: string;
  readonly deliveries: readonly WebhookDelivery[];
  /** Resolves once a webhook of the job was delivered. */
  delivered(job: string): Promise<void>;
  close(): Promise<void>;
}

type Writable = { -readonly [member in keyof WebhookDelivery]: WebhookDelivery[member] };

const ADDRESS_HEADER = 'x-runproof-webhook';
/** More than what the rule for receivers calls hanging. */
const ANSWER_MAX_MS = 6_000;
/** Between calls that are made more than once. */
const AGAIN_AFTER_MS = 300;

export async function startWebhookRelay(
  fault: WebhookFault | undefined,
  nowMs: () => number,
): Promise<WebhookRelay> {
  const relay = new Relay(fault, nowMs);
  const answer: RequestListener = (request, response) => void relay.answer(request, response);
  const { url, close } = await listen({ host: '127.0.0.1', port: 0 }, { answer });
  return {
    url: `${url}/`,
    deliveries: relay.deliveries,
    delivered: (job) => relay.delivered(job),
    close() {
      relay.closed.abort();
      return close(0);
    },
  };
}

class Relay {
  readonly deliveries: Writable[] = [];
  readonly closed = new AbortController();
  readonly #fault: WebhookFault | undefined;
  readonly #nowMs: () => number;
  readonly #waiting = new Map<string, (() => void)[]>();

  constructor(fault: WebhookFault | undefined, nowMs: () => number) {
    this.#fault = fault;
    this.#nowMs = nowMs;
  }

  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await readBody(request, Infinity);
    if (body === null) return;
    const address = String(request.headers[ADDRESS_HEADER] ?? '');
    const status = await this.#relay(address, body.kept.toString()).catch(() => null);
    // Without an answer the emulator gets none either, and calls again.
    if (status === null) response.destroy();
    else response.writeHead(status).end();
  }

  delivered(job: string): Promise<void> {
    if (this.deliveries.some((one) => one.job === job && one.endedMs !== null)) return Promise.resolve();
    return new Promise((tell) => this.#waiting.set(job, [...(this.#waiting.get(job) ?? []), tell]));
  }

  async #relay(address: string, body: string): Promise<number | null> {
    const [fault, { signal }] = [this.#fault, this.closed];
    if (fault === 'never') return 200;
    if (typeof fault === 'object') await sleep(fault.lateMs, undefined, { signal });
    const status = await this.#deliver(address, body);
    if (fault !== 'three-times' || status === null) return status;
    for (let again = 0; again < 2; again++) {
      await sleep(AGAIN_AFTER_MS, undefined, { signal });
      await this.#deliver(address, body);
    }
    return status;
  }

  /** The answered code; null without an answer. */
  async #deliver(address: string, body: string): Promise<number | null> {
    const value = jsonIn(body);
    const record = isObject(value) ? value : {};
    const job = String(record['id'] ?? '');
    const delivery: Writable = {
      number: this.deliveries.length + 1,
      ...{ job, address, startedMs: this.#nowMs(), endedMs: null, status: null },
      // Nothing else is called: a weather must not reach beyond this machine.
      fate: isLoopbackUrl(address) ? 'delivered' : 'undeliverable',
      state: typeof record['status'] === 'string' ? (record['status'] as JobStatus) : null,
    };
    this.deliveries.push(delivery);
    if (delivery.fate === 'undeliverable') return 200;
    const { signal } = this.closed;
    delivery.status = await callReceiver(address, body, { withinMs: ANSWER_MAX_MS, signal });
    // Whether it would have answered is not known if the weather ended first.
    if (delivery.status === null && this.closed.signal.aborted) return null;
    delivery.endedMs = this.#nowMs();
    for (const tell of this.#waiting.get(job) ?? []) tell();
    this.#waiting.delete(job);
    return delivery.status;
  }
}
