/** `npm run bench:data`: what `serve --data` costs: jobs accepted per second with it, beside without, in turns. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Agent, request } from 'undici';
import { LOCAL_API_KEY, startServer } from '../src/server/index.js';

const ROUNDS = 5;
const CALLS = Number(process.argv[2] ?? 3_000);

/** Calls of `/run` per second, each job worked off at once; the clients are in this process, too. */
async function callsPerSecond(clients: number, data?: string): Promise<number> {
  const server = await startServer({
    workers: 50,
    rules: { rateLimit: () => Infinity, concurrencyLimit: () => Infinity },
    ...(data !== undefined && { data }),
  });
  const agent = new Agent({ connections: clients });
  let left = CALLS;
  async function client(): Promise<void> {
    while (left-- > 0) {
      const reply = await request(`${server.url}/v2/test/run`, {
        method: 'POST',
        dispatcher: agent,
        headers: { authorization: LOCAL_API_KEY, 'content-type': 'application/json' },
        body: '{"input":{"prompt":"a few words"}}',
      });
      await reply.body.dump();
      if (reply.statusCode !== 200) throw new Error(`/run is answered ${reply.statusCode}`);
    }
  }
  const startedMs = performance.now();
  await Promise.all(Array.from({ length: clients }, client));
  const seconds = (performance.now() - startedMs) / 1000;
  await agent.destroy();
  await server.close();
  return CALLS / seconds;
}

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1]!;

const root = mkdtempSync(join(tmpdir(), 'runproof-bench-'));
const results: object[] = [];
try {
  for (const clients of [1, 16, 128]) {
    const memory: number[] = [];
    const kept: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      memory.push(await callsPerSecond(clients));
      kept.push(await callsPerSecond(clients, join(root, `${clients}-${round}`)));
    }
    const [inMemory, onDisk] = [median(memory), median(kept)];
    process.stdout.write(
      `${clients} clients: ${Math.round(inMemory)} jobs per second in memory, ${Math.round(onDisk)} on disk; ` +
        `ratio ${(onDisk / inMemory).toFixed(2)}\n`,
    );
    results.push({ clients, calls: CALLS, inMemory, onDisk, ratio: onDisk / inMemory });
  }
} finally {
  rmSync(root, { recursive: true, force: true });
}
mkdirSync('reports', { recursive: true });
writeFileSync('reports/bench-data.json', `${JSON.stringify(results, null, 2)}\n`);
