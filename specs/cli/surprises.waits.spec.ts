/** What a working directory or a machine may hold in store for a command. */
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { runCli } from '../../src/shell/program.js';
import { createFakeIo } from './fake-io.js';

it.each([
  ['runproof.config.mjs', "console.error; export default { only: ['9'], seed: 7, runs: 1, quiet: true };"],
  ['runproof.config.json', '{"only":["9"],"seed":7,"runs":1,"quiet":true}'],
])('a configuration that is found is named before it is run: %s', { timeout: 60_000 }, async (name, text) => {
  const io = createFakeIo();
  writeFileSync(join(io.cwd, name), text);
  expect(await runCli(['check', '--min-decided', '1'], io)).toBe(0);
  expect(
    io
      .complained()
      .split('\n')
      .filter((line) => line.startsWith('configuration:')),
  ).toEqual([`configuration: ${name}`]);
});

it('and even if it cannot be read', async () => {
  const io = createFakeIo();
  writeFileSync(join(io.cwd, 'runproof.config.mjs'), 'throw new Error("no")');
  expect(await runCli(['check'], io)).toBe(2);
  expect(io.complained()).toMatch(/^configuration: runproof\.config\.mjs\n/);
});

// Node's own way to make folders never returns there.
it.skipIf(!existsSync('/proc/self'))(
  'a folder that cannot be made is refused',
  { timeout: 60_000 },
  async () => {
    const io = createFakeIo();
    writeFileSync(join(io.cwd, 'file'), '');
    for (const out of [
      '/proc/nowhere',
      '/proc/nowhere/deeper',
      join(io.cwd, 'file'),
      join(io.cwd, 'file/below'),
    ]) {
      const before = io.complained().length;
      expect([out, await runCli(['check', '--only', '9', '--runs', '1', '--out', out], io)]).toEqual([
        out,
        2,
      ]);
      expect(io.complained().slice(before)).toContain(out);
      expect([
        out,
        await runCli(['explore', '--runs', '1', '--seed', '1', '--threads', '1', '--out', out], io),
      ]).toEqual([out, 2]);
    }
  },
);
