/** `--diagram FILE` of `check` and `judge`. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { runCli } from '../../src/shell/program.js';
import { createFakeIo } from './fake-io.js';

it('draws the same from a run and from its history', { timeout: 60_000 }, async () => {
  const io = createFakeIo();
  const few = ['--only', '3/cancel-queued', '--min-decided', '1', '-q'];
  expect(await runCli(['check', ...few, '--seed', '1', '--out', 'r', '--diagram', 'a.svg'], io)).toBe(0);
  const drawing = (name: string): string => readFileSync(join(io.cwd, name), 'utf8');
  expect(drawing('a.svg')).toMatch(/^<svg [^]*IN_QUEUE → CANCELLED by \/cancel: [1-9]/);
  const judge = async (file: string): Promise<number> =>
    runCli(['judge', 'r/history.ndjson', ...few, '--diagram', file], io);
  expect(await judge('new/b.SVG')).toBe(0);
  expect(drawing('new/b.SVG')).toBe(drawing('a.svg'));
  expect(await judge('c.mmd')).toBe(0);
  expect(await judge('d.md')).toBe(0);
  expect(drawing('c.mmd')).toMatch(/^stateDiagram-v2\n[^]*IN_QUEUE --> CANCELLED: \/cancel<br\/>[1-9]/);
  expect(drawing('d.md')).toBe(`\`\`\`mermaid\n${drawing('c.mmd')}\`\`\`\n`);
});

it('tells the endings that it takes, before the run', async () => {
  const io = createFakeIo();
  expect(await runCli(['check', '--out', 'r', '--diagram', 'a.png'], io)).toBe(2);
  expect(io.complained()).toMatch(/\.svg.*\.mmd, \.mermaid or \.md.*not "a\.png"/);
  expect(existsSync(join(io.cwd, 'r'))).toBe(false);
});
