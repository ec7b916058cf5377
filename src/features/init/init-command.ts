/**
 * `init`: writes what a project needs to check its implementation on every change. It overwrites no file; to
 * `package.json` it adds the dependency, to `.gitignore` the folder of its reports, and to `AGENTS.md` lines for coding agents.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { makeFolder } from '../../make-folder.js';
import { scriptedWorkerText } from '../../package-files.js';
import type { ExitCode } from '../../report/index.js';
import { isObject } from '../../util/json.js';
import { AGENTS_FILE, agentTexts, SKILL_FILE } from './agent-files.js';
import {
  adviceForCi,
  configSchemaFor,
  dependencyFor,
  isByVersion,
  projectIn,
  type FoundProject,
} from './init-project.js';
import { replaceFile } from '../../files/user-file.js';
import { UsageError } from '../../util/errors.js';
import { CONFIG_FILES } from '../../cli/options/option-table.js';
import { isLoopbackUrl } from '../../util/address.js';
import { httpUrl, isHttpUrl } from '../../cli/options/values.js';
import type { Io } from '../../cli/io.js';
import type { InitSettings } from './index.js';

const SCENARIOS = 'runproof-scenarios';
const URL_DEFAULT = 'http://127.0.0.1:8080/v2/test';

/** Separate, because this file would otherwise seem to have a default export. */
const EXPORT = 'export default';

const PROFILE = 'quick';
const FORMATS = ['terminal', 'json', 'html', 'junit', 'github', 'markdown'];
const REPORTS = 'reports/';
const OUT = `${REPORTS}runproof`;
const WORKFLOW = '.github/workflows/runproof.yml';
const KEY = 'a-key-for-tests';

const configFor = (url: string): string => `/**
 * Options of "runproof check", "plan" and "replay", named as on the command line, in camelCase. The command
 * line takes precedence. Put the API key into the environment: RUNPROOF_API_KEY.
 */
import { defineConfig } from 'runproof';

${EXPORT} defineConfig({
  url: '${url}',
  // If your server offers test control, everything takes seconds:
  // control: '${new URL('/_control', url).href}',
  // Only if nothing else uses the endpoint: its queue is purged, and load is sent to it.
  // dedicated: true,
  profile: '${PROFILE}',
  scenarios: '${SCENARIOS}',
  format: [${FORMATS.map((name) => `'${name}'`).join(', ')}],
});
`;

/** The same as data: editors complete and explain its members by the schema. */
const jsonConfigFor = (url: string, $schema: string): string =>
  `${JSON.stringify({ $schema, url, profile: PROFILE, scenarios: SCENARIOS, format: FORMATS }, null, 2)}\n`;

const SCENARIO = `/** A scenario says what clients do. It asserts nothing: the oracle judges what happens. */
import { scenario } from 'runproof';

${EXPORT} scenario({
  title: 'a cancelled job stays cancelled while another one is done',
  exercises: ['3/cancel-queued', '3/cancelled-never-starts', '3/cancelled-stays'],
  needs: ['scripted-worker'],
  draw: (arb, limits) => ({ sleepMs: arb.sleep(limits), marginMs: arb.margin(limits) }),
  script: ({ sleepMs, marginMs }, s) => [
    s.run('busy', { plan: s.works(sleepMs) }),
    s.awaitStarted('busy'),
    s.run('late', { plan: s.works(10) }),
    s.cancel('late'),
    s.status('late'),
    s.awaitEnded('busy', sleepMs, marginMs),
    s.status('late'),
  ],
});
`;

const WORKER = 'runproof-worker.mjs';

/** Of an address on this machine: its origin, port and endpoint; null: it is elsewhere. */
function onThisMachine(url: string): readonly [origin: string, port: string, endpoint: string] | null {
  const [, origin, port, endpoint] = /^(http:\/\/[\w.-]+:(\d+))\/v2\/([\w-]+)$/u.exec(url) ?? [];
  return origin !== undefined && isLoopbackUrl(url) ? [origin, port!, endpoint!] : null;
}

/**
 * A server of the project is started; else our emulator stands for a server on this machine, at its address. Any other is
 * checked where it is, with the repository's key.
 */
function checkStep(url: string, config: string, start: string | null): string {
  const local = onThisMachine(url);
  if (local === null)
    return `      # Checks the address in ${config}, in real time, for 90 s, with a secret of this repository as the key.
      - env: { RUNPROOF_API_KEY: '\${{ secrets.RUNPROOF_API_KEY }}' }
        run: npx runproof check --budget 90s --out ${OUT}`;
  const [origin, port, endpoint] = local;
  if (start !== null)
    return `      # Starts the server of this project, and checks it in real time, for 90 s. If it wants another key, put it
      # here. With test control, everything takes seconds: --control and its address in place of --budget 90s.
      - env: { RUNPROOF_API_KEY: ${KEY} }
        run: |
          ${start} &
          timeout 60 bash -c 'until curl -so /dev/null ${origin}; do sleep 0.2; done' ||
            { echo 'nothing answers at ${origin}'; exit 1; }
          npx runproof check ${url} --budget 90s --out ${OUT}`;
  return `      # Put what starts your server in place of "runproof serve", which stands here for it. Let its endpoint run
      # the handler of ${WORKER}: what its jobs do can then be checked as well. A server without test control is
      # checked in real time: leave out --control, and add --budget 90s to end the run after that time.
      - env: { RUNPROOF_API_KEY: ${KEY} }
        run: |
          npx runproof serve --port ${port} --endpoint ${endpoint} --clock controlled &
          timeout 30 bash -c 'until curl -sfo /dev/null ${origin}/_ready; do sleep 0.2; done'
          npx runproof check ${url} --control ${origin}/_control --out ${OUT}`;
}

const workflowFor = (url: string, config: string, start: string | null): string => `name: runproof
on: [push, pull_request]
jobs:
  check:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
      - uses: actions/setup-node@v4
        with: { node-version: 22 }
      - run: npm install
${checkStep(url, config, start)}
      - if: always()
        run: test ! -f ${OUT}/report.md || cat ${OUT}/report.md >> "$GITHUB_STEP_SUMMARY"
      - if: always()
        uses: actions/upload-artifact@v4
        with: { name: runproof, path: ${OUT} }
`;

interface File {
  readonly name: string;
  readonly content: string;
  /** Names of the same in another form: where one is there, nothing is written. */
  readonly or?: readonly string[];
}

function filesFor(
  url: string,
  folder: string,
  form: 'ts' | 'json',
  { ci, exec }: FoundProject['manager'],
  start: string | null,
): readonly File[] {
  const scenario = (extension: string): string => `${SCENARIOS}/cancelled-while-another-works.${extension}`;
  const inForm =
    form === 'ts'
      ? { config: configFor(url), extension: 'ts' }
      : { config: jsonConfigFor(url, configSchemaFor(folder)), extension: 'mjs' };
  return [
    { name: `runproof.config.${form}`, content: inForm.config, or: CONFIG_FILES },
    // The scripted worker of the package, which a server may run as its handler.
    { name: WORKER, content: scriptedWorkerText() },
    { name: scenario(inForm.extension), content: SCENARIO, or: ['ts', 'mjs'].map(scenario) },
    {
      name: WORKFLOW,
      content: workflowFor(url, `runproof.config.${form}`, start)
        .replace('npm install', ci)
        .replaceAll('npx', exec),
    },
  ];
}

export async function init(settings: InitSettings, io: Io): Promise<ExitCode> {
  const { dir = '.', configForm, agent } = settings;
  const folder = resolve(io.cwd, dir);
  const project = projectIn(folder);
  const given = settings.url ?? (project.url === null ? await askForUrl(folder, io) : undefined);
  const url = given ?? project.url ?? URL_DEFAULT;
  // Where a script tells a port, it starts what listens there, and nothing else.
  const start = project.url === null || url === project.url ? project.start : null;
  const form = configForm ?? (project.hasTypeScript ? 'ts' : 'json');
  const hasWorkflow = existsSync(join(folder, WORKFLOW));
  const written = [
    addDependency(join(folder, 'package.json'), io),
    ...filesFor(url, folder, form, project.manager, start).map(({ name, content, or = [] }) => {
      const other = or.find((one) => existsSync(join(folder, one)));
      return writeNew(join(folder, other ?? name), content, io);
    }),
    append(join(folder, '.gitignore'), REPORTS, `${REPORTS}\n`, 'git ignores the reports', io),
    ...(agent ? forAgents(folder, project.manager.exec, io) : []),
  ];
  const advice = adviceForCi(folder);
  if (advice !== null) io.out(`${advice}\n`);
  if (!written.includes(true)) {
    io.out('nothing to write: everything is there already\n');
    return 0;
  }
  const isGuess = given === undefined && project.url === null;
  if (given === undefined && !isGuess) io.out(`address  ${url}, by ${project.urlFrom}\n`);
  const config = CONFIG_FILES.find((name) => existsSync(join(folder, name)))!;
  const { install, exec } = project.manager;
  const isInstalled = written[0] === false && existsSync(join(folder, configSchemaFor(folder)));
  const toInstall = isByVersion(folder)
    ? 'install Runproof from a file, as it is not on npm yet (in a clone of it: npm ci && npm pack --pack-destination ..)'
    : install;
  const before = [
    ...(isInstalled ? [] : [toInstall]),
    ...(isGuess ? [`put your address into ${config}`] : []),
  ];
  const then = before.length === 0 ? '' : `${before.join(', ')}, then, `;
  io.out(`next: ${then}with the key in RUNPROOF_API_KEY: ${exec} runproof check\n`);
  if (!hasWorkflow) io.out(`${inWorkflow(url, start)}\n`);
  io.out(
    `what fails today can be a baseline: add --baseline known.json --update-baseline, and commit that file\n`,
  );
  if (project.framework !== null)
    io.out(`without a port: ${project.framework}, see docs/in-process.md of the package\n`);
  return 0;
}

/** What the user has to know before the workflow runs. */
function inWorkflow(url: string, start: string | null): string {
  if (onThisMachine(url) === null)
    return `in CI: put the key into the secret RUNPROOF_API_KEY of the repository`;
  return start === null
    ? `in CI: ${WORKFLOW} checks "runproof serve" until you put the command that starts your server in its place`
    : `in CI: ${WORKFLOW} runs "${start}" and sends the key ${KEY}: put the key that your server accepts in its place`;
}

/** Where nothing tells it. Undefined: a configuration has it already, or the user does not say. */
async function askForUrl(folder: string, io: Io): Promise<string | undefined> {
  if (CONFIG_FILES.some((name) => existsSync(join(folder, name)))) return undefined;
  for (let why = ''; ;) {
    const typed = await io.ask(`${why}Address of the endpoint to check [${URL_DEFAULT}]: `);
    if (typed === null) return undefined;
    why = `"${typed}" is no http or https address that ends in an endpoint, such as /v2/test\n`;
    // A gateway may have any path before its endpoints, but some path.
    if (isHttpUrl(typed) && !/^(\/v2)?\/*$/u.test(new URL(typed).pathname)) return httpUrl('url', typed);
  }
}

/** Adds this package to the development dependencies, unless it is among the dependencies. */
function addDependency(path: string, io: Io): boolean {
  const version = dependencyFor(dirname(path));
  if (!existsSync(path)) {
    const made = { private: true, type: 'module', devDependencies: { runproof: version } };
    return writeNew(path, `${JSON.stringify(made, null, 2)}\n`, io);
  }
  const shown = relative(io.cwd, path);
  let text = '';
  let value: unknown = null;
  try {
    text = readFileSync(path, 'utf8');
    value = JSON.parse(text);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== undefined) throw new UsageError(`${shown} cannot be read: ${code}`);
  }
  if (!isObject(value)) throw new UsageError(`${shown} is not a JSON object: fix it, then run init again`);
  const lists = ['dependencies', 'devDependencies', 'peerDependencies'].map((name) => value[name]);
  if (value['name'] === 'runproof' || lists.some((list) => isObject(list) && 'runproof' in list)) {
    io.out(`kept     ${shown}\n`);
    return false;
  }
  const { devDependencies } = value;
  const added = { ...(isObject(devDependencies) ? devDependencies : {}), runproof: version };
  const indent = /^[\t ]+(?=")/m.exec(text)?.[0] ?? '  ';
  const end = text.endsWith('\n') ? '\n' : '';
  writing(shown, () =>
    replaceFile(path, `${JSON.stringify({ ...value, devDependencies: added }, null, indent)}${end}`),
  );
  io.out(`changed  ${shown}: runproof ${version} is a development dependency\n`);
  return true;
}

/** The skill, and the lines that point to it. */
function forAgents(folder: string, exec: string, io: Io): readonly boolean[] {
  const { skill, lines } = agentTexts(exec);
  return [
    writeNew(join(folder, SKILL_FILE), skill, io),
    append(join(folder, AGENTS_FILE), SKILL_FILE, lines, 'lines for coding agents', io),
  ];
}

/** Below the lines that are there, unless they have `mark`; a file that is not there is written. */
function append(path: string, mark: string, lines: string, what: string, io: Io): boolean {
  if (!existsSync(path)) return writeNew(path, lines, io);
  const shown = relative(io.cwd, path);
  return writing(shown, () => {
    const text = readFileSync(path, 'utf8');
    const isThere = text.includes(mark);
    if (!isThere)
      replaceFile(path, `${text.trimEnd()}${lines.startsWith('#') ? '\n\n' : '\n'}${lines}`.trimStart());
    io.out(isThere ? `kept     ${shown}\n` : `changed  ${shown}: ${what}\n`);
    return !isThere;
  });
}

function writeNew(path: string, content: string, io: Io): boolean {
  const shown = relative(io.cwd, path);
  if (existsSync(path)) {
    io.out(`kept     ${shown}\n`);
    return false;
  }
  writing(shown, () => {
    makeFolder(dirname(path));
    // "wx" fails even if the file was created just now.
    writeFileSync(path, content, { flag: 'wx' });
  });
  io.out(`written  ${shown}\n`);
  return true;
}

function writing<T>(shown: string, write: () => T): T {
  try {
    return write();
  } catch (error) {
    throw new UsageError(`${shown} cannot be written: ${(error as NodeJS.ErrnoException).code ?? 'error'}`);
  }
}
