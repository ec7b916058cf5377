import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { REQUIREMENTS } from '../../src/spec/index.js';
import { linksIn } from './links.js';
import { ROOT, sourcesIn } from './sources.js';

const execute = promisify(execFile);
const TIMEOUT_MS = 180_000;
const TSC = join(ROOT, 'node_modules/typescript/bin/tsc');

/** What a stranger would write first. It uses a value and a type of each part of the public face. */
const PROGRAM = `
import { checkTarget, scenario, simulatorTarget, type CheckResult, type NamedScenario } from 'runproof';

const own: NamedScenario = {
  name: 'mine',
  ...scenario<{ readonly ttlMs: number }>({
    title: 'a job of mine',
    exercises: ['4.2/status-in-queue'],
    needs: [],
    draw: (arb, limits) => ({ ttlMs: arb.ttl(limits) }),
    script: ({ ttlMs }, s) => [s.run('job', { plan: s.works(10), policy: { ttl: ttlMs } }), s.status('job')],
  }),
};
const target = simulatorTarget({ seed: 1 });
const { conforms, findings }: CheckResult = await checkTarget(target, { seed: 1, scenarios: [own] });
console.log(JSON.stringify({ conforms, requirements: findings.requirements.length }));
`;

let folder: string;
/** What npm said to it. */
let installing = '';
let unreachable: string | null = null;

/** What the npm run that started the specs, and vitest, left in the environment; settings such as a proxy stay. */
const LEFT_BEHIND =
  /^(npm_(command|execpath|lifecycle_.*|node_execpath|package_.*)|npm_config_(local_)?prefix|INIT_CWD|VITEST.*|NODE_(ENV|OPTIONS))$/i;
const ENVIRONMENT = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !LEFT_BEHIND.test(name)),
);

/** On standard error, by the last command. */
let said = '';

/** Runs a command to its end, at most so long, and gives what it printed. It never reads from a terminal. */
async function run(file: string, args: readonly string[], cwd: string = folder): Promise<string> {
  const running = execute(file, [...args], {
    cwd,
    env: ENVIRONMENT,
    timeout: TIMEOUT_MS,
    killSignal: 'SIGKILL',
  });
  running.child.stdin?.end();
  const { stdout, stderr } = await running;
  said = stderr;
  return stdout;
}

const bin = (): string => join(folder, 'node_modules/runproof/bin/runproof.js');

/** The installed program, without npx, which two tests have and which takes a second of a processor. */
const runproof = (...args: readonly string[]): Promise<string> => run(process.execPath, [bin(), ...args]);

/** The build is older than a source: then packing has to build first. */
function isStale(): boolean {
  const built = join(ROOT, 'lib/index.d.ts');
  if (!existsSync(built)) return true;
  const builtMs = statSync(built).mtimeMs;
  return ['src', 'scenarios']
    .flatMap(sourcesIn)
    .some(({ path }) => statSync(join(ROOT, path)).mtimeMs > builtMs);
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'runproof-pack-'));
  if (isStale()) await run('npm', ['run', '--silent', 'prepack'], ROOT);
  await run('npm', ['pack', '--ignore-scripts', '--silent', '--pack-destination', folder], ROOT);
  const tarball = readdirSync(folder).find((name) => name.endsWith('.tgz'))!;
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }');
  try {
    installing = await run('npm', ['install', '--prefer-offline', '--no-audit', '--no-fund', `./${tarball}`]);
    installing += said;
  } catch (error) {
    const said = String((error as { stderr?: unknown }).stderr);
    if (!/ENOTFOUND|ECONNREFUSED|ETIMEDOUT|EAI_AGAIN|ENOTCACHED/.test(said)) throw error;
    unreachable = 'the package registry cannot be reached, so the package cannot be installed';
  }
}, 3 * TIMEOUT_MS);

afterAll(() => rmSync(folder, { recursive: true, force: true }), TIMEOUT_MS);

describe('the package, installed into an empty folder', () => {
  it('holds what it promises and nothing else', (context) => {
    context.skip(unreachable !== null, unreachable ?? '');
    const installed = join(folder, 'node_modules/runproof');
    const files = readdirSync(installed, { recursive: true, encoding: 'utf8' }).filter((name) =>
      statSync(join(installed, name)).isFile(),
    );
    expect(
      readdirSync(installed)
        .filter((name) => name !== 'node_modules')
        .sort(byName),
    ).toEqual([
      ...['CHANGELOG.md', 'LICENSE', 'README.md', 'bin', 'docs', 'examples', 'lib'],
      ...['package.json', 'scenarios', 'schemas'],
    ]);
    expect(files.filter((name) => !name.startsWith('node_modules')).length).toBeLessThan(250);
    expect(files).toContain('lib/index.d.ts');
    expect(files).toContain('scenarios/worker/handler.mjs');
    expect(files).toContain('scenarios/worker/handler.py');
    const document = (base: string) => readFileSync(join(base, 'docs/queue-endpoint-api.md'), 'utf8');
    expect(document(installed)).toBe(document(ROOT));
  });

  it('has no document that links to what is not in it', (context) => {
    context.skip(unreachable !== null, unreachable ?? '');
    const installed = join(folder, 'node_modules/runproof');
    const documents = readdirSync(installed, { recursive: true, encoding: 'utf8' }).filter(
      (name) => name.endsWith('.md') && !name.startsWith('node_modules'),
    );
    const dead = documents.flatMap((name) =>
      linksIn(readFileSync(join(installed, name), 'utf8'))
        .filter((link) => !existsSync(join(installed, dirname(name), link)))
        .map((link) => `${name}: ${link}`),
    );
    expect(documents).toContain('docs/reports.md');
    expect(
      dead,
      'name a file of the repository without a link, or add it to "files" of package.json',
    ).toEqual([]);
  });

  it('installs without a warning, and without a script of its own to run', (context) => {
    context.skip(unreachable !== null, unreachable ?? '');
    expect(installing).not.toMatch(/warn|script/i);
    const { scripts } = JSON.parse(
      readFileSync(join(folder, 'node_modules/runproof/package.json'), 'utf8'),
    ) as { scripts: Record<string, string> };
    for (const name of ['preinstall', 'install', 'postinstall', 'prepare'])
      expect(scripts).not.toHaveProperty(name);
  });

  it('has examples that run when they are copied', { timeout: TIMEOUT_MS }, async (context) => {
    context.skip(unreachable !== null, unreachable ?? '');
    cpSync(join(folder, 'node_modules/runproof/examples'), join(folder, 'examples'), { recursive: true });
    // Beside the package, as a user has it.
    for (const name of ['vitest', 'vite'])
      symlinkSync(join(ROOT, 'node_modules', name), join(folder, 'node_modules', name));
    const { numFailedTests, numPassedTests } = JSON.parse(
      await run(process.execPath, [
        join(ROOT, 'node_modules/vitest/vitest.mjs'),
        ...['run', '--reporter=json', '--test-timeout=60000', '--no-isolate', '--no-file-parallelism'],
        ...['client', 'state-machine', 'own-properties'],
        // It takes half a minute, and runs with the examples of the sources.
        ...['--exclude', '**/*.weather.test.ts'],
      ]),
    ) as { numFailedTests: number; numPassedTests: number };
    expect({ numFailedTests, numPassedTests }).toEqual({ numFailedTests: 0, numPassedTests: 9 });
    const scenarios = ['--scenarios', 'examples/scenarios', '--only', 'a-slow-job-between-quick-ones'];
    expect(await runproof('check', ...scenarios, '--min-decided', '0')).toContain('NOTHING FAILED');
  });

  it('loads faults, explorer and reports when they are needed', (context) => {
    context.skip(unreachable !== null, unreachable ?? '');
    const check = textLoadedWith('check-command.js');
    const [faults, explorer, reports] = [
      'ttl does not delete running jobs',
      'function drawSwarm',
      'function htmlPages',
    ];
    expect([faults, explorer].filter((text) => check.includes(text))).toEqual([]);
    expect(textLoadedWith('index.js')).not.toContain(faults);
    expect(
      [faults, explorer, reports].filter((text) => textLoadedWith('serve-command.js').includes(text)),
    ).toEqual([]);
    // They are there.
    expect(check).toContain(reports);
    expect(textLoadedWith('mutants.js')).toContain(faults);
  });

  it('lists every requirement by its command', async (context) => {
    context.skip(unreachable !== null, unreachable ?? '');
    const listed = await run('npx', ['--no-install', 'runproof', 'list', 'requirements']);
    expect(REQUIREMENTS.filter(({ id }) => !listed.includes(id))).toEqual([]);
  });

  it('is a typed library that runs', { timeout: TIMEOUT_MS }, async (context) => {
    context.skip(unreachable !== null, unreachable ?? '');
    writeFileSync(join(folder, 'program.ts'), PROGRAM);
    // As few libraries as a program without a browser has.
    const few = '--module nodenext --target es2023 --lib es2023,esnext.disposable --types node'.split(' ');
    const typeRoots = join(ROOT, 'node_modules/@types');
    await run(process.execPath, [TSC, '--strict', ...few, '--typeRoots', typeRoots, 'program.ts']);
    const said = await run(process.execPath, ['program.js']);
    expect(JSON.parse(said)).toEqual({ conforms: true, requirements: REQUIREMENTS.length });
  });

  it('checks the embedded endpoint by its command', { timeout: TIMEOUT_MS }, async (context) => {
    context.skip(unreachable !== null, unreachable ?? '');
    const few = ['--only', '2.2/ttl-removes-queued', '--runs', '1'];
    expect(await runproof('check', ...few, '--out', 'report')).toContain('CONFORMS');
    expect(existsSync(join(folder, 'report/report.json'))).toBe(true);
  });

  it(
    'shows its demo on a screen, with commands that can be copied',
    { timeout: TIMEOUT_MS },
    async (context) => {
      context.skip(unreachable !== null, unreachable ?? '');
      const said = await run('npx', ['--no-install', 'runproof', 'demo']);
      expect(said).toContain('✘ Running jobs are never deleted when their `ttl` ends (');
      expect(said).toMatch(/^next: npx runproof check /m);
      expect(said.split('\n').length).toBeLessThanOrEqual(40);
      expect(existsSync(join(folder, 'reports/demo/report.html'))).toBe(true);
    },
  );

  it(
    'finds the fault of a server at an address, and tells by replaying that it was repaired',
    { timeout: TIMEOUT_MS },
    async (context) => {
      context.skip(unreachable !== null, unreachable ?? '');
      const serving = async (...args: string[]): Promise<{ url: string; stop: () => Promise<void> }> => {
        const serve = [bin(), 'serve', '--port', '0', '--clock', 'controlled', ...args];
        const child = spawn(process.execPath, serve, {
          ...{ cwd: folder, env: ENVIRONMENT, stdio: ['ignore', 'pipe', 'inherit'] },
        });
        let printed = '';
        for await (const text of child.stdout!) if ((printed += String(text)).includes('try:')) break;
        const [, url] = /serving (\S+)/.exec(printed)!;
        return { url: url!, stop: async () => void (child.kill(), await once(child, 'exit')) };
      };
      const ended = (...args: string[]): Promise<{ code: number; said: string }> =>
        runproof(...args).then(
          (said) => ({ code: 0, said }),
          ({ code, stdout }: { code: number; stdout: string }) => ({ code, said: stdout }),
        );
      const control = (url: string): string[] => ['--control', `${new URL(url).origin}/_control`];
      const key = ['--api-key', 'runproof-local'];
      const faulty = await serving('--mutant', 'ttl-spares-running');
      const found = await ended(
        'check',
        faulty.url,
        ...control(faulty.url),
        ...key,
        '--only',
        '2.2/ttl-removes-running',
        '--runs',
        '1',
        '--out',
        'faulty',
      );
      expect(found).toMatchObject({ code: 1, said: expect.stringContaining('2.2/ttl-removes-running') });
      const failure = `faulty/failures/${readdirSync(join(folder, 'faulty/failures')).find((name) => name.endsWith('.json'))!}`;
      expect((await ended('replay', failure, faulty.url, ...control(faulty.url), ...key)).said).toMatch(
        /^FAILED/m,
      );
      await faulty.stop();
      const repaired = await serving();
      const again = await ended('replay', failure, repaired.url, ...control(repaired.url), ...key);
      await repaired.stop();
      expect(again).toMatchObject({ code: 0, said: expect.stringMatching(/^FIXED/m) });
    },
  );

  it('explores in threads', { timeout: TIMEOUT_MS }, async (context) => {
    context.skip(unreachable !== null, unreachable ?? '');
    const args = ['--runs', '64', '--threads', '2', '--seed', '1', '--out', 'explored'];
    expect(await runproof('explore', ...args)).toContain('64 runs');
  });
});

/** The text of all files of the package that are loaded with this one. */
function textLoadedWith(file: string, seen = new Set<string>()): string {
  if (seen.has(file)) return '';
  seen.add(file);
  const text = readFileSync(join(folder, 'node_modules/runproof/lib', file), 'utf8');
  const imported = [...text.matchAll(/^(?:import|export)\b[^;]*?["']\.\/([\w.-]+\.js)["']/gm)].map(
    ([, name]) => name!,
  );
  return [text, ...imported.map((name) => textLoadedWith(name, seen))].join('\n');
}

const byName = (a: string, b: string): number => (a < b ? -1 : 1);
