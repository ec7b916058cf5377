/** One `runproof proxy` between ordinary clients and each mode in turn, then hostile clients: it must pass calls on after each. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { HOSTILE_CLIENTS } from './hostile-clients.js';
import type { Mode } from './mode.js';
import { FIRST_CALLS } from './modes/helpers.js';
import { searchFor } from './secrets.js';
import { startHostile } from './server.js';

const KEY = 'rp_Hostile/7fQ2+kZ9xWv&Lm4T';
/** How long a client waits for the whole answer of a hostile server. */
const CLIENT_MS = 400;
/** How long a call may take after that, on a machine with other work. */
const NEXT_MS = 10_000;
const END_MS = 20_000;
const ENDS: readonly (number | null)[] = [0, 1, 6, 7];

export interface ProxyTried {
  readonly name: string;
  readonly breaches: readonly string[];
}

export interface ProxyLimits {
  readonly program: string;
  readonly memoryMb: number;
}

/** Tells of each as it is done; the last is the end by Ctrl-C. */
export async function tryProxy(
  modes: readonly Mode[],
  { program, memoryMb }: ProxyLimits,
  onTried: (tried: ProxyTried) => void,
): Promise<void> {
  const calm = await startHostile({ name: 'calm', what: 'answers as a service does' });
  const relay = await startRelay(portOf(calm.url));
  const child = spawn(
    process.execPath,
    [program, 'proxy', '--upstream', `http://127.0.0.1:${relay.port}`, '--listen', '127.0.0.1:0'],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  );
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (piece: Buffer) => (said += piece.toString()));
  const closed = once(child, 'close') as Promise<[number | null, string | null]>;
  try {
    while (!/^what was seen/mu.test(said) && child.exitCode === null) await sleep(20);
    const port = portOf(/^http:\S+/mu.exec(said)?.[0] ?? said);
    const statusPort = portOf(/^status page: (\S+)/mu.exec(said)?.[1] ?? said);
    const after = async (name: string): Promise<void> => {
      relay.leadTo(portOf(calm.url));
      const run = await call(port, '/v2/test/run', null, NEXT_MS);
      const own = await call(statusPort, '/state', null, NEXT_MS);
      const memory = residentMb(child.pid ?? 0);
      onTried({
        name,
        breaches: [
          ...(child.exitCode === null ? [] : [`the proxy has ended with exit ${child.exitCode}`]),
          ...(run.includes('IN_QUEUE') ? [] : [`the next call got ${JSON.stringify(run.slice(0, 200))}`]),
          ...(own.startsWith('{') ? [] : [`/state got ${JSON.stringify(own.slice(0, 200))}`]),
          ...(memory > memoryMb ? [`${memory} MB`] : []),
          ...(/^ {4}at |node:internal/mu.test(said) ? ['a stack on the screen'] : []),
          ...searchFor([KEY])(said + own).map((part) => `a secret: ${part}`),
        ],
      });
      said = '';
    };
    for (const mode of modes) {
      const server = await startHostile(mode);
      relay.leadTo(portOf(server.url));
      const agent = new Agent({ keepAlive: true });
      for (let round = 0; round < 2; round++)
        await Promise.all(
          Array.from({ length: FIRST_CALLS }, (_, at) =>
            call(port, `/v2/test/${OPERATIONS[at % OPERATIONS.length]}`, agent, CLIENT_MS),
          ),
        );
      agent.destroy();
      await after(mode.name);
      await server.close();
      if (child.exitCode !== null) return;
    }
    for (const { name, attack } of HOSTILE_CLIENTS) {
      const socket = connect(port, '127.0.0.1').on('error', () => undefined);
      const gone = new Promise<void>((resolve) => socket.once('close', () => resolve()));
      await Promise.race([attack(socket), gone, sleep(CLIENT_MS)]);
      await after(`client: ${name}`);
      socket.destroy();
      if (child.exitCode !== null) return;
    }
    child.kill('SIGINT');
    const exit = await Promise.race([
      closed.then(([code]) => code),
      sleep(END_MS).then(() => 'late' as const),
    ]);
    const ended = exit !== 'late' && ENDS.includes(exit);
    onTried({ name: 'Ctrl-C', breaches: ended ? [] : [`exit ${exit}: ${said.slice(-300)}`] });
  } finally {
    child.kill('SIGKILL');
    await closed;
    relay.close();
    await calm.close();
  }
}

const OPERATIONS = ['run', 'status/job-0-u1', 'runsync', 'health', 'stream/job-1-u1', 'cancel/job-2-u1'];

const portOf = (url: string): number => Number(new URL(url).port);

/** The body of the answer; what came of it where it does not end in time. */
function call(port: number, path: string, agent: Agent | null, withinMs: number): Promise<string> {
  return new Promise((resolve) => {
    const method = /^\/v2\/test\/(?:run|cancel)/u.test(path) ? 'POST' : 'GET';
    const body = method === 'POST' ? '{"input":{}}' : '';
    const headers = { authorization: `Bearer ${KEY}`, 'content-length': body.length };
    let text = '';
    const going = request({ host: '127.0.0.1', port, path, method, headers, agent: agent ?? false });
    const end = (why: string): void => {
      clearTimeout(timer);
      going.destroy();
      resolve(text === '' ? why : text);
    };
    const timer = setTimeout(() => end(`no answer in ${withinMs} ms`), withinMs);
    going.on('error', (error) => end(error.message));
    going.once('response', (answer) => {
      answer.on('data', (piece: Buffer) => (text = (text + piece.toString()).slice(0, 10_000)));
      answer.on('error', (error) => end(error.message));
      answer.once('end', () => {
        clearTimeout(timer);
        resolve(text);
      });
    });
    going.end(body);
  });
}

interface Relay {
  readonly port: number;
  /** Connections to where it led before are reset. */
  leadTo(port: number): void;
  close(): void;
}

/** So that one proxy has one upstream, whatever stands there. */
async function startRelay(first: number): Promise<Relay> {
  let target = first;
  const open = new Set<Socket>();
  const server = createServer({ noDelay: true }, (near) => {
    const far = connect(target, '127.0.0.1');
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(one);
      one.on('error', () => other.resetAndDestroy());
      one.once('close', () => {
        open.delete(one);
        other.destroySoon();
      });
      one.pipe(other);
    }
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const reset = (): void => {
    for (const socket of open) socket.resetAndDestroy();
  };
  return {
    port: (server.address() as AddressInfo).port,
    leadTo(port) {
      target = port;
      reset();
    },
    close() {
      server.close();
      reset();
    },
  };
}

/** 0 where the system does not tell. */
function residentMb(pid: number): number {
  try {
    return Math.round(
      Number(/VmRSS:\s*(\d+)/u.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024,
    );
  } catch {
    return 0;
  }
}
