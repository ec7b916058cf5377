/** A Redis of one's own, and a connection to it that can be cut. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer, connect, type AddressInfo, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

const FOUND = spawnSync('redis-server', ['--version']).status === 0;
/** Why the specs of campaigns are skipped, or null. */
export const NO_REDIS = FOUND ? null : 'needs redis-server';

/** Starts one on a free port, and ends it with the test. Nothing is stored. */
export async function startRedis(...options: readonly string[]): Promise<number> {
  const port = await freePort();
  const server = spawn(
    'redis-server',
    ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', ...options],
    { stdio: ['ignore', 'pipe', 'ignore'] },
  );
  onTestFinished(() => void server.kill('SIGKILL'));
  let log = '';
  for await (const text of server.stdout) {
    log += String(text);
    if (log.includes('Ready to accept connections')) break;
  }
  server.stdout.resume();
  return port;
}

export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  return port;
}

export interface CuttableConnection {
  readonly url: string;
  /** Ends all connections, and accepts none for so long. */
  cut(ms: number): Promise<void>;
}

export async function cuttable(port: number): Promise<CuttableConnection> {
  const sockets = new Set<Socket>();
  let isCut = false;
  const proxy = createServer((client) => {
    const server = connect(port, '127.0.0.1');
    for (const [from, to] of [
      [client, server],
      [server, client],
    ] as const) {
      sockets.add(from);
      from.pipe(to);
      from.on('error', () => to.destroy());
      from.on('close', () => {
        sockets.delete(from);
        to.destroy();
      });
    }
    if (isCut) client.destroy();
  }).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    proxy.close();
  });
  return {
    url: `redis://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    async cut(ms) {
      isCut = true;
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => setTimeout(resolve, ms));
      isCut = false;
    },
  };
}
