/** A server whose time runs faster than real time, checked over real sockets. */
import { describe, expect, it } from 'vitest';
import { checkTarget } from '../../../src/checking/check-target.js';
import { rulesFor } from '../../../src/core/rules.js';
import type { HistoryEvent } from '../../../src/history/events.js';
import { MUTANTS } from '../../../src/mutants/index.js';
import type { RunningServer, ServerOptions } from '../../../src/server/index.js';
import { httpTarget, type HttpTarget, type HttpTargetOptions } from '../../../src/target/http/index.js';
import { forThisTest, listen, serve } from '../../support/servers.js';

const SPEED = 60;
const FAULT = 'ttl-spares-running';
const BROKEN = '2.2/ttl-removes-running';
const DECIDED = [BROKEN, '2.2/ttl-removes-queued', '2.2/ttl-not-early-running', '4.1/wait-not-early'];

const scaled = (options: ServerOptions = {}): Promise<RunningServer> =>
  serve({ clock: 'real', control: true, speed: SPEED, ...options });

async function connect(server: RunningServer, options: Partial<HttpTargetOptions> = {}): Promise<HttpTarget> {
  return forThisTest(
    await httpTarget({
      url: `${server.url}/v2/test`,
      apiKey: server.apiKeys[0]!,
      maxWaitMs: 30_000,
      ...options,
    }),
  );
}

async function check(server: RunningServer, only: readonly string[]) {
  const target = await connect(server, { url: server.url, controlUrl: server.controlUrl! });
  let run: HistoryEvent | undefined;
  const { report } = await checkTarget(target, {
    ...{ seed: 1, runs: 1, only, shrink: false },
    onRun: ({ events }) => void (run = events[0]),
  });
  const failed = report.requirements.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id);
  const passed = report.requirements.filter(({ verdict }) => verdict === 'pass').map(({ id }) => id);
  return { failed, passed, report, run };
}

describe('at speed 60', { timeout: 90_000 }, () => {
  it('what a ttl and a wait demand is decided, and nothing that a correct server does is held against it', async () => {
    const { failed, passed, report, run } = await check(await scaled(), DECIDED);
    expect(failed).toEqual([]);
    expect(passed).toEqual(expect.arrayContaining(DECIDED));
    expect(run).toMatchObject({ clock: 'real', speed: SPEED, graceMs: 120_000, earlyMs: 3_000 });
    expect(report.target).toMatchObject({ clock: 'real', speed: SPEED });
    expect(report.warnings.join()).not.toContain('as if');
  });

  it('a fault is still found', async () => {
    const { rules } = MUTANTS.find(({ id }) => id === FAULT)!;
    const { failed } = await check(await scaled({ rules: rules(rulesFor({}, 'document')) }), [BROKEN]);
    expect(failed).toEqual([BROKEN]);
  });
});

describe('the speed of a target', () => {
  it('is what test control tells, and may be said as well', async () => {
    const server = await scaled();
    const controlUrl = server.controlUrl!;
    expect(await connect(server, { controlUrl })).toMatchObject({ clock: 'real', speed: SPEED });
    expect(await connect(server, { controlUrl, speed: SPEED })).toMatchObject({ speed: SPEED });
  });

  it('is what was said where nothing tells it, and 1 where nothing was said', async () => {
    const server = await scaled();
    expect(await connect(server, { speed: SPEED })).toMatchObject({ speed: SPEED });
    expect(await connect(server)).toMatchObject({ speed: 1, earlyMs: 50, limits: { graceMs: 2_000 } });
  });

  it.each<[string, ServerOptions, number, RegExp]>([
    ['another one is told', { speed: SPEED }, 30, /said to be 30, but test control tells .* speed 60.*Leave/],
    ['none is told', {}, 60, /said to be 60, but test control tells .* speed 1\b/],
    ['the clock is moved', { clock: 'controlled' }, 60, /said to be 60, but test control moves the clock/],
    ['it is beyond the range', { speed: SPEED }, 0, /speed is 0.*from 0\.1 to 10000/],
  ])('is refused where %s', async (_, options, speed, why) => {
    const server = await serve({ clock: 'real', control: true, ...options });
    await expect(connect(server, { controlUrl: server.controlUrl!, speed })).rejects.toThrow(why);
  });

  it.each([0, 20_000, 'fast', null])('is refused where test control tells %s', async (told) => {
    const offer = { protocol: 'test-control/1', features: [], speed: told };
    const control = forThisTest(await listen((_, response) => void response.end(JSON.stringify(offer))));
    const server = await scaled();
    await expect(connect(server, { controlUrl: control.url })).rejects.toThrow(
      /tells the speed .*: it must be a number from 0\.1 to 10000/,
    );
  });

  it('makes what real machines need longer on the clock of the target, and never shorter', async () => {
    const [fast, slow] = [await scaled(), await scaled({ speed: 0.5 })];
    const of = async (server: RunningServer, graceMs?: number) => {
      const { limits, earlyMs } = await connect(server, { controlUrl: server.controlUrl!, graceMs });
      return { ...limits, earlyMs };
    };
    expect(await of(fast)).toMatchObject({ graceMs: 120_000, earlyMs: 3_000, maxWaitMs: 30_000 * SPEED });
    expect(await of(fast, 7_000)).toMatchObject({ graceMs: 7_000 });
    expect((await of(fast, 7_000)).marginMs).toBeGreaterThanOrEqual(7_000 + 250 * SPEED);
    expect(await of(slow)).toMatchObject({ graceMs: 2_000, earlyMs: 50, maxWaitMs: 15_000 });
  });
});
