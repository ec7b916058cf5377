/** Stands between the emulator and the client's receiver of webhooks: calls it as the weather says, and notes its answers. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { WebhookDelivery } from '../../client/session.js';
import type { WebhookFault } from '../../client/weather/weather.js';
import type { JobStatus } from '../../spec/index.js';
import { isObject, jsonIn } from '../../util/json.js';
import { isLoopbackUrl } from '../../util/address.js';

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
  const deliveries: Writable[] = [];
  const waiting = new Map<string, (() => void)[]>();
  const closed = new AbortController();

  /** The answered code; null without an answer. */
  async function deliver(address: string, body: string): Promise<number | null> {
    const value = jsonIn(body);
    const record = isObject(value) ? value : {};
    const job = String(record['id'] ?? '');
    const delivery: Writable = {
      number: deliveries.length + 1,
      ...{ job, address, startedMs: nowMs(), endedMs: null, status: null },
      // Nothing else is called: a weather must not reach beyond this machine.
      fate: isLoopbackUrl(address) ? 'delivered' : 'undeliverable',
      state: typeof record['status'] === 'string' ? (record['status'] as JobStatus) : null,
    };
    deliveries.push(delivery);
    if (delivery.fate === 'undeliverable') return 200;
    // Not `AbortSignal.any` with a timeout, which Node 20 may collect before it fires.
    const over = new AbortController();
    const end = (): void => over.abort();
    const timer = setTimeout(end, ANSWER_MAX_MS);
    closed.signal.addEventListener('abort', end);
    try {
      const reply = await fetch(address, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'user-agent': 'runproof' },
        body,
        redirect: 'manual',
        signal: over.signal,
      });
      delivery.status = reply.status;
      await reply.body?.cancel();
    } catch {
      // Whether it would have answered is not known if the weather ended first.
      if (closed.signal.aborted) return null;
    } finally {
      clearTimeout(timer);
      closed.signal.removeEventListener('abort', end);
    }
    delivery.endedMs = nowMs();
    for (const tell of waiting.get(job) ?? []) tell();
    waiting.delete(job);
    return delivery.status;
  }

  async function relay(address: string, body: string): Promise<number | null> {
    if (fault === 'never') return 200;
    if (typeof fault === 'object') await sleep(fault.lateMs, undefined, { signal: closed.signal });
    const status = await deliver(address, body);
    if (fault !== 'three-times' || status === null) return status;
    for (let again = 0; again < 2; again++) {
      await sleep(AGAIN_AFTER_MS, undefined, { signal: closed.signal });
      await deliver(address, body);
    }
    return status;
  }

  const server = createServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.on('end', () => {
      const address = String(request.headers[ADDRESS_HEADER] ?? '');
      void relay(address, Buffer.concat(pieces).toString())
        .catch(() => null)
        // Without an answer the emulator gets none either, and calls again.
        .then((status) => (status === null ? response.destroy() : response.writeHead(status).end()));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    deliveries,
    delivered: (job) =>
      deliveries.some((one) => one.job === job && one.endedMs !== null)
        ? Promise.resolve()
        : new Promise((tell) => waiting.set(job, [...(waiting.get(job) ?? []), tell])),
    async close() {
      closed.abort();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
