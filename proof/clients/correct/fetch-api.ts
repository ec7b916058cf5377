/** The calls of a careful client, made with `fetch`. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { ClientEnvironment } from '../../../src/features/client/environment.js';

interface Job {
  readonly id: string;
  readonly status: string;
}

class HttpError extends Error {
  readonly status: number;

  constructor(status: number) {
    super(`HTTP ${status}`);
    this.status = status;
  }
}

const RETRY_FOR_MS = 15_000;
const CALL_MAX_MS = 10_000;

export function fetchApi({ url, endpoint, apiKey }: ClientEnvironment, signal: AbortSignal) {
  const headers = { authorization: apiKey, accept: 'application/json' };

  /** Tries again after 429, and where `isSafe` after network errors and 5xx too. */
  async function call(path: string, init: RequestInit, isSafe: boolean): Promise<unknown> {
    const endMs = Date.now() + RETRY_FOR_MS;
    for (let pauseMs = 250; ; pauseMs = Math.min(4_000, 2 * pauseMs)) {
      let told = 0;
      let failure: unknown;
      // Node may collect a signal of AbortSignal.any with AbortSignal.timeout before it fires.
      const late = new AbortController();
      const timer = setTimeout(() => late.abort(new Error('no reply in time')), CALL_MAX_MS);
      try {
        const reply = await fetch(`${url}/v2/${endpoint}${path}`, {
          ...init,
          signal: AbortSignal.any([signal, late.signal]),
        });
        if (reply.ok) return await reply.json();
        await reply.body?.cancel();
        failure = new HttpError(reply.status);
        told = Number(reply.headers.get('retry-after') ?? 0) * 1_000;
        if (reply.status !== 429 && !(isSafe && reply.status >= 500)) throw failure;
      } catch (error) {
        if (error === failure || !isSafe) throw error;
        signal.throwIfAborted();
        failure = error;
      } finally {
        clearTimeout(timer);
      }
      const nextMs = Math.max(pauseMs, told);
      if (Date.now() + nextMs > endMs) throw failure;
      await sleep(nextMs, undefined, { signal });
    }
  }

  return {
    run: (input: object) =>
      call(
        '/run',
        {
          method: 'POST',
          headers: { ...headers, 'content-type': 'application/json; charset=utf-8' },
          body: JSON.stringify({ input, policy: { executionTimeout: 900_000, ttl: 3_600_000 } }),
        },
        false,
      ) as Promise<Job>,
    /** Null: it is not known. */
    status: (id: string) =>
      call(`/status/${encodeURIComponent(id)}`, { headers }, true).catch((error: unknown) => {
        if (error instanceof HttpError && error.status === 404) return null;
        throw error;
      }) as Promise<Job | null>,
    cancel: (id: string) => call(`/cancel/${encodeURIComponent(id)}`, { method: 'POST', headers }, true),
  };
}

export type FetchApi = ReturnType<typeof fetchApi>;

export const FINAL: readonly string[] = ['COMPLETED', 'FAILED', 'CANCELLED', 'TIMED_OUT'];
