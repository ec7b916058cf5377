/**
 * `npx jiti specs/stories/main.ts [NAME …]`: plays what a newcomer does, each story in an empty folder in which only the packed package is
 * installed, and makes a picture of how it ends, in reports/stories/. It needs the package registry, chromium and, for the
 * story without a network, `unshare` of Linux.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { ROOT } from '../project/sources.js';
import { CHROMIUM, NO_CHROMIUM, openBrowser } from '../server/page/browser.js';
import { environment, expect, Newcomer, PICTURES } from './newcomer.js';

/** What `serve` accepts as its key where none is given. */
const KEY = 'runproof-local';
/** A first minute: what `demo` and a check print fits on a screen. */
const LINES_MAX = 40;

const linesOf = (text: string): number => text.trimEnd().split('\n').length;
/** Where the one check of this story has written. */
const reportIn = ({ folder }: Newcomer): string =>
  `reports/${readdirSync(join(folder, 'reports')).find((name) => !name.endsWith('.json'))}`;
const controlOf = (url: string): string => `${new URL(url).origin}/_control`;

const STORIES: { readonly [name: string]: (newcomer: Newcomer) => Promise<void> } = {
  async demo(newcomer) {
    const line = 'npx runproof demo';
    const { code, said, screen } = await newcomer.types(line);
    expect('exit code', code, 0);
    expect(
      'what it printed',
      said,
      /✘ Running jobs are never deleted when their `ttl` ends \(still IN_PROGRESS up to 1 d later, in \d+ of \d+ cases\)/,
    );
    expect('at most 40 lines', linesOf(screen) <= LINES_MAX, true);
    await newcomer.photographsTerminal(line, said);
    await newcomer.photographsPage(join(newcomer.folder, 'reports/demo/report.html'), 'page');
  },

  /** In real time, as a stranger's server is checked. */
  async 'deployed-with-a-fault'(newcomer) {
    const { url } = await newcomer.serves('--mutant cancel-only-queued');
    const line = `RUNPROOF_API_KEY=${KEY} npx runproof check ${url} --profile quick`;
    const { code, said } = await newcomer.types(line);
    expect('exit code', code, 1);
    expect('what it printed', said, /3\/cancel-running/);
    await newcomer.photographsTerminal(line, said);
    await newcomer.photographsPage(join(newcomer.folder, reportIn(newcomer), 'report.html'), 'page');
  },

  async 'repair-and-replay'(newcomer) {
    const faulty = await newcomer.serves('--clock controlled --mutant ttl-spares-running');
    const at = (url: string): string => `${url} --control ${controlOf(url)} --api-key ${KEY}`;
    const found = await newcomer.types(`npx runproof check ${at(faulty.url)} --only '2.2/ttl-*'`);
    expect('exit code', found.code, 1);
    const failures = readdirSync(join(newcomer.folder, reportIn(newcomer), 'failures')).filter((name) =>
      name.endsWith('.json'),
    );
    const file = `${reportIn(newcomer)}/failures/${failures[0]}`;
    const still = await newcomer.types(`npx runproof replay ${file} ${at(faulty.url)}`);
    expect('before the repair', still.said, /^FAILED/m);
    await faulty.stop();
    const repaired = await newcomer.serves('--clock controlled');
    const line = `npx runproof replay ${file} ${at(repaired.url)}`;
    const fixed = await newcomer.types(line);
    expect('after the repair', fixed.said, /^FIXED/m);
    await newcomer.photographsTerminal(
      line,
      `${still.said}\n$ the server is repaired, and once more:\n${fixed.said}`,
    );
  },

  /** The steps of the workflow, as they stand in it. */
  async 'ci-by-init'(newcomer) {
    expect('exit code', (await newcomer.types('npx runproof init')).code, 0);
    const workflow = readFileSync(join(newcomer.folder, '.github/workflows/runproof.yml'), 'utf8');
    const steps = /run: \|\n((?: {10}.*\n)+)/.exec(workflow)![1]!.replaceAll(/^ {10}/gm, '');
    const line = `export RUNPROOF_API_KEY=a-key-for-tests\n${steps}`;
    const beganMs = Date.now();
    const { code, said } = await newcomer.types(line);
    expect('exit code', code, 0);
    expect('what it printed', said, /CONFORMS/);
    expect('under two minutes', Date.now() - beganMs < 120_000, true);
    await newcomer.photographsTerminal('the workflow of npx runproof init', said);
    await newcomer.photographsPage(join(newcomer.folder, 'reports/runproof/report.html'), 'page');
  },

  'a-client-s-test': (newcomer) => passes(newcomer, 'examples/client'),
  'a-handler-in-vitest': (newcomer) => passes(newcomer, 'examples/in-process/conformance.test.ts'),
  'a-property-test': (newcomer) => passes(newcomer, 'examples/state-machine'),

  async 'on-a-phone'(newcomer) {
    const { url } = await newcomer.serves('--clock controlled');
    const phone = { width: 390, dark: true };
    await newcomer.photographsPage(new URL(url).origin, 'emulator', {
      ...phone,
      async act(page) {
        await page.getByRole('button', { name: 'Submit', exact: true }).click();
        await page.locator('.jobs tbody tr').first().waitFor();
        await page.getByRole('button', { name: 'To the next event' }).click();
        await page.locator('.jobs tbody').getByRole('button').first().click();
        await page.getByRole('dialog').getByText('COMPLETED').waitFor();
      },
    });
    expect('exit code', (await newcomer.types('npx runproof demo')).code, 0);
    await newcomer.photographsPage(join(newcomer.folder, 'reports/demo/report.html'), 'report', phone);
  },

  /** A network of its own, in which only this machine exists. */
  async offline(newcomer) {
    const line = 'npx --no-install runproof demo && npx --no-install runproof check --only 4.2 --out checked';
    const alone = `unshare --net --map-root-user bash -c 'ip link set lo up && ! ip route | grep . && ${line}'`;
    const { code, said, screen } = await newcomer.types(alone);
    expect(`exit code, after ${screen}`, code, 0);
    expect('what it printed', said, /CONFORMS/);
    const asked: string[] = [];
    await newcomer.photographsPage(join(newcomer.folder, 'reports/demo/report.html'), 'page', {
      async act(page) {
        page.on('request', (request) => asked.push(request.url()));
        await page.context().setOffline(true);
        await page.reload();
      },
    });
    expect(
      'addresses beside the file',
      asked.filter((address) => !/^(file|data):/.test(address)).join(' '),
      '',
    );
    await newcomer.photographsTerminal(line, said);
  },
};

/** The example passes under vitest, as examples/README.md says to run it. */
async function passes(newcomer: Newcomer, path: string): Promise<void> {
  cpSync(join(newcomer.folder, 'node_modules/runproof/examples'), join(newcomer.folder, 'examples'), {
    recursive: true,
  });
  const installed = await newcomer.types(
    'npm install --prefer-offline --no-audit --no-fund --save-dev vitest@4 fast-check',
  );
  expect(`exit code of npm, after ${installed.screen}`, installed.code, 0);
  const line = `npx vitest run ${path}`;
  const { code, said, screen } = await newcomer.types(line);
  await newcomer.photographsTerminal(line, said);
  expect(`exit code, after ${screen}`, code, 0);
}

/** A folder from which the folders of the stories are copied. */
async function install(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'runproof-stories-'));
  const run = async (command: string, args: readonly string[], cwd: string): Promise<void> => {
    const [code] = (await once(
      spawn(command, args, { cwd, env: environment(), stdio: ['ignore', 'ignore', 'inherit'] }),
      'close',
    )) as [number];
    if (code !== 0) throw new Error(`${command} ${args.join(' ')}: exit code ${code}`);
  };
  await run('npm', ['pack', '--silent', '--pack-destination', folder], ROOT);
  const tarball = readdirSync(folder).find((name) => name.endsWith('.tgz'))!;
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }\n');
  await run('npm', ['install', '--prefer-offline', '--no-audit', '--no-fund', `./${tarball}`], folder);
  return folder;
}

if (CHROMIUM === null) throw new Error(NO_CHROMIUM);
const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => STORIES[name] === undefined);
if (unknown.length > 0)
  throw new Error(`no such story: ${unknown.join(', ')}; there are ${Object.keys(STORIES).join(', ')}`);
mkdirSync(PICTURES, { recursive: true });
const installed = await install();
const browser = await openBrowser();
let failed = 0;
try {
  for (const [name, play] of Object.entries(STORIES)) {
    if (wanted.length > 0 && !wanted.includes(name)) continue;
    const folder = mkdtempSync(join(tmpdir(), `runproof-${name}-`));
    cpSync(installed, folder, { recursive: true });
    const newcomer = new Newcomer(name, folder, browser);
    const beganMs = Date.now();
    let problem: string | null = null;
    try {
      await play(newcomer);
    } catch (error) {
      problem = (error as Error).message;
      failed++;
    } finally {
      newcomer.leaves();
    }
    const seconds = ((Date.now() - beganMs) / 1_000).toFixed(1);
    console.log(
      `${problem === null ? 'holds ' : 'FAILED'}  ${name}  ${seconds} s${problem === null ? '' : `\n${problem}`}`,
    );
  }
} finally {
  await browser.close();
  rmSync(installed, { recursive: true, force: true });
}
const pictures = readdirSync(PICTURES).filter((name) => name.endsWith('.png'));
console.log(`${pictures.length} pictures in ${basename(join(ROOT, 'reports'))}/stories`);
process.exitCode = failed > 0 ? 1 : 0;
