import { Agent, request } from 'undici';
import type { Json } from '../history/events.js';

/** A call that has not ended by then counts as failed (contract `test-control`, rule 2). */
export const WEBHOOK_TIMEOUT_MS = 10_000;
/** So much of a receiver's reply is read before the connection is given up; nobody looks at it. */
const REPLY_BYTES_MAX = 64 * 1024;

export interface WebhookCall {
  /** The status answered, or null when there was no answer. It never rejects. */
  readonly ended: Promise<number | null>;
  abort(): void;
}

/** Calls webhooks over HTTP. Redirects are not followed: the address given is the address called. */
export interface WebhookCaller {
  call(url: string, body: Json): WebhookCall;
  close(): Promise<void>;
}

export function createWebhookCaller(timeoutMs = WEBHOOK_TIMEOUT_MS): WebhookCaller {
  // A connection for each call: a receiver that closes an idle one just then would look like a failed call.
  const agent = new Agent({ pipelining: 0, connect: { timeout: timeoutMs } });

  async function post(url: string, body: Json, signal: AbortSignal): Promise<number | null> {
    try {
      const reply = await request(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'user-agent': 'runproof' },
        body: JSON.stringify(body),
        dispatcher: agent,
        signal,
      });
      // The status decides. The rest is read for the receiver's sake, and neither awaited nor kept.
      reply.body.dump({ limit: REPLY_BYTES_MAX, signal }).catch(() => undefined);
      return reply.statusCode;
    } catch {
      return null;
    }
  }

  return {
    call(url, body) {
      const controller = new AbortController();
      const timer = setTimeout(() => controller.abort(), timeoutMs);
      const ended = post(url, body, controller.signal).finally(() => clearTimeout(timer));
      return { ended, abort: () => controller.abort() };
    },
    close: () => agent.destroy(),
  };
}
