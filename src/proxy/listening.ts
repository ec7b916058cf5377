import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * Listens, and gives the port.
 *
 * @param port 0: any free one
 * @throws {Error} if it cannot be listened on
 */
export function listening(server: Server, host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve((server.address() as AddressInfo).port);
    });
  });
}

/** Takes no more calls, and waits for those under way, at most so many ms. */
export async function closed(server: Server, waitMs: number): Promise<void> {
  const ended = new Promise<void>((resolve) => {
    server.close(() => resolve());
  });
  server.closeIdleConnections();
  const timer = setTimeout(() => server.closeAllConnections(), waitMs);
  await ended;
  clearTimeout(timer);
}
