/** The check of test control: the servers in examples/ pass it, and each broken one fails its sentence. */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { runCli } from '../../src/shell/program.js';
import { createFakeIo } from '../cli/fake-io.js';

const KEY = 'a-key-for-examples';
const NODE_SERVER = 'examples/test-control/server.mjs';
const PYTHON_SERVER = 'examples/test-control/server.py';
const PYTHON = spawnSync('python3', ['--version']).status === 0 ? 'python3' : null;

const started: ChildProcess[] = [];
const folders: string[] = [];
// At the end of all: servers run side by side.
afterAll(() => {
  for (const child of started.splice(0)) child.kill();
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

/** The address that the server prints. */
function start(program: string, file: string): Promise<string> {
  const child = spawn(program, [file, '0'], { env: { ...process.env, RUNPROOF_API_KEY: KEY } });
  started.push(child);
  return new Promise((listening, failed) => {
    child.stdout.once('data', (text: Buffer) => listening(String(text).trim()));
    child.once('exit', (code) => failed(new Error(`${file} ended with ${code}`)));
  });
}

interface Results {
  readonly failed: number;
  readonly results: readonly {
    readonly sentence: string;
    readonly verdict: string;
    readonly detail: string;
  }[];
}

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'runproof-control-'));
  folders.push(path);
  return path;
}

async function checked(control: string, code: number): Promise<Results> {
  // Of tests that run side by side, none can be told to remove its own folder.
  const io = createFakeIo({ cwd: folder(), env: { RUNPROOF_API_KEY: KEY } });
  expect(await runCli(['check-control', control, '--json'], io), io.complained()).toBe(code);
  return JSON.parse(io.printed()) as Results;
}

/** The server in Node, with a line changed. */
function broken(from: string, to: string): string {
  const source = readFileSync(NODE_SERVER, 'utf8');
  expect(source).toContain(from);
  const file = join(folder(), 'server.mjs');
  writeFileSync(file, source.replace(from, to));
  return file;
}

describe('the example servers keep the contract', () => {
  it('in Node', async () => {
    const { failed, results } = await checked(await start(process.execPath, NODE_SERVER), 0);
    expect(failed).toBe(0);
    expect(results.every(({ verdict }) => verdict === 'passed')).toBe(true);
  });

  it.skipIf(PYTHON === null)('in Python (needs python3)', async () => {
    const { failed, results } = await checked(await start(PYTHON!, PYTHON_SERVER), 0);
    expect(failed).toBe(0);
    expect(results.every(({ verdict }) => verdict === 'passed')).toBe(true);
  });
});

const BREACHES: readonly (readonly [sentence: string, from: string, to: string])[] = [
  ['The address answers', "protocol: 'test-control/1'", "protocol: 'test-control'"],
  ['The API key is taken', "replace(/^Bearer /, '')", "replace(/^Key /, '')"],
  [
    'A call without a valid key',
    "if ((request.headers.authorization ?? '')",
    'if ((request.headers.authorization ?? KEY)',
  ],
  ['PUT creates an endpoint', 'received: 0,', 'received: 1,'],
  ['A malformed call gets 400', 'Number.isSafeInteger(value) && value >= 0', "typeof value === 'number'"],
  [
    'An unknown endpoint gets 404',
    "return answer(404, { error: 'no such endpoint' });\n  if (method === 'GET')",
    "return answer(400, { error: 'no such endpoint' });\n  if (method === 'GET')",
  ],
  ['`received` counts', 'endpoint.received += 1;', "endpoint.received += operation === 'runsync' ? 0 : 1;"],
  [
    'A call of which the body is not complete',
    '  for await (const part of request) text += part;',
    `  const counted = endpoints.get(request.url.split('/')[2]);
  if (counted !== undefined) counted.received += 1;
  for await (const part of request) text += part;
  if (counted !== undefined) counted.received -= 1;`,
  ],
  [
    'What `received` has counted',
    '  for await (const part of request) text += part;',
    `  for await (const part of request) text += part;
  const counted = text.length > 1e6 ? endpoints.get(request.url.split('/')[2]) : undefined;
  if (counted !== undefined) counted.received += 1;
  if (counted !== undefined) await new Promise((parsed) => setTimeout(parsed, 230));
  if (counted !== undefined) counted.received -= 1;`,
  ],
  ['PUT empties', 'endpoints.set(id, createEndpoint(', 'if (!endpoint) endpoints.set(id, createEndpoint('],
  [
    'PATCH changes the number',
    '  endpoint.workers = body.workers;\n  dispatch(endpoint);',
    '  endpoint.workers = body.workers;',
  ],
  [
    'A worker that PATCH takes away',
    '  endpoint.workers = body.workers;\n',
    '  endpoint.workers = body.workers;\n  if (body.workers === 0) for (const job of [...endpoint.jobs.values()]) end(endpoint, job, "FAILED");\n',
  ],
  ['DELETE removes', '    endpoints.delete(id);\n', ''],
  [
    'Time stands still',
    'answer(200, { nowMs: clock.nowMs, nextEventAtMs',
    'answer(200, { nowMs: clock.nowMs + (Date.now() % 1e9), nextEventAtMs',
  ],
  [
    '`advance` moves the clock',
    '    this.nowMs = untilMs;\n  }',
    '    this.nowMs = untilMs + (byMs === 0 ? 1 : 0);\n  }',
  ],
  [
    'A malformed `advance`',
    "if (!isCount(body?.byMs)) return answer(400, { error: 'byMs must be an integer from 0' });",
    'if (!isCount(body?.byMs)) return answer(200, { nowMs: clock.nowMs });',
  ],
  [
    'What needs no time',
    'remove(endpoint, job));\n  dispatch(endpoint);',
    'remove(endpoint, job));\n  job.clock.later(1, () => dispatch(endpoint));',
  ],
  ['A job runs on the controlled clock', 'later(step.sleepMs, ', 'later(step.sleepMs - 1, '],
  ['`nextEventAtMs` is never later', 'clock.agenda[0]?.atMs ?? null', '(clock.agenda[0]?.atMs ?? 0) + 9_999'],
  [
    '`advance` handles every event',
    'while (this.agenda.length > 0 && this.agenda[0].atMs <= untilMs) {',
    'for (const _ of this.agenda.filter(({ atMs }) => atMs <= untilMs)) {',
  ],
  ['When `advance` answers', 'for (const answer of job.waiters.splice(0)) answer(200, record(job));', ''],
  [
    'Calls of `advance` are handled',
    '  clock.advance(body.byMs);\n  return answer(200, { nowMs: clock.nowMs });',
    '  const nowMs = clock.nowMs + body.byMs;\n  return void setTimeout(() => { clock.advance(body.byMs); clock.nowMs = nowMs; answer(200, { nowMs }); }, 20);',
  ],
  ['Emptying an endpoint', '    empty(endpoint);\n    endpoints.set', '    endpoints.set'],
  ['Deleting an endpoint', '    empty(endpoint);\n    endpoints.delete', '    endpoints.delete'],
  [
    'A job without `executionTimeout`',
    'policy.executionTimeout ?? 600_000 });',
    'policy.executionTimeout ?? 300_000 });',
  ],
  ['A job without `ttl`', 'later(policy.ttl ?? DAY,', 'later(policy.ttl ?? 2 * DAY,'],
  ['An endpoint that names a clock', 'if (name === undefined) return serverClock;', 'return serverClock;'],
  [
    'Endpoints that name the same clock',
    'if (!clocks.has(name)) clocks.set(name, new Clock());',
    'clocks.set(name, new Clock());',
  ],
  ['A clock comes with its first endpoint', 'if (!used.has(clock)) clocks.delete(name);', '{}'],
  [
    'When `advance` of such a clock',
    'for (const answer of job.waiters.splice(0)) answer(200, record(job));',
    'for (const answer of job.waiters.splice(0)) if (job.clock === serverClock) answer(200, record(job));',
  ],
];

describe('each sentence fails on a server that breaks it', () => {
  it.concurrent.each(BREACHES)('%s', { timeout: 60_000 }, async (sentence, from, to) => {
    const { results } = await checked(await start(process.execPath, broken(from, to)), 1);
    const found = results.filter((result) => result.sentence.startsWith(sentence));
    expect(found).toHaveLength(1);
    expect(found[0]!, JSON.stringify(results.filter(({ verdict }) => verdict === 'failed'))).toMatchObject({
      verdict: 'failed',
    });
    expect(found[0]!.detail).not.toBe('');
  });

  it('and every sentence has such a server', async () => {
    const { results } = await checked(await start(process.execPath, NODE_SERVER), 0);
    const unbroken = results.filter(
      ({ sentence }) => !BREACHES.some(([begin]) => sentence.startsWith(begin)),
    );
    expect(unbroken.map(({ sentence }) => sentence)).toEqual([]);
  });
});

describe('what is no test control', () => {
  it('nothing listens there: exit 3', async () => {
    const io = createFakeIo({ env: { RUNPROOF_API_KEY: KEY } });
    expect(await runCli(['check-control', 'http://127.0.0.1:9/_control'], io)).toBe(3);
    expect(io.complained()).toContain('no answer (connect ECONNREFUSED 127.0.0.1:9)');
  });

  it('the key is wrong: exit 3', async () => {
    const io = createFakeIo({ env: { RUNPROOF_API_KEY: 'another' } });
    expect(await runCli(['check-control', await start(process.execPath, NODE_SERVER)], io)).toBe(3);
    expect(io.complained()).toContain('rejects the API key');
  });

  it('no key, no address: exit 2 with what to do', async () => {
    const io = createFakeIo();
    expect(await runCli(['check-control', 'http://x/_control'], io)).toBe(2);
    expect(await runCli(['check-control', 'localhost'], io)).toBe(2);
    // On this machine the key of `serve` is tried.
    expect(await runCli(['check-control', 'http://127.0.0.1:9/_control'], io)).toBe(3);
    expect(io.complained()).toContain('set RUNPROOF_API_KEY');
    expect(io.complained()).toContain('http://127.0.0.1:8080/_control');
  });
});
