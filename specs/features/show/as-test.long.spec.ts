/**
 * A planted bug, found under test control, as a test: red against the server with the bug, green against a correct one. It runs the
 * text of the test, which knows nothing of Runproof. `WHOLE=1` tries every planted bug; otherwise the commit draws a few.
 */
import { execFile, execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import ts from 'typescript';
import { describe, expect, it, onTestFinished } from 'vitest';
import { named } from '../../../scenarios/index.js';
import { rulesFor } from '../../../src/core/rules.js';
import { testOf } from '../../../src/features/show/as-test/index.js';
import { checkTarget, simulatorTarget, type CheckResult } from '../../../src/index.js';
import { MUTANTS, type Mutant } from '../../../src/mutants/index.js';
import type { Report } from '../../../src/report/index.js';
import { startServer, type RunningServer } from '../../../src/server/index.js';
import { runCli } from '../../../src/shell/program.js';
import { scalingOf } from '../../../proof/trials/faulty-server.js';
import { createFakeIo } from '../../cli/fake-io.js';
import type { FaultId } from '../../naive/faults/index.js';
import { startNaive, type Naive } from '../../naive/server.js';
import { drawnByCommit } from '../../support/whole.js';

/** How many shares the faults are divided into. */
const SHARES = 250;
const KEYS = { apiKeys: ['Rp-key-of-the-specs', 'other-user'], unpermittedKeys: ['no-permission'] };

/** Why there may be no test. */
const NO_TEST =
  /^(it would have \d+ lines|it holds back the last byte|no answer of the many|many of its calls wait|it is not known how many workers|it needs a storage|it is intermittent|the run as a whole|these scenarios alone)/;

/** These come from other jobs of the run, from how many there were, or from how a body was sent: the calls of a test may not meet them. */
const MAY_BE_GREEN: readonly string[] = [
  'health-as-of-before',
  'now-and-then-chunk-repeated',
  'now-and-then-end-unnoticed',
  'now-and-then-input-of-another',
  'now-and-then-not-found',
  'now-and-then-purge-spares',
  'now-and-then-removed-one-too-many',
  'now-and-then-retry-with-empty-input',
  'now-and-then-stale-status',
  'now-and-then-timeout-ignored',
  'now-and-then-webhook-not-repeated',
  'one-job-at-a-time',
  'one-job-at-a-time-everywhere',
  'payload-chunked-unlimited',
  'purge-closes-queue',
  's3-config-lingers',
  'timeout-shared',
  'ttl-shared',
  'webhook-of-first-job',
];

/** What a run of the scenarios about it finds first. */
function found(mutant: Mutant): Promise<CheckResult> {
  const about: readonly string[] = mutant.breaks;
  const scaling = scalingOf(mutant.id);
  const target = simulatorTarget({
    ...{ seed: 1, graceMs: 2_000, rules: mutant.rules(rulesFor({}, 'document')) },
    ...(scaling && { scaling }),
  });
  const scenarios = named.filter(({ exercises }) => exercises.some((id) => about.includes(id)));
  return checkTarget(target, { seed: 1, runs: 1, scenarios });
}

/** The tests in each language, or why there are none. */
async function testsOf(mutant: Mutant): Promise<{ readonly [language: string]: string } | string> {
  const { report, history } = await found(mutant);
  const first = report.causes?.[0]?.requirement;
  const failing = report.requirements.filter(({ failures }) => failures.length > 0);
  const requirement = failing.find(({ id }) => id === first) ?? failing[0];
  if (requirement === undefined) return 'these scenarios alone do not show it';
  const texts: { [language: string]: string } = {};
  for (const language of ['vitest', 'pytest'] as const) {
    const test = testOf(report, requirement, history, {}, language);
    if (typeof test === 'object') texts[language] = test.text;
    else if (language === 'vitest') return test;
  }
  return texts;
}

const serverOf = (mutant: Mutant | null): Promise<RunningServer> => {
  const base = rulesFor({}, 'document');
  return startServer({
    ...{ clock: 'controlled', onError: () => {}, ...KEYS },
    rules: mutant === null ? base : mutant.rules(base),
  });
};

const environmentOf = ({ url, apiKey = KEYS.apiKeys[0] }: Reached): NodeJS.ProcessEnv => ({
  RUNPROOF_URL: url,
  RUNPROOF_API_KEY: apiKey,
  RUNPROOF_OTHER_API_KEY: KEYS.apiKeys[1],
  RUNPROOF_UNPERMITTED_API_KEY: KEYS.unpermittedKeys[0],
});

/** Where a test finds a server. */
type Reached = Pick<RunningServer, 'url'> & { readonly apiKey?: string };

type Body = () => Promise<void>;
type Make = (...names: readonly unknown[]) => Promise<void>;

/** Runs the text of a test for vitest as vitest would, in this process. Null: it is green; otherwise what it says. */
async function ran(text: string, server: Reached): Promise<string | null> {
  const options = { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext };
  const { outputText } = ts.transpileModule(text.replaceAll(/^import .*$/gm, ''), {
    compilerOptions: options,
  });
  const names = ['expect', 'test', 'onTestFinished', 'process', 'createServer', 'pause'];
  const AsyncFunction = (async () => {}).constructor as new (...words: readonly string[]) => Make;
  const receivers: Server[] = [];
  const finishing: Body[] = [];
  let body: Body = () => Promise.reject(new Error('there is no test'));
  const test = (_: string, __: unknown, given: Body): void => void (body = given);
  const receiver: typeof createServer = (...given: readonly unknown[]) => {
    const made = createServer(...(given as Parameters<typeof createServer>));
    receivers.push(made);
    return made;
  };
  await new AsyncFunction(...names, outputText)(
    expect,
    test,
    (does: Body) => void finishing.push(does),
    { env: environmentOf(server) },
    receiver,
    pause,
  );
  try {
    await body();
    return null;
  } catch (error) {
    return String(error);
  } finally {
    for (const does of finishing) await does();
    for (const each of receivers) each.close();
    const headers = { authorization: server.apiKey ?? KEYS.apiKeys[0]! };
    const left = await fetch(`${server.url}/_control/endpoints/as-a-test`, { headers });
    expect(left.status).toBe(404);
  }
}

const PYTEST = ['pytest', 'py.test'].find((program) => {
  try {
    execFileSync(program, ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
});

/** Null: it is green; otherwise what pytest says. */
async function ranByPytest(text: string, server: Reached): Promise<string | null> {
  const folder = mkdtempSync(join(tmpdir(), 'as-test-'));
  writeFileSync(join(folder, 'test_failure.py'), text);
  const env = { ...process.env, ...environmentOf(server) };
  try {
    await promisify(execFile)(PYTEST!, ['-q', '-p', 'no:cacheprovider', folder], { env, timeout: 60_000 });
    return null;
  } catch (error) {
    return (error as { readonly stdout: string }).stdout;
  }
}

describe('a failure as a test', () => {
  it.each(drawnByCommit(MUTANTS, SHARES).map((mutant) => [mutant.id, mutant] as const))(
    'of %s is red until that is mended',
    async (id, mutant) => {
      const texts = await testsOf(mutant);
      if (typeof texts === 'string') {
        expect(texts).toMatch(NO_TEST);
        return;
      }
      await using faulty = await serverOf(mutant);
      await using right = await serverOf(null);
      const mayBeGreen = MAY_BE_GREEN.includes(id);
      expect(await ran(texts['vitest']!, right), texts['vitest']).toBeNull();
      if (!mayBeGreen) expect(await ran(texts['vitest']!, faulty), texts['vitest']).not.toBeNull();
      if (PYTEST === undefined || texts['pytest'] === undefined || mayBeGreen) return;
      const inPython = [
        await ranByPytest(texts['pytest'], faulty),
        await ranByPytest(texts['pytest'], right),
      ];
      expect(inPython, texts['pytest']).toEqual([expect.stringContaining('1 failed'), null]);
    },
    300_000,
  );

  it.each<[FaultId, string]>([
    ['ttl-ignored-while-running', '2.2/ttl-default-of-a-running-job'],
    ['webhook-never', '6/called-at-completion'],
  ])('of the naive server with %s, found over HTTP, is red until that is mended', async (fault, only) => {
    const [faulty, right] = [await naive(fault), await naive()];
    const io = createFakeIo({ env: { RUNPROOF_API_KEY: faulty.apiKey } });
    const where = [`${faulty.url}/v2/${faulty.endpointId}`, '--control', faulty.controlUrl];
    expect(await runCli(['check', ...where, '--only', only, '--seed', '1', '--out', 'r'], io)).toBe(1);
    const report = JSON.parse(readFileSync(join(io.cwd, 'r/report.json'), 'utf8')) as Report;
    const rule = report.causes![0]!.requirement;
    const printed = io.printed().length;
    expect(await runCli(['show', 'r', rule, '--as', 'vitest'], io)).toBe(0);
    const text = io.printed().slice(printed);
    expect([await ran(text, faulty), await ran(text, right)], text).toEqual([expect.any(String), null]);
  });
});

async function naive(fault?: FaultId): Promise<Naive> {
  const server = await startNaive({ clock: 'controlled', ...(fault === undefined ? {} : { fault }) });
  onTestFinished(() => server.close());
  return server;
}
