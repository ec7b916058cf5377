import { until } from '../support/until.js';
import { expect, it, onTestFinished } from 'vitest';
import { runCli } from '../../src/shell/program.js';
import { createFakeIo, filesBelow } from './fake-io.js';
import { startServer } from '../../src/server/index.js';
import { forThisTest, listen } from '../support/servers.js';

const KEY = 'rp_live_4f"1<&b7c09d3e';
const WRONG_KEY = 'wrong-key-8a7b6c5d';
const S3_SECRET = 's3-secret/9e8d7c+6b5a=';
const S3_ID = 'AKIA1234567890EXAMPLE';
const TOKEN = 'webhook-token-5f4e3d2c';
const SECRETS = [KEY, WRONG_KEY, S3_SECRET, S3_ID, TOKEN];
const ALL_FORMATS = 'terminal,json,html,junit,ctrf,sarif,tap,markdown,github,har';

/** Every form in which a secret could stand in a file, an address or a header. */
const formsOf = (secret: string): readonly string[] => [
  secret,
  JSON.stringify(secret).slice(1, -1),
  encodeURIComponent(secret),
  secret.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;'),
  Buffer.from(secret).toString('base64').replace(/=+$/, ''),
];

function secretsIn(text: string): readonly string[] {
  return SECRETS.filter((secret) => formsOf(secret).some((form) => text.includes(form)));
}

async function serve(...args: readonly string[]) {
  const io = createFakeIo({ env: { RUNPROOF_API_KEY: KEY } });
  const ended = runCli(['serve', '--port', '0', '--verbose', '--metrics', ...args], io);
  await until(() => io.printed().includes('try:'));
  const url = /serving (\S+)/.exec(io.printed())?.[1] ?? '';
  const stop = async (): Promise<void> => {
    io.interrupt();
    await ended;
  };
  onTestFinished(stop);
  return { io, url, base: new URL(url).origin, stop };
}

it.each(['document', 'runpod'])('serve, edition %s, tells no secret to anybody', async (edition) => {
  const receiver = forThisTest(await listen((_incoming, outgoing) => void outgoing.writeHead(500).end(KEY)));
  const { io, url, base, stop } = await serve(
    '--edition',
    edition,
    '--clock',
    'controlled',
    '--workers',
    '1',
  );
  const seen: string[] = [];
  const call = async (path: string, body?: unknown, key = KEY): Promise<void> => {
    const init = { headers: { authorization: `Bearer ${key}`, accept: '*/*' } };
    const text = body === undefined ? null : typeof body === 'string' ? body : JSON.stringify(body);
    const reply = await fetch(path, text === null ? init : { ...init, method: 'POST', body: text });
    seen.push(JSON.stringify(Object.fromEntries(reply.headers)), await reply.text());
  };
  const s3Config = {
    accessId: S3_ID,
    accessSecret: S3_SECRET,
    bucketName: 'b',
    endpointUrl: 'http://127.0.0.1/',
  };
  const webhook = `${receiver.url}/?token=${TOKEN}`;
  const away = `http://10.1.2.3/?token=${TOKEN}`;
  const submission = { input: { plan: [{ fail: 'no' }] }, s3Config, webhook };

  await call(`${url}/run`, submission);
  await call(`${url}/run`, { ...submission, webhook: away });
  await call(`${url}/runsync`, { ...submission, input: { plan: [{ return: 1 }] } });
  await call(`${url}/run`, { ...submission, s3Config: { ...s3Config, accessSecret: [S3_SECRET] } });
  await call(`${url}/run`, `${JSON.stringify(submission)}}`);
  await call(`${url}/run`, submission, WRONG_KEY);
  await call(`${url}/run`, { ...submission, input: { plan: [{ hang: true }] } });
  await call(`${base}/_control/clock/advance`, { byMs: 60_000 });
  for (const path of [
    `${url}/requests`,
    `${url}/health`,
    `${base}/metrics`,
    `${base}/_page/state`,
    `${base}/`,
    `${base}/_control`,
  ])
    await call(path);
  await stop();

  expect(seen.join('\n')).toContain('IN_PROGRESS');
  expect(secretsIn(seen.join('\n'))).toEqual([]);
  expect(secretsIn(io.printed() + io.complained())).toEqual([]);
});

it(
  'check writes no key down, in no format, even where the target repeats what it was sent',
  { timeout: 120_000 },
  async () => {
    const target = forThisTest(
      await listen((incoming, outgoing) => {
        const { authorization = '' } = incoming.headers;
        incoming.resume();
        outgoing.writeHead(401, {
          'content-type': 'application/json',
          'x-echo': authorization,
          'x-basic': btoa(authorization),
        });
        outgoing.end(
          JSON.stringify({
            id: `of ${authorization}`,
            status: KEY,
            [authorization]: encodeURIComponent(KEY),
          }),
        );
      }),
    );
    const { url } = await serve('--clock', 'controlled');
    const echo = `${target.url}/v2/test`;

    for (const [expected, sections, address, ...args] of [
      [0, '2.3', url, '--control', `${new URL(url).origin}/_control`],
      [3, '9', echo, '--edition', 'runpod'],
    ] as const) {
      const io = createFakeIo({ env: { RUNPROOF_API_KEY: KEY } });
      const options = [
        '--only',
        sections,
        '--runs',
        '1',
        '--seed',
        '1',
        '--verbose',
        '--format',
        ALL_FORMATS,
        '--out',
        'out',
      ];
      const code = await runCli(['check', address, ...args, ...options], io);
      const written = [...filesBelow(io.cwd)].map(([name, text]) => `${name}\n${text}`).join('\n');
      expect(code).toBe(expected);
      expect(filesBelow(io.cwd).size).toBe(expected === 0 ? 11 : 0);
      expect(secretsIn(`${written}\n${io.printed()}\n${io.complained()}`)).toEqual([]);
    }
  },
);

it('the search finds a secret in every form', () => {
  for (const form of formsOf(KEY)) expect(secretsIn(`before ${form} after`)).toEqual([KEY]);
});

it.each(['other-user-key', 'COMPLETED', 'jobs1'])(
  'check refuses the key %s: no report could hide it',
  async (key) => {
    const { url } = forThisTest(
      await startServer({ clock: 'controlled', apiKeys: [key], endpoints: ['test'] }),
    );
    const io = createFakeIo({ env: { RUNPROOF_API_KEY: key } });
    expect(await runCli(['check', `${url}/v2/test`, '--only', '9', '--out', 'r'], io)).toBe(2);
    expect(io.complained()).toContain('without this word no report could be read');
    expect(filesBelow(io.cwd).size).toBe(0);
  },
);
