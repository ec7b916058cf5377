import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { runCli } from '../../../src/shell/program.js';
import { drawScript } from '../../../src/scenario/draw.js';
import type { Script } from '../../../src/scenario/index.js';
import { userScenarios } from '../../../src/features/check/own-scenarios.js';
import { createFakeIo } from '../../cli/fake-io.js';

const EXAMPLES = fileURLToPath(new URL('../../../examples/scenarios/', import.meta.url));

/** A folder with these files, far from any package. */
function folderOf(files: { readonly [path: string]: string }): string {
  const root = mkdtempSync(join(tmpdir(), 'runproof-own-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, 'mine', path)), { recursive: true });
    writeFileSync(join(root, 'mine', path), text);
  }
  return root;
}

const TYPED = `
  import { scenario, type Step } from 'runproof';
  import { LENGTH_MS } from './_lengths.ts';

  interface Parameters { readonly ms: number }

  export default scenario<Parameters>({
    title: 'mine',
    exercises: ['4.2/status-in-queue'],
    draw: (arb) => ({ ms: arb.integer(1, LENGTH_MS) }),
    script: ({ ms }, s): readonly Step[] => [s.run('job', { policy: { ttl: 10_000 + ms } })],
  });
`;

const SAVED = JSON.stringify({
  schema: 'runproof-script/1',
  scenario: 'recorded',
  title: 'two calls',
  seed: 0,
  needs: [],
  workers: 2,
  exclusive: false,
  expectedMs: 7_000,
  steps: [
    { do: 'run', job: 'a', input: { plan: [{ hang: true }] } },
    { do: 'cancel', job: 'a', at: { waitMs: 7_000 } },
    { do: 'status', job: 'a' },
  ],
} satisfies Script);

describe('scenario files of the user', () => {
  it('may be TypeScript, may have helpers, and are named by their paths', async () => {
    const cwd = folderOf({
      'deep/typed.ts': TYPED,
      'deep/_lengths.ts': 'export const LENGTH_MS: number = 9;',
    });
    const [found, ...more] = await userScenarios('mine', createFakeIo({ cwd }));
    expect(more).toEqual([]);
    expect(found).toMatchObject({ name: 'deep/typed', title: 'mine', exercises: ['4.2/status-in-queue'] });
  });

  it('may be saved scripts, which are played as they are', async () => {
    const cwd = folderOf({ 'calls.json': SAVED, 'package.json': '{}', 'tsconfig.json': '{ // no JSON' });
    const found = await userScenarios('mine', createFakeIo({ cwd }));
    expect(found).toMatchObject([{ name: 'calls', title: 'two calls', workers: 2, exercises: [] }]);
    const limits = { graceMs: 0, marginMs: 1, maxWaitMs: 60_000, maxWorkers: 5 };
    expect(drawScript(found[0]!, 9, limits).steps).toEqual((JSON.parse(SAVED) as Script).steps);
    expect(() => drawScript(found[0]!, 9, { ...limits, maxWaitMs: 6_000 })).toThrow('needs a wait of 7 s');
    const io = createFakeIo({ cwd });
    const faulty = ['--mutant', 'cancel-only-queued', '--out', 'report'];
    expect(await runCli(['check', '--scenarios', 'mine', '--only', 'calls', ...faulty], io)).toBe(1);
    expect(io.printed()).toContain('Scenario: calls');
  });

  it('may be failures, which exercise what failed', async () => {
    const io = createFakeIo();
    const args = ['--mutant', 'cancel-only-queued', '--out', 'mine', '--no-shrink'];
    expect(await runCli(['check', '--only', '3/cancel-running', ...args], io)).toBe(1);
    const found = await userScenarios('mine/failures', io);
    expect(found).not.toEqual([]);
    for (const { exercises } of found) expect(exercises).not.toEqual([]);
  });

  it('that are invalid scripts are refused, with the field', async () => {
    const cwd = folderOf({ 'calls.json': SAVED.replace('"cancel"', '"kancel"') });
    await expect(userScenarios('mine', createFakeIo({ cwd }))).rejects.toThrow(
      /mine\/calls\.json: .*\n.*steps\[1\]\.do/,
    );
  });

  it('may be a family, which names its members', async () => {
    const family = `
      import { scenario } from 'runproof';
      export default scenario.each(
        { needs: ['scripted-worker'], draw: (arb) => ({ ms: arb.integer(3, 3) }) },
        (one) => ({
          quick: one({ title: 'a', script: ({ ms }, s) => [s.run(['one', 'two'], { plan: s.works(ms) })] }),
          'two-workers': one({
            title: 'b', workers: 2, draw: (arb) => ({ everyMs: arb.integer(3, 3) }),
            script: ({ everyMs }, s) => [s.run('job'), s.await('job', s.ended, { everyMs })],
          }),
        }),
      );`;
    const found = await userScenarios('mine', createFakeIo({ cwd: folderOf({ 'deep/times.ts': family }) }));
    expect(found).toMatchObject([
      { name: 'deep/quick', workers: 1, needs: ['scripted-worker'], exercises: [] },
      { name: 'deep/two-workers', workers: 2, needs: ['scripted-worker'] },
    ]);
    const limits = { graceMs: 0, marginMs: 1, maxWaitMs: 60_000, maxWorkers: 9 };
    const [quick, two] = found.map((one) => drawScript(one, 1, limits).steps);
    const plan = [{ sleepMs: 3 }, { return: { done: true } }];
    expect(quick).toEqual(['one', 'two'].map((job) => ({ do: 'run', job, plan })));
    const until = ['COMPLETED', 'FAILED', 'CANCELLED', 'TIMED_OUT'];
    const wait = {
      do: 'await',
      job: 'job',
      until: expect.arrayContaining(until),
      everyMs: 3,
      timeoutMs: 60_000,
    };
    expect(two).toEqual([{ do: 'run', job: 'job' }, wait]);
  });

  it('are played besides the shipped ones, and alone when asked for', { timeout: 60_000 }, async () => {
    const io = createFakeIo();
    const name = 'a-slow-job-between-quick-ones';
    const args = ['--scenarios', EXAMPLES, '--only', name, '--seed', '1', '--min-decided', '1'];
    expect(await runCli(['check', ...args], io)).toBe(0);
    expect(io.complained()).toMatch(/\d scripts of 1 scenario/);
    expect(io.printed()).toContain('NOTHING FAILED: ');
  });

  const broken: readonly [string, string, string, RegExp][] = [
    ['that are no TypeScript', 'a.ts', 'const x = 1;\n\nconst y = ;\n', /^mine\/a\.ts:3: .*Unexpected token/],
    ['that are no JavaScript', 'a.mjs', '\nexport default {,};\n', /^mine\/a\.mjs:2: .*Unexpected token/],
    [
      'that throw',
      'a.mjs',
      '\nnull.x;\nexport default 1;',
      /^mine\/a\.mjs:2: Cannot read properties of null/,
    ],
    [
      'that import what is not there',
      'a.mjs',
      "import { scenari } from 'runproof';\n\nexport default scenari({});",
      /^mine\/a\.mjs:3: scenari is not a function/,
    ],
    [
      'that export nothing',
      'a.ts',
      'export const x = 1;',
      /^mine\/a\.ts: it has no "export default scenario/,
    ],
    [
      'that are a family where a member does nothing',
      'a.mjs',
      "import { scenario } from 'runproof';\nexport default scenario.each({}, (one) => ({ b: one({ title: 'a' }) }));",
      /^mine\/a\.mjs:2: "a" has no script: give it one/,
    ],
    [
      'that throw when they are drawn',
      'a.mjs',
      "import { scenario } from 'runproof';\nexport default scenario({\n  title: 'a', exercises: [],\n  script: (_, s) => [s.nonsense('job')],\n});",
      /^mine\/a\.mjs:4: s\.nonsense is not a function/,
    ],
    [
      'that name no requirement of the document',
      'a.mjs',
      "import { scenario } from 'runproof';\nexport default scenario({ title: 'a', exercises: ['4.2/status-in-queu'], script: () => [] });",
      /^mine\/a\.mjs:2: there is no requirement "4\.2\/status-in-queu"\. Did you mean 4\.2\/status-in-queue/,
    ],
  ];
  it.each(broken)('%s are one clear error', async (_, path, text, message) => {
    const io = createFakeIo({ cwd: folderOf({ [path]: text }) });
    expect(await runCli(['check', '--scenarios', 'mine'], io)).toBe(2);
    const [line, ...more] = io.complained().trimEnd().split('\n');
    expect(line?.replace(/^runproof: |^error: /, '')).toMatch(message);
    expect(more).toEqual([]);
  });

  it.each([
    ['is missing', {}, /does not exist/],
    ['is empty', { 'readme.md': '' }, /contains no/],
    [
      'hides a shipped one',
      {
        '4.2/payload.mjs':
          "import { scenario } from 'runproof';\nexport default scenario({ title: 'a', exercises: [], script: () => [] });",
      },
      /a shipped scenario 4\.2\/payload/,
    ],
  ])('a folder that %s is one clear error', async (_, files, message) => {
    const io = createFakeIo({ cwd: folderOf(files) });
    expect(await runCli(['check', '--scenarios', 'mine'], io)).toBe(2);
    expect(io.complained()).toMatch(message);
  });
});
