import { until } from '../support/until.js';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { runCli } from '../../src/shell/program.js';
import { startServer } from '../../src/server/index.js';
import { createFakeIo, filesBelow } from './fake-io.js';
import { forThisTest, listen } from '../support/servers.js';

const KEY = 'own-key-11aa22bb';
const UNPERMITTED = 'no-permission-33cc44dd';
const OTHER = 'other-user-55ee66ff';
const ENV = {
  RUNPROOF_API_KEY: KEY,
  RUNPROOF_UNPERMITTED_API_KEY: UNPERMITTED,
  RUNPROOF_OTHER_API_KEY: OTHER,
};
const SCOPE = ['--worker', 'opaque', '--dedicated', '--profile', 'quick', '--progress', 'none'];

it('check decides by keys from the environment or from files what one key cannot', async () => {
  const server = await startServer({ apiKeys: [KEY, OTHER], unpermittedKeys: [UNPERMITTED], workers: 0 });
  onTestFinished(() => server.close());
  const { RUNPROOF_OTHER_API_KEY: _, ...env } = ENV;
  const io = createFakeIo({ env });
  writeFileSync(join(io.cwd, 'other.txt'), `${OTHER}\n`);
  const only = ['--only', '5/key-without-permission', '--only', '8/allowances-of-two-users'];
  const keys = ['--other-api-key-file', 'other.txt'];
  const code = await runCli(['check', `${server.url}/v2/test`, ...keys, ...SCOPE, ...only, '--verbose'], io);
  expect(io.printed()).toContain('per-user-and-endpoint');
  expect(io.printed()).toMatch(/✔[^\n]*5\/key-without-permission/);
  expect(code).toBe(0);
});

it('no key stands in anything that a run writes, though the target says them all back', async () => {
  const server = forThisTest(
    await listen((request, response) => {
      const body = JSON.stringify({ id: 'job', status: 'IN_QUEUE', echo: request.headers.authorization });
      response.writeHead(200, { 'content-type': 'application/json' }).end(body);
    }),
  );
  const io = createFakeIo({ env: ENV });
  const url = `${server.url}/v2/test`;
  const formats = 'terminal,json,html,junit,ctrf,sarif,tap,markdown,github,har';
  const only = ['--only', '5/key-without-permission', '--format', formats, '--out', 'out', '--verbose'];
  expect(await runCli(['check', url, ...SCOPE, ...only], io)).toBe(1);
  expect(io.printed()).toContain('$RUNPROOF_UNPERMITTED_API_KEY');
  const outputs = [
    ...filesBelow(join(io.cwd, 'out')),
    ['stdout', io.printed()],
    ['stderr', io.complained()],
  ] as const;
  for (const key of [KEY, UNPERMITTED, OTHER])
    expect(outputs.filter(([, text]) => text.includes(key)).map(([name]) => name)).toEqual([]);
});

describe('what cannot be used is refused, and not printed', () => {
  it.each([
    [['--other-api-key', 'se cret'], 'the key of another user contains a space'],
    [['--unpermitted-api-key=se cret'], 'the key without permission contains a space'],
    [['--unpermitted-api-key-file', 'none.txt'], '--unpermitted-api-key-file none.txt does not exist'],
    [['--other-api-key', KEY], 'have to be different keys'],
  ])('%j', async (args, complaint) => {
    const io = createFakeIo({ env: { RUNPROOF_API_KEY: KEY } });
    expect(await runCli(['check', 'http://127.0.0.1:9/v2/x', ...args], io)).toBe(2);
    expect(io.complained()).toContain(complaint);
    expect(io.complained()).not.toContain('se cret');
  });
});

it('serve knows the keys that it is given, and tells them by test control alone', async () => {
  const io = createFakeIo({ env: ENV });
  const ended = runCli(['serve', '--port', '0', '--test-control'], io);
  await until(() => io.printed().includes('try:'));
  onTestFinished(async () => {
    io.interrupt();
    await ended;
  });
  const url = /serving (\S+)/.exec(io.printed())?.[1] ?? '';
  const codeOf = async (authorization: string) =>
    (await fetch(`${url}/health`, { headers: { authorization } })).status;
  expect(await Promise.all([KEY, OTHER, UNPERMITTED].map(codeOf))).toEqual([200, 200, 401]);
  const told = await fetch(`${new URL(url).origin}/_control/keys`, { headers: { authorization: KEY } });
  expect(await told.json()).toEqual({ otherUser: OTHER, unpermitted: UNPERMITTED });
  for (const key of [KEY, OTHER, UNPERMITTED]) expect(io.printed()).not.toContain(key);
});
