/** `log`: follows a running emulator, and nothing else. */
import { expect, it } from 'vitest';
import { startServer, type RunningServer, type ServerOptions } from '../../../src/server/index.js';
import { runCli } from '../../../src/shell/program.js';
import { createFakeIo } from '../../cli/fake-io.js';
import { listen } from '../../support/servers.js';
import { until } from '../../support/until.js';

const KEY = 'runproof-local';

async function run(server: RunningServer, body: object, key = KEY): Promise<string> {
  const headers = { authorization: key, 'content-type': 'application/json' };
  const url = `http://127.0.0.1:${server.port}/v2/test/runsync`;
  const reply = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  return ((await reply.json()) as { id: string }).id;
}

async function following(url: string, args: readonly string[] = [], env = {}) {
  const io = createFakeIo({ env });
  const ended = runCli(['log', url, ...args], io);
  await until(() => io.complained() !== '');
  return { io, ended };
}

const serving = (options: ServerOptions = {}) => startServer({ bodies: true, ...options });

it('prints what comes from then on, as serve --log does, until Ctrl-C', async () => {
  await using server = await serving();
  await run(server, { input: {} });
  const { io, ended } = await following(`${server.url}/v2/test`);
  expect(io.complained()).toBe(`following the log of ${server.url} until Ctrl-C\n`);
  const id = await run(server, { input: {}, webhook: 'http://127.0.0.1:9/hook' });
  await until(() => io.printed().includes('webhook'));
  const line = String.raw`\d\d:\d\d:\d\d\.\d{3} POST /v2/test/runsync 200 \d+ ms job ${id}`;
  const webhook = String.raw`\d\d:\d\d:\d\d\.\d{3} webhook http://127.0.0.1:9/hook failed .* job ${id} attempt 1, again in 10 s`;
  expect(io.printed().split('\n').sort()).toEqual(
    ['', line, webhook].map((one) => expect.stringMatching(new RegExp(`^${one}$`))),
  );
  io.interrupt();
  expect(await ended).toBe(0);
});

it('takes the filter, bodies, JSON, and entries from before; ends with the emulator', async () => {
  const server = await serving({ clock: 'controlled' });
  await run(server, { input: { first: true } });
  const id = await run(server, { input: { second: true } });
  const text = await following(server.url, ['--last', '1', '--bodies']);
  const json = await following(server.url, ['--json', '--last', '1000', '--log-only', id]);
  await until(() => text.io.printed() !== '' && json.io.printed() !== '');
  expect(text.io.printed()).toMatch(
    /^00:00:00\.000 POST .*\n {2}> \{"input":\{"second":true\}\}\n {2}< \{.*\}\n$/,
  );
  expect(JSON.parse(json.io.printed())).toMatchObject({ number: 2, request: { input: { second: true } } });
  await server.close();
  expect([await text.ended, await json.ended]).toEqual([0, 0]);
  expect(text.io.complained()).toContain(`the emulator at ${server.url} has ended\n`);
});

it('says how many entries came that the emulator does not keep, and that it was started again', async () => {
  const answers = [
    { last: 5, entries: [] },
    { last: 9, entries: [{ number: 8, time: 0, fault: { on: 'worker', fault: 'crash', job: 'j' } }] },
    { last: 1, entries: [] },
  ];
  await using emulator = await listen((incoming, outgoing) => {
    const isReady = incoming.url === '/_ready';
    outgoing.end(
      JSON.stringify(isReady ? { emulator: 'runproof' } : (answers.shift() ?? { last: 1, entries: [] })),
    );
  });
  const { io, ended } = await following(emulator.url, ['--log-only', 'nothing']);
  await until(() => io.complained().includes('again'));
  expect(io.complained()).toMatch(/\n2 entries are missing: .*\nthe emulator was started again\n$/);
  io.interrupt();
  expect(await ended).toBe(0);
});

it('sends the key to nothing but an emulator', async () => {
  const asked: string[] = [];
  await using other = await listen((incoming, outgoing) => {
    asked.push(`${incoming.method} ${incoming.url} ${incoming.headers.authorization ?? 'no key'}`);
    outgoing.end('{}');
  });
  const io = createFakeIo();
  expect(await runCli(['log', other.url], io)).toBe(3);
  expect(io.complained()).toContain('does not say at /_ready that it is an emulator of Runproof');
  expect(asked).toEqual(['GET /_ready no key']);
  const none = createFakeIo();
  expect(await runCli(['log', 'http://127.0.0.1:9/'], none)).toBe(3);
  expect(none.complained()).toContain('nothing answers at http://127.0.0.1:9/_ready');
});

it('needs the key, and a page; where the page only shows, there are no bodies', async () => {
  await using off = await serving({ page: 'off' });
  const without = createFakeIo();
  expect(await runCli(['log', off.url], without)).toBe(3);
  expect(without.complained()).toContain('shows no log: start it with --page');
  await using server = await serving({ host: '0.0.0.0', page: 'keyed', apiKeys: ['mine'] });
  const url = `http://127.0.0.1:${server.port}`;
  const wrong = createFakeIo();
  expect(await runCli(['log', url, '--api-key', 'wrong'], wrong)).toBe(3);
  expect(wrong.complained()).toContain('rejects the API key');
  await run(server, { input: { text: 'secret' } }, 'mine');
  const { io, ended } = await following(url, ['--json', '--last', '9'], { RUNPROOF_API_KEY: 'mine' });
  await until(() => io.printed() !== '');
  expect(JSON.parse(io.printed())).toMatchObject({ status: 200, request: null, reply: null });
  io.interrupt();
  expect(await ended).toBe(0);
});

it.each([
  ['an answer is cut short', true],
  ['no answer comes until Ctrl-C', false],
])('ends where %s', async (_, isCut) => {
  let asked = 0;
  await using emulator = await listen((incoming, outgoing) => {
    if (incoming.url === '/_ready') return void outgoing.end('{"emulator":"runproof"}');
    if (++asked <= 2) return void outgoing.end('{"last":0,"entries":[]}');
    if (isCut) outgoing.writeHead(200, { 'content-length': 99 }).write('{', () => outgoing.destroy());
  });
  const { io, ended } = await following(emulator.url);
  await until(() => asked > 2);
  if (!isCut) io.interrupt();
  expect(await ended).toBe(0);
  expect(io.complained().includes('has ended')).toBe(isCut);
});

it.each(['http:/', 'http://', 'http:\\\\'])('shows no secret of a webhook: %s', async (start) => {
  await using server = await serving();
  const { io, ended } = await following(server.url, ['--json', '--log-only', 'webhook']);
  await run(server, { input: {}, webhook: `${start}ada:secret@127.0.0.1:9/a@b?token=secret#secret` });
  await until(() => io.printed() !== '');
  expect(JSON.parse(io.printed())).toMatchObject({ url: 'http://127.0.0.1:9/a@b?…' });
  io.interrupt();
  await ended;
});
