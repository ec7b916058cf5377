/** Signals to the program itself: what a terminal, a package manager and an impatient user send. */
import { setTimeout as after } from 'node:timers/promises';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { startServer } from '../../src/server/index.js';
import { compileCommandLine, type Compiled } from '../server/kill/compiled.js';
import { forThisTest, listen } from '../support/servers.js';

const GENEROUS_MS = 60_000;

let compiled: Compiled;
beforeAll(async () => {
  compiled = await compileCommandLine();
}, 120_000);
afterAll(() => compiled.dispose());

/** `serve` in a process of its own, with a webhook call under way that keeps it from ending for some seconds. */
async function busy(): Promise<{ child: ChildProcess; ended: Promise<number | null>; answer(): void }> {
  const child = spawn(process.execPath, [compiled.script, 'serve', '--port', '0'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const ended = once(child, 'exit').then(([code]) => code as number | null);
  let printed = '';
  for await (const text of child.stdout.iterator({ destroyOnReturn: false })) {
    printed += String(text);
    if (printed.includes('try:')) break;
  }
  let answer = (): void => undefined;
  const { server, url } = forThisTest(
    await listen((incoming, outgoing) => {
      incoming.resume();
      answer = () => outgoing.end();
    }),
  );
  const called = once(server, 'request');
  const webhook = `${url}/`;
  const run = await fetch(`${/serving (\S+)/.exec(printed)![1]}/run`, {
    method: 'POST',
    headers: { authorization: 'runproof-local' },
    body: JSON.stringify({ input: {}, webhook }),
  });
  expect(run.status).toBe(200);
  await called;
  return { child, ended, answer: () => answer() };
}

it.each([
  ['Ctrl-C', 'SIGINT', 'SIGINT'],
  ['SIGTERM', 'SIGTERM', 'SIGTERM'],
  ['a closed terminal', 'SIGHUP', 'SIGHUP'],
  ['both', 'SIGINT', 'SIGTERM'],
] as const)(
  'serve: %s that comes twice within 300 ms counts once',
  { timeout: GENEROUS_MS },
  async (_what, first, second) => {
    const { child, ended, answer } = await busy();
    child.kill(first);
    await after(50);
    child.kill(second);
    expect(await Promise.race([ended, after(600).then(() => 'still there')])).toBe('still there');
    answer();
    expect(await ended).toBe(0);
  },
);

it('serve: a second Ctrl-C, later than that, ends it at once', { timeout: GENEROUS_MS }, async () => {
  const { child, ended } = await busy();
  child.kill('SIGINT');
  await after(600);
  const fromMs = performance.now();
  child.kill('SIGINT');
  expect(await ended).toBe(130);
  expect(performance.now() - fromMs).toBeLessThan(2_000);
});

/** Runs a command until its output matches, and then reads no more of it; `after` makes it print more. */
async function unreadFrom(enough: RegExp, args: readonly string[], after: (printed: string) => unknown) {
  const child = spawn(process.execPath, [compiled.script, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  const ended = once(child, 'exit').then(([code]) => code as number | null);
  let complained = '';
  child.stderr.on('data', (text) => (complained += String(text)));
  let printed = '';
  for await (const text of child.stdout) {
    printed += String(text);
    if (enough.test(printed)) break;
  }
  await after(printed);
  return { code: await ended, complained };
}

const look = (address: string): Promise<Response> =>
  fetch(`${address}/status/none`, { headers: { authorization: 'runproof-local' } });

it('serve --log ends once nobody reads its output', { timeout: GENEROUS_MS }, async () => {
  const args = ['serve', '--port', '0', '--log-only', '404'];
  // A line that it prints of its own may already have ended it.
  const served = await unreadFrom(/try:/, args, (printed) =>
    look(/serving (\S+)/.exec(printed)![1]!).catch(() => undefined),
  );
  expect(served).toEqual({ code: 0, complained: '' });
});

it('log ends once nobody reads its output', { timeout: GENEROUS_MS }, async () => {
  await using server = await startServer();
  const address = `${server.url}/v2/test`;
  await look(address);
  const log = await unreadFrom(/404/, ['log', address, '--last', '1'], () => look(address));
  expect(log).toEqual({ code: 0, complained: `following the log of ${server.url} until Ctrl-C\n` });
});
