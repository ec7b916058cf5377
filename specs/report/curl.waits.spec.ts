/** The `curl` line of a failure sends what was sent. */
import { execFileSync, spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import type { AuthKind, CallEvent } from '../../src/history/events.js';
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

it('a body that is too long to show comes with the command that makes one of its size', () => {
  const made = HISTORY.find((event) => event.kind === 'call') as CallEvent;
  const body = { as: 'json', value: { input: {} }, bytes: 20_000 } as const;
  const line = curlLine({ ...made, request: { ...made.request, body } }, 'http://127.0.0.1');
  const [, command] = /# .*: (node -e .*) > body\.json$/.exec(line) ?? [];
  const text = execFileSync('bash', ['-c', command!], { encoding: 'utf8' });
  expect(Buffer.byteLength(text)).toBe(20_000);
  expect(JSON.parse(text)).toHaveProperty('input.padding');
});
