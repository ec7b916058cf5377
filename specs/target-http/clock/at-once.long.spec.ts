/** Scripts on a target far away that gives endpoints clocks of their own: what is found is what is found nearby. */
import type { Server } from 'node:http';
import { describe, expect, it } from 'vitest';
import { lateReplies } from '../../../bench/late-replies.js';
import { named } from '../../../scenarios/index.js';
import { rulesFor } from '../../../src/core/rules.js';
import type { Rules } from '../../../src/core/rules.js';
import { MUTANTS } from '../../../src/mutants/index.js';
import { judge } from '../../../src/oracle/index.js';
import type { Script, Step } from '../../../src/scenario/script.js';
import { drawPlan } from '../../../src/schedule/draw-plan.js';
import { LOCAL_API_KEY, startServer } from '../../../src/server/index.js';
import { httpTarget, type HttpTarget } from '../../../src/target/http/index.js';
import type { RunOptions, RunProgress } from '../../../src/target/port.js';
import { runScripts, type RunResult } from '../../../src/target/run-scripts.js';
import { createCaller } from '../../server/caller.js';
import { drawnByCommit } from '../../support/whole.js';
import { FakeEndpoint, KEY } from '../fake-endpoint.js';
import { playOn, scriptOf, type Played } from '../support.js';

/** More than what counts as nearby, and little enough for a spec. */
const LATE_MS = [22, 30] as const;
/** As over a bad line. */
const VERY_LATE_MS = [50, 400] as const;
/** Long rows of calls are the business of the run over a network that `bench` measures. */
const CALLS_MAX = 40;
const SEED = 3;
/** Faults of timers, of waiting calls and of webhooks, of which the commit draws one. */
const FAULTS = drawnByCommit(['ttl-spares-running', 'wait-cancels-job', 'webhook-pause-one-second'], 3);

async function closed(server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
}

/** Connects to our endpoint, through a proxy where it is far away. */
async function withTarget<T>(
  late: readonly [number, number] | null,
  rules: Rules | null,
  work: (target: HttpTarget, controlUrl: string) => Promise<T>,
): Promise<T> {
  const server = await startServer({
    clock: 'controlled',
    endpoints: [],
    onError: () => {},
    ...(rules === null ? {} : { rules }),
  });
  const proxy = late === null ? null : await lateReplies(Number(new URL(server.url).port), ...late);
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
    return await work(target, server.controlUrl);
  } finally {
    await target.close();
    if (proxy !== null) await closed(proxy.server);
    await server.close();
  }
}

/** Counts scripts that are under way. */
class AtOnce {
  open = 0;
  most = 0;
  readonly onProgress = ({ kind }: RunProgress): void => {
    this.open += kind === 'script-started' ? 1 : -1;
    this.most = Math.max(this.most, this.open);
  };
}

async function played(
  target: HttpTarget,
  scripts: readonly Script[],
): Promise<RunResult & { readonly most: number }> {
  const atOnce = new AtOnce();
  const { onProgress } = atOnce;
  const result = await runScripts(target, scripts, {
    seed: SEED,
    edition: 'document',
    runproof: 'spec',
    onProgress,
  });
  return { ...result, most: atOnce.most };
}

const verdictsOf = ({ events }: RunResult): readonly string[] =>
  judge(events)
    .requirements.filter(({ verdict }) => verdict !== 'untestable')
    .map(({ id, verdict }) => `${id} ${verdict}`);

const shortScripts = (target: HttpTarget, every: number): readonly Script[] =>
  drawPlan(named, target, SEED, 1).scripts.filter(
    ({ steps }, index) =>
      index % every === 0 && steps.length < CALLS_MAX && !steps.some((step) => step.do === 'burst'),
  );

/** On each of them something happens for a long time. */
const SCRIPTS = Array.from({ length: 6 }, (_, n) =>
  scriptOf([
    { do: 'run', job: 'a', plan: [{ sleepMs: 500 * n }] },
    ...Array.from({ length: 100 }, (__, i): Step => ({ do: 'status', job: 'a', at: { waitMs: 97 * n + i } })),
  ]),
);

/** Scripts with many calls at once, and with a crowd of them. */
const CROWDS = [65, 301].map((count) => scriptOf([{ do: 'burst', op: 'health', count }]));

/** Plays scripts far away. */
async function farPlayed(
  target: HttpTarget,
  options: Partial<RunOptions> = {},
  scripts: readonly Script[] = SCRIPTS,
): Promise<Played & { readonly most: number }> {
  const atOnce = new AtOnce();
  const signal = AbortSignal.timeout(2_000);
  const result = await playOn(target, scripts, { onProgress: atOnce.onProgress, signal, ...options });
  return { ...result, most: atOnce.most };
}

describe('scripts on a target far away', () => {
  it('play at once, and find what they find nearby', { timeout: 120_000 }, async () => {
    const near = await withTarget(null, null, (target) => played(target, shortScripts(target, 10)));
    const far = await withTarget(LATE_MS, null, (target) => played(target, shortScripts(target, 10)));
    expect(far.summary).toMatchObject({
      finished: near.summary.finished,
      calls: near.summary.calls,
      aborted: [],
      leftBehind: [],
    });
    expect(near.summary.finished).toBeGreaterThan(20);
    expect(far.events.some(({ kind }) => kind === 'webhook')).toBe(true);
    expect(verdictsOf(far)).toEqual(verdictsOf(near));
    expect(verdictsOf(far).filter((line) => line.endsWith(' fail'))).toEqual([]);
    // Nearby it is one, or a few on a busy machine.
    expect([near.most < 10, far.most > 10]).toEqual([true, true]);
  });

  it('are judged as if one had played after the other', { timeout: 120_000 }, async () => {
    const { events, most } = await withTarget(VERY_LATE_MS, null, (target) =>
      played(target, shortScripts(target, 40)),
    );
    expect(most).toBeGreaterThan(4);
    expect(verdictsOf({ events } as RunResult).filter((line) => line.endsWith(' fail'))).toEqual([]);
    let open = 0;
    let latestMs = 0;
    const calls = new Set<number>();
    for (const event of events) {
      if (event.kind === 'script') {
        expect([open, event.atMs >= latestMs]).toEqual([0, true]);
        open += 1;
      }
      if (event.kind === 'call') calls.add(event.call);
      if (event.kind !== 'script-end') continue;
      open -= 1;
      latestMs = event.atMs;
    }
    expect([...calls].sort((a, b) => a - b)).toEqual(Array.from(calls, (_, call) => call));
  });

  it('leave connections to those that hold calls back together', { timeout: 120_000 }, async () => {
    // Two of them have 400 calls each that wait, while the third needs 401 connections at once.
    const names = ['8/concurrency-of-openai', '8/concurrency-of-runsync', '8/concurrency-of-status'];
    const crowds = named.filter(({ name }) => names.includes(name));
    const { requirements } = await withTarget(LATE_MS, null, async (target) =>
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
    const findings = await withTarget(LATE_MS, mutant.rules(rulesFor({}, 'document')), async (target) => {
      const breaking = named.filter(({ exercises }) => exercises.some((one) => mutant.breaks.includes(one)));
      return judge((await played(target, drawPlan(breaking, target, SEED, 1).scripts)).events);
    });
    const failed = findings.requirements.filter(({ verdict }) => verdict === 'fail').map((one) => one.id);
    expect(mutant.breaks.filter((one) => failed.includes(one))).not.toEqual([]);
  });

  it('play one after the other where that is asked for', async () => {
    await withTarget(LATE_MS, null, async (target) => {
      expect((await farPlayed(target)).most).toBe(SCRIPTS.length);
      expect((await farPlayed(target, { concurrency: 1 })).most).toBe(1);
      expect((await farPlayed(target, { concurrency: 1 }, CROWDS)).most).toBe(1);
      expect((await farPlayed(target, { concurrency: 3 })).most).toBe(3);
    });
  });

  it('play one after the other where endpoints have no clocks of their own', async () => {
    const fake = await new FakeEndpoint({ clock: 'controlled', features: ['clock', 'endpoints'] }).start();
    const { port, server } = await lateReplies(Number(new URL(fake.url).port), ...LATE_MS);
    const url = `http://127.0.0.1:${port}`;
    const controlUrl = `${url}${new URL(fake.controlUrl).pathname}`;
    const target = await httpTarget({ url, apiKey: KEY, worker: 'scripted', controlUrl });
    try {
      expect((await farPlayed(target)).most).toBe(1);
      expect(fake.log.filter((line) => line.includes('/clocks/'))).toEqual([]);
    } finally {
      await target.close();
      await closed(server);
      await fake.stop();
    }
  });

  it('are over soon after the run is interrupted, and leave no endpoint behind', async () => {
    await withTarget(LATE_MS, null, async (target, controlUrl) => {
      const interrupt = new AbortController();
      let begun = 0;
      const { summary, ends } = await farPlayed(target, {
        signal: interrupt.signal,
        onProgress: () => (begun += 1) === SCRIPTS.length && interrupt.abort(),
      });
      expect(ends.map(({ reason }) => reason)).toEqual(SCRIPTS.map(() => 'interrupted'));
      expect(summary.finished).toBe(0);
      const control = createCaller(controlUrl, LOCAL_API_KEY);
      for (const script of SCRIPTS.keys()) {
        expect((await control.get(`/endpoints/runproof-${script}`)).status).toBe(404);
        expect((await control.get(`/clocks/runproof-${script}`)).status).toBe(404);
      }
    });
  });
});
