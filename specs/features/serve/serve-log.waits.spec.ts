/** `serve --log` and `serve --watch`. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runCli } from '../../../src/shell/program.js';
import type { PageState } from '../../../src/server/page/page-state.js';
import { timeOfDay } from '../../../src/cli/request-log.js';
import { listen } from '../../support/servers.js';
import { until } from '../../support/until.js';
import { createFakeIo } from '../../cli/fake-io.js';

async function serving(args: readonly string[], files: { readonly [name: string]: string } = {}) {
  const io = createFakeIo({ env: { RUNPROOF_API_KEY: 'my-secret-key' } });
  const write = (name: string, text: string): void => writeFileSync(join(io.cwd, name), text);
  for (const [name, text] of Object.entries(files)) write(name, text);
  const ended = runCli(['serve', '--port', '0', ...args], io);
  await until(() => io.printed().includes('try:') || io.complained() !== '');
  const url = /serving (\S+)/.exec(io.printed())?.[1] ?? '';
  const headers = { authorization: 'my-secret-key', 'content-type': 'application/json' };
  const runsync = async (input: object): Promise<Record<string, unknown>> => {
    const body = JSON.stringify({ input });
    const reply = await fetch(`${url}/runsync?wait=5000&token=in-the-query`, {
      method: 'POST',
      headers,
      body,
    });
    return (await reply.json()) as Record<string, unknown>;
  };
  const end = (): Promise<number> => (io.interrupt(), ended);
  return { io, url, headers, write, runsync, end };
}

describe('--log', () => {
  it('prints a line for each request, without key, input or unknown parameters', async () => {
    const { io, url, headers, runsync, end } = await serving(['--log']);
    // No call of a client: our own commands look for test control there.
    expect((await fetch(new URL('/_control', url), { headers })).status).toBe(404);
    const { id } = await runsync({ secret: 'in-the-input' });
    await fetch(`${url}/status/${String(id)}`, { headers });
    await fetch(`${url}/status/none`, { headers: {} });
    await until(() => io.printed().includes(' 401 '));
    const lines = io
      .printed()
      .split('\n')
      .filter((line) => /^\d\d:/.test(line));
    const time = String.raw`^\d\d:\d\d:\d\d\.\d{3}`;
    expect(lines).toEqual([
      expect.stringMatching(
        new RegExp(`${time} POST /v2/test/runsync\\?wait=5000 200 \\d+ ms job ${String(id)}$`),
      ),
      expect.stringMatching(
        new RegExp(`${time} GET  /v2/test/status/${String(id)} 200 \\d+ ms job ${String(id)}$`),
      ),
      expect.stringMatching(new RegExp(`${time} GET  /v2/test/status/none 401 \\d+ ms job none$`)),
    ]);
    expect(io.printed()).not.toMatch(/in-the-|my-secret-key/);
    const { calls } = (await (await fetch(new URL('/_page/state', url))).json()) as PageState;
    expect(calls.map(({ path }) => path.slice(0, 12))).toEqual([
      '/v2/test/sta',
      '/v2/test/sta',
      '/v2/test/run',
    ]);
    expect(await end()).toBe(0);
  });

  it('=bodies adds what was sent and answered, without control characters', async () => {
    const { io, runsync, end } = await serving(['--log=bodies']);
    const { id } = await runsync({ text: 'sent\u001b[31m' });
    await until(() => io.printed().includes('  < {'));
    const printed = io.printed();
    expect(printed).toMatch(
      /POST \S+ 200 \d+ ms job \S+\n {2}> \{"input":\{"text":"sent.*\n {2}< \{.*"status":/,
    );
    expect(printed).toContain(String(id));
    expect(printed).not.toMatch(/\u001b|my-secret-key/);
    expect(await end()).toBe(0);
  });

  it('=json prints a line of JSON for each request', async () => {
    const { io, url, headers, runsync, end } = await serving(['--log=json']);
    const { id } = await runsync({ number: 7 });
    await fetch(`${url}/cancel/${String(id)}`, { method: 'POST', headers, body: 'no JSON' });
    await until(() => io.printed().includes('/cancel/'));
    const lines = io
      .printed()
      .split('\n')
      .filter((line) => line.startsWith('{'));
    const time = expect.stringMatching(/^\d{4}-/) as string;
    const shared = { fault: null, job: id, tookMs: expect.any(Number), time };
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
      expect.objectContaining({
        ...shared,
        ...{ number: 1, method: 'POST', path: '/v2/test/runsync?wait=5000', status: 200 },
        ...{ request: { input: { number: 7 } }, reply: expect.objectContaining({ id }) },
      }),
      expect.objectContaining({ ...shared, number: 2, request: 'no JSON' }),
    ]);
    expect(await end()).toBe(0);
    const wrong = createFakeIo();
    expect(await runCli(['serve', '--log=all'], wrong)).toBe(2);
    expect(wrong.complained()).toContain('--log must be one of lines, bodies, json');
  });

  it.each([
    [['--log-only', '/status 4xx'], / GET {2}\/v2\/test\/status\/none 401 /],
    [['--log-only', '-/runsync -health'], / GET {2}\/v2\/test\/status\/none 401 /],
    [['--log=json', '--log-only', '/status'], /^\{"number":2,.*"status":401,/],
  ])('%j prints only the calls that match', async (args, line) => {
    const { io, url, runsync, end } = await serving(args);
    await runsync({});
    await fetch(`${url}/status/none`);
    await until(() => io.printed().includes('401'));
    const printed = io
      .printed()
      .split('\n')
      .filter((one) => /^(\d\d:|\{)/.test(one));
    expect(printed).toEqual([expect.stringMatching(line)]);
    expect(await end()).toBe(0);
  });

  it('prints the faults of workers that match', async () => {
    const { io, runsync, end } = await serving(['--log-only', 'crash', '--fault', 'worker:#1=crash']);
    const { id } = await runsync({});
    await until(() => io.printed().includes(' fault worker crash'));
    expect(io.printed()).toContain(` fault worker crash, job ${String(id)}, by worker:#1=crash\n`);
    expect(io.printed()).not.toContain('POST /');
    expect(await end()).toBe(0);
  });

  it('refuses a filter that cannot be meant', async () => {
    const wrong = createFakeIo();
    expect(await runCli(['serve', '--log-only', 'run 9xx'], wrong)).toBe(2);
    expect(wrong.complained()).toContain('--log-only has 9xx, which is not a status code: write 1xx to 5xx');
  });

  it('prints what a handler throws, with its stack, and without control characters', async () => {
    const handler = `export default function inHandler({ input }) { throw new Error(input.text); }`;
    const { io, runsync, end } = await serving(['--log', '--handler', 'h.mjs'], { 'h.mjs': handler });
    const record = await runsync({ text: 'it broke\u001b[31m' });
    expect(record).toMatchObject({ status: 'FAILED' });
    await until(() => io.complained() !== '');
    expect(io.complained()).toContain(`the handler has failed job ${String(record['id'])}, on test-worker-`);
    expect(io.complained()).toContain('  Error: it broke');
    expect(io.complained()).toMatch(/ {2}at inHandler \(.*h\.mjs:1:\d+\)\n$/);
    expect(io.complained()).not.toContain('\u001b');
    await end();
  });

  it('shows the time of the endpoint where the clock is controlled', async () => {
    expect(timeOfDay(3_723_004)).toBe('01:02:03.004');
    const { io, runsync, end } = await serving(['--log', '--clock', 'controlled']);
    await runsync({});
    await until(() => io.printed().includes(' 200 '));
    expect(io.printed()).toContain('\n00:00:00.000 POST ');
    await end();
  });

  it('shows the faults of calls and of workers, and the seed that repeats them', async () => {
    const faults = ['--fault', 'status:#1=503', '--fault', 'worker:#1=crash', '--seed', '42'];
    const { io, url, headers, runsync, end } = await serving(['--log', ...faults]);
    expect(io.printed()).toContain('faults: seed 42 (--seed 42 repeats them for the same requests)\n');
    const { id } = await runsync({});
    await fetch(`${url}/status/${String(id)}`, { headers });
    await until(() => io.printed().includes(' 503 '));
    expect(io.printed()).toContain(` fault worker crash, job ${String(id)}, by worker:#1=crash\n`);
    expect(io.printed()).toMatch(/ GET {2}\/v2\/test\/status\/\S+ 503 \d+ ms job \S+ fault 503\n/);
    await end();
  });

  it('without it nothing is printed', async () => {
    const handler = `export default () => { throw new Error('it broke'); }`;
    const { io, runsync, end } = await serving(['--handler', 'h.mjs'], { 'h.mjs': handler });
    expect(await runsync({})).toMatchObject({ status: 'FAILED' });
    await end();
    expect(io.printed()).not.toContain('POST /');
    expect(io.complained()).toBe('');
  });
});

describe('--log of webhooks', () => {
  /** A job whose receiver answers 500, then 200; and one whose receiver answers nothing. The time is that of the clock. */
  async function calling(args: readonly string[]) {
    let calls = 0;
    await using receiver = await listen((_incoming, outgoing) =>
      outgoing.writeHead(calls++ === 0 ? 500 : 200).end(),
    );
    const { io, url, headers, end } = await serving(['--clock', 'controlled', ...args]);
    const post = async (to: string, body: object): Promise<Record<string, unknown>> => {
      const reply = await fetch(to, { method: 'POST', headers, body: JSON.stringify(body) });
      return (await reply.json()) as Record<string, unknown>;
    };
    const webhook = receiver.url.replace('//', '//user:secret@');
    const { id } = await post(`${url}/run`, { input: {}, webhook: `${webhook}/hook?token=secret` });
    const advance = `${url.replace(/v2.*/, '')}_control/clock/advance`;
    for (const byMs of [0, 10_000]) await post(advance, { byMs });
    const { id: deaf } = await post(`${url}/run`, { input: {}, webhook: 'http://127.0.0.1:9/' });
    for (const byMs of [0, 10_000, 10_000]) await post(advance, { byMs });
    expect(await end()).toBe(0);
    const printed = io
      .printed()
      .split('\n')
      .filter((line) => /^(\d\d:|\{)/.test(line));
    return { printed, id, deaf, hook: `${receiver.url}/hook?…` };
  }
  const timeless = (line: string): string => line.replace(/ \d+ ms /, ' N ms ');

  it('prints each attempt, why it failed, and when the next one comes', async () => {
    const { printed, id, deaf, hook } = await calling(['--log-only', 'webhook']);
    const none = 'webhook http://127.0.0.1:9/ failed (connect ECONNREFUSED 127.0.0.1:9) N ms job';
    expect(printed.map(timeless)).toEqual([
      `00:00:00.000 webhook ${hook} 500 N ms job ${String(id)} attempt 1, again in 10 s`,
      `00:00:10.000 webhook ${hook} 200 N ms job ${String(id)} attempt 2`,
      `00:00:10.000 ${none} ${String(deaf)} attempt 1, again in 10 s`,
      `00:00:20.000 ${none} ${String(deaf)} attempt 2, again in 10 s`,
      `00:00:30.000 ${none} ${String(deaf)} attempt 3, the last`,
    ]);
  });

  it('names the address that was called in place of the one of the job', async () => {
    await using receiver = await listen((_incoming, outgoing) => outgoing.end());
    const [to, prod] = [receiver.url.replace('//', '//user:secret@'), 'https://prod.example.com/hook/1'];
    for (const log of ['--log', '--log=json']) {
      const forward = ['--forward-webhooks', `${to}/fwd`];
      const { io, url, headers, end } = await serving([log, '--log-only', 'webhook', ...forward]);
      const body = JSON.stringify({ input: {}, webhook: prod });
      await fetch(`${url}/run`, { method: 'POST', headers, body });
      await until(() => io.printed().includes(prod));
      const called = `${receiver.url}/fwd`;
      expect(io.printed()).toContain(`webhooks go to ${called} instead of the addresses of the jobs\n`);
      if (log === '--log') expect(io.printed()).toContain(` webhook → ${called} (for ${prod}) 200 `);
      else expect(io.printed()).toContain(`"url":"${prod}","forwardedTo":"${called}","attempt":1,`);
      await end();
    }
  });

  it('takes the code of an answer for the filter, and prints JSON with the body', async () => {
    const { printed, id, hook } = await calling(['--log=json', '--log-only', '5xx']);
    const body = expect.objectContaining({ id, status: 'COMPLETED' });
    expect(printed.map((line) => JSON.parse(line) as unknown)).toEqual([
      {
        ...{
          kind: 'webhook',
          job: id,
          url: hook,
          forwardedTo: null,
          attempt: 1,
          atMs: 0,
          status: 500,
          error: null,
        },
        ...{ tookMs: expect.any(Number), time: expect.anything(), againInMs: 10_000, request: body },
      },
    ]);
  });
});

describe('--watch', () => {
  const returning = (text: string): string => `import { name } from './name.ts';
    export default async ({ input }: { input: { waitMs: number } }) => {
      await new Promise((resolve) => setTimeout(resolve, input.waitMs));
      return name + '${text}';
    };`;

  it('new jobs run the changed handler, running ones finish with the version before', async () => {
    const files = { 'h.ts': returning(' one'), 'name.ts': `export const name: string = 'first';` };
    const { io, write, runsync, end } = await serving(['--handler', 'h.ts', '--watch'], files);
    const slow = runsync({ waitMs: 3_000 });
    expect((await runsync({ waitMs: 0 }))['output']).toBe('first one');
    write('h.ts', returning(' two'));
    await until(() => io.complained().includes('h.ts has changed: new jobs run the new version'));
    expect((await runsync({ waitMs: 0 }))['output']).toBe('first two');
    write('name.ts', `export const name: string = 'second';`);
    await until(() => io.complained().split('has changed').length === 3);
    expect((await runsync({ waitMs: 0 }))['output']).toBe('second two');
    expect((await slow)['output']).toBe('first one');
    await end();
  });

  it('a version that cannot be loaded is reported, and the one before stays', async () => {
    const { io, write, runsync, end } = await serving(['--handler', 'h.mjs', '--watch'], {
      'h.mjs': `export default () => 'one';`,
    });
    write('h.mjs', `export default () => {`);
    await until(() => io.complained().includes('stays'));
    expect(io.complained()).toMatch(
      /the handler .*h\.mjs.* cannot be loaded: .*; the version before stays\n$/,
    );
    expect((await runsync({}))['output']).toBe('one');
    await end();
  });

  it.each([
    [['--watch'], '--watch requires the handler to load again: add --handler FILE'],
    [['--watch', '--handler', 'none.mjs'], '--handler none.mjs does not exist'],
  ])('serve %j is refused', async (args, complaint) => {
    const { io, end } = await serving(args);
    expect(io.complained()).toContain(complaint);
    expect(await end()).toBe(2);
  });
});
