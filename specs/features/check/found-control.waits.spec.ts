/** `check` of a server on this machine: test control and the key of our own `serve` are found, and said. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { runCli } from '../../../src/shell/program.js';
import { LOCAL_API_KEY } from '../../../src/server/index.js';
import { forThisTest, listen, serve } from '../../support/servers.js';
import { createFakeIo } from '../../cli/fake-io.js';

const FEW = ['--only', '2.2/execution-timeout-stops-run', '--runs', '1', '--seed', '1', '--no-shrink'];

it(
  'a server whose clock stands still passes without --control and without a key',
  { timeout: 60_000 },
  async () => {
    const { url } = await serve({
      clock: 'controlled',
      apiKeys: [LOCAL_API_KEY],
      endpoints: ['test'],
    });
    const io = createFakeIo({ env: {} });
    const code = await runCli(['check', `${url}/v2/test`, ...FEW, '--out', 'r'], io);
    const said = io.complained();
    expect(said).toContain('no API key in RUNPROOF_API_KEY or --api-key-file: ');
    expect(said).toContain(`trying ${LOCAL_API_KEY}, the key of runproof serve`);
    expect(said).toContain(`test control found: the run moves the clock, as with --control ${url}/_control`);
    expect(io.printed()).toContain('SELECTION CONFORMS');
    expect(code).toBe(0);
  },
);

it('test control whose clock moves by itself is not used', { timeout: 60_000 }, async () => {
  const { url } = forThisTest(
    await listen((request, response) => {
      const nowMs = Math.floor(performance.now() * 100);
      const offer = { protocol: 'test-control/1', features: ['clock', 'endpoints'] };
      const body = { '/_control': offer, '/_control/clock': { nowMs, nextEventAtMs: null } }[request.url!];
      response.writeHead(body === undefined ? 404 : 200).end(JSON.stringify(body ?? {}));
    }),
  );
  const io = createFakeIo({ env: { RUNPROOF_API_KEY: 'k' } });
  await runCli(['check', `${url}/v2/test`, ...FEW, '--out', 'r'], io);
  expect(io.complained()).not.toContain('test control found');
  await runCli(['check', `${url}/v2/test`, ...FEW, '--control', `${url}/_control`, '--out', 'r'], io);
  expect(io.complained()).toMatch(/the clock of test control does not stand still: it is \d+ ms ahead/);
});

it('elsewhere it is only named', { timeout: 60_000 }, async () => {
  const { url } = await serve({
    clock: 'controlled',
    apiKeys: ['k'],
    endpoints: ['test'],
  });
  const io = createFakeIo({ env: { RUNPROOF_API_KEY: 'k' } });
  const slow = ['--calls-per-second', '50', '--budget', '3s'];
  await runCli(['check', `${url}/v2/test`, '--only', '9', '1', ...slow, '--out', 'r'], io);
  expect(io.complained()).toContain(`test control answers at ${url}/_control: add --control ${url}/_control`);
  expect(io.printed()).toContain('clock real');
  expect(io.complained()).toMatch(
    new RegExp(`check .* --control ${url}/_control +decide \\d+ rules? more`, 'm'),
  );
});

it.each([
  ['the document', [], true],
  ['its own edition', ['--edition', 'runpod'], false],
])(
  'of our own serve with the edition runpod, %s is checked, and what is another one is said',
  { timeout: 60_000 },
  async (_, more, isSaid) => {
    const { url } = await serve({
      clock: 'controlled',
      edition: 'runpod',
      apiKeys: [LOCAL_API_KEY],
      endpoints: ['test'],
    });
    const io = createFakeIo({ env: {} });
    await runCli(['check', `${url}/v2/test`, ...FEW, ...more, '--out', 'r'], io);
    expect(io.complained().includes('follows the edition runpod')).toBe(isSaid);
    expect(io.complained().includes('add --edition runpod')).toBe(isSaid);
  },
);

/** It leads to this machine, and is no name of it. */
const elsewhere = (url: string): string => url.replace('127.0.0.1', '0.0.0.0');

it(
  'of a server elsewhere, no key is sent to an address that was not given',
  { timeout: 60_000 },
  async () => {
    const asked: (readonly [path: string | undefined, key: string | undefined])[] = [];
    const { url } = forThisTest(
      await listen((request, response) => {
        asked.push([request.url, request.headers.authorization]);
        response.writeHead(404).end();
      }),
    );
    const io = createFakeIo({ env: { RUNPROOF_API_KEY: 'secret-key' } });
    await runCli(['check', `${elsewhere(url)}/team/v2/test`, '--only', '9', '--out', 'r'], io);
    const outside = asked.filter(([path]) => !path!.startsWith('/team/'));
    expect(outside).toEqual([['/_control', undefined]]);
    expect(asked.some(([, key]) => key?.includes('secret-key'))).toBe(true);
  },
);

it('our own serve elsewhere says without a key that test control is there', { timeout: 60_000 }, async () => {
  const { url } = await serve({ clock: 'controlled', apiKeys: ['k'], endpoints: ['test'] });
  const io = createFakeIo({ env: { RUNPROOF_API_KEY: 'k' } });
  await runCli(['check', `${elsewhere(url)}/v2/test`, '--only', '9', '--budget', '3s', '--out', 'r'], io);
  expect(io.complained()).toContain(`test control answers at ${elsewhere(url)}/_control: add --control`);
});

it('clean, too, tries the key of runproof serve on this machine', { timeout: 60_000 }, async () => {
  const { url } = await serve({ apiKeys: [LOCAL_API_KEY], endpoints: ['test'], workers: 0 });
  const call = { method: 'POST', headers: { authorization: LOCAL_API_KEY }, body: '{"input":{}}' };
  const { id } = (await (await fetch(`${url}/v2/test/run`, call)).json()) as { readonly id: string };
  const io = createFakeIo({ env: {} });
  const lines = [
    { schema: 'runproof-jobs/1', url, auth: 'bare' },
    { endpoint: 'test', job: id, event: 'created' },
  ];
  writeFileSync(join(io.cwd, 'jobs.ndjson'), lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  expect(await runCli(['clean', 'jobs.ndjson'], io)).toBe(0);
  expect(io.printed()).toContain('1 job ended');
  const away = createFakeIo({ env: {}, cwd: io.cwd });
  writeFileSync(
    join(io.cwd, 'away.ndjson'),
    lines.map((line) => `${JSON.stringify(line).replace(url, 'http://192.0.2.1')}\n`).join(''),
  );
  expect(await runCli(['clean', 'away.ndjson'], away)).toBe(2);
  expect(away.complained()).toContain('the API key is missing');
});
