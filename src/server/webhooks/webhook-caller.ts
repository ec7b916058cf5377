import type { Agent } from 'undici';
import type { WebhookRequest } from '../../core/api.js';
import type { WebhookAnswer } from '../observer.js';
import { createKeyedSemaphore } from '../keyed-semaphore.js';
import { checkLiteral, lookupWithin, OutOfReach, type WebhookReach } from './webhook-reach.js';

/** A call that takes longer counts as failed (contract `test-control`, rule 2). */
export const WEBHOOK_TIMEOUT_MS = 10_000;
/** Of a forwarded call: the address that was given with the job. */
const WEBHOOK_HEADER = 'x-runproof-webhook';
/** At most this much of a receiver's reply is read; it is not used. */
const REPLY_BYTES_MAX = 64 * 1024;
/** Concurrent calls of one receiver: a slow one must not use up all sockets. */
const CALLS_AT_ONCE_MAX = 256;

export interface WebhookCall {
  /** It never rejects. */
  readonly ended: Promise<WebhookAnswer>;
  abort(): void;
}

/** Calls webhooks over HTTP. Redirects are not followed: only the given address is called. */
export interface WebhookCaller {
  call(call: WebhookRequest): WebhookCall;
  close(): Promise<void>;
}

export interface WebhookCallerOptions {
  readonly timeoutMs?: number;
  /** Default `loopback`. */
  readonly reach?: WebhookReach;
  /** Called in place of every webhook's address, which `WEBHOOK_HEADER` then tells. */
  readonly forwardTo?: string;
  /** Called once for each host that webhooks may not call. */
  readonly onOutOfReach?: (host: string) => void;
}

export function createWebhookCaller(options: WebhookCallerOptions = {}): WebhookCaller {
  const { timeoutMs = WEBHOOK_TIMEOUT_MS, reach = 'loopback', forwardTo, onOutOfReach } = options;
  let agent: Agent | null = null;
  let closed = false;
  const receiverSemaphore = createKeyedSemaphore(CALLS_AT_ONCE_MAX);
  const reportedHosts = new Set<string>();

  function reportOutOfReach(host: string): void {
    if (reportedHosts.has(host) || reportedHosts.size >= CALLS_AT_ONCE_MAX) return;
    reportedHosts.add(host);
    onOutOfReach?.(host);
  }

  async function send(
    call: WebhookRequest,
    url: URL,
    signal: AbortSignal,
    over: () => void,
  ): Promise<number> {
    const undici = await import('undici');
    if (closed) throw new Error('no webhook is called any more');
    // A new connection for each call: a receiver that closes an idle one at that moment would look like a
    // failed call.
    agent ??= new undici.Agent({
      pipelining: 0,
      connect: { timeout: timeoutMs, lookup: lookupWithin(reach) },
    });
    const reply = await undici.request(url, {
      method: call.method as 'POST',
      headers: {
        'user-agent': 'runproof',
        ...call.headers,
        ...(forwardTo !== undefined && { [WEBHOOK_HEADER]: call.url }),
      },
      body: JSON.stringify(call.body),
      dispatcher: agent,
      signal,
    });
    // The status decides. The rest is read so that the receiver can finish sending, and is neither awaited
    // nor stored.
    reply.body
      .dump({ limit: REPLY_BYTES_MAX, signal })
      .catch(() => undefined)
      .finally(over);
    return reply.statusCode;
  }

  async function post(call: WebhookRequest, controller: AbortController): Promise<WebhookAnswer> {
    let isLate = false;
    let over: () => void = () => undefined;
    try {
      const url = new URL(forwardTo ?? call.url);
      checkLiteral(url, reach);
      const release = await receiverSemaphore.acquire(url.host, controller.signal);
      const timer = setTimeout(() => {
        isLate = true;
        controller.abort();
      }, timeoutMs);
      over = () => {
        clearTimeout(timer);
        release();
      };
      return { status: await send(call, url, controller.signal, over), error: null };
    } catch (error) {
      over();
      if (error instanceof OutOfReach) reportOutOfReach(error.host);
      return { status: null, error: isLate ? `no answer within ${timeoutMs / 1_000} s` : whyOf(error) };
    }
  }

  return {
    call(call) {
      const controller = new AbortController();
      return { ended: post(call, controller), abort: () => controller.abort() };
    },
    close: async () => {
      closed = true;
      await agent?.destroy();
    },
  };
}

/** Where a name has several addresses, the error has a code and no message. */
function whyOf(error: unknown): string {
  const { message, code } = error as NodeJS.ErrnoException;
  return message === '' ? (code ?? 'no connection') : message;
}
