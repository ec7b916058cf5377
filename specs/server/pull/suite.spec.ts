/** The shipped suite, in real time, on an endpoint whose workers fetch their jobs from outside. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { runCli } from '../../../src/cli/program.js';
import { startServer } from '../../../src/server/index.js';
import { createFakeIo } from '../../cli/fake-io.js';
import { startScriptedWorkers } from './scripted-workers.js';

/** Sections whose waits are short: streams, cancels, retries, the queue, what the worker is passed. */
const SECTIONS = ['2.3', '2.5', '4.4', '4.5', '4.7'];

it.concurrent.each(['document', 'runpod'] as const)(
  'conforms in the edition %s',
  async (edition) => {
    const cwd = mkdtempSync(join(tmpdir(), 'runproof-pull-'));
    const dialect = { '4.4/final-output': 'handler-return' };
    const server = await startServer({ apiKeys: ['k'], workers: 0, edition, dialect });
    const workers = startScriptedWorkers(`${server.url}/v2/test`, 'k', 3);
    const io = createFakeIo({ env: { RUNPROOF_API_KEY: 'k' }, cwd });
    const target = [`${server.url}/v2/test`, '--edition', edition, '--worker', 'scripted', '--dedicated'];
    // Client, server and workers share this process, so delays of the process are not theirs.
    const run = ['--profile', 'quick', '--grace', '8s', '--only', ...SECTIONS, '--seed', '7'];
    const exit = await runCli(['check', ...target, ...run], io);
    await workers.close();
    await server.close();
    rmSync(cwd, { recursive: true, force: true });
    expect(exit, io.printed() + io.complained()).toBe(0);
  },
  300_000,
);
