/** What the environment changes: colours, annotations on GitHub; and an address with the wrong scheme. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { wantsColour } from '../../src/cli/io.js';
import { printReport } from '../../src/cli/report/print-report.js';
import { runCli } from '../../src/shell/program.js';
import { createRedactor } from '../../src/report/index.js';
import { madeUpReport } from '../report/sample-report.js';
import { createFakeIo } from './fake-io.js';
import { forThisTest, listen } from '../support/servers.js';

describe('colours', () => {
  it.each<[object, boolean, boolean]>([
    [{}, true, true],
    [{}, false, false],
    [{ FORCE_COLOR: '1' }, false, true],
    [{ FORCE_COLOR: '0' }, true, false],
    [{ FORCE_COLOR: '1', NO_COLOR: '1' }, true, false],
    [{ TERM: 'dumb' }, true, false],
  ])('%j, on a terminal: %s: %s', (env, outIsTerminal, wanted) => {
    expect(wantsColour({ env: { ...env }, outIsTerminal })).toBe(wanted);
  });

  it.each([
    [[], true],
    [['--no-color'], false],
  ])('with %j: %s', async (more, wanted) => {
    const io = createFakeIo({ env: { FORCE_COLOR: '1' } });
    writeFileSync(join(io.cwd, 'report.json'), JSON.stringify(madeUpReport()));
    await runCli(['report', 'render', '.', ...more], io);
    expect(io.printed()).toContain('DOES NOT CONFORM');
    expect(io.printed().includes('\u001b[')).toBe(wanted);
  });
});

describe('annotations', () => {
  const output = { formats: undefined, quiet: false, verbose: false, open: false };
  const printedWith = (env: { readonly [name: string]: string }, more: object = {}): string => {
    const io = createFakeIo({ env });
    printReport(madeUpReport(), { redactor: createRedactor([]), folder: null }, { ...output, ...more }, io);
    return io.printed();
  };

  it('are printed by themselves in a workflow of GitHub', () => {
    expect(printedWith({ GITHUB_ACTIONS: 'true' })).toMatch(/^::error title=2\.2\/ttl-removes::/m);
    expect(printedWith({})).not.toMatch(/^::/m);
  });

  it('are where their format is named, and not where only others are', () => {
    const named = { formats: ['terminal', 'github'] };
    expect(printedWith({ GITHUB_ACTIONS: 'true' }, named)).toMatch(/^::error title=2\.2\/ttl-removes::/m);
    expect(printedWith({ GITHUB_ACTIONS: 'true' }, { formats: ['terminal'] })).not.toMatch(/^::/m);
  });
});

it('https to a port that speaks http says so', async () => {
  const { port } = forThisTest(await listen((_, response) => void response.end()));
  const io = createFakeIo({ env: { RUNPROOF_API_KEY: 'secret' } });
  expect(await runCli(['check', `https://127.0.0.1:${port}/v2/test`], io)).toBe(3);
  expect(io.complained()).toContain('it speaks http, not https, on this port. Give the address with http://');
});
