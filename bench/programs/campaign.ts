/**
 * Campaigns on a Redis of their own. usage: campaign.js workers N (wall time of a run, N processes
 * with one thread each, on a core of its own as far as there are some),
 * campaign.js engine (CPU time that the queue takes for a chunk), campaign.js chunk (CPU time to play one).
 */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { fileCampaign, recordOf } from '../../src/features/campaign/campaigns.js';
import { chunksOf, codeHash, epochsOf } from '../../src/features/campaign/chunks.js';
import { connect } from '../../src/features/campaign/engine.js';
import { workOn } from '../../src/features/campaign/work.js';
import type { ExplorePool } from '../../src/exploring/pool.js';
import { createTestBed } from '../../src/test-bed/test-bed.js';
import { RUNS_PER_BATCH } from '../../src/explore/batch-sizes.js';
import { EMPTY_TALLY, runBatch } from '../../src/explore/index.js';
import { costMs } from '../histories.js';
import { print } from './measured.js';

const RUNS = 8_000;
/** Large enough for chunks of the full size. */
const RUNS_OF_MANY_MACHINES = 10_000_000;
const PORT = 7390;
const URL = `redis://127.0.0.1:${PORT}`;
const TEST_BED = { edition: 'document', mutant: null } as const;

const [what, count = '1'] = process.argv.slice(2);
if (what === 'chunk') chunk();
else await withRedis(what === 'engine' ? engine : () => workers(Number(count)));

function chunk(): void {
  const testBed = createTestBed(TEST_BED);
  const batches = Math.max(
    ...epochsOf(RUNS_OF_MANY_MACHINES).flatMap((e) => chunksOf(e).map((c) => c.batches)),
  );
  const play = (batch: number): void =>
    void runBatch({ seed: 1, batch, runs: RUNS_PER_BATCH, coverage: {} }, testBed);
  for (let batch = 0; batch < batches; batch++) play(batch);
  print(
    1,
    costMs(() => Array.from({ length: batches }, (_, batch) => play(batch + batches))),
  );
}

/** Everything but playing: chunks are added, taken, finished, summed up and removed. */
async function engine(): Promise<void> {
  const queue = await connect(URL, () => {});
  const settings = { seed: 1, runs: 200_000, testBed: TEST_BED };
  const campaign = await fileCampaign(queue, recordOf(settings, codeHash(), '', ''));
  const { coverage } = runBatch(
    { seed: 1, batch: 1, runs: RUNS_PER_BATCH, coverage: {} },
    createTestBed(TEST_BED),
  );
  const tally = { ...EMPTY_TALLY, coverage };
  const answers = { tally, prove: { found: {} }, batch: null, shrink: null };
  const pool = {
    threads: 2,
    run: async ({ kind }: { readonly kind: keyof typeof answers }) => answers[kind],
    close: async () => {},
  } as unknown as ExplorePool;
  const stop = new AbortController().signal;
  const before = process.cpuUsage();
  await workOn(queue, campaign, { pool, leaseMs: 30_000, stop, tell: () => {} });
  const { user, system } = process.cpuUsage(before);
  print(campaign.epochs.flatMap(chunksOf).length, (user + system) / 1_000);
  await queue.close();
}

async function workers(processes: number): Promise<void> {
  const program = ['bin/runproof.js', 'campaign'];
  const start = [...program, 'start', URL, '--seed', '1', '--runs', String(RUNS)];
  if (spawnSync(process.execPath, start).status !== 0) throw new Error('the campaign does not start');
  const startedMs = performance.now();
  const work = [...program, 'work', URL, '--once', '--threads', '1'];
  const children = Array.from({ length: processes }, (_, index) =>
    spawn('taskset', ['-c', String(index % availableParallelism()), process.execPath, ...work], {
      stdio: 'ignore',
    }),
  );
  await Promise.all(children.map((child: ChildProcess) => once(child, 'exit')));
  print(RUNS, performance.now() - startedMs);
}

async function withRedis(act: () => Promise<void>): Promise<void> {
  const options = ['--port', String(PORT), '--bind', '127.0.0.1', '--save', ''];
  const redis = spawn('redis-server', options, { stdio: ['ignore', 'pipe', 'ignore'] });
  await Promise.race([once(redis.stdout, 'data'), once(redis, 'error')]);
  if (redis.pid === undefined) throw new Error('No such file or directory: redis-server');
  try {
    await act();
  } finally {
    redis.kill();
  }
}
