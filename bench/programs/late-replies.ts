/**
 * A proxy in front of a target: each reply arrives so many ms late, at random, as over a network.
 * usage: late-replies.js TARGET_PORT FROM_MS TO_MS; prints its port
 */
import { createServer, request } from 'node:http';
import { createRandom } from '../../src/time/random.js';

const [port, fromMs, toMs] = process.argv.slice(2).map(Number) as [number, number, number];
const random = createRandom(1);

const proxy = createServer((incoming, reply) => {
  const { method, url: path, headers } = incoming;
  const outgoing = request({ host: '127.0.0.1', port, method, path, headers }, (answer) => {
    const lateMs = random.intBetween(fromMs, toMs);
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
proxy.listen(0, '127.0.0.1', () => {
  const address = proxy.address();
  process.stdout.write(`${typeof address === 'object' ? address!.port : ''}\n`);
});
