import { execFileSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import type { ClientRun } from '../../../src/client/report.js';
import { runClient } from '../../../src/features/client/run-client.js';
import { weathersFor } from '../../../src/features/client/select-weathers.js';

/** Commands that are no good clients: each ends in one clear sentence, and leaves no process behind. */

const FOLDER = mkdtempSync(join(tmpdir(), 'runproof-client-'));

function run(command: readonly string[], limitMs = 1_500, signal = new AbortController().signal) {
  return runClient({
    client: { kind: 'command', command, cwd: FOLDER, env: process.env, input: null },
    weathers: weathersFor(['clear'], []),
    ...{ seed: 1, speed: 60, limitMs, atOnce: 1, edition: 'document', expect: new Map() },
    signal,
    onProgress: () => undefined,
    startedAt: '2026-01-01T00:00:00.000Z',
  });
}

function program(name: string, text: string): readonly string[] {
  writeFileSync(join(FOLDER, name), text);
  return [process.execPath, name];
}

const CALL = `await fetch(process.env.RUNPROOF_ENDPOINT_URL + '/health', { headers: { authorization: process.env.RUNPROOF_API_KEY } });`;

const endOf = ({ results }: ClientRun) => results[0]?.session.end;

it('a command that does not exist is told with the folder it was searched from', async () => {
  await expect(run(['no-such-command'])).rejects.toThrow(
    `no command "no-such-command" was found, searched from ${FOLDER}`,
  );
});

it('a command that may not be executed is told', async () => {
  writeFileSync(join(FOLDER, 'plain.txt'), 'text');
  await expect(run(['./plain.txt'])).rejects.toThrow('must not be executed: check its permissions');
});

it('a client that makes no call is told the variables to read, and what it wrote', async () => {
  const silent = program('silent.mjs', `console.error('no address given'); process.exitCode = 9;`);
  await expect(run(silent)).rejects.toThrow(
    /made no call: it ended with exit code 9\.[^]*RUNPROOF_ENDPOINT_URL[^]*no address given/u,
  );
});

it('a client that hangs without a call is stopped and told the same', async () => {
  await expect(run(program('hangs.mjs', 'setInterval(() => {}, 1000);'))).rejects.toThrow(
    /made no call: it had not ended after/u,
  );
});

it('a client that never ends is stopped at the limit, and judged', async () => {
  const report = await run(program('never.mjs', `${CALL} setInterval(() => {}, 1000);`));
  expect(endOf(report)).toMatchObject({ kind: 'stopped' });
  expect(report.results[0]!.ending).toMatchObject({ kind: 'not-judged' });
  expect(report.results[0]!.verdicts.filter(({ state }) => state === 'kept')).not.toEqual([]);
});

it('a client that ignores SIGTERM is killed', async () => {
  const report = await run(
    program('stubborn.mjs', `process.on('SIGTERM', () => {}); ${CALL} setInterval(() => {}, 1000);`),
  );
  expect(endOf(report)).toMatchObject({ kind: 'stopped' });
});

it('of a client that floods its output the beginning and the end are kept', async () => {
  const report = await run(
    program(
      'floods.mjs',
      `${CALL} console.log('first'); for (let i = 0; i < 2000; i++) console.log('x'.repeat(1000)); console.log('last');`,
    ),
    20_000,
  );
  const { stdout, leftOutBytes } = report.results[0]!.output;
  expect(stdout.startsWith('first\n')).toBe(true);
  expect(stdout.trimEnd().endsWith('last')).toBe(true);
  expect(stdout).toContain('bytes left out');
  expect(leftOutBytes).toBeGreaterThan(1_900_000);
  expect(stdout.length).toBeLessThan(30_000);
});

it('a client that is killed is told with the signal', async () => {
  const report = await run(program('killed.mjs', `${CALL} process.kill(process.pid, 'SIGKILL');`), 20_000);
  expect(endOf(report)).toMatchObject({ kind: 'ended', success: false, how: 'ended by SIGKILL' });
});

it('reads what it is given as its standard input', async () => {
  const report = await runClient({
    client: {
      kind: 'command',
      command: program(
        'reads.mjs',
        `${CALL} process.stdin.pipe(process.stdout); process.stdin.on('end', () => (process.exitCode = 0));`,
      ),
      ...{ cwd: FOLDER, env: process.env, input: Buffer.from('a question') },
    },
    weathers: weathersFor(['clear'], []),
    ...{ seed: 1, speed: 60, limitMs: 20_000, atOnce: 1, edition: 'document', expect: new Map() },
    signal: new AbortController().signal,
    onProgress: () => undefined,
    startedAt: '',
  });
  expect(report.results[0]!.output.stdout).toBe('a question');
});

it.skipIf(process.platform !== 'linux')('no process that a client has started is left behind', async () => {
  const mark = `31${process.pid % 10_000}7`;
  const forks = program(
    'forks.mjs',
    `import { spawn } from 'node:child_process';
     spawn('sleep', ['${mark}'], { detached: true, stdio: 'ignore' }).unref();
     spawn('sleep', ['${mark}'], { stdio: 'ignore' }).unref();
     ${CALL}`,
  );
  const report = await run(forks, 20_000);
  expect(endOf(report)).toMatchObject({ kind: 'ended' });
  const left = execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' });
  expect(left).not.toContain(`sleep ${mark}`);
});

it('an interrupted run stops its client and reports what was tried', async () => {
  const stop = new AbortController();
  onTestFinished(() => stop.abort());
  const running = run(program('waits.mjs', `${CALL} setInterval(() => {}, 1000);`), 60_000, stop.signal);
  setTimeout(() => stop.abort(), 500);
  const report = await running;
  expect(report).toMatchObject({ results: [], untried: ['clear'] });
});

/** Whether a process with this word among its arguments runs. */
const runs = (word: string): boolean =>
  execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' }).includes(word);

it.runIf(process.platform === 'linux').each([
  ['holds the output of its parent', `'inherit'`, 0],
  ['holds nothing of it', `'ignore'`, 700],
])('a process of a client with an environment of its own, which %s, is ended', async (_, stdio, liveMs) => {
  const word = `Date.now()+${Math.floor(Math.random() * 1e9)}`;
  const leaves = program(
    'leaves.mjs',
    `import { spawn } from 'node:child_process';
    spawn(process.execPath, ['-e', 'setInterval(() => {}, ${word})'], { env: {}, detached: true, stdio: ${stdio} }).unref();
    ${CALL} setTimeout(() => process.exit(0), ${liveMs});`,
  );
  await run(leaves, 10_000);
  await expect.poll(() => runs(word), { timeout: 3_000 }).toBe(false);
});
