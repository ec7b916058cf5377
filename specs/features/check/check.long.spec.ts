import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { type IncomingMessage, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterEach, describe, expect, it } from 'vitest';
import { runCli } from '../../../src/shell/program.js';
import type { FailureFile, Report } from '../../../src/report/index.js';
import { startServer } from '../../../src/server/index.js';
import { createFakeIo, filesBelow, type FakeIo } from '../../cli/fake-io.js';
import { forThisTest, listen } from '../../support/servers.js';

const KEY = 'sk-live-"7f3a9c&<d1';
/** A handful of scenarios that need no waiting. */
const FEW = ['--only', '9', '--seed', '1', '--runs', '1'];

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

/** A target that answers every call so. */
async function serveAnswers(
  answer: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<string> {
  const { url } = forThisTest(
    await listen((request, response) => {
      request.resume();
      request.on('end', () => answer(request, response));
    }),
  );
  return `${url}/v2/test`;
}

const check = (io: FakeIo, ...args: readonly string[]): Promise<number> => runCli(['check', ...args], io);
const reportIn = (io: FakeIo, folder = 'out'): Report =>
  JSON.parse(readFileSync(join(io.cwd, folder, 'report.json'), 'utf8')) as Report;

describe('the exit code of check', () => {
  it('0: the embedded endpoint conforms; the plan comes first, the verdict last', async () => {
    const io = createFakeIo();
    expect(await check(io, ...FEW)).toBe(0);
    expect(io.complained()).toMatch(
      /^seed 1: \d+ scripts? of .*\nreport: reports\/embedded-1\/report.html\nnext: npx runproof demo  /,
    );
    expect(io.printed().trimEnd()).toMatch(/\nSELECTION CONFORMS: .*\(exit 0\)$/);
    expect([...filesBelow(io.cwd).keys()].sort()).toEqual([
      'reports/embedded-1/history.ndjson',
      'reports/embedded-1/report.html',
      'reports/embedded-1/report.json',
      'reports/embedded.last-failed.json',
    ]);
    const schema = JSON.parse(readFileSync('schemas/report.schema.json', 'utf8')) as object;
    const validate = new Ajv2020({ allowUnionTypes: true }).compile(schema);
    validate(reportIn(io, 'reports/embedded-1'));
    expect(validate.errors).toBeNull();
  });

  it('1: a must failed, and its script can be replayed', async () => {
    const url = await serveAnswers((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"id":7,"status":"DONE"}');
    });
    const io = createFakeIo({ env: { RUNPROOF_API_KEY: KEY } });
    const args = [
      url,
      '--auth',
      'bare',
      '--worker',
      'opaque',
      '--only',
      '4.2',
      '--out',
      'out',
      '--profile',
      'quick',
    ];
    expect(await check(io, ...args, '--timeout', '2s', '--budget', '5s')).toBe(1);
    const failure = reportIn(io).requirements.flatMap(({ failures }) => failures)[0];
    expect(failure?.script).toMatch(/^failures\/.*\.json$/);
    expect(io.printed()).toMatch(/^  Actual: +/m);
    expect(io.complained()).toMatch(
      /^next: npx runproof show out 4\.2\/status-in-queue {2}open what was sent and what came back\n$/m,
    );
    const file = join('out', failure?.script ?? '');
    const saved = JSON.parse(readFileSync(join(io.cwd, file), 'utf8')) as FailureFile;
    expect(saved).toMatchObject({ schema: 'runproof-failure/1', expectedExit: 1 });

    const again = createFakeIo({ cwd: io.cwd, env: { RUNPROOF_API_KEY: KEY } });
    expect(await runCli(['replay', file, url, '--auth', 'bare', '--worker', 'opaque'], again)).toBe(1);
    expect(again.printed()).toMatch(/^FAILED: /m);
  });

  it('3: nothing listens there', async () => {
    const io = createFakeIo({ env: { RUNPROOF_API_KEY: KEY } });
    expect(await check(io, 'http://127.0.0.1:1/v2/test')).toBe(3);
    expect(io.complained().trimEnd().split('\n')).toHaveLength(1);
  });

  it('3: the key is refused everywhere', async () => {
    const url = await serveAnswers((_request, response) => response.writeHead(401).end());
    const io = createFakeIo({ env: { RUNPROOF_API_KEY: KEY } });
    expect(await check(io, url)).toBe(3);
    expect(io.complained()).toContain('refuses the API key');
  });

  it('4: an error of our own, with its stack when asked for', async () => {
    const broken = {
      timestamp: (): string => {
        throw new Error('the clock fell down');
      },
    };
    const io = createFakeIo(broken);
    expect(await check(io, ...FEW, '--verbose')).toBe(4);
    expect(io.complained()).toContain('the clock fell down\nThis is a bug of Runproof: please report it');
    expect(io.complained()).toMatch(/\n +at /);
  });

  it('6: less was decided than wanted', async () => {
    const io = createFakeIo();
    expect(await check(io, ...FEW, '--min-decided', '9999', '--quiet')).toBe(6);
    expect(io.printed()).toMatch(/^TOO LITTLE DECIDED: .*\n$/);
    expect(io.complained()).toBe('');
  });

  it('7: the budget ended first', async () => {
    const io = createFakeIo();
    expect(
      await check(io, '--seed', '1', '--runs', '1', '--only', '2.2', '--budget', '1ms', '--out', 'out'),
    ).toBe(7);
    expect(reportIn(io).exitCode).toBe(7);
  });

  it('130: interrupted, and the partial report is written', async () => {
    const io: FakeIo = createFakeIo({ timestamp: () => (setTimeout(() => io.interrupt(), 1), 'now') });
    expect(await check(io, '--seed', '1', '--runs', '1', '--only', '2.2', '--out', 'out')).toBe(130);
    expect(reportIn(io).exitCode).toBe(130);
    expect(filesBelow(io.cwd).has('out/report.html')).toBe(true);
  });
});

it('the key is in no output, although the target tells it everywhere', async () => {
  const url = await serveAnswers((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'x-key': KEY });
    response.end(JSON.stringify({ id: KEY, status: 'IN_QUEUE', [KEY]: `bearer ${KEY}` }));
  });
  const io = createFakeIo();
  writeFileSync(join(io.cwd, 'key.txt'), `${KEY}\n`);
  const formats = 'terminal,json,html,junit,ctrf,sarif,tap,markdown,github,har';
  const scope = [
    '--auth',
    'bare',
    '--worker',
    'opaque',
    '--only',
    '4.2',
    '--profile',
    'quick',
    '--budget',
    '2s',
  ];
  await check(
    io,
    url,
    '--api-key-file',
    'key.txt',
    '--format',
    formats,
    '--out',
    'out',
    '--verbose',
    ...scope,
  );
  const outputs = [
    ...filesBelow(join(io.cwd, 'out')),
    ['stdout', io.printed()],
    ['stderr', io.complained()],
  ] as const;
  expect(outputs.length).toBeGreaterThan(11);
  const forms = [
    KEY,
    JSON.stringify(KEY).slice(1, -1),
    encodeURIComponent(KEY),
    '7f3a9c',
    Buffer.from(KEY).toString('base64'),
  ];
  const leaks = outputs.filter(([, text]) => forms.some((form) => text.includes(form))).map(([name]) => name);
  expect(leaks).toEqual([]);
  expect(readFileSync(join(io.cwd, 'out', 'history.ndjson'), 'utf8')).toContain('[redacted]');
});

it('judge says of the recorded history what check said of the run', { timeout: 120_000 }, async () => {
  const io = createFakeIo();
  // Bodies of ten megabytes and streamed texts of two are among them.
  const scope = ['--only', '9', 'scenarios/4.2/payload', '4.4'];
  await check(io, ...scope, '--seed', '1', '--runs', '1', '--out', 'out');
  const again = createFakeIo({ cwd: io.cwd });
  expect(await runCli(['judge', 'out/history.ndjson', ...scope, '--out', 'again'], again)).toBe(0);
  const { requirements, openQuestions } = reportIn(io, 'again');
  expect({ requirements, openQuestions }).toEqual({
    requirements: reportIn(io, 'out').requirements,
    openQuestions: reportIn(io, 'out').openQuestions,
  });
  const decided = (id: string): number => requirements.find((one) => one.id === id)?.decided ?? 0;
  expect(decided('4.4/large-output-rejoins')).toBeGreaterThan(0);
  expect(decided('4.2/payload-up-to-limit-accepted')).toBeGreaterThan(0);
  expect(statSync(join(io.cwd, 'out', 'history.ndjson')).size).toBeLessThan(1_000_000);
});

it('the configuration file gives what the command line does not', async () => {
  const server = await startServer({ clock: 'controlled', apiKeys: [KEY] });
  closers.push(() => server.close());
  const io = createFakeIo();
  writeFileSync(
    join(io.cwd, 'runproof.config.mjs'),
    `export default ${JSON.stringify({
      url: server.url,
      control: server.controlUrl,
      apiKey: KEY,
      seed: 7,
      runs: 1,
      only: ['9'],
      out: 'from-file',
      quiet: true,
    })}`,
  );
  expect(await check(io, '--out', 'from-line')).toBe(0);
  expect(reportIn(io, 'from-line').seed).toBe(7);
  expect(reportIn(io, 'from-line').target.url).toBe(server.url);
});

it('the same seed draws the same scripts', async () => {
  const historyOf = async (): Promise<string[]> => {
    const io = createFakeIo();
    await check(io, ...FEW, '--out', 'out');
    const lines = readFileSync(join(io.cwd, 'out', 'history.ndjson'), 'utf8')
      .trimEnd()
      .split('\n');
    return lines.filter((line) => line.startsWith('{"kind":"script"'));
  };
  expect(await historyOf()).toEqual(await historyOf());
});
