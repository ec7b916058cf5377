/**
 * The shipped suite, in real time, on an endpoint whose workers fetch their jobs from outside. The commit draws one of the two
 * editions; `WHOLE=1` takes both.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { expect, it } from 'vitest';
import { runCli } from '../../../src/shell/program.js';
import { startServer } from '../../../src/server/index.js';
import type { Edition } from '../../../src/spec/index.js';
import { createFakeIo } from '../../cli/fake-io.js';
import { drawnByCommit } from '../../support/whole.js';
import { startScriptedWorkers } from './scripted-workers.js';

/** Sections whose waits are short: streams, cancels, retries, the queue, what the worker is passed. */
const SECTIONS = ['2.3', '2.5', '4.4', '4.5', '4.7'];

/** Client, server and workers share this process: a delay of the process is not theirs, up to this. */
const GRACE_S = 8;

/** The exit code of a check, and what it said. */
async function checked(edition: Edition): Promise<readonly [number, string]> {
  const cwd = mkdtempSync(join(tmpdir(), 'runproof-pull-'));
  const dialect = { '4.4/final-output': 'handler-return' };
  const server = await startServer({ apiKeys: ['k'], workers: 0, edition, dialect });
  const workers = startScriptedWorkers(`${server.url}/v2/test`, 'k', 3);
  const io = createFakeIo({ env: { RUNPROOF_API_KEY: 'k' }, cwd });
  const target = [`${server.url}/v2/test`, '--edition', edition, '--worker', 'scripted', '--dedicated'];
  const run = ['--profile', 'quick', '--grace', `${GRACE_S}s`, '--only', ...SECTIONS, '--seed', '7'];
  const exit = await runCli(['check', ...target, ...run], io);
  await workers.close();
  await server.close();
  rmSync(cwd, { recursive: true, force: true });
  return [exit, io.printed() + io.complained()];
}

it.concurrent.each(drawnByCommit<Edition>(['document', 'runpod'], 2))(
  'conforms in the edition %s',
  async (edition) => {
    const stalls = monitorEventLoopDelay();
    stalls.enable();
    let [exit, said] = await checked(edition);
    // A process that stood still for half of the grace proves nothing.
    if (exit !== 0 && stalls.max / 1e9 > GRACE_S / 2) [exit, said] = await checked(edition);
    expect(exit, said).toBe(0);
  },
  600_000,
);
