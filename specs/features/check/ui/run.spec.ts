/** A run as the page of `--ui` shows it. */
import { expect, it } from 'vitest';
import type { RunPlan } from '../../../../src/checking/plan/plan-run.js';
import type { OpenedTarget } from '../../../../src/cli/open-target.js';
import { CheckDisplay } from '../../../../src/features/check/check-display.js';
import { Run } from '../../../../src/features/check/ui/run.js';
import { createFakeIo } from '../../../cli/fake-io.js';

const KEY = 'key-of-the-spec';

it('shows no secret of what it is told', () => {
  const io = createFakeIo();
  const run = new Run(io);
  const display = new CheckDisplay({ progress: 'none', verbose: false }, io, 0, run);
  const { onPlan, onProgress, onMessage } = display.listeners(
    { target: { name: 'a server' }, url: null, secrets: [KEY] } as unknown as OpenedTarget,
    io,
  );
  const plan = {
    ...{ seed: 2, estimate: null, limitMs: null, longerWaits: [], advice: null, overNetwork: null },
    target: { name: `server of ${KEY}`, clock: 'controlled', latency: { speed: 1 }, notes: [`has ${KEY}`] },
    scripts: [{ scenario: `a/${KEY}`, steps: [] }],
    leftOut: [{ scenario: `b/${KEY}`, missing: [], reason: `needs ${KEY}` }],
  };
  onPlan!(plan as unknown as RunPlan);
  onProgress!({ kind: 'script-started', script: 0, scenario: `a/${KEY}`, ended: 0, total: 1 });
  onMessage!(`the server refuses ${KEY}`);
  expect(run.messages).toEqual(['the server refuses [redacted]']);
  expect(run.running).toEqual(['a/[redacted]']);
  expect(run.plan).toContain('has [redacted]');
  expect(JSON.stringify(run.plan)).not.toContain(KEY);
  const row = { kind: 'scenarios', selector: '', section: '', text: '', rules: [] } as const;
  // The name as it is says which row it is.
  expect(run.stageOf({ ...row, name: '', scenarios: [`a/${KEY}`] })).toBe('running');
});
