/** Ports that something is to listen to later. */
import { listen } from '../../wire/listen.js';

/** Below those that systems give out by themselves, so that until then no other server is given it. */
const FIRST = 15_000;
const COUNT = 15_000;

export async function freePort(): Promise<number> {
  for (;;) {
    const port = FIRST + Math.floor(Math.random() * COUNT);
    const listening = await listen({ host: '127.0.0.1', port }, { answer: () => undefined }).catch(
      () => null,
    );
    await listening?.close(0);
    if (listening !== null) return port;
  }
}
