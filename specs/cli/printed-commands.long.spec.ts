/** Every command that an output prints can be typed: a shell reads its words, and each is tried where the reader stands. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as after } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, expect, it, onTestFinished } from 'vitest';
import { COMMANDS } from '../../src/shell/commands.js';
import { runCli } from '../../src/shell/program.js';
import { until } from '../support/until.js';
import { createFakeIo, type FakeIo } from './fake-io.js';

const TIMEOUT_MS = 600_000;
/** A command that takes longer has been understood. It is ended as by Ctrl-C. */
const LONG_MS = 2_000;
const FORMATS = 'terminal,json,html,markdown,github,junit,sarif,tap,ctrf';
const FAULTY = ['--mutant', 'ttl-spares-running'];
const RULE = '2.2/ttl-removes-running';

/** What users replace by what is theirs: Runproof does not know it. */
const PLACEHOLDER = /https:\/\/HOST|COMMAND…|\b(WHAT|FILE)\b/;

let cwd: string;
beforeAll(() => {
  // A shell would divide its name.
  cwd = join(mkdtempSync(join(tmpdir(), 'runproof-')), "it's mine");
  mkdirSync(cwd);
});
afterAll(() => rmSync(join(cwd, '..'), { recursive: true, force: true }));

const KEY = { RUNPROOF_API_KEY: 'runproof-local' };
/** The exit code, and what it printed. */
async function inBash(
  line: string,
): Promise<{ readonly status: number; readonly stdout: string; readonly stderr: string }> {
  const env = { PATH: process.env['PATH'], HOME: cwd, ...KEY };
  const child = spawn('bash', ['-c', line], { cwd, env, timeout: 60_000, stdio: ['ignore', 'pipe', 'pipe'] });
  const [stdout, stderr, [status]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close') as Promise<[number | null]>,
  ]);
  return { status: status ?? -1, stdout, stderr };
}

interface Running {
  readonly io: FakeIo;
  /** As a user sees it. */
  screen(): string;
  /** Presses Ctrl-C until it has ended; gives the exit code. */
  end(): Promise<number>;
  readonly ended: Promise<number>;
}

function start(args: readonly string[]): Running {
  const io = createFakeIo({ cwd, env: { ...KEY, NO_COLOR: '1' } });
  let isOver = false;
  const ended = runCli(args, io).finally(() => (isOver = true));
  const end = async (): Promise<number> => {
    while (!isOver) {
      io.interrupt();
      await Promise.race([ended, after(500)]);
    }
    return ended;
  };
  return { io, screen: () => `${io.printed()}\n${io.complained()}`, ended, end };
}

/** The endpoint of an emulator that runs until the test ends. */
async function served(
  ...options: readonly string[]
): Promise<{ readonly url: string; readonly screen: string }> {
  const clock = options.includes('--clock') ? [] : ['--clock', 'controlled'];
  const { screen, end } = start(['serve', '--port', '0', ...clock, ...options]);
  onTestFinished(() => void end());
  await until(() => screen().includes('try:'));
  return { url: /serving (\S+)/.exec(screen())![1]!, screen: screen() };
}

/** Runs a command to its end, and gives what it has printed and, of this folder, written. */
async function output(args: readonly string[], folder?: string): Promise<string> {
  const { screen, ended } = start(args);
  const code = await ended;
  expect([args, [2, 4].includes(code) ? screen() : '']).toEqual([args, '']);
  return [screen(), ...(folder === undefined ? [] : textsBelow(folder))].join('\n');
}

/** The files that people read, as they see them. */
const textsBelow = (folder: string): readonly string[] =>
  readdirSync(join(cwd, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => statSync(join(cwd, folder, name)).isFile() && !/\.(ndjson|sh)$/.test(name))
    .map((name) => seen(name, readFileSync(join(cwd, folder, name), 'utf8')));

function seen(name: string, content: string): string {
  if (/\.(json|sarif)$/.test(name)) return stringsIn(JSON.parse(content)).join('\n');
  if (!/\.(html|xml)$/.test(name)) return content.replaceAll('%0A', '\n').replaceAll('%25', '%');
  return content
    .replaceAll(/<(script|style)>[^]*?<\/\1>/g, '')
    .replaceAll(/<\/?code>/g, '`')
    .replaceAll(/<[^>]*>/g, '\n')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');
}

const stringsIn = (value: unknown): readonly string[] =>
  typeof value === 'string' ? [value] : Object.values((value ?? {}) as object).flatMap(stringsIn);

const BEGIN = /(^|["`]|[^\w"`/-])((?:npx )?runproof [a-z-]|curl -|bash [^-])/g;

/** A command ends with its line, with what quotes it, or where its purpose is told behind two blanks. */
function commandsIn(screen: string): readonly string[] {
  const found = screen.split('\n').flatMap((line) =>
    [...line.matchAll(BEGIN)].map(({ index, 1: before = '' }) => {
      const rest = line.slice(index + before.length);
      const end = /["`]/.test(before) ? rest.indexOf(before) : rest.search(/ {2}|$/);
      return rest.slice(0, end === -1 ? undefined : end).trimEnd();
    }),
  );
  return [...new Set(found)].filter((line) => !PLACEHOLDER.test(line));
}

/** Why a shell or the program refuses the command; null: neither does. */
async function whyRefused(line: string): Promise<string | null> {
  if (/^(curl|bash) /.test(line)) {
    const { status, stderr, stdout } = await inBash(line);
    // A script of calls ends with 1 where the answers are still those recorded.
    return status === 0 || (status === 1 && line.startsWith('bash')) ? null : `${status} ${stderr}${stdout}`;
  }
  const { stdout } = await inBash(`npx() { printf '%s\\0' "$@"; }; ${line}`);
  const words = stdout.split('\0').slice(0, -1);
  const [program, name, ...options] = words;
  if (program !== 'runproof') return `the shell finds no program: ${words.join(' ')}`;
  const { screen, ended, end } = start([name!, ...options, ...(name === 'serve' ? ['--port', '0'] : [])]);
  await Promise.race([ended, until(() => screen().includes('try:'), LONG_MS).catch(() => undefined)]);
  const code = await end();
  return code === 2 || code === 4 ? `exit ${code}: ${screen()}` : null;
}

/** What was typed in this test: several screens print the same commands. */
const typed = new Set<string>();
beforeEach(() => typed.clear());

/** Tries each command on the screen that is new; none may be refused. At least these are among all of them. */
async function expectTyped(screen: string, ...expected: readonly RegExp[]): Promise<void> {
  const commands = commandsIn(screen);
  for (const one of expected) expect(commands.join('\n')).toMatch(one);
  const refused: string[] = [];
  for (const line of commands.filter((one) => !typed.has(one))) {
    typed.add(line);
    const why = await whyRefused(line);
    if (why !== null) refused.push(`${line}\n  ${why}`);
  }
  expect(refused.join('\n\n')).toBe('');
}

const reported = (...args: readonly string[]): Promise<string> =>
  output([...args, '--format', FORMATS, '--out', 'my reports'], 'my reports');

it('of check and of what reads its report', { timeout: TIMEOUT_MS }, async () => {
  const { url, screen } = await served(...FAULTY);
  await expectTyped(screen, /^curl -H .*\/health$/m, /^npx runproof serve --pull$/m);
  const failed = await reported(
    'check',
    url,
    '--control',
    `${new URL(url).origin}/_control`,
    '--only',
    RULE,
    '--seed',
    '1',
    '--runs',
    '1',
  );
  await expectTyped(
    failed,
    /^bash 'my reports\/failures\/.*\.sh'/m,
    /^npx runproof replay rp1-\S+ http\S+ --control/m,
  );
  await expectTyped(await output(['show', 'my reports', RULE]));
  await expectTyped(await output(['show', 'my reports']));
  await expectTyped(
    await output(['report', 'render', 'my reports', '--format', FORMATS]),
    /^npx runproof replay 'my r/m,
  );
});

it('of a check of the emulator', { timeout: TIMEOUT_MS }, async () => {
  const replay = /^npx runproof replay 'my reports\/.*json' --mutant ttl-spares-running$/m;
  await expectTyped(await reported('check', ...FAULTY, '--only', RULE, '--seed', '1', '--runs', '1'), replay);
  const next = /^npx runproof judge 'my reports\/history.ndjson'$/m;
  await expectTyped(
    await reported('check', '--only', '4.8', '--edition', 'runpod', '--seed', '1', '--runs', '1'),
    next,
  );
  await expectTyped(await reported('judge', 'my reports/history.ndjson'));
});

it('of demo, explore, and shrink', { timeout: TIMEOUT_MS }, async () => {
  await expectTyped(await output(['demo', '--out', 'my demo'], 'my demo'), /^npx runproof demo --fixed$/m);
  const found = [
    'explore',
    '--mutant',
    'purge-kills-running',
    '--runs',
    '150',
    '--seed',
    '1',
    '--out',
    'found',
  ];
  await expectTyped(await output(found, 'found'), /^npx runproof replay found\/failures\//m);
  const [failure] = readdirSync(join(cwd, 'found/failures')).filter((name) => name.endsWith('.json'));
  await expectTyped(await output(['shrink', `found/failures/${failure}`, '--trials', '5']));
  await expectTyped(
    await output(['report', 'merge', 'found', '--out', 'merged']),
    /^npx runproof replay merged\//m,
  );
});

it('of client', { timeout: TIMEOUT_MS }, async () => {
  writeFileSync(
    join(cwd, 'my client.mjs'),
    `const { RUNPROOF_ENDPOINT_URL: url, RUNPROOF_API_KEY: authorization } = process.env;
await fetch(url + '/run', { method: 'POST', headers: { authorization }, body: '{"input":{}}' });`,
  );
  const run = [
    'client',
    '--only',
    'clear',
    '--seed',
    '1',
    '--format',
    'json,html,markdown,junit',
    '--out',
    'client',
  ];
  const printed = await output([...run, '--', process.execPath, 'my client.mjs'], 'client');
  await expectTyped(printed, /^npx runproof client --only clear --seed 1 -- \S+ 'my client.mjs'$/m);
});

it('of proxy, its page and its report', { timeout: TIMEOUT_MS }, async () => {
  const { url } = await served('--clock', 'real', '--mutant', 'answers-as-text');
  const upstream = new URL(url).origin;
  const options = ['--listen', '127.0.0.1:0', '--min-decided', '1', '--format', FORMATS, '--out', 'proxied'];
  const { screen, end } = start(['proxy', '--upstream', upstream, ...options]);
  onTestFinished(() => void end());
  await until(() => screen().includes('status page: '));
  const [, base] = /^(\S+) passes calls on/m.exec(screen())!;
  const [, page] = /^status page: (\S+)$/m.exec(screen())!;
  const headers = { authorization: KEY.RUNPROOF_API_KEY, 'content-type': 'application/json' };
  const submission = { method: 'POST', headers, body: '{"input":{}}' };
  for (let nth = 0; nth < 3; nth += 1)
    await (await fetch(`${base}${new URL(url).pathname}/run`, submission)).text();
  await until(() => screen().includes('FAILED'));
  const shown = await (await fetch(page!)).text();
  // Readers have saved the files before they type the commands beside their links.
  for (const [, path, name] of shown.matchAll(/<a href="([^"]+)" download="([^"]+)"/g))
    writeFileSync(join(cwd, name!), await (await fetch(page + path!)).text());
  await expectTyped(seen('page.html', shown), /^npx runproof replay 1-json-content-type-run.json http/m);
  await end();
  await expectTyped(
    [screen(), ...textsBelow('proxied')].join('\n'),
    /^npx runproof replay proxied\/failures\//m,
  );
  const calls = { log: { entries: [] } };
  writeFileSync(join(cwd, 'empty.har'), JSON.stringify(calls));
  await expectTyped(start(['judge', 'empty.har']).screen());
});

it('of help, which begins each with the program as it was called', { timeout: TIMEOUT_MS }, async () => {
  for (const args of [['--help'], ...COMMANDS.map(({ usage }) => [usage.split(' ')[0]!, '--help'])]) {
    const { screen, ended } = start(args);
    expect(await ended).toBe(0);
    expect(screen().match(/^.*(?<!npx )\brunproof [a-z<].*$/gm) ?? []).toEqual([]);
    expect(screen()).toContain('npx runproof ');
  }
});

it('of refusals', { timeout: TIMEOUT_MS }, async () => {
  const refused = [
    ['list', 'nothing'],
    ['frobnicate'],
    ['check', '--mutant', 'nothing'],
    ['check', '--only', 'nothing'],
    ['list', 'scenarios', '--where'],
    ['list', 'scenarios', '--mermaid'],
    ['client', '--only', 'nothing', '--', 'true'],
  ];
  for (const args of refused) {
    const { screen, ended } = start(args);
    expect([args, await ended]).toEqual([args, 2]);
    await expectTyped(screen());
  }
});
