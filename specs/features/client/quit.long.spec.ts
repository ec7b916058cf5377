/** Ctrl-\ ends the clients that run, too. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, it, onTestFinished } from 'vitest';
import { compileCommandLine } from '../../server/kill/compiled.js';

const runs = (word: string): boolean =>
  execFileSync('ps', ['-eo', 'pid,args'], { encoding: 'utf8' })
    .split('\n')
    .some((line) => line.includes(word) && !line.includes('served.js'));

it.runIf(process.platform !== 'win32')('SIGQUIT leaves no client behind', { timeout: 60_000 }, async () => {
  const compiled = await compileCommandLine();
  onTestFinished(() => compiled.dispose());
  const word = `${Math.floor(Math.random() * 1e9)}+1`;
  const client = [process.execPath, '-e', `setInterval(() => {}, ${word})`];
  const child = spawn(process.execPath, [compiled.script, 'client', '--', ...client], { stdio: 'ignore' });
  const ended = once(child, 'exit');
  await expect.poll(() => runs(word), { timeout: 20_000 }).toBe(true);
  child.kill('SIGQUIT');
  expect(await ended).toEqual([131, null]);
  await expect.poll(() => runs(word), { timeout: 3_000 }).toBe(false);
});
