import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Options } from 'yargs';
import type { Config } from '../../../src/checking/config.js';
import { camelCase } from '../../../src/cli/options/option.js';
import { CHECK_CONFIG } from '../../../src/features/check/index.js';
import { runCli } from '../../../src/shell/program.js';
import { PACKAGE_ROOT } from '../../../src/package-files.js';
import { startServer } from '../../../src/server/index.js';
import { createFakeIo, filesBelow } from '../../cli/fake-io.js';

describe('init', () => {
  it('writes a configuration and a scenario with which check runs', { timeout: 60_000 }, async () => {
    const server = await startServer({ clock: 'controlled', apiKeys: ['k'] });
    const io = createFakeIo({ env: { RUNPROOF_API_KEY: 'k' } });
    try {
      expect(await runCli(['init'], io)).toBe(0);
      expect([...filesBelow(io.cwd).keys()].sort()).toEqual([
        '.github/workflows/runproof.yml',
        '.gitignore',
        'package.json',
        'runproof-scenarios/cancelled-while-another-works.mjs',
        'runproof-worker.mjs',
        'runproof.config.json',
      ]);
      const target = [`${server.url}/v2/test`, '--control', server.controlUrl];
      const out = ['--out', 'reports/runproof'];
      const args = ['check', ...target, '--only', 'cancelled-while-another-works', '--seed', '1', ...out];
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

  it('asks for the address where nothing tells it, once', async () => {
    const asked: string[] = [];
    const ask = (question: string): Promise<string> => {
      asked.push(question);
      return Promise.resolve('https://api.example.test/v2/mine/');
    };
    const io = createFakeIo({ ask });
    for (const _ of ['first', 'again']) expect(await runCli(['init'], io)).toBe(0);
    expect(asked).toEqual([expect.stringContaining('[http://127.0.0.1:8080/v2/test]')]);
    const config = readFileSync(join(io.cwd, 'runproof.config.json'), 'utf8');
    expect(JSON.parse(config)).toMatchObject({ url: 'https://api.example.test/v2/mine' });
    expect(io.printed()).not.toContain('put your address');
    const workflow = readFileSync(join(io.cwd, '.github/workflows/runproof.yml'), 'utf8');
    expect(workflow).toContain('runproof check --budget 90s --out reports/runproof\n');
    expect(io.printed()).toContain('put the key into the secret RUNPROOF_API_KEY');
    expect(workflow).toContain('in runproof.config.json, in real time');
    expect(workflow).not.toMatch(/8080|runproof serve/u);
  });

  it('writes a workflow that checks at the address of a server on this machine', async () => {
    const io = createFakeIo();
    expect(await runCli(['init', '--url', 'http://localhost:3000/v2/mine'], io)).toBe(0);
    const workflow = readFileSync(join(io.cwd, '.github/workflows/runproof.yml'), 'utf8');
    expect(workflow).toContain('runproof serve --port 3000 --endpoint mine ');
    expect(workflow).toContain(
      'check http://localhost:3000/v2/mine --control http://localhost:3000/_control',
    );
    expect(workflow).not.toContain('8080');
  });

  it.each([
    ['package-lock.json', 'npm run dev', 'npx'],
    ['pnpm-lock.yaml', 'pnpm run dev', 'pnpm exec'],
    ['yarn.lock', 'yarn run dev', 'yarn'],
  ])('writes a workflow that starts the server of the project: %s', async (lockfile, start, exec) => {
    const io = createFakeIo();
    writeFileSync(join(io.cwd, 'package.json'), '{"scripts":{"start":"node .","dev":"node . --port 3001"}}');
    writeFileSync(join(io.cwd, lockfile), '');
    expect(await runCli(['init'], io)).toBe(0);
    const workflow = readFileSync(join(io.cwd, '.github/workflows/runproof.yml'), 'utf8');
    expect(workflow).toContain(`          ${start} &\n`);
    expect(workflow).toContain(`${exec} runproof check http://127.0.0.1:3001/v2/test --budget 90s --out`);
    expect(workflow).not.toContain('runproof serve');
    expect(io.printed()).toContain(`runs "${start}" and sends the key a-key-for-tests`);
  });

  it.each([
    [
      'a script without a port starts what listens where it was typed',
      '{"scripts":{"start":"node ."}}',
      true,
    ],
    ['nothing of the project does', '{}', false],
    ['a script with another port does not', '{"scripts":{"start":"node . --port 3001"}}', false],
  ])('writes a workflow for the address that was typed: %s', async (_, manifest, isStarted) => {
    const io = createFakeIo({ ask: () => Promise.resolve('http://127.0.0.1:3000/v2/test') });
    writeFileSync(join(io.cwd, 'package.json'), manifest);
    const typed = manifest.includes('3001') ? ['--url', 'http://127.0.0.1:3000/v2/test'] : [];
    expect(await runCli(['init', ...typed], io)).toBe(0);
    const workflow = readFileSync(join(io.cwd, '.github/workflows/runproof.yml'), 'utf8');
    expect(workflow.includes('npm run start &')).toBe(isStarted);
    expect(workflow.includes('runproof serve --port 3000')).toBe(!isStarted);
    expect(io.printed().includes('checks "runproof serve" until you put')).toBe(!isStarted);
  });

  it('asks again where what was typed is no address of an endpoint', async () => {
    const typed = [
      'mine',
      'http://127.0.0.1:8080',
      'http://127.0.0.1:8080/v2/',
      'http://127.0.0.1:8080/v2/mine',
    ];
    const asked: string[] = [];
    const io = createFakeIo({
      ask: (question) => Promise.resolve(typed[asked.push(question) - 1] ?? null),
    });
    expect(await runCli(['init'], io)).toBe(0);
    expect(asked).toHaveLength(typed.length);
    expect(asked[1]).toMatch(/^"mine" is no http or https address that ends in an endpoint, .*\nAddress of/);
    const config = readFileSync(join(io.cwd, 'runproof.config.json'), 'utf8');
    expect(JSON.parse(config)).toMatchObject({ url: typed.at(-1) });
  });

  it('writes how an endpoint that nobody else uses is stated, which check understands', async () => {
    const io = createFakeIo();
    expect(await runCli(['init', '--config-form', 'ts'], io)).toBe(0);
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

  it('writes a workflow that is green on a fresh clone', { timeout: 120_000 }, async () => {
    const io = createFakeIo();
    writeFileSync(join(io.cwd, 'package.json'), '{\n\t"name": "mine",\n\t"devDependencies": { "a": "1" }\n}');
    expect(await runCli(['init'], io)).toBe(0);
    const manifest = readFileSync(join(io.cwd, 'package.json'), 'utf8');
    expect(JSON.parse(manifest)).toEqual({
      name: 'mine',
      devDependencies: { a: '1', runproof: `file:${relative(io.cwd, PACKAGE_ROOT)}` },
    });
    expect(manifest).toMatch(/^\{\n\t"name"/);
    // What the workflow does, with this code in place of the package.
    const workflow = readFileSync(join(io.cwd, '.github/workflows/runproof.yml'), 'utf8');
    const command = /npx runproof (check .*--control.*)/.exec(workflow)![1]!;
    expect(workflow).toContain('npx runproof serve --port 8080 --endpoint test --clock controlled &');
    const server = await startServer({ apiKeys: ['k'], clock: 'controlled' });
    try {
      expect((await fetch(`${server.url}/_ready`)).status).toBe(200);
      const args = command.replaceAll('http://127.0.0.1:8080', server.url).split(' ');
      const check = createFakeIo({ cwd: io.cwd, env: { RUNPROOF_API_KEY: 'k' } });
      expect(await runCli([...args, '--only', '2.1', '--only', '4.2'], check)).toBe(0);
      expect(existsSync(join(io.cwd, 'reports/runproof/report.md'))).toBe(true);
    } finally {
      await server.close();
    }
  });

  it.each([
    ['../runproof-0.1.0.tgz', 'copy that file into the project'],
    ['../clone', 'run npm pack there, copy the packed file into the project'],
    ['./runproof-0.1.0.tgz', null],
  ])('says what to do where CI does not have %s', async (file, advice) => {
    const io = createFakeIo();
    const manifest = JSON.stringify({ dependencies: { runproof: `file:${file}` } });
    writeFileSync(join(io.cwd, 'package.json'), manifest);
    for (const _ of ['first', 'again']) expect(await runCli(['init'], io)).toBe(0);
    const told = `in CI: Runproof comes from ${file}, which CI does not have: ${advice}, install that copy, and commit it\n`;
    expect(io.printed().split(told)).toHaveLength(advice === null ? 1 : 3);
    expect(io.printed().includes('Runproof comes from')).toBe(advice !== null);
  });

  it.each([
    ['{"dependencies":{"runproof":"1"}}', 'install Runproof from a file, as it is not on npm yet ('],
    ['{"name":"runproof"}', 'npm install, put your'],
  ])('leaves %s as it is', async (manifest, next) => {
    const io = createFakeIo();
    writeFileSync(join(io.cwd, 'package.json'), manifest);
    expect(await runCli(['init'], io)).toBe(0);
    expect(io.printed()).toContain('kept     package.json');
    expect(io.printed()).toContain(`next: ${next}`);
    expect(readFileSync(join(io.cwd, 'package.json'), 'utf8')).toBe(manifest);
  });

  it.each([
    ['the script dev', { scripts: { dev: 'next dev -p 3001' } }, null],
    [
      'the script start',
      { scripts: { start: 'PORT=3001 node .' }, dependencies: { express: '5' } },
      'fromNodeHandler(app)',
    ],
    ['.env', { dependencies: { hono: '4' } }, 'as it is'],
  ])('takes the address from %s', async (from, manifest, how) => {
    const io = createFakeIo();
    writeFileSync(join(io.cwd, 'package.json'), JSON.stringify(manifest));
    if (from === '.env') writeFileSync(join(io.cwd, '.env'), 'A=1\nPORT="3001"\n');
    expect(await runCli(['init'], io)).toBe(0);
    expect(io.printed()).toContain(`address  http://127.0.0.1:3001/v2/test, by ${from}\n`);
    expect(io.printed()).not.toContain('put your address');
    expect(io.printed().includes('without a port: ')).toBe(how !== null);
    if (how !== null) expect(io.printed()).toContain(how);
    const config = readFileSync(join(io.cwd, 'runproof.config.json'), 'utf8');
    expect(config).toContain('  "url": "http://127.0.0.1:3001/v2/test",\n');
  });

  it.each([
    ['.', 'package-lock.json', 'npm install', 'npm ci', 'npx'],
    ['.', 'no-lockfile', 'npm install', 'npm install', 'npx'],
    ['.', 'pnpm-lock.yaml', 'pnpm install', 'corepack enable && pnpm install', 'pnpm exec'],
    ['packages/mine', 'yarn.lock', 'yarn install', 'corepack enable && yarn install', 'yarn'],
  ])('in %s names the package manager of %s', async (dir, lockfile, next, install, exec) => {
    const io = createFakeIo();
    writeFileSync(join(io.cwd, lockfile), '');
    expect(await runCli(['init', '--dir', dir], io)).toBe(0);
    expect(io.printed()).toContain(`next: ${next}, put your`);
    expect(io.printed()).toContain(`: ${exec} runproof check\n`);
    const workflow = readFileSync(join(io.cwd, dir, '.github/workflows/runproof.yml'), 'utf8');
    expect(workflow).toContain(`      - run: ${install}\n`);
    expect(workflow.split(` ${exec} runproof `)).toHaveLength(3);
  });

  it('writes the address that it is given', async () => {
    const io = createFakeIo();
    writeFileSync(join(io.cwd, 'tsconfig.json'), '{}');
    writeFileSync(join(io.cwd, 'package.json'), '{"type":"module"}');
    expect(await runCli(['init', '--url', 'https://api.example.test/v2/mine/'], io)).toBe(0);
    const config = readFileSync(join(io.cwd, 'runproof.config.ts'), 'utf8');
    expect(config).toContain("  url: 'https://api.example.test/v2/mine',\n");
    expect(io.printed()).not.toContain('put your address');
    expect(await runCli(['init', '--url', 'mine'], createFakeIo())).toBe(2);
  });

  it.each([
    ['a project without TypeScript', {}, 'json', 'mjs'],
    ['a project with TypeScript', { type: 'module', devDependencies: { typescript: '6' } }, 'ts', 'ts'],
    ['one whose files are CommonJS', { devDependencies: { typescript: '6' } }, 'json', 'mjs'],
  ])('writes the configuration and the scenario for %s', async (_, manifest, config, scenario) => {
    const io = createFakeIo();
    writeFileSync(join(io.cwd, 'package.json'), JSON.stringify(manifest));
    expect(await runCli(['init'], io)).toBe(0);
    const names = [...filesBelow(io.cwd).keys()].filter((name) => /config|cancelled/.test(name));
    expect(names.sort()).toEqual([
      `runproof-scenarios/cancelled-while-another-works.${scenario}`,
      `runproof.config.${config}`,
    ]);
    expect(io.printed()).toContain(`put your address into runproof.config.${config}, `);
    const other = createFakeIo({ cwd: io.cwd });
    expect(await runCli(['init', '--config-form', config === 'ts' ? 'json' : 'ts'], other)).toBe(0);
    expect(other.printed()).toContain('nothing to write');
  });

  it('names the schema of the installed package, also that of a folder above', async () => {
    const io = createFakeIo();
    const inPackage = 'node_modules/runproof/schemas';
    const named = async (...dir: readonly string[]): Promise<unknown> => {
      expect(await runCli(['init', ...dir], io)).toBe(0);
      const file = join(io.cwd, dir[1] ?? '', 'runproof.config.json');
      return (JSON.parse(readFileSync(file, 'utf8')) as { readonly $schema: string }).$schema;
    };
    expect(await named()).toBe(`./${inPackage}/config.schema.json`);
    expect(existsSync(join(PACKAGE_ROOT, 'schemas/config.schema.json'))).toBe(true);
    mkdirSync(join(io.cwd, inPackage), { recursive: true });
    writeFileSync(join(io.cwd, inPackage, 'config.schema.json'), '{}');
    expect(await named('--dir', 'packages/mine')).toBe(`../../${inPackage}/config.schema.json`);
    mkdirSync(join(io.cwd, 'packages/other'));
    writeFileSync(join(io.cwd, 'packages/other/package.json'), '{"devDependencies":{"runproof":"1"}}');
    const other = createFakeIo({ cwd: join(io.cwd, 'packages/other') });
    expect(await runCli(['init'], other)).toBe(0);
    expect(other.printed()).toContain('next: put your address into runproof.config.json, then, ');
  });

  it('leaves a configuration in another form alone', async () => {
    const io = createFakeIo();
    writeFileSync(join(io.cwd, 'runproof.config.mjs'), 'export default {};');
    expect(await runCli(['init', '--config-form', 'ts'], io)).toBe(0);
    expect(io.printed()).toMatch(/^kept +runproof\.config\.mjs$/m);
    expect(existsSync(join(io.cwd, 'runproof.config.ts'))).toBe(false);
  });

  it('refuses a package.json that cannot be read', async () => {
    const io = createFakeIo();
    mkdirSync(join(io.cwd, 'package.json'));
    expect(await runCli(['init'], io)).toBe(2);
    expect(io.complained()).toContain('package.json cannot be read: EISDIR');
  });

  it('refuses a package.json that is none', async () => {
    const io = createFakeIo();
    writeFileSync(join(io.cwd, 'package.json'), '{"name":');
    expect(await runCli(['init'], io)).toBe(2);
    expect(io.complained()).toContain('package.json is not a JSON object: fix it, then run init again');
    expect([...filesBelow(io.cwd).keys()]).toEqual(['package.json']);
  });

  it('overwrites nothing, in whatever folder', async () => {
    const io = createFakeIo();
    mkdirSync(join(io.cwd, 'mine'));
    writeFileSync(join(io.cwd, 'mine/runproof.config.ts'), 'export default {};');
    expect(await runCli(['init', '--dir', 'mine'], io)).toBe(0);
    expect(io.printed()).toMatch(/^kept +mine\/runproof\.config\.ts\nwritten +mine\/runproof-worker\.mjs\n/m);
    expect(readFileSync(join(io.cwd, 'mine/runproof.config.ts'), 'utf8')).toBe('export default {};');
    const before = filesBelow(io.cwd);
    const again = createFakeIo({ cwd: io.cwd });
    expect(await runCli(['init', '--dir', 'mine'], again)).toBe(0);
    expect(again.printed()).toContain('nothing to write');
    expect(filesBelow(io.cwd)).toEqual(before);
  });
});

describe('the configuration file', () => {
  it('has a type with every option of check, of its kind', () => {
    // The compiler wants every member of the type here, and no other.
    const members: { readonly [Name in keyof Required<Config>]: 'text' | 'flag' | 'list' } = {
      url: 'text',
      endpoint: 'text',
      otherEndpoint: 'text',
      basePath: 'text',
      apiKey: 'text',
      apiKeyFile: 'text',
      unpermittedApiKey: 'text',
      unpermittedApiKeyFile: 'text',
      otherApiKey: 'text',
      otherApiKeyFile: 'text',
      auth: 'text',
      control: 'text',
      speed: 'text',
      callsPerSecond: 'text',
      mutant: 'text',
      worker: 'text',
      sampleInput: 'text',
      dedicated: 'flag',
      executionTimeoutDefault: 'text',
      webhookListen: 'text',
      webhookUrl: 'text',
      edition: 'text',
      profile: 'text',
      grace: 'text',
      concurrency: 'text',
      budget: 'text',
      header: 'list',
      cacert: 'text',
      insecure: 'flag',
      proxy: 'text',
      timeout: 'text',
      only: 'list',
      skip: 'list',
      dialect: 'text',
      saveDialect: 'text',
      shard: 'text',
      scenarios: 'text',
      seed: 'text',
      runs: 'text',
      explore: 'text',
      format: 'list',
      out: 'text',
      minDecided: 'text',
      requireConforms: 'text',
      baseline: 'text',
      updateBaseline: 'flag',
      quiet: 'flag',
      verbose: 'flag',
      noColor: 'flag',
      bail: 'flag',
      lastFailed: 'flag',
      watch: 'flag',
      ui: 'flag',
      diagram: 'text',
      open: 'flag',
      shrink: 'flag',
      noShrink: 'flag',
      progress: 'text',
    };
    const kindOf = ({ type, array }: Options): string =>
      type === 'boolean' ? 'flag' : array === true ? 'list' : 'text';
    const options = Object.entries(CHECK_CONFIG).filter(([name]) => name !== 'config');
    const known = options.map(([name, option]) => [camelCase(name), kindOf(option)]);
    expect(members).toEqual({ url: 'text', ...Object.fromEntries(known) });
  });

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
    ['broken JSON', '{"only":', 'runproof.config.json', /^runproof: .*runproof\.config\.json cannot be read/],
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
    const lines = io.complained().trimEnd().split('\n');
    // What was read is named, because it may be a program.
    expect(lines.filter((line) => line !== `configuration: ${file}`)).toHaveLength(1);
  });
});
