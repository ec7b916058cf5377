/** The `curl` line of a failure sends what was sent. */
import { execFile, execFileSync, spawnSync } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import type { AuthKind, CallEvent, HistoryEvent, Json } from '../../src/history/events.js';
import { callAgain } from '../../src/report/calls/call-again.js';
import { withKey, curlLine } from '../../src/report/curl.js';
import { authorizationOf } from '../../src/target/authorization.js';
import { HISTORY } from './sample-report.js';

const KEY = 'Key-42-b';

function lineOf(auth: AuthKind, query: { readonly [name: string]: string } = {}): string {
  const request = {
    method: 'GET',
    path: '/v2/test/health',
    query,
    auth,
    contentType: null,
    body: { as: 'none' },
    illegal: null,
  } as const;
  return curlLine({ request } as CallEvent, 'http://127.0.0.1:1');
}

/** The words that a shell makes of the line, after the name of the program. */
function wordsOf(line: string): readonly string[] {
  const script = `curl() { for word in "$@"; do printf '%s\\n' "$word"; done; }; ${line}`;
  const { stdout, stderr } = spawnSync('sh', ['-c', script], {
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], RUNPROOF_API_KEY: KEY },
  });
  expect(stderr).toBe('');
  return stdout.trimEnd().split('\n');
}

describe('the key in a curl line', () => {
  it.each<AuthKind>([
    'bare',
    'bearer',
    'truncated',
    'truncated-start',
    'extended',
    'followed',
    'other-case',
    'lower-bearer',
  ])('%s', (auth) => {
    expect(wordsOf(lineOf(auth))).toContain(
      `authorization: ${authorizationOf(auth, { apiKey: KEY }).header!}`,
    );
  });

  it('in-query: with another parameter, and as the only one', () => {
    expect(wordsOf(lineOf('in-query'))).toContain(`http://127.0.0.1:1/v2/test/health?api_key=${KEY}`);
    expect(wordsOf(lineOf('in-query', { wait: '1000' }))).toContain(
      `http://127.0.0.1:1/v2/test/health?wait=1000&api_key=${KEY}`,
    );
  });
});

describe('a call with another key names the variable of that key, and no key', () => {
  it.each([
    ['unpermitted', 'authorization: $RUNPROOF_UNPERMITTED_API_KEY'],
    ['unpermitted-bearer', 'authorization: Bearer $RUNPROOF_UNPERMITTED_API_KEY'],
    ['other-user', 'authorization: $RUNPROOF_OTHER_API_KEY'],
    ['other-user-bearer', 'authorization: Bearer $RUNPROOF_OTHER_API_KEY'],
  ] as const)('%s', (auth, header) => {
    expect(lineOf(auth)).toContain(`"${header}"`);
  });
});

it('a recorded call, of which no recorder kept the key, is sent with the key', () => {
  const recorded = HISTORY.find((event) => event.kind === 'call') as CallEvent;
  const sent = (auth: AuthKind) =>
    curlLine(withKey({ ...recorded, request: { ...recorded.request, auth } }), 'http://127.0.0.1:1');
  expect(wordsOf(sent('none-needed'))).toContain(`authorization: ${KEY}`);
  expect(sent('missing')).not.toContain('authorization');
});

describe('a call about a job that is gone', () => {
  const body = (value: Json) => ({ as: 'json', value, bytes: JSON.stringify(value).length }) as const;
  const made = HISTORY.find((event) => event.kind === 'call') as CallEvent;
  const call = (number: number, method: string, path: string, more: Partial<CallEvent> = {}): CallEvent => ({
    ...made,
    ...{
      call: number,
      script: 0,
      sentTick: number,
      sentMs: number * 100,
      receivedMs: number * 100,
      op: null,
      reply: null,
    },
    ...more,
    request: {
      ...made.request,
      ...{ method, path, query: {}, auth: 'bare', contentType: null, body: { as: 'none' } },
      ...more.request,
    },
  });
  const run = call(1, 'POST', '/v2/test/run', {
    op: 'run',
    reply: { ...made.reply!, body: body({ id: 'old', status: 'IN_QUEUE' }) },
    request: {
      ...made.request,
      method: 'POST',
      path: '/v2/test/run',
      body: body({ input: "it's" }),
      query: {},
      auth: 'bare',
      contentType: 'application/json',
    },
  });
  const look = call(9, 'GET', '/v2/test/status/old');
  const header = { ...HISTORY[0], clock: 'real' } as HistoryEvent;

  it('submits a job alike, does what was done to it, and takes its id', async () => {
    const asked: string[] = [];
    const server = createServer((request, response) => {
      request.setEncoding('utf8').on('data', (text: string) => asked.push(text));
      request.on('end', () => {
        asked.push(`${request.method} ${request.url}`);
        response.end('{"id": "new", "status": "IN_QUEUE"}');
      });
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const { port } = server.address() as AddressInfo;
    const shortens = call(4, 'GET', '/v2/test/status/old');
    const purge = { op: 'purge-queue' } as const;
    const others = [
      call(0, 'POST', '/v2/test/purge-queue', purge),
      call(3, 'POST', '/v2/other/purge-queue', { ...purge, endpoint: 'other' }),
      { ...shortens, request: { ...shortens.request, query: { ttl: '10000' } } },
      call(5, 'GET', '/v2/test/status/old'),
      call(6, 'POST', '/v2/test/cancel/old'),
      call(7, 'POST', '/v2/test/purge-queue', purge),
    ];
    const line = callAgain(look, [header, run, ...others, look], `http://127.0.0.1:${port}`, null);
    const env = { ...process.env, RUNPROOF_API_KEY: KEY };
    const { stdout } = await promisify(execFile)('sh', ['-c', line], { env });
    expect(stdout).toMatch(/"IN_QUEUE"\}\n\nHTTP\/1\.1 200/);
    server.close();
    expect(asked).toEqual([
      ...['{"input":"it\'s"}', 'POST /v2/test/run'],
      ...['GET /v2/test/status/new?ttl=10000', 'POST /v2/test/cancel/new'],
      ...['POST /v2/test/purge-queue', 'GET /v2/test/status/new'],
    ]);
    expect(line).toContain(' && sleep 0.3 && curl -sS -i "');
    expect(line).not.toContain('old');
  });

  it.each<[string, readonly HistoryEvent[]]>([
    ['another script submitted it', [header, { ...run, script: 1 }, look]],
    ['it was recorded', [{ ...header, capture: {} } as HistoryEvent, run, look]],
    ['its clock is moved', [{ ...header, clock: 'controlled' } as HistoryEvent, run, look]],
  ])('is sent as it was where %s', (_, history) => {
    expect(callAgain(look, history, 'http://127.0.0.1:1', null)).toBe(curlLine(look, 'http://127.0.0.1:1'));
  });
});

it('a body that is too long to show comes with the command that makes one of its size', () => {
  const made = HISTORY.find((event) => event.kind === 'call') as CallEvent;
  const body = { as: 'json', value: { input: {} }, bytes: 20_000 } as const;
  const line = curlLine({ ...made, request: { ...made.request, body } }, 'http://127.0.0.1');
  const [, command] = /# .*: (node -e .*) > body\.json$/.exec(line) ?? [];
  const text = execFileSync('bash', ['-c', command!], { encoding: 'utf8' });
  expect(Buffer.byteLength(text)).toBe(20_000);
  expect(JSON.parse(text)).toHaveProperty('input.padding');
});
