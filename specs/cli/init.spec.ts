import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runCli } from '../../src/cli/program.js';
import { startServer } from '../../src/server/index.js';
import { createFakeIo, filesBelow } from './fake-io.js';

describe('init', () => {
  it('writes a configuration and a scenario with which check runs', { timeout: 60_000 }, async () => {
    const server = await startServer({ clock: 'controlled', apiKeys: ['k'] });
    const io = createFakeIo({ env: { RUNPROOF_API_KEY: 'k' } });
    try {
      expect(await runCli(['init'], io)).toBe(0);
      expect([...filesBelow(io.cwd).keys()].sort()).toEqual([
        '.github/workflows/runproof.yml',
        'runproof-scenarios/cancelled-while-another-works.ts',
        'runproof.config.ts',
      ]);
      const target = [`${server.url}/v2/test`, '--control', server.controlUrl!];
      const args = ['check', ...target, '--only', 'cancelled-while-another-works', '--seed', '1'];
      expect(await runCli(args, io)).toBe(0);
      const written = [...filesBelow(join(io.cwd, 'reports/runproof')).keys()];
      for (const file of ['report.json', 'report.html', 'junit.xml', 'github-annotations.txt', 'report.md'])
        expect(written).toContain(file);
      // The workflow reads what the configuration makes check write.
      const workflow = readFileSync(join(io.cwd, '.github/workflows/runproof.yml'), 'utf8');
      for (const [path] of workflow.matchAll(/reports\/runproof[\w./-]*/g))
        expect([path, existsSync(join(io.cwd, path))]).toEqual([path, true]);
    } finally {
      await server.close();
    }
  });

  it('writes how an endpoint that nobody else uses is stated, which check understands', async () => {
    const io = createFakeIo();
    expect(await runCli(['init'], io)).toBe(0);
    const file = join(io.cwd, 'runproof.config.ts');
    const config = readFileSync(file, 'utf8');
    expect(config).toContain('  // dedicated: true,\n');
    const server = await startServer({ clock: 'real', apiKeys: ['k'], endpoints: ['test'] });
    try {
      const plan = async (text: string): Promise<string> => {
        writeFileSync(file, text.replace('http://127.0.0.1:8080', server.url));
        const planned = createFakeIo({ cwd: io.cwd, env: { RUNPROOF_API_KEY: 'k' } });
        expect(await runCli(['plan', '--only', '4.7', '--worker', 'scripted'], planned)).toBe(0);
        return planned.printed();
      };
      expect(await plan(config)).toContain('an endpoint that nothing else uses (--dedicated)');
      expect(await plan(config.replace('// dedicated', 'dedicated'))).not.toContain('(--dedicated)');
    } finally {
      await server.close();
    }
  });

  it('overwrites nothing, in whatever folder', async () => {
    const io = createFakeIo();
    mkdirSync(join(io.cwd, 'mine'));
    writeFileSync(join(io.cwd, 'mine/runproof.config.ts'), 'export default {};');
    expect(await runCli(['init', '--dir', 'mine'], io)).toBe(0);
    expect(io.printed()).toMatch(/^kept +mine\/runproof\.config\.ts\nwritten +mine\/runproof-scenarios\//);
    expect(readFileSync(join(io.cwd, 'mine/runproof.config.ts'), 'utf8')).toBe('export default {};');
    const before = filesBelow(io.cwd);
    const again = createFakeIo({ cwd: io.cwd });
    expect(await runCli(['init', '--dir', 'mine'], again)).toBe(0);
    expect(again.printed()).toContain('nothing to write');
    expect(filesBelow(io.cwd)).toEqual(before);
  });
});

describe('the configuration file', () => {
  const typed =
    "const seed: number = 7;\nexport default { only: ['9'], seed, runs: 1, quiet: true as boolean };\n";

  it.each([
    ['runproof.config.ts', typed],
    ['runproof.config.mjs', "export default { only: ['9'], seed: 7, runs: 1, quiet: true };"],
    ['runproof.config.json', '{"only":["9"],"seed":7,"runs":1,"quiet":true}'],
  ])('%s is read', async (name, content) => {
    const io = createFakeIo();
    writeFileSync(join(io.cwd, name), content);
    expect(await runCli(['check', '--out', 'out'], io)).toBe(0);
    expect(readFileSync(join(io.cwd, 'out/report.json'), 'utf8')).toContain('"seed": 7');
  });

  it.each([
    [
      'a member that is no option',
      '{"onyl":["9"]}',
      'runproof.config.json',
      /"onyl" is not an option\. Did you mean only\?/,
    ],
    ['broken JSON', '{"only":', 'runproof.config.json', /runproof\.config\.json.* cannot be read/],
    [
      'a syntax error',
      'export default {\n  only: [,\n};',
      'runproof.config.ts',
      /runproof\.config\.ts:\d+ cannot be read/,
    ],
    [
      'an error of its own',
      '\nthrow new Error("no luck");',
      'runproof.config.mjs',
      /runproof\.config\.mjs:2 cannot be read: no luck/,
    ],
  ])('with %s is one clear line', async (_name, content, file, complaint) => {
    const io = createFakeIo();
    writeFileSync(join(io.cwd, file), content);
    expect(await runCli(['check'], io)).toBe(2);
    expect(io.complained()).toMatch(complaint);
    expect(io.complained().trimEnd().split('\n')).toHaveLength(1);
  });
});
