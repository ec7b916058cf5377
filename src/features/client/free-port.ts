/** Ports that something is to listen to later. */
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below those that systems give out by themselves, so that until then no other server is given it. */
const FIRST = 15_000;
const COUNT = 15_000;

export async function freePort(): Promise<number> {
  for (;;) {
    const port = FIRST + Math.floor(Math.random() * COUNT);
    const server = createServer();
    const isFree = await new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false));
      server.listen(port, '127.0.0.1', () => resolve(true));
    });
    if (!isFree) continue;
    server.close();
    await once(server, 'close');
    return port;
  }
}
