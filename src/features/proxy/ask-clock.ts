/** Asks the service whether its clock is the one that the proxy reads, without a key and once. */
import type { Exchange } from '../../history/exchange.js';
import { movesClock } from '../../traffic/another-clock.js';
import { inText } from '../../traffic/index.js';

/** An answer that takes longer, or is larger, is not one of test control. */
const WAITED_MS = 2_000;
const BYTES_MAX = 20_000;

/** What test control answers where it moves the clock, or may; null where nothing says so. */
export async function askClock(upstream: string): Promise<Exchange<Uint8Array> | null> {
  const [target, fromMs] = [new URL('/_control', upstream).href, Date.now()];
  const stop = new AbortController();
  const timer = setTimeout(() => stop.abort(), WAITED_MS);
  try {
    const { status, body } = await fetch(target, { redirect: 'error', signal: stop.signal });
    const pieces: Uint8Array[] = [];
    for await (const piece of body ?? []) {
      pieces.push(piece);
      if (pieces.reduce((bytes, { length }) => bytes + length, 0) > BYTES_MAX) return null;
    }
    const asked: Exchange<Uint8Array> = {
      ...{ id: 'clock', fromMs, byMs: Date.now(), names: null },
      request: { method: 'GET', target, headers: {}, body: null },
      outcome: { kind: 'answer', status, headers: {}, body: Buffer.concat(pieces) },
    };
    return movesClock(inText(asked)) ? asked : null;
  } catch {
    return null;
  } finally {
    clearTimeout(timer);
    stop.abort();
  }
}
