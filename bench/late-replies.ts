import { Agent, createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createRandom } from '../src/time/random.js';

/**
 * A proxy in front of a target on this machine: each reply arrives so many ms late, at random, as over a network.
 *
 * @param isLate of which paths
 */
export async function lateReplies(
  targetPort: number,
  fromMs: number,
  toMs: number,
  isLate: (path: string) => boolean = () => true,
): Promise<{ readonly port: number; readonly server: Server }> {
  const random = createRandom(1);
  // Idle for a shorter time than the target keeps a connection: none is used that it has just closed.
  const agent = new Agent({ keepAlive: true, timeout: 1_000 });
  const server = createServer((incoming, reply) => {
    const { method, url: path, headers } = incoming;
    const target = { host: '127.0.0.1', port: targetPort, method, path, headers, agent };
    const outgoing = request(target, (answer) => {
      const lateMs = isLate(path!) ? random.intBetween(fromMs, toMs) : 0;
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('end', () =>
        setTimeout(() => {
          reply.writeHead(answer.statusCode!, answer.headers).end(Buffer.concat(chunks));
        }, lateMs),
      );
    });
    outgoing.on('error', () => reply.destroy());
    reply.on('close', () => outgoing.destroy());
    incoming.pipe(outgoing);
  });
  server.keepAliveTimeout = 60_000;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { port: (server.address() as AddressInfo).port, server };
}
