import { afterEach, expect, it } from 'vitest';
import { startServer, type RunningServer, type ServerOptions } from '../../src/server/index.js';
import { createCaller } from './caller.js';
import { createCampaign } from './fuzz/campaign.js';
import { memoryHeld, type Memory } from './fuzz/memory.js';
import { WHOLE } from '../support/whole.js';

const CASES = Number(process.env['FUZZ_CASES'] ?? (WHOLE ? 50_000 : 1_500));
const SEED = Number(process.env['FUZZ_SEED'] ?? 1);
/** After this many the caches of the program are full and its code is compiled. */
const WARM_UP_CASES = Math.min(Math.ceil(CASES / 3), 10_000);
const HEAP_GROWTH_MAX_MB = 10;
/** The system takes pages back when it likes. */
const RSS_GROWTH_MAX_MB = 250;

// Beyond the limits of section 8 every call is a 429, and the rest is not examined.
const rules = { rateLimit: () => Infinity, concurrencyLimit: () => Infinity };
const SERVERS: readonly ServerOptions[] = [
  { edition: 'document', control: true, rules },
  { edition: 'runpod', control: true, rules },
  { clock: 'controlled', dialect: { '4/trailing-slash': 'same', '7/error-body': 'error-object' }, rules },
  {
    dialect: {
      '4/trailing-slash': 'redirect',
      '5/unauthorized-before-malformed': '400',
      '4.9/openai-answer': 'worker-decides',
      '7/error-body': 'problem-details',
    },
    control: true,
    rules,
  },
];

let servers: RunningServer[] = [];
afterEach(() => Promise.all(servers.map((server) => server.close())));

async function start(all: readonly ServerOptions[], onError: (error: unknown) => void): Promise<number[]> {
  servers = await Promise.all(all.map((o) => startServer({ apiKeys: ['k'], workers: 4, onError, ...o })));
  return servers.map(({ port }) => port);
}

/** Jobs that were accepted by the way are no leak. */
async function emptied(): Promise<Memory> {
  for (const { controlUrl } of servers) {
    const body = { workers: 4 };
    expect((await createCaller(controlUrl!, 'k').send('PUT', '/endpoints/test', { body })).status).toBe(200);
  }
  return memoryHeld();
}

it(
  `${CASES} bad requests: no 5xx, no hang, clear refusals, no growth of memory`,
  { timeout: 3_600_000 },
  async () => {
    const errors: unknown[] = [];
    const campaign = createCampaign(await start(SERVERS, (error) => errors.push(error)), SEED);
    const startMs = performance.now();
    await campaign.sendUntil(WARM_UP_CASES);
    const warm = await emptied();
    await campaign.sendUntil(CASES);
    const after = await emptied();
    if (WHOLE) {
      const seconds = (performance.now() - startMs) / 1000;
      console.log(summary(campaign, seconds));
      console.log(`memory after ${WARM_UP_CASES}: ${inWords(warm)}; at the end: ${inWords(after)}`);
    }
    expect(campaign.faults.slice(0, 20)).toEqual([]);
    expect(errors).toEqual([]);
    expect(campaign.counts.get('closed') ?? 0).toBeLessThan(CASES / 4);
    expect(after.heapMb - warm.heapMb).toBeLessThan(HEAP_GROWTH_MAX_MB);
    expect(after.rssMb - warm.rssMb).toBeLessThan(RSS_GROWTH_MAX_MB);
    for (const server of servers) {
      expect((await createCaller(server.url, 'k').get('/v2/test/health')).status).toBe(200);
    }
  },
);

it('a server that fails because of what clients send is detected', async () => {
  const inputAllowed = (): never => {
    throw new Error('planted');
  };
  const campaign = createCampaign(
    await start([{ rules: { ...rules, inputAllowed } }], () => undefined),
    SEED,
  );
  await campaign.sendUntil(100);
  expect(campaign.faults.some((fault) => fault.includes('answered 500'))).toBe(true);
});

function summary({ counts, slowestMs }: ReturnType<typeof createCampaign>, seconds: number): string {
  const answers = [...counts]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([code, count]) => `${code}: ${count}`);
  const took = `${seconds.toFixed(0)} s, slowest ${slowestMs().toFixed(0)} ms`;
  return `${CASES} requests, seed ${SEED}, ${took}\n${answers.join(', ')}`;
}

const inWords = ({ heapMb, rssMb }: Memory): string => `heap ${heapMb} MB, rss ${rssMb} MB`;
