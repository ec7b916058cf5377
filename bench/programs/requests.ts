/**
 * Requests that a server in a process of its own answers.
 * usage: requests.js run|status CLIENTS emulator|emulator-with-data|emulator-on-slow-disk|hono|node-http
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import autocannon from 'autocannon';
import { LOCAL_API_KEY } from '../../src/server/index.js';
import { print } from './measured.js';

const SECONDS = 4;
const WARM_UP_SECONDS = 2;
const HEADERS = { authorization: LOCAL_API_KEY, 'content-type': 'application/json' };
const BODY = '{"input":{"prompt":"a few words"}}';

const [op = 'run', clients = '16', which = 'emulator'] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), 'runproof-bench-'));

/** What a peer answers: as much as the emulator does. */
const CONSTANT =
  op === 'run'
    ? '{"id":"c3a1d35e-8f65-4d09-b0c8-2a8a5a6e7d4f","status":"IN_QUEUE"}'
    : '{"delayTime":12,"executionTime":34,"id":"c3a1d35e-8f65-4d09-b0c8-2a8a5a6e7d4f","output":{"prompt":"a few words"},"status":"COMPLETED"}';
const own = (name: string): string => fileURLToPath(new URL(`./${name}.js`, import.meta.url));
const ARGS: { readonly [name: string]: readonly string[] } = {
  emulator: [own('emulator')],
  'emulator-with-data': [own('emulator'), folder],
  'emulator-on-slow-disk': [own('emulator'), folder, '50'],
  hono: ['bench/peers/hono.mjs', CONSTANT],
  'node-http': ['bench/peers/node-http.mjs', CONSTANT],
};

const server = spawn(process.execPath, ARGS[which]!, { stdio: ['ignore', 'pipe', 'inherit'] });
try {
  const [port] = (await once(server.stdout, 'data')) as [Buffer];
  const url = `http://127.0.0.1:${String(port).trim()}/v2/test`;
  const submit = { method: 'POST', headers: HEADERS, body: BODY } as const;
  const { id = 'none' } = (await (await fetch(`${url}/run`, submit)).json()) as { readonly id?: string };
  const request =
    op === 'run' ? { url: `${url}/run`, ...submit } : { url: `${url}/status/${id}`, headers: HEADERS };
  await autocannon({ ...request, connections: Number(clients), duration: WARM_UP_SECONDS });
  const result = await autocannon({ ...request, connections: Number(clients), duration: SECONDS });
  if (result.non2xx + result.errors > 0)
    throw new Error(`${which}: ${result.non2xx} refusals and ${result.errors} errors`);
  print(result.requests.total, result.duration * 1000);
} finally {
  server.kill();
  await once(server, 'close');
  rmSync(folder, { recursive: true, force: true });
}
