/** Scripts that share the clock of a target far away: what is found is what is found nearby. */
import type { Server } from 'node:http';
import { describe, expect, it } from 'vitest';
import { lateReplies } from '../../bench/late-replies.js';
import { named } from '../../scenarios/index.js';
import { rulesFor } from '../../src/core/rules.js';
import type { Rules } from '../../src/core/rules.js';
import { MUTANTS } from '../../src/mutants/index.js';
import { judge } from '../../src/oracle/index.js';
import type { Script, Step } from '../../src/scenario/script.js';
import { drawPlan } from '../../src/schedule/draw-plan.js';
import { LOCAL_API_KEY, startServer } from '../../src/server/index.js';
import { httpTarget, type HttpTarget } from '../../src/target/http/index.js';
import { runScripts, type RunResult } from '../../src/target/run-scripts.js';
import type { RunOptions } from '../../src/target/port.js';
import { FakeEndpoint, KEY } from './fake-endpoint.js';
import { playOn, scriptOf, type Played } from './support.js';

/** More than what counts as nearby, and little enough for a spec. */
const LATE_MS = [22, 30] as const;
/** Long rows of calls are the business of the run over a network that `bench` measures. */
const CALLS_MAX = 40;
const SEED = 3;
/** Faults of timers, of waiting calls and of webhooks. */
const FAULTS = ['ttl-spares-running', 'wait-cancels-job', 'webhook-pause-one-second'];

async function closed(server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
}

/** Connects to our endpoint, through a proxy where it is far away. */
async function withTarget<T>(
  where: 'near' | 'far',
  rules: Rules | null,
  work: (target: HttpTarget) => Promise<T>,
): Promise<T> {
  const server = await startServer({
    clock: 'controlled',
    endpoints: [],
    onError: () => {},
    ...(rules === null ? {} : { rules }),
  });
  const proxy = where === 'far' ? await lateReplies(Number(new URL(server.url).port), ...LATE_MS) : null;
  const reached = (url: string): string => {
    const address = new URL(url);
    if (proxy !== null) address.port = `${proxy.port}`;
    return address.href;
  };
  const target = await httpTarget({
    url: reached(server.url),
    controlUrl: reached(server.controlUrl),
    apiKey: LOCAL_API_KEY,
    worker: 'scripted',
  });
  try {
    return await work(target);
  } finally {
    await target.close();
    if (proxy !== null) await closed(proxy.server);
    await server.close();
  }
}

const played = (target: HttpTarget, scripts: readonly Script[]): Promise<RunResult> =>
  runScripts(target, scripts, { seed: SEED, edition: 'document', runproof: 'spec' });

/** How many scripts were under way at once. */
function mostAtOnce({ events }: Pick<RunResult, 'events'>): number {
  let open = 0;
  let most = 0;
  for (const { kind } of events) {
    if (kind === 'script') most = Math.max(most, (open += 1));
    if (kind === 'script-end') open -= 1;
  }
  return most;
}

/** On each of them something happens for a long time. */
const SCRIPTS = Array.from({ length: 6 }, (_, n) =>
  scriptOf([
    { do: 'run', job: 'a', plan: [{ sleepMs: 500 * n }] },
    ...Array.from({ length: 100 }, (__, i): Step => ({ do: 'status', job: 'a', at: { waitMs: 97 * n + i } })),
  ]),
);

/** Plays `SCRIPTS` on a fake endpoint far away. */
async function farPlayed(options: Partial<RunOptions>): Promise<Played & { readonly fake: FakeEndpoint }> {
  const fake = await new FakeEndpoint({ clock: 'controlled', features: ['clock', 'endpoints'] }).start();
  const { port, server } = await lateReplies(Number(new URL(fake.url).port), ...LATE_MS);
  const url = `http://127.0.0.1:${port}`;
  const control = `${url}${new URL(fake.controlUrl).pathname}`;
  const target = await httpTarget({ url, apiKey: KEY, worker: 'scripted', controlUrl: control });
  try {
    return { ...(await playOn(target, SCRIPTS, options)), fake };
  } finally {
    await target.close();
    await closed(server);
    await fake.stop();
  }
}

const verdictsOf = ({ events }: RunResult): readonly string[] =>
  judge(events)
    .requirements.filter(({ verdict }) => verdict !== 'untestable')
    .map(({ id, verdict }) => `${id} ${verdict}`);

describe('scripts on a target far away', () => {
  it('share the clock, and find what they find nearby', { timeout: 120_000 }, async () => {
    const runs = [];
    for (const where of ['near', 'far'] as const) {
      runs.push(
        await withTarget(where, null, async (target) => {
          const { scripts } = drawPlan(named, target, SEED, 1);
          const short = scripts.filter(
            ({ steps }, index) =>
              index % 10 === 0 && steps.length < CALLS_MAX && !steps.some((step) => step.do === 'burst'),
          );
          return played(target, short);
        }),
      );
    }
    const [near, far] = runs as [RunResult, RunResult];
    expect(far.summary).toMatchObject({ finished: near.summary.finished, aborted: [], leftBehind: [] });
    expect(near.summary.finished).toBeGreaterThan(20);
    expect(far.events.some(({ kind }) => kind === 'webhook')).toBe(true);
    expect(verdictsOf(far)).toEqual(verdictsOf(near));
    expect(verdictsOf(far).filter((line) => line.endsWith(' fail'))).toEqual([]);
    expect([mostAtOnce(near), mostAtOnce(far) > 10]).toEqual([1, true]);
  });

  it('leave connections to those that hold calls back together', { timeout: 120_000 }, async () => {
    // Two of them have 400 calls each that wait, while the third needs 401 connections at once.
    const names = ['8/concurrency-of-openai', '8/concurrency-of-runsync', '8/concurrency-of-status'];
    const crowds = named.filter(({ name }) => names.includes(name));
    const { requirements } = await withTarget('far', null, async (target) =>
      judge((await played(target, drawPlan(crowds, target, SEED, 1).scripts)).events),
    );
    const verdicts = ['openai', 'runsync', 'status'].map((op) => {
      const above = requirements.find(({ id }) => id === `8/concurrency-${op}-above`)!;
      return `${op} ${above.verdict}`;
    });
    expect(verdicts).toEqual(['openai pass', 'runsync pass', 'status pass']);
  });

  it.each(FAULTS)('find the fault %s', { timeout: 120_000 }, async (id) => {
    const mutant = MUTANTS.find((one) => one.id === id)!;
    const findings = await withTarget('far', mutant.rules(rulesFor({}, 'document')), async (target) => {
      const breaking = named.filter(({ exercises }) => exercises.some((one) => mutant.breaks.includes(one)));
      return judge((await played(target, drawPlan(breaking, target, SEED, 1).scripts)).events);
    });
    const failed = findings.requirements.filter(({ verdict }) => verdict === 'fail').map((one) => one.id);
    expect(mutant.breaks.filter((one) => failed.includes(one))).not.toEqual([]);
  });

  it('play one after the other where that is asked for', async () => {
    const signal = AbortSignal.timeout(2_000);
    expect(mostAtOnce(await farPlayed({ concurrency: 1, signal }))).toBe(1);
  });

  it('are over soon after the run is interrupted, and leave no endpoint behind', async () => {
    const interrupt = new AbortController();
    const { summary, ends, fake } = await farPlayed({
      signal: interrupt.signal,
      onProgress: ({ kind }) => kind === 'script-started' && interrupt.abort(),
    });
    expect(ends.map(({ reason }) => reason)).toEqual(SCRIPTS.map(() => 'interrupted'));
    expect(summary.finished).toBe(0);
    const made = fake.log.filter((line) => /^PUT .*endpoints\/runproof-\d/.test(line));
    const removed = fake.log.filter((line) => /^DELETE .*endpoints\/runproof-\d/.test(line));
    expect([made.length, removed.length]).toEqual([SCRIPTS.length, SCRIPTS.length]);
  });
});
