/** Receives webhooks. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { isObject } from '../../src/util/json.js';
import type { Behaviour } from './behaviour.js';

export interface Receiver {
  /** Resolves when a webhook of the job has arrived, or after this time; null: waits for ever. */
  delivered(job: string, forMs: number | null, signal: AbortSignal): Promise<void>;
  /** What it has submitted because of webhooks. */
  followedUp(): Promise<unknown>;
  close(): Promise<void>;
}

export async function startReceiver(
  port: number,
  { receiverAnswers, followUp }: Pick<Behaviour, 'receiverAnswers' | 'followUp'>,
  submitFollowUp: () => Promise<unknown>,
): Promise<Receiver> {
  const arrived = new Set<string>();
  const wake = new Set<() => void>();
  const submitted: Promise<unknown>[] = [];
  const server = createServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.on('end', () => {
      const job = jobIn(Buffer.concat(pieces).toString());
      if (receiverAnswers !== null) response.writeHead(receiverAnswers).end();
      if (followUp === 'each-delivery' || (followUp === 'once' && !arrived.has(job)))
        submitted.push(submitFollowUp().catch(() => undefined));
      arrived.add(job);
      for (const tell of wake) tell();
    });
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    async delivered(job, forMs, signal) {
      const beganMs = performance.now();
      const leftMs = (): number => (forMs ?? Infinity) - (performance.now() - beganMs);
      const isNews = !arrived.has(job);
      while (isNews && !arrived.has(job) && leftMs() > 0) {
        const over = new AbortController();
        const arrival = new Promise<void>((resolve) => {
          wake.add(resolve);
          over.signal.addEventListener('abort', () => wake.delete(resolve));
        });
        const time = sleep(Math.min(leftMs(), 1e9), undefined, {
          signal: AbortSignal.any([signal, over.signal]),
        });
        try {
          await Promise.race([arrival, time]);
        } finally {
          over.abort();
          time.catch(() => undefined);
        }
      }
      // It said so before, and the status did not.
      if (!isNews) await sleep(100, undefined, { signal });
    },
    followedUp: () => Promise.all(submitted),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function jobIn(text: string): string {
  try {
    const record: unknown = JSON.parse(text);
    return isObject(record) ? String(record['id']) : '';
  } catch {
    return '';
  }
}
