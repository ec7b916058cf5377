import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { HistoryEvent } from '../../src/history/events.js';
import { conformance } from '../../src/vitest.js';
import { compileLibrary } from '../server/kill/compiled.js';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const VITEST = join(ROOT, 'node_modules/vitest/vitest.mjs');
const TIMEOUT_MS = 60_000;

interface Test {
  readonly ancestorTitles: readonly string[];
  readonly title: string;
  readonly status: 'passed' | 'failed' | 'skipped' | 'pending';
  readonly failureMessages: readonly string[];
}

interface Ended {
  readonly tests: readonly Test[];
  /** What a user sees. */
  readonly printed: string;
}

let library: Awaited<ReturnType<typeof compileLibrary>>;
beforeAll(async () => {
  library = await compileLibrary();
}, TIMEOUT_MS);
afterAll(() => library.dispose());

/** Runs the faulty fixture in a vitest of its own. */
function runFixture(
  out: string,
  environment: NodeJS.ProcessEnv = {},
  more: readonly string[] = [],
): Promise<Ended> {
  const report = join(out, 'vitest.json');
  const args = [
    'run',
    '--config',
    'specs/vitest/fixtures/vitest.config.mjs',
    '--reporter=json',
    '--reporter=default',
  ];
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [VITEST, ...args, `--outputFile.json=${report}`, ...more],
      { cwd: ROOT, env: { ...process.env, OUT: out, LIBRARY: library.lib, NO_COLOR: '1', ...environment } },
      (_, printed) => {
        const { testResults } = JSON.parse(readFileSync(report, 'utf8')) as {
          testResults: readonly { readonly assertionResults: readonly Test[] }[];
        };
        resolve({ tests: testResults.flatMap(({ assertionResults }) => assertionResults), printed });
      },
    );
  });
}

/** The scenarios that were played, by the history in the folder. */
const scenariosIn = (out: string): readonly string[] =>
  readFileSync(join(out, 'history.ndjson'), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as HistoryEvent)
    .flatMap((event) => (event.kind === 'script' ? [event.scenario] : []));

describe('a suite over a faulty implementation', () => {
  let out: string;
  let tests: readonly Test[];
  let printed: string;
  const named = (id: string): Test | undefined => tests.find(({ title }) => title.startsWith(id));

  beforeAll(async () => {
    out = mkdtempSync(join(tmpdir(), 'runproof-vitest-'));
    ({ tests, printed } = await runFixture(out));
  }, TIMEOUT_MS);
  afterAll(() => rmSync(out, { recursive: true, force: true }));

  it('has a test for each requirement asked for, by sections', () => {
    expect(tests.map(({ title, ancestorTitles }) => [ancestorTitles.at(-1), title.split(' ')[0]])).toEqual([
      ['conformance', 'decides'],
      [expect.stringMatching(/^§2\.2 .*policy/), '2.2/low-priority-no-scaling'],
      [expect.stringMatching(/^§2\.2 .*policy/), '2.2/ttl-starts-at-submission'],
      [expect.stringMatching(/^§2\.2 .*policy/), '2.2/ttl-removes-queued'],
      [expect.stringMatching(/^§2\.2 .*policy/), '2.2/ttl-removes-retried'],
    ]);
  });

  it('passes what is kept, and skips what cannot be decided', () => {
    expect(named('decides')?.status).toBe('passed');
    expect(named('2.2/ttl-removes-queued')?.status).toBe('passed');
    expect(['skipped', 'pending']).toContain(named('2.2/low-priority-no-scaling')?.status);
  });

  it('fails what is not, with the smallest script in words, the proof, and the line that replays it', () => {
    const failed = named('2.2/ttl-starts-at-submission');
    expect(failed?.status).toBe('failed');
    const message = failed?.failureMessages.join('\n') ?? '';
    expect(message).toMatch(
      /\nsteps: +submit by \/run \w+ .*\n( +.*\n)* +wait .*\n( +.*\n)*expected: .*\nactual: .*IN_PROGRESS\n/,
    );
    // The names get short last. On a machine that does other work, the time for it may be over.
    if (!printed.includes('shrinking stopped after')) expect(message).toMatch(/\nsteps: +submit by \/run a /);
    expect(message).toMatch(/ttl set by .* must be deleted by .*\n.*but it was still there at /);
    expect(message).toMatch(
      /replay: RUNPROOF_REPLAY=\S+\.json npx vitest run specs\/vitest\/fixtures\/faulty\.ts/,
    );
    // No shell can call a target without an address.
    expect(message).not.toContain('curl');
    expect(message.split('\n').length).toBeLessThanOrEqual(25);
  });

  it('tells how far it is, the verdict, the cause and the page of the report', () => {
    expect(printed).toMatch(/conformance: \d+ of \d+ scripts after [\d.]+ m?s\n/);
    expect(printed).toContain('conformance: judging after ');
    expect(printed).toMatch(/conformance: DOES NOT CONFORM: \d failed/);
    expect(printed).toMatch(/conformance: cause: 2\.2\/ttl-\S+; therefore also 2\.2\/ttl-\S+\n/);
    const page = /conformance: report: (\S+report\.html)\n/.exec(printed)?.[1] ?? 'nothing';
    expect(readFileSync(join(ROOT, page), 'utf8')).toContain('2.2/ttl-starts-at-submission');
  });

  it('names the cause first in what fails for the same reason', () => {
    const cause = /conformance: cause: (\S+);/.exec(printed)?.[1] ?? '';
    const failed = tests.filter(({ status }) => status === 'failed');
    const [own, other] = [
      failed.find(({ title }) => title.startsWith(cause)),
      failed.find(({ title }) => !title.startsWith(cause)),
    ].map((test) => test?.failureMessages.join('\n'));
    expect(other).toMatch(new RegExp(`^.*\nsame cause as ${cause}\n`));
    expect(own).not.toContain('same cause');
  });

  it('replays the script of a failure alone', { timeout: TIMEOUT_MS }, async () => {
    const message = named('2.2/ttl-starts-at-submission')?.failureMessages.join('\n') ?? '';
    const file = join(ROOT, /RUNPROOF_REPLAY=(\S+)/.exec(message)?.[1] ?? 'nothing');
    expect(existsSync(file)).toBe(true);
    ({ tests } = await runFixture(out, { RUNPROOF_REPLAY: file }));
    expect(named('2.2/ttl-starts-at-submission')?.status).toBe('failed');
    expect(['skipped', 'pending']).toContain(named('2.2/ttl-removes-queued')?.status);
  });

  it('plays with a filter what its tests need, and no more', { timeout: TIMEOUT_MS }, async () => {
    const own = join(out, 'filtered');
    mkdirSync(own);
    ({ tests } = await runFixture(own, {}, ['-t', '2.2/ttl-removes-queued']));
    expect(tests.filter(({ status }) => status === 'passed').map(({ title }) => title.split(' ')[0])).toEqual(
      ['2.2/ttl-removes-queued'],
    );
    const [all, few] = [scenariosIn(out), scenariosIn(own)];
    expect(few.length).toBeGreaterThan(0);
    expect(few.filter((name) => !all.includes(name))).toEqual([]);
    expect(new Set(few).size).toBeLessThan(new Set(all).size);
  });
});

describe('a suite', () => {
  it('of nothing is refused at once', () => {
    expect(() =>
      conformance(() => Promise.reject(new Error('never made')), { only: ['2.2/ttl-remvoes'] }),
    ).toThrow('Did you mean');
  });
});
