import { describe, expect, it, onTestFinished } from 'vitest';
import type { Campaign, CampaignRecord } from '../../../src/features/campaign/campaign.js';
import { campaigns, fileCampaign, recordOf } from '../../../src/features/campaign/campaigns.js';
import { canariesOf, chunksOf, codeHash, epochsOf } from '../../../src/features/campaign/chunks.js';
import { connect, type Engine } from '../../../src/features/campaign/engine.js';
import { findingChanges, stateOf } from '../../../src/features/campaign/report.js';
import { workOn } from '../../../src/features/campaign/work.js';
import { openPool, type ExplorePool } from '../../../src/exploring/pool.js';
import { runCli } from '../../../src/shell/program.js';
import { EMPTY_TALLY, Exploration, type ViolationRef } from '../../../src/explore/index.js';
import { createFakeIo, filesBelow } from '../../cli/fake-io.js';
import { cuttable, NO_REDIS, startRedis } from './redis.js';

const TEST_BED = { edition: 'document', mutant: null } as const;

describe('the chunks of a campaign', () => {
  it('hold each batch of an exploration once, in the same rounds', () => {
    const runs = 100_000;
    const exploration = new Exploration({ seed: 1, runs });
    for (const epoch of epochsOf(runs)) {
      const batches = exploration.nextRound().map(({ batch }) => batch);
      const chunked = chunksOf(epoch).flatMap(({ firstBatch, batches: count }) =>
        Array.from({ length: count }, (_, index) => firstBatch + index),
      );
      expect(chunked).toEqual(batches);
    }
    expect(exploration.nextRound()).toEqual([]);
  });

  it('are so few that a server of a small memory holds an epoch of a billion runs', () => {
    const most = Math.max(...epochsOf(1_000_000_000).map((epoch) => chunksOf(epoch).length));
    expect(most).toBeLessThanOrEqual(1_024);
  });

  it('have known faults beside them, one in fifty, and one in each campaign', () => {
    const [first] = epochsOf(32);
    expect(canariesOf(first!, 1)).toHaveLength(1);
    const later = { number: 7, firstBatch: 900, batches: 1_000 };
    expect(canariesOf(later, 200).map(({ mutant }) => mutant)).toHaveLength(4);
  });
});

describe.skipIf(NO_REDIS !== null)(`campaign (${NO_REDIS ?? 'with Redis'})`, () => {
  it('stops and goes on to its end, and filing it twice files it once', { timeout: 120_000 }, async () => {
    const url = `redis://127.0.0.1:${await startRedis()}`;
    const io = createFakeIo();
    const settings = ['--seed', '3', '--runs', '90'];
    expect(await runCli(['campaign', 'start', url, ...settings], io)).toBe(0);
    const name = io.printed().trim();
    expect(await runCli(['campaign', 'start', url, ...settings], io)).toBe(0);
    expect(io.complained()).toContain('there is such a campaign already');
    await runCli(['campaign', 'stop', url], io);
    await runCli(['campaign', 'work', url, '--once', '--threads', '1'], io);
    expect(await runCli(['campaign', 'report', url, name, '--out', 'x'], io)).toBe(6);
    expect(io.printed()).toContain('the campaign has not ended: 0 of 90 runs');
    await runCli(['campaign', 'resume', url], io);
    expect(await runCli(['campaign', 'work', url, '--once', '--threads', '1'], io)).toBe(0);
    expect(await runCli(['campaign', 'report', url, name, '--out', 'x'], io)).toBe(0);

    const listed = createFakeIo();
    await runCli(['campaign', 'list', url], listed);
    expect(listed.printed()).toMatch(new RegExp(`^${name} {2}ended {2}90 of 90 runs {2}0 broken[^\\n]*\\n$`));
    const watched = createFakeIo();
    await runCli(['campaign', 'watch', url], watched);
    expect(watched.printed()).toMatch(/ended: 90 of 90 runs \(100 %\), epoch 4 of 4, 0 chunks to do/);
    expect(watched.printed()).toMatch(/chance that the next call is new \d\.\de-\d/);

    const removed = createFakeIo();
    expect(await runCli(['campaign', 'remove', url, name], removed)).toBe(0);
    await runCli(['campaign', 'list', url], removed);
    expect(removed.printed()).toContain('no campaign yet');
  });

  it('looks for several known faults, as explore does', { timeout: 120_000 }, async () => {
    const url = `redis://127.0.0.1:${await startRedis()}`;
    const together = createFakeIo();
    const settings = [
      '--seed',
      '3',
      '--runs',
      '64',
      '--mutant',
      'run-without-status,low-priority-waits-for-quiet',
    ];
    await runCli(['campaign', 'start', url, ...settings], createFakeIo());
    await runCli(['campaign', 'work', url, '--once', '--threads', '1'], createFakeIo());
    expect(await runCli(['campaign', 'report', url, '--out', 'x'], together)).toBe(0);
    const alone = createFakeIo();
    await runCli(['explore', ...settings, '--threads', '1', '--out', 'x'], alone);
    expect(together.printed()).toContain('found 1 of 2 planted bugs');
    expect(alone.printed().split('\n').slice(1).sort()).toEqual(together.printed().split('\n').sort());
    expect([...filesBelow(together.cwd)]).toEqual([...filesBelow(alone.cwd)]);
  });

  it('says which findings are new, ongoing, regressed and resolved', { timeout: 120_000 }, async () => {
    const { engine } = await connected();
    const violated = [['a', 'b'], ['a'], ['a', 'b', 'c']];
    const filedOnes: Campaign[] = [];
    for (const [index, requirements] of violated.entries()) {
      const settings = { seed: index, runs: 32, testBed: TEST_BED };
      const campaign = await fileCampaign(engine, recordOf(settings, codeHash(), '0', `200${index}`));
      const violations = requirements.map((requirement) => ({ requirement, level: 'must', run: 1 }) as const);
      await workAlone(engine, campaign, onlyFinding(violations));
      filedOnes.push(campaign);
    }
    const livesIn = async (campaign: Campaign): Promise<readonly string[]> =>
      (await findingChanges(campaign, await stateOf(campaign), await campaigns(engine))).map(
        ({ requirement, change }) => `${requirement} ${change}`,
      );
    expect(await livesIn(filedOnes[0]!)).toEqual([]);
    expect(await livesIn(filedOnes[1]!)).toEqual(['a ongoing', 'b resolved']);
    expect(await livesIn(filedOnes[2]!)).toEqual(['a ongoing', 'b regressed', 'c new']);
  });

  it('refuses a campaign of another version', async () => {
    const { engine, url } = await connected();
    const old = recordOf({ seed: 1, runs: 32, testBed: TEST_BED }, 'old', '0.0.9', 'then');
    const io = createFakeIo();
    // Records of another version may look like ours, or otherwise.
    for (const record of [{ ...old, name: 'older' }, old]) {
      await fileCampaign(engine, record);
      expect(await runCli(['campaign', 'work', url, record.name, '--once'], io)).toBe(2);
      expect(io.complained()).toContain(
        `${record.name} was started by another version, runproof 0.0.9 with code old; this is `,
      );
    }
    expect(io.complained()).not.toContain('damaged');
    // Without a name it is passed over.
    expect(await runCli(['campaign', 'work', url, '--once'], io)).toBe(0);
  });

  it('puts work aside that fails three times, names it, and says that the result is not whole', async () => {
    const { engine, url } = await connected();
    const campaign = await filed(engine, {
      seed: 1,
      runs: 16,
      testBed: { edition: 'document', mutant: 'no-such' },
    });
    await workAlone(engine, campaign, onlyChunks());
    const { aside, state } = await stateOf(campaign);
    expect(aside.map(({ id }) => id)).toContain('e0-b0');
    expect(aside[0]!.reason).toContain('no such planted bug');
    expect(state).toBe('ended');
    const io = createFakeIo();
    expect(await runCli(['campaign', 'report', url, '--out', 'x'], io)).toBe(6);
    expect(io.printed()).toContain('set aside: e0-b0: no such planted bug or variant: no-such');
  }, 300_000);

  it('raises an alarm if a chunk that is played again comes out differently', async () => {
    const { engine, url } = await connected();
    const campaign = await filed(engine, { seed: 1, runs: 32, testBed: TEST_BED });
    const [job] = (await campaign.work.getJobs(['waiting'])).filter(({ id }) => id === 'e0-b0');
    await job!.updateProgress({ marks: ['of a worker that died'] });
    await workAlone(engine, campaign, onlyChunks());
    const io = createFakeIo();
    expect(await runCli(['campaign', 'report', url, '--out', 'x'], io)).toBe(6);
    expect(io.printed()).toMatch(/^ALARM e0-b0 was played twice and came out differently/);
  }, 300_000);

  it('raises an alarm if a known fault is not found', async () => {
    const { engine, url } = await connected();
    const campaign = await filed(engine, { seed: 1, runs: 32, testBed: TEST_BED });
    const pool = openPool(1);
    const blind: ExplorePool = {
      ...pool,
      run: (task, signal) =>
        pool.run(
          // What is not there is looked for in vain in few runs as in many.
          task.kind === 'prove' ? { ...task, runs: 32, settings: { ...task.settings, mutant: null } } : task,
          signal,
        ),
    };
    await workAlone(engine, campaign, blind);
    const io = createFakeIo();
    expect(await runCli(['campaign', 'report', url, '--out', 'x'], io)).toBe(6);
    expect(io.printed()).toMatch(/^ALARM a planted bug was not found \(errors-as-html\)/);
  }, 300_000);

  it('waits while the connection is lost, and says so once', async () => {
    const { url, cut } = await cuttable(await startRedis());
    const told: string[] = [];
    const engine = await connect(url, (text) => told.push(text));
    const campaign = await filed(engine, { seed: 1, runs: 100, testBed: TEST_BED });
    const working = workAlone(engine, campaign, onlyChunks());
    await cut(1_500);
    await working;
    expect((await stateOf(campaign)).summary.runs).toBe(100);
    await engine.close();
    expect(told).toEqual(['the connection to the server is lost. Waiting', 'connected again']);
  }, 300_000);
});

describe('a campaign without a server', () => {
  it.each([
    ['ftp://127.0.0.1', /requires the address of a Redis, Valkey or PostgreSQL server/, 2],
    ['redis://127.0.0.1:1', /no server answers at 127\.0\.0\.1:1 .*To start one: docker run/, 3],
    [
      'postgres://u:geheim@127.0.0.1:1/d',
      /no server answers at 127\.0\.0\.1:1 .*To start one: docker run/,
      3,
    ],
  ])('says what to do: %s', async (url, message, exit) => {
    const io = createFakeIo();
    expect(await runCli(['campaign', 'list', url], io)).toBe(exit);
    expect(io.complained()).toMatch(message);
    expect(io.complained()).not.toContain('geheim');
  });

  it.skipIf(NO_REDIS !== null)('says that the password is wrong, without showing it', async () => {
    const port = await startRedis('--requirepass', 'right');
    const io = createFakeIo();
    expect(await runCli(['campaign', 'list', `redis://:geheim@127.0.0.1:${port}`], io)).toBe(2);
    expect(await runCli(['campaign', 'list', `redis://127.0.0.1:${port}`], io)).toBe(2);
    expect(io.complained().match(/rejects the user or password of the address/g)).toHaveLength(2);
    expect(io.complained()).not.toContain('geheim');
    expect(await runCli(['campaign', 'list', `redis://:right@127.0.0.1:${port}`], io)).toBe(0);
  });

  it.skipIf(NO_REDIS !== null)('says that the server is full', async () => {
    const port = await startRedis('--maxmemory', '1mb', '--maxmemory-policy', 'noeviction');
    const io = createFakeIo();
    const code = await runCli(['campaign', 'start', `redis://127.0.0.1:${port}`, '--seed', '1'], io);
    expect([code, io.complained()]).toEqual([2, expect.stringMatching(/full.*maxmemory/)]);
  });
});

/** Plays the runs, and none of the known faults beside them, which take long to find: they count as found. */
function onlyChunks(): ExplorePool {
  const pool = openPool(1);
  return {
    ...pool,
    run: ((task, signal) =>
      task.kind === 'prove' ? { found: {} } : pool.run(task, signal)) as ExplorePool['run'],
  };
}

/** Plays nothing. */
function onlyFinding(violations: readonly ViolationRef[]): ExplorePool {
  const answers = {
    tally: { ...EMPTY_TALLY, runs: 32, violations },
    prove: { found: {} },
    batch: { violations },
    shrink: null,
  };
  return {
    ...openPool(1),
    run: async ({ kind }: { readonly kind: keyof typeof answers }) => answers[kind],
  } as unknown as ExplorePool;
}

async function connected(): Promise<{ readonly engine: Engine; readonly url: string }> {
  const url = `redis://127.0.0.1:${await startRedis()}`;
  const engine = await connect(url, () => {});
  onTestFinished(() => engine.close());
  return { engine, url };
}

function filed(
  engine: Engine,
  settings: Pick<CampaignRecord, 'seed' | 'runs' | 'testBed'>,
): Promise<Campaign> {
  return fileCampaign(engine, recordOf(settings, codeHash(), '0', '2001'));
}

function workAlone(engine: Engine, campaign: Campaign, pool: ExplorePool): Promise<void> {
  const stop = new AbortController().signal;
  return workOn(engine, campaign, { pool, leaseMs: 5_000, stop, tell: () => {} });
}
