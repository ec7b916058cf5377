/** Scripts that are shared out among several endpoints leave the history of scripts played one after the other. */
import { afterEach, describe, expect, it } from 'vitest';
import { InOrder } from '../../src/target/in-order.js';
import { playerIn } from '../../src/checking/embedded/player-threads.js';
import { playerOf, sharingScripts, type Player } from '../../src/checking/embedded/share-scripts.js';
import { planRun } from '../../src/checking/plan/plan-run.js';
import { select } from '../../src/checking/selectors.js';
import { shippedScenarios } from '../../src/files/shipped-scenarios.js';
import type { HistoryEvent } from '../../src/history/events.js';
import { REQUIREMENTS } from '../../src/spec/index.js';
import { startServer } from '../../src/server/index.js';
import { httpTarget, type HttpTarget } from '../../src/target/http/index.js';
import type { RunOptions, Target } from '../../src/target/port.js';

const KEY = 'key-of-the-spec';
const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

async function embedded(): Promise<HttpTarget> {
  const server = await startServer({ apiKeys: [KEY], clock: 'controlled', endpoints: [] });
  closers.push(() => server.close());
  const { url, controlUrl } = server;
  const target = await httpTarget({ url, apiKey: KEY, controlUrl: controlUrl, worker: 'scripted' });
  closers.push(() => target.close());
  return target;
}

/** What does not differ from server to server. */
const comparable = (event: HistoryEvent): unknown => {
  const { kind } = event;
  if (kind === 'call') {
    const { call, script, sentMs, receivedMs, arrivedByMs, sentTick, endedTick, op, endpoint } = event;
    const status = event.reply?.status;
    return { call, script, sentMs, receivedMs, arrivedByMs, sentTick, endedTick, op, endpoint, status };
  }
  if (kind === 'webhook')
    return { kind, script: event.script, arrivedMs: event.arrivedMs, endedMs: event.endedMs };
  return event;
};

async function historyOf(
  target: Target,
  scripts: Parameters<Target['run']>[0],
  options: RunOptions = {},
): Promise<readonly HistoryEvent[]> {
  const events: HistoryEvent[] = [];
  const progress: number[] = [];
  const sink = { append: (event: HistoryEvent) => void events.push(event) };
  const summary = await target.run(scripts, sink, {
    ...options,
    onProgress: ({ kind, ended }) => kind === 'script-ended' && progress.push(ended),
  });
  expect(summary.finished).toBe(scripts.length);
  expect(summary.aborted).toEqual([]);
  expect(progress).toEqual(scripts.map((_, at) => at + 1));
  return events;
}

describe('scripts that are shared out', () => {
  it('leave the history of scripts that were played one after the other', async () => {
    const [alone, first, second] = await Promise.all([embedded(), embedded(), embedded()]);
    const scenarios = await shippedScenarios();
    const selection = select(['2.2', '6/called-*', '3/cancel-*'], [], REQUIREMENTS, scenarios);
    const plan = { selection, seed: 5, runs: 1, explored: 0, budgetMs: null };
    const { scripts } = await planRun(alone, plan, () => true);
    expect(scripts.length).toBeGreaterThan(40);
    let played = 0;
    const other = playerOf(second);
    const counting: Player = { ...other, play: (...args) => ((played += 1), other.play(...args)) };
    const shared = await historyOf(
      sharingScripts(first, () => [counting]),
      scripts,
    );
    expect(played).toBeGreaterThan(0);
    expect(played).toBeLessThan(scripts.length);
    const one = await historyOf(alone, scripts, { concurrency: 1 });
    // At one instant, a webhook may come before a call or after it.
    for (const isWebhook of [true, false]) {
      const some = (events: readonly HistoryEvent[]): readonly unknown[] =>
        events.filter(({ kind }) => (kind === 'webhook') === isWebhook).map(comparable);
      expect(some(one)).not.toEqual([]);
      expect(some(shared)).toEqual(some(one));
    }
  });

  it('are appended in their order, however late one of them ends', () => {
    const appended: HistoryEvent[] = [];
    const inOrder = new InOrder({ append: (event) => void appended.push(event) });
    const script = (number: number, atMs: number, endMs: number): HistoryEvent[] => [
      {
        kind: 'script',
        script: number,
        scenario: 's',
        title: 't',
        endpoint: 'e',
        fresh: true,
        workers: 1,
        atMs,
      },
      { kind: 'script-end', script: number, atMs: endMs, outcome: 'played', reason: null },
    ];
    inOrder.put(2, script(2, 700, 705));
    inOrder.put(1, []);
    expect(appended).toEqual([]);
    inOrder.put(0, script(0, 20, 50));
    expect(appended.map((event) => 'atMs' in event && event.atMs)).toEqual([0, 30, 30, 35]);
  });

  it('few of them are played by the first alone', async () => {
    const target = await embedded();
    const others = (): never => expect.unreachable('no thread is worth it');
    const selection = select(['4/operation-health'], [], REQUIREMENTS, await shippedScenarios());
    const plan = { selection, seed: 1, runs: 1, explored: 0, budgetMs: null };
    const { scripts } = await planRun(target, plan, () => true);
    expect(await historyOf(sharingScripts(target, others), scripts)).not.toEqual([]);
  });
});

describe('a player that is not ready', () => {
  const nothing = { finished: 0, aborted: [], calls: 0, elapsedMs: 0, leftBehind: [] };
  const scripts = Array.from({ length: 40 }, () => ({ scenario: 's' }) as never);
  const first = { run: async () => nothing, close: async () => undefined } as unknown as Target;
  const sink = { append: () => undefined };

  it.each([true, false])('is an error, unless the run was stopped: %s', async (isStopped) => {
    const stop = new AbortController();
    const play = (): Promise<never> => {
      if (isStopped) stop.abort();
      return Promise.reject(new Error('the run is over'));
    };
    const target = sharingScripts(first, () => [{ play, close: async () => undefined }]);
    const running = target.run(scripts, sink, { signal: stop.signal });
    if (isStopped) expect(await running).toEqual(nothing);
    else await expect(running).rejects.toThrow('the run is over');
  });
});

describe('a player in a thread', () => {
  const script = { name: 'spec' } as never;

  it('passes on what was played, what went wrong, and the order to stop', async () => {
    const told: unknown[] = [];
    let answer: () => Promise<never> = () => Promise.reject(new Error('no port is free'));
    const player = playerIn({
      ask: (method, args) => (told.push([method, ...args]), answer()),
      stop: () => void told.push('stop'),
      end: async () => void told.push('end'),
    });
    await expect(player.play(script, 4, undefined)).rejects.toThrow('no port is free');
    const stop = new AbortController();
    let played: (how: never) => void = () => undefined;
    answer = () => new Promise((resolve) => (played = resolve));
    const playing = player.play(script, 3, stop.signal);
    stop.abort();
    played({ events: [], summary: { calls: 1 } } as never);
    expect(await playing).toMatchObject({ summary: { calls: 1 } });
    await player.close();
    expect(told).toEqual([['play', script, 4], ['play', script, 3], 'stop', 'end']);
  });
});
