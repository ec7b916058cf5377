import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { COMMANDS } from '../../../src/shell/commands.js';
import { runCli } from '../../../src/shell/program.js';
import { createFakeIo } from '../../cli/fake-io.js';

const SKILL = '.agents/skills/runproof/SKILL.md';

describe('init --agent', () => {
  it('writes a skill of at most 80 lines, whose commands and options exist', async () => {
    const io = createFakeIo();
    expect(await runCli(['init', '--agent'], io)).toBe(0);
    const skill = readFileSync(join(io.cwd, SKILL), 'utf8');
    expect(skill.split('\n').length - 1).toBeLessThanOrEqual(80);
    expect(skill).toMatch(/^---\nname: runproof\ndescription: .{50,1000}\n---\n/);
    const commands = [...skill.matchAll(/npx runproof ([a-z]+)([^\n`|]*)/g)];
    expect(commands.length).toBeGreaterThan(8);
    for (const [, name, words] of commands) {
      const found = COMMANDS.find(({ usage }) => usage.split(' ')[0] === name);
      expect(found, name).toBeDefined();
      for (const [, option] of words!.matchAll(/ --([a-z-]+)/g))
        expect([name, Object.keys(found!.options)]).toEqual([name, expect.arrayContaining([option])]);
    }
    expect(readFileSync(join(io.cwd, 'AGENTS.md'), 'utf8')).toContain(SKILL);
  });

  it('adds its lines to an AGENTS.md once, and keeps what is there', async () => {
    const io = createFakeIo();
    writeFileSync(join(io.cwd, 'AGENTS.md'), '# Mine\n\nUse tabs.\n');
    expect(await runCli(['init', '--agent'], io)).toBe(0);
    const text = readFileSync(join(io.cwd, 'AGENTS.md'), 'utf8');
    expect(text).toMatch(/^# Mine\n\nUse tabs\.\n\n## The job API of this server\n/);
    expect(io.printed()).toContain('changed  AGENTS.md');
    const again = createFakeIo({ cwd: io.cwd });
    expect(await runCli(['init', '--agent'], again)).toBe(0);
    expect(again.printed()).toContain('nothing to write');
    expect(readFileSync(join(io.cwd, 'AGENTS.md'), 'utf8')).toBe(text);
  });
});

it.each([
  ['', ''],
  ['node_modules', 'node_modules\n'],
  ['dist/\nreports/runproof\n', 'dist/\n'],
])('init has git ignore the reports, below what is ignored already: %j', async (before, kept) => {
  const io = createFakeIo();
  const path = join(io.cwd, '.gitignore');
  if (before !== '') writeFileSync(path, before);
  expect(await runCli(['init'], io)).toBe(0);
  const text = readFileSync(path, 'utf8');
  expect(text).toMatch(new RegExp(`^${kept}reports/(runproof)?\n$`));
});
