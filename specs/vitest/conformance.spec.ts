import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { conformance } from '../../src/vitest.js';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const VITEST = join(ROOT, 'node_modules/vitest/vitest.mjs');
const TIMEOUT_MS = 60_000;

interface Test {
  readonly ancestorTitles: readonly string[];
  readonly title: string;
  readonly status: 'passed' | 'failed' | 'skipped' | 'pending';
  readonly failureMessages: readonly string[];
}

/** Runs the faulty fixture in a vitest of its own. */
function runFixture(out: string, environment: NodeJS.ProcessEnv = {}): Promise<readonly Test[]> {
  const report = join(out, 'vitest.json');
  const args = ['run', '--config', 'specs/vitest/fixtures/vitest.config.mjs', '--reporter=json'];
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [VITEST, ...args, `--outputFile=${report}`],
      { cwd: ROOT, env: { ...process.env, OUT: out, ...environment } },
      () => {
        const { testResults } = JSON.parse(readFileSync(report, 'utf8')) as {
          testResults: readonly { readonly assertionResults: readonly Test[] }[];
        };
        resolve(testResults.flatMap(({ assertionResults }) => assertionResults));
      },
    );
  });
}

describe('a suite over a faulty implementation', () => {
  let out: string;
  let tests: readonly Test[];
  const named = (id: string): Test | undefined => tests.find(({ title }) => title.startsWith(id));

  beforeAll(async () => {
    out = mkdtempSync(join(tmpdir(), 'runproof-vitest-'));
    tests = await runFixture(out);
  }, TIMEOUT_MS);
  afterAll(() => rmSync(out, { recursive: true, force: true }));

  it('has a test for each requirement asked for, by sections', () => {
    expect(tests.map(({ title, ancestorTitles }) => [ancestorTitles.at(-1), title.split(' ')[0]])).toEqual([
      ['conformance', 'decides'],
      [expect.stringMatching(/^§2\.2 .*policy/), '2.2/low-priority-no-scaling'],
      [expect.stringMatching(/^§2\.2 .*policy/), '2.2/ttl-starts-at-submission'],
      [expect.stringMatching(/^§2\.2 .*policy/), '2.2/ttl-removes-queued'],
    ]);
  });

  it('passes what is kept, and skips what cannot be decided', () => {
    expect(named('decides')?.status).toBe('passed');
    expect(named('2.2/ttl-removes-queued')?.status).toBe('passed');
    expect(['skipped', 'pending']).toContain(named('2.2/low-priority-no-scaling')?.status);
  });

  it('fails what is not, with the proof, the call and the line that replays it', () => {
    const failed = named('2.2/ttl-starts-at-submission');
    expect(failed?.status).toBe('failed');
    const message = failed?.failureMessages.join('\n') ?? '';
    expect(message).toMatch(/expected: .*\nactual: .*IN_PROGRESS\n/);
    expect(message).toMatch(/ttl set not after .* must be deleted by .*\n.*but it was still there at /);
    expect(message).toMatch(/curl -sS -i "\$BASE_URL"\S*\/status\//);
    expect(message).toMatch(
      /replay: RUNPROOF_REPLAY=\S+\.json npx vitest run specs\/vitest\/fixtures\/faulty\.ts/,
    );
  });

  it('replays the script of a failure alone', { timeout: TIMEOUT_MS }, async () => {
    const message = named('2.2/ttl-starts-at-submission')?.failureMessages.join('\n') ?? '';
    const file = join(ROOT, /RUNPROOF_REPLAY=(\S+)/.exec(message)?.[1] ?? 'nothing');
    expect(existsSync(file)).toBe(true);
    tests = await runFixture(out, { RUNPROOF_REPLAY: file });
    expect(named('2.2/ttl-starts-at-submission')?.status).toBe('failed');
    expect(['skipped', 'pending']).toContain(named('2.2/ttl-removes-queued')?.status);
  });
});

describe('a suite', () => {
  it('of nothing is refused at once', () => {
    expect(() =>
      conformance(() => Promise.reject(new Error('never made')), { only: ['2.2/ttl-remvoes'] }),
    ).toThrow('Did you mean');
  });
});
