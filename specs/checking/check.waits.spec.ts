/** `check(url)`: from an address to a verdict, in one call. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readSavedFailure } from '../../src/files/saved-failure.js';
import type { Report } from '../../src/report/index.js';
import type { Rules } from '../../src/core/rules.js';
import { intermittentLine } from '../../src/report/formatting.js';
import { MUTANTS } from '../../src/mutants/index.js';
import { check, LOCAL_API_KEY, RunproofError, startServer } from '../../src/index.js';

const SCOPE = { only: ['2.2/ttl-removes-running'], seed: 1, runs: 1 };
const { rules } = MUTANTS.find(({ id }) => id === 'ttl-spares-running')!;

describe('check', () => {
  it('throws nothing where the service conforms', { timeout: 120_000 }, async () => {
    const server = await startServer({ clock: 'controlled' });
    const { controlUrl } = server;
    const result = await check(server.url, { apiKey: LOCAL_API_KEY, controlUrl, ...SCOPE });
    await server.close();
    expect(result.conforms).toBe(true);
    expect(result.assertConforms()).toBeUndefined();
  });

  it('asserts with the cause, its smallest script and the proof', { timeout: 120_000 }, async () => {
    const server = await startServer({ clock: 'controlled', rules });
    const { controlUrl } = server;
    const url = server.url.replace('//', '//ada:geheim@');
    const result = await check(url, { apiKey: LOCAL_API_KEY, endpoint: 'test', controlUrl, ...SCOPE });
    await server.close();
    expect(result.conforms).toBe(false);
    const error = errorOf(() => result.assertConforms());
    expect(error).toBeInstanceOf(RunproofError);
    expect(error).toMatchObject({ code: 'does-not-conform', advice: null });
    const { message } = error as Error;
    expect(message).toMatch(/^DOES NOT CONFORM: 1 failed/);
    expect(message).toContain('\n2.2/ttl-removes-running A running job is deleted when its `ttl` expires.\n');
    expect(message).toMatch(/\nsteps: +submit by \/run a /);
    expect(message).toMatch(/\nactual: .*IN_PROGRESS\n/);
    expect(message).toContain('must be deleted by');
    expect(message).not.toContain('replay');
    const { failures } = result.report.requirements.find(({ verdict }) => verdict === 'fail')!;
    // Its endpoint was made for the script, and is gone.
    expect(failures[0]!.curl).toBeNull();
    expect(JSON.stringify(result.report) + message).not.toMatch(/geheim|runproof-local/);
  });

  it(
    'names a failure that does not repeat, and fails the service all the same',
    { timeout: 120_000 },
    async () => {
      let answers = 0;
      // Of the first hundred answers, some are wrong: those of a script that is played again are right.
      const fails = (): boolean => (answers += 1) <= 100 && answers % 10 === 0;
      const statusShown: Rules['statusShown'] = (job) => (fails() ? 'FAILED' : job.status);
      const out = mkdtempSync(join(tmpdir(), 'runproof-'));
      onTestFinished(() => rmSync(out, { recursive: true }));
      const scope = { only: ['4.3/shows-current-state'], seed: 1, runs: 1, out };
      const told: (readonly (string | null)[])[] = [];
      for (const shrink of [undefined, false]) {
        answers = 0;
        const server = await startServer({ clock: 'controlled', rules: { statusShown } });
        const { controlUrl } = server;
        const { report } = await check(server.url, { apiKey: LOCAL_API_KEY, controlUrl, ...scope, shrink });
        await server.close();
        expect(report.exitCode).toBe(1);
        if (shrink === undefined) await expectKept(report, out);
        told.push(report.requirements.filter(({ verdict }) => verdict === 'fail').map(intermittentLine));
      }
      const [played, notPlayed] = told;
      expect(played).toContain('intermittent: the same script failed in 0 of 2 more runs');
      expect(notPlayed!.every((line) => line === null)).toBe(true);
    },
  );

  it.each([
    ['nothing listens', 'http://127.0.0.1:1/v2/test', {}, 'target'],
    ['a selector matches nothing', null, { only: ['nonsense'] }, 'usage'],
  ] as const)('rejects where %s', async (_, address, options, code) => {
    const server = await startServer({ clock: 'controlled' });
    const { url, controlUrl } = server;
    const where = address === null ? { controlUrl } : {};
    const error = await check(address ?? url, { apiKey: LOCAL_API_KEY, ...where, ...options }).catch(
      (thrown: unknown) => thrown,
    );
    await server.close();
    expect(error).toBeInstanceOf(RunproofError);
    expect((error as RunproofError).code).toBe(code);
  });
});

/** The file, the shell script and the token of an intermittent failure say how often it failed. */
async function expectKept({ requirements }: Report, out: string): Promise<void> {
  const { failures } = requirements.find((one) => intermittentLine(one) !== null && one.failures.length > 1)!;
  // The one that was played again is the example of every format.
  expect(failures.map(({ confirmed }) => confirmed !== null)).toEqual([
    true,
    ...failures.slice(1).map(() => false),
  ]);
  expect(failures[0]!.steps?.length).toBeGreaterThan(0);
  // That one more run of another passes proves no more.
  expect(failures.length).toBeGreaterThan(1);
  for (const { script, shell, replay } of failures) {
    for (const saved of [join(out, script!), /rp1-\S+/.exec(replay!)![0]])
      expect((await readSavedFailure(saved, '/')).confirmed).toEqual({ failed: 0, plays: 2 });
    const text = readFileSync(join(out, shell!), 'utf8');
    expect(text.match(/it failed in 0 of 2 more runs; 11 runs without it are needed/g)).toHaveLength(2);
    expect(text).toMatch(/^# If they differ, that does not yet show that it is fixed: it failed in .*$/m);
  }
}

function errorOf(act: () => void): unknown {
  try {
    act();
  } catch (error) {
    return error;
  }
  return null;
}
