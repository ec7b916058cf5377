import { expect, it } from 'vitest';
import { runCli } from '../../src/shell/program.js';
import { createFakeIo, type FakeIo } from '../cli/fake-io.js';

/** A world that counts how often the width of its terminal is asked for. */
function measured(): { readonly io: FakeIo; readonly asked: () => number } {
  let asked = 0;
  const io = createFakeIo();
  // Not enumerable: a copy of the world does not count.
  Object.defineProperty(io, 'columns', { enumerable: false, get: () => ((asked += 1), 80) });
  return { io, asked: () => asked };
}

it.each([['-h'], ['help'], ['-qh'], ['--help=true'], ['--seed', '1', '--help']])(
  'check %s prints the help of the command',
  async (...args) => {
    const [{ io, asked }, usual] = [measured(), createFakeIo()];
    expect([await runCli(['check', ...args], io), await runCli(['check', '--help'], usual)]).toEqual([0, 0]);
    expect(io.printed()).toBe(usual.printed());
    expect(usual.printed()).toMatch(/^ +--seed +\S/m);
    expect(asked()).toBeGreaterThan(0);
  },
);

it('no help is laid out where none is asked for: it takes longer than all else that reads a command line', async () => {
  const { io, asked } = measured();
  expect(await runCli(['check', '--seed', 'x'], io)).toBe(2);
  expect(asked()).toBe(0);
});
