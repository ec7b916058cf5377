import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Part } from './written.js';

/** What is waited for comes sooner, or never. */
const WAIT_MAX_MS = 700;

/** Sends them one after the other, as far as there is anyone who takes them. */
export async function sendParts(
  socket: Socket,
  parts: readonly Part[],
  received: () => string = () => '',
): Promise<void> {
  for (const part of parts) {
    if (socket.destroyed) return;
    if (typeof part === 'number') await sleep(part);
    else if (typeof part === 'string') socket.write(part, 'latin1');
    else if ('until' in part) {
      for (const sinceMs = performance.now(); performance.now() - sinceMs < WAIT_MAX_MS; await sleep(5))
        if (received().includes(part.until)) break;
    } else if (part.does === 'end') socket.end();
    else socket.resetAndDestroy();
  }
}
