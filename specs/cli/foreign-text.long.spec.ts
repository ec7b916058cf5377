/** A target that says back what it was sent, and whose own words hold whatever a string can hold. */
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { unfinishedJobsIn } from '../../src/files/created-jobs.js';
import { runCli } from '../../src/shell/program.js';
import type { HistoryEvent } from '../../src/history/events.js';
import { createFakeIo, filesBelow, type FakeIo } from './fake-io.js';

const KEYS = {
  RUNPROOF_API_KEY: 'rp_Own7Key4f1b7c09d3eQ',
  RUNPROOF_UNPERMITTED_API_KEY: 'rp_NoPermission33cc44ddZ',
  RUNPROOF_OTHER_API_KEY: 'rp_OtherUser55ee66ffY',
};
const ALL_FORMATS = 'terminal,json,html,junit,ctrf,sarif,tap,markdown,github,har';
const SCOPE = [
  '--worker',
  'opaque',
  '--dedicated',
  '--profile',
  'quick',
  '--progress',
  'none',
  '--seed',
  '1',
];
/** C0 and C1 controls, bidirectional overrides, what nobody sees, half a character, no characters of XML. */
const HOSTILE =
  '\u001b]0;title\u0007\u001b[31m\u009b31m\u0085\u202e\u2066\u200b\u2028\u2029\ufeff\u0000\ud800\ufffe\u{e0041}<script>x</script>]]>';
const RAW =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufffe\uffff]|[\u{e0000}-\u{e0fff}]|\p{Surrogate}/u;

interface Job {
  open: boolean;
  readonly id: string;
}

interface HostileServer {
  readonly url: string;
  readonly jobs: readonly Job[];
}

/** `idOf` the number of the job; `textOf` what a reply says besides. */
async function hostileServer(
  idOf: (number: number) => string,
  textOf: (incoming: IncomingMessage) => string,
): Promise<HostileServer> {
  const jobs: Job[] = [];
  const server = createServer({ maxHeaderSize: 64 * 1024 }, (incoming, outgoing) => {
    incoming.resume();
    const text = textOf(incoming);
    const [, , , op = '', segment = ''] = (incoming.url ?? '').split(/[/?]/);
    const echo = { authorization: incoming.headers.authorization, text, url: incoming.url, [text]: text };
    let body: object = { ...echo, jobs: { [text]: 1 } };
    if (op === 'run' || op === 'runsync') {
      const job = { open: true, id: idOf(jobs.length) };
      jobs.push(job);
      body = { id: job.id, status: 'IN_QUEUE', ...echo };
    } else if (op === 'cancel') {
      const id = decodeURIComponent(segment);
      const found = jobs.filter((job) => Buffer.from(job.id).toString() === id);
      for (const job of found) job.open = false;
      body = found.length === 0 ? { error: text } : { id, status: 'CANCELLED', ...echo };
      outgoing.statusCode = found.length === 0 ? 404 : 200;
    } else if (op === 'status') body = { id: decodeURIComponent(segment), status: 'IN_PROGRESS', ...echo };
    outgoing.setHeader('content-type', 'application/json');
    outgoing.setHeader('x-echo', incoming.headers.authorization ?? '');
    outgoing.setHeader('x-basic', btoa(`user:${incoming.headers.authorization ?? ''}`));
    outgoing.setHeader('location', incoming.url ?? '');
    // Every third answer is no JSON, and cut off within what it says back.
    outgoing.end(
      jobs.length % 3 === 2 && op === 'health' ? `${'x'.repeat(1_990)}${text}` : JSON.stringify(body),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v2/test`, jobs };
}

function outputsOf(io: FakeIo): ReadonlyMap<string, string> {
  return new Map([...filesBelow(io.cwd), ['stdout', io.printed()], ['stderr', io.complained()]]);
}

async function check(url: string, io: FakeIo, ...more: readonly string[]): Promise<number> {
  return runCli(['check', url, ...SCOPE, '--out', 'out', '--format', ALL_FORMATS, ...more], io);
}

/** What of a key must stand nowhere: without its first and last character, in any case and any writing. */
function traces(key: string): readonly string[] {
  const core = key.slice(1, -1);
  const swapped = [...core].map((c) => (c === c.toUpperCase() ? c.toLowerCase() : c.toUpperCase())).join('');
  return [core, swapped].flatMap((one) => [
    one.toLowerCase(),
    Buffer.from(one).toString('hex'),
    ...['', 'x', 'xy'].map((before) => btoa(`${before}${one}`).slice(4, -4).toLowerCase()),
  ]);
}

it('no key, and nothing like one, stands in anything that a run writes', { timeout: 120_000 }, async () => {
  const server = await hostileServer(
    (number) => `job-${number}`,
    ({ headers: { authorization = '' }, url = '' }) =>
      [
        authorization,
        authorization.toUpperCase(),
        encodeURIComponent(authorization),
        JSON.stringify(JSON.stringify(authorization)),
        btoa(authorization),
        Buffer.from(`a${authorization}`).toString('base64url'),
        Buffer.from(authorization).toString('hex'),
        url,
      ].join(' '),
  );
  const io = createFakeIo({ env: KEYS });
  expect(
    await check(
      server.url,
      io,
      '--only',
      '5/nearly-right-keys',
      '--only',
      '5/key-without-permission',
      '--verbose',
    ),
  ).toBe(1);
  const outputs = outputsOf(io);
  expect([...outputs.keys()]).toContain('out/calls.har');
  const history = outputs.get('out/history.ndjson') ?? '';
  const shown = new Set([...history.matchAll(/"auth":"([a-z-]+)"/g)].map(([, auth]) => auth));
  expect([...shown]).toEqual(
    expect.arrayContaining([
      'truncated',
      'truncated-start',
      'other-case',
      'followed',
      'unpermitted',
      'in-query',
    ]),
  );
  for (const key of Object.values(KEYS))
    for (const trace of traces(key))
      expect(
        [...outputs].filter(([, text]) => text.toLowerCase().includes(trace)).map(([name]) => name),
      ).toEqual([]);
});

it(
  'nothing that a terminal or an editor acts upon stands in anything that a run writes',
  { timeout: 120_000 },
  async () => {
    const server = await hostileServer(
      (number) => `job ${number}${HOSTILE.replace('\ud800', '')}`,
      () => HOSTILE,
    );
    const io = createFakeIo({ env: { RUNPROOF_API_KEY: KEYS.RUNPROOF_API_KEY } });
    expect(
      await check(
        server.url,
        io,
        '--only',
        '5/nearly-right-keys',
        '--only',
        '4.5/cancel-with-any-worker',
        '--verbose',
      ),
    ).toBe(1);
    const outputs = outputsOf(io);
    expect([...outputs].filter(([, text]) => RAW.test(text)).map(([name]) => name)).toEqual([]);
    expect(
      [...outputs].filter(([name, text]) => name.endsWith('.html') && text.includes('<script>x')).length,
    ).toBe(0);
    const told = readFileSync(join(io.cwd, 'out/history.ndjson'), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as HistoryEvent)
      .flatMap((event) =>
        event.kind === 'call' && event.reply?.body.as === 'json' ? [event.reply.body.value] : [],
      );
    expect(told).toContainEqual(expect.objectContaining({ text: HOSTILE, [HOSTILE]: HOSTILE }));
    expect(server.jobs.filter(({ open }) => open)).toEqual([]);
  },
);

describe('ids of jobs', () => {
  it.each([
    ['half a character', (number: number) => `job-\ud800${number}`],
    ['NUL and line breaks', (number: number) => `job\u0000\r\n${number}`],
    ['slashes and dots', (number: number) => `../../${number}/purge-queue?x=1#y`],
    ['one dot or two', (number: number) => '.'.repeat(1 + (number % 2))],
    ['percent signs', (number: number) => `%${number}%zz%2F%`],
    ['names of members', (number: number) => ['__proto__', 'constructor', 'toString'][number % 3]!],
    ['quotes and blanks', (number: number) => `"';$(touch x) \\ ${number}`],
    ['4,096 characters', (number: number) => `${number}-`.padEnd(4_096, 'x')],
  ])(
    'with %s keep no job alive, and no report from being written',
    { timeout: 120_000 },
    async (_what, idOf) => {
      const server = await hostileServer(idOf, () => 'x');
      const io = createFakeIo({ env: { RUNPROOF_API_KEY: KEYS.RUNPROOF_API_KEY } });
      expect([0, 1, 6]).toContain(await check(server.url, io, '--only', '4.5/cancel-with-any-worker'));
      expect(filesBelow(io.cwd).has('out/report.html')).toBe(true);
      expect(server.jobs.length).toBeGreaterThan(0);
      expect(server.jobs.filter(({ open }) => open)).toEqual([]);
      expect(unfinishedJobsIn('out/jobs.ndjson', io.cwd)).toEqual([]);
    },
  );

  it('of a megabyte are told as left behind, in few words', { timeout: 120_000 }, async () => {
    const server = await hostileServer(
      (number) => `${number}`.padEnd(2 ** 20, 'xy'),
      () => 'x',
    );
    const io = createFakeIo({ env: { RUNPROOF_API_KEY: KEYS.RUNPROOF_API_KEY } });
    expect([0, 1, 6]).toContain(await check(server.url, io, '--only', '4.5/cancel-with-any-worker'));
    expect(io.printed()).toContain('could not be ended: test/');
    expect(io.printed().length).toBeLessThan(20_000);
    expect(unfinishedJobsIn('out/jobs.ndjson', io.cwd).length).toBe(server.jobs.length);
    expect(readFileSync(join(io.cwd, 'out/jobs.ndjson')).length).toBeLessThan(server.jobs.length * 5_000);
  });
});

describe('clean', () => {
  const created = (job: string): string => `${JSON.stringify({ endpoint: 'test', job, event: 'created' })}\n`;

  it('ends every other job, whatever the id of one is and whichever line was cut off', async () => {
    const ids = ['first', 'job-\ud800', '..', 'a\u0000/b', 'x'.repeat(5_000), 'of [redacted]', 'last'];
    const server = await hostileServer(
      (number) => ids[number]!,
      () => 'x',
    );
    for (let index = 0; index < ids.length; index += 1)
      await fetch(`${server.url}/run`, { method: 'POST' }).then((reply) => reply.text());
    const io = createFakeIo({ env: { RUNPROOF_API_KEY: KEYS.RUNPROOF_API_KEY } });
    const header = `${JSON.stringify({ schema: 'runproof-jobs/1', url: new URL(server.url).origin, auth: 'bare' })}\n`;
    writeFileSync(
      join(io.cwd, 'jobs.ndjson'),
      `${header}${ids.map(created).join('\n{"cut\n')}{"endpoint":"te`,
    );
    expect(await runCli(['clean', 'jobs.ndjson'], io)).toBe(3);
    expect(server.jobs.filter(({ open }) => open).map(({ id }) => id)).toEqual(['of [redacted]']);
    expect(io.printed()).toContain('6 jobs ended');
    expect(io.complained()).toContain(
      '1 job could not be ended: test/of [redacted]; 7 lines of jobs.ndjson cannot be read, line 4 first',
    );
    expect(await runCli(['clean', 'jobs.ndjson'], io)).toBe(3);
    expect(io.printed()).toContain('0 jobs ended');
  });
});
