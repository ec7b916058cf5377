/** `judge --clients`: what recorded calls say of the clients that made them. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { PACKAGE_ROOT } from '../../../src/package-files.js';
import type { Report } from '../../../src/report/index.js';
import { runCli } from '../../../src/shell/program.js';
import { Digester } from '../../../src/traffic/digest.js';
import { lineOf } from '../../../src/traffic/index.js';
import { createFakeIo } from '../../cli/fake-io.js';
import { ordinary, type Caller } from '../../client/ordinary-traffic.js';
import { LIFE, line } from '../../traffic/recordings.js';

const NAME = 'app/1.0, 10.0.0.4, key a1b2c3';

/** Reads a job on that is COMPLETED. */
function careless(): Caller {
  const caller = ordinary();
  for (const _ of [1, 2, 3, 4]) caller.read('a', 'COMPLETED');
  return caller;
}

function recorded(caller: Caller, digester: Digester | null = null) {
  const io = createFakeIo();
  writeFileSync(
    join(io.cwd, 'calls.ndjson'),
    caller.exchanges.map((exchange) => lineOf(exchange, digester)).join(''),
  );
  const judge = (...options: readonly string[]): Promise<number> =>
    runCli(['judge', 'calls.ndjson', '--min-decided', '1', ...options], io);
  return { io, judge };
}

test('a client that breaks a rule is named, with its calls, and fails the command only if asked to', async () => {
  const { io, judge } = recorded(careless());
  expect(await judge()).toBe(0);
  expect(io.printed()).not.toContain('Clients');
  expect(await judge('--clients', '--out', 'report', '--format', 'json,html,markdown,terminal')).toBe(0);
  expect(io.printed()).toContain(`${NAME}: 66 calls, 14 jobs;`);
  expect(io.printed()).toContain(
    'client/stops-at-completed: it was told COMPLETED and read the job 4 more times (call ',
  );
  const [json, ...pages] = ['report.json', 'report.html', 'report.md'].map((file) =>
    readFileSync(join(io.cwd, 'report', file), 'utf8'),
  );
  for (const page of pages) expect(page).toContain('read the job 4 more times');
  const report = JSON.parse(json!) as Report;
  const schema = JSON.parse(readFileSync(join(PACKAGE_ROOT, 'schemas', 'report.schema.json'), 'utf8'));
  const validate = new Ajv2020({ allErrors: true, allowUnionTypes: true }).compile(schema as object);
  validate(report);
  expect(validate.errors).toBeNull();
  const [client] = report.clients!;
  expect(client!.violated.map(({ rule }) => rule)).toEqual(['client/stops-at-completed']);
  expect(client!.kept.length).toBeGreaterThanOrEqual(20);
  expect(await judge('--fail-on-client')).toBe(1);
});

test('a correct client breaks nothing, with digests too', async () => {
  for (const digester of [null, new Digester(Buffer.alloc(32))]) {
    const { io, judge } = recorded(ordinary(), digester);
    expect(await judge('--fail-on-client')).toBe(0);
    expect(io.printed()).toMatch(
      /app\/1\.0, 10\.0\.0\.4, key a1b2c3: 62 calls, 14 jobs; [23]\d rules decided, none broken/,
    );
  }
});

test('calls with a wrong method and refused ones are those of a client, too', async () => {
  const caller = ordinary().ask('cancel/a', { method: 'GET', code: 405, told: {} });
  for (const _ of [1, 2, 3, 4, 5, 6]) caller.read('b', '', { code: 401, told: {} });
  const { io, judge } = recorded(caller);
  await judge('--clients');
  expect(io.printed()).toContain('client/method: /cancel was called with GET; its method is POST');
  expect(io.printed()).toContain('client/no-repeat-of-refused: it made the same call 6 times');
});

test('--client-by tells processes apart where a recorder kept the header', async () => {
  const io = createFakeIo();
  const told = LIFE.map((one) => ({ ...line(one), requestHeaders: { 'X-Worker': 'w1' } }));
  writeFileSync(join(io.cwd, 'calls.ndjson'), told.map((one) => `${JSON.stringify(one)}\n`).join(''));
  await runCli(['judge', 'calls.ndjson', '--client-by', 'X-Worker'], io);
  expect(io.printed()).toContain(`w1: ${LIFE.length} calls, 1 job;`);
});

test('the client of a run is Runproof', async () => {
  const io = createFakeIo();
  writeFileSync(join(io.cwd, 'history.ndjson'), '{"kind":"run"}\n');
  expect(await runCli(['judge', 'history.ndjson', '--clients'], io)).toBe(2);
});
