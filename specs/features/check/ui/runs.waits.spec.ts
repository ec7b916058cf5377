/** The runs of the page of `--ui`: none starts that nobody asked for. */
import { createServer, type AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { defaultsOf } from '../../../../src/cli/options/option.js';
import { CHECK_CONFIG } from '../../../../src/features/check/options.js';
import { Runs } from '../../../../src/features/check/ui/runs.js';
import { UnreachableError } from '../../../../src/util/errors.js';
import { createFakeIo } from '../../../cli/fake-io.js';
import { until } from '../../../support/until.js';

/** A server that listens, and runs of which the first does not reach it, and the second lasts until `release`. */
async function watching() {
  const server = createServer((socket) => socket.destroy());
  await new Promise<void>((listens) => server.listen(0, '127.0.0.1', listens));
  onTestFinished(() => void server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v2/test`;
  const settings = { ...defaultsOf(CHECK_CONFIG), url };
  let [started, release] = [0, (): void => undefined];
  const fail = (error: unknown): void => expect.unreachable(String(error));
  const once = async (): Promise<0> => {
    started += 1;
    if (started === 1) throw new UnreachableError('away');
    if (started === 2) await new Promise<void>((resolve) => (release = resolve));
    return 0;
  };
  const runs = new Runs(settings, [], createFakeIo(), once, fail);
  runs.start(null);
  await until(() => !runs.isBusy);
  runs.start(null);
  // It is back, and waits for the second run.
  runs.watch(true);
  await sleep(600);
  return { runs, started: () => started, release: () => release() };
}

it('runs again after the run that was under way at a restart', async () => {
  const { runs, started, release } = await watching();
  release();
  await until(() => started() === 3);
  expect(await runs.end()).toBe(0);
});

it('runs nothing once Watch has been turned off', async () => {
  const { runs, started, release } = await watching();
  runs.watch(false);
  release();
  await until(() => !runs.isBusy);
  expect(started()).toBe(2);
  await runs.end();
});

it('runs nothing once it has ended', async () => {
  const { runs, started, release } = await watching();
  const ended = runs.end();
  release();
  expect(await ended).toBe(0);
  await until(() => !runs.isBusy);
  expect(started()).toBe(2);
  expect(runs.start(null)).toBe(false);
  runs.watch(true);
  expect(runs.isWatching).toBe(false);
});
