/**
 * What a proxy adds to a call. Calls go out at fixed times, whether those before were answered or not, and each counts from
 * the time it was due: a stall delays all that fall into it. A few seconds at a time they go directly, through a bare proxy, and
 * through ours, which records and judges. Service and proxies are processes of their own. Prints a `Latency`.
 * usage: latency.js CALLS_PER_SECOND SECONDS
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Pool } from 'undici';
import { LOCAL_API_KEY } from '../../src/server/index.js';

/** Ms from the time a call was due until its answer was complete, at 50 % and at 99 %. */
interface Spread {
  readonly p50: number;
  readonly p99: number;
}

export interface Latency {
  readonly callsPerSecond: number;
  readonly routes: { readonly [route in Route]: Spread };
  /** How late the generator itself was. */
  readonly generator: Spread;
  /** CPU time of the proxy for a call, ms, of all its threads. */
  readonly cpuMs: number;
  /** Of what passed through the proxy. */
  readonly calls: number;
  readonly judged: number;
  /** The mean number of processes that wanted a processor in the last minute. */
  readonly load: number;
}

const ROUTES = ['direct', 'bare', 'proxy'] as const;
type Route = (typeof ROUTES)[number];

const WARM_UP_SECONDS = 3;
const ROUND_SECONDS = 3;
const CONNECTIONS = 64;
/** One call submits a job, and so many ask for it. */
const READS = 3;
const HEADERS = { authorization: LOCAL_API_KEY, 'content-type': 'application/json' };
const BODY = JSON.stringify({ input: { prompt: 'a few words '.repeat(20) } });

const [callsPerSecond, seconds] = process.argv.slice(2).map(Number) as [number, number];
const folder = mkdtempSync(join(tmpdir(), 'runproof-bench-'));
const processes: ChildProcess[] = [];

/** What it says first that has this form. */
function started(args: readonly string[], form: RegExp): Promise<RegExpExecArray> {
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  processes.push(child);
  let said = '';
  return new Promise((resolve, reject) => {
    const hear = (piece: Buffer): void => {
      said += String(piece);
      const found = form.exec(said);
      if (found !== null) resolve(found);
    };
    child.stdout.on('data', hear);
    child.stderr.on('data', hear);
    child.once('exit', () => reject(new Error(`${args.join(' ')} ended: ${said}`)));
  });
}

const late: number[] = [];

class Client {
  readonly took: number[] = [];
  readonly #pool: Pool;
  #jobs: string[] = [];

  constructor(url: string) {
    this.#pool = new Pool(url, { connections: CONNECTIONS });
  }

  /** @param dueMs of `performance` */
  async call(nth: number, dueMs: number | null): Promise<void> {
    const job = nth % (READS + 1) === 0 ? undefined : this.#jobs[nth % this.#jobs.length];
    const { statusCode, body } = await this.#pool.request(
      job === undefined
        ? { path: '/v2/test/run', method: 'POST', headers: HEADERS, body: BODY }
        : { path: `/v2/test/status/${job}`, method: 'GET', headers: HEADERS },
    );
    const { id } = (await body.json()) as { readonly id?: string };
    if (statusCode !== 200 || id === undefined) throw new Error(`a call was answered ${statusCode}`);
    if (dueMs !== null) this.took.push(performance.now() - dueMs);
    if (job === undefined) this.#jobs = [...this.#jobs.slice(-99), id];
  }

  /** Calls at fixed times for so long. @param counts whether they are measured */
  async load(forSeconds: number, counts: boolean): Promise<void> {
    const beginMs = performance.now();
    const calls: Promise<void>[] = [];
    const total = callsPerSecond * forSeconds;
    while (calls.length < total) {
      const nowMs = performance.now();
      for (; calls.length < total;) {
        const dueMs = beginMs + (calls.length * 1_000) / callsPerSecond;
        if (dueMs > nowMs) break;
        if (counts) late.push(nowMs - dueMs);
        calls.push(this.call(calls.length, counts ? dueMs : null));
      }
      await sleep(1);
    }
    await Promise.all(calls);
  }
}

function spread(all: readonly number[]): Spread {
  const sorted = all.toSorted((a, b) => a - b);
  const at = (share: number): number => sorted[Math.floor(share * (sorted.length - 1))]!;
  return { p50: at(0.5), p99: at(0.99) };
}

try {
  const own = fileURLToPath(new URL('./emulator.js', import.meta.url));
  const [, port] = await started([own], /^(\d+)\n/u);
  const direct = `http://127.0.0.1:${port}`;
  const [, bare] = await started(['bench/peers/bare-proxy.mjs', direct], /^(\d+)\n/u);
  const listening = ['--listen', '127.0.0.1:0', '--status-listen', '127.0.0.1:0'];
  const options = ['--world', 'closed', '--record', join(folder, 'calls')];
  const [, proxy = '', status = ''] = await started(
    ['bin/runproof.js', 'proxy', '--upstream', direct, ...listening, ...options],
    /(http:\S+) passes [\s\S]*status page: (http:\S+)\n/u,
  );
  const metric = async (name: string): Promise<number> => {
    const text = await (await fetch(`${status}/metrics`)).text();
    return Number(new RegExp(`^${name} (\\S+)$`, 'mu').exec(text)![1]);
  };
  const clients = {
    direct: new Client(direct),
    bare: new Client(`http://127.0.0.1:${bare}`),
    proxy: new Client(proxy),
  };
  for (const route of ROUTES) await clients[route].load(WARM_UP_SECONDS, false);
  const cpuBefore = await metric('process_cpu_seconds_total');
  for (let round = 0; round * ROUND_SECONDS < seconds; round += 1)
    for (const route of round % 2 === 0 ? ROUTES : ROUTES.toReversed())
      await clients[route].load(ROUND_SECONDS, true);
  const cpuSeconds = (await metric('process_cpu_seconds_total')) - cpuBefore;
  const calls = await metric('runproof_proxied_calls_total');
  // What waits is judged meanwhile.
  for (let waited = 0; waited < 30 && (await metric('runproof_judging_waiting')) > 0; waited += 1)
    await sleep(1_000);
  await sleep(1_500);
  const latency: Latency = {
    callsPerSecond,
    routes: {
      direct: spread(clients.direct.took),
      bare: spread(clients.bare.took),
      proxy: spread(clients.proxy.took),
    },
    generator: spread(late),
    cpuMs: (cpuSeconds * 1_000) / clients.proxy.took.length,
    ...{ calls, judged: await metric('runproof_judged_calls_total'), load: loadavg()[0]! },
  };
  process.stdout.write(`${JSON.stringify(latency)}\n`);
} finally {
  for (const child of processes) child.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
}
process.exit();
