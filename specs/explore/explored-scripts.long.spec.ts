/** Scripts of random calls, run on a target in addition to the scenarios. */
import { describe, expect, it } from 'vitest';
import { checkTarget } from '../../src/checking/check-target.js';
import { rulesFor } from '../../src/core/rules.js';
import { exploredScripts } from '../../src/explore/explored-scripts.js';
import { MUTANTS } from '../../src/mutants/index.js';
import { simulatorTarget, type SimulatorTarget } from '../../src/target/simulator/simulator-target.js';

const GRACE_MS = 2_000;

function endpoint(seed: number, mutant?: string): SimulatorTarget {
  const base = rulesFor({}, 'document');
  const rules = MUTANTS.find(({ id }) => id === mutant)?.rules(base) ?? base;
  return simulatorTarget({ seed, edition: 'document', rules, graceMs: GRACE_MS, auth: 'bare' });
}

describe('explored scripts', () => {
  const target = endpoint(1);

  it('are the same for the same seed, and fewer are the first of many', () => {
    const many = exploredScripts(target, 7, 12);
    expect(many).toHaveLength(12);
    expect(exploredScripts(target, 7, 5)).toEqual(many.slice(0, 5));
    expect(exploredScripts(target, 8, 5)).not.toEqual(many.slice(0, 5));
  });

  it('need nothing that the target lacks, and in real time last no longer than the longest wait', () => {
    const { limits } = target;
    const plain = {
      capabilities: ['scripted-worker', 'worker-count-known'],
      limits: { ...limits, maxWaitMs: 60_000 },
      clock: 'real',
    } as const;
    const scripts = exploredScripts(plain, 1, 10);
    expect(scripts).toHaveLength(10);
    for (const { needs, expectedMs } of scripts) {
      expect(plain.capabilities).toEqual(expect.arrayContaining([...needs]));
      expect(expectedMs).toBeLessThanOrEqual(60_000);
    }
    expect(exploredScripts({ ...plain, capabilities: [] }, 1, 10)).toEqual([]);
  });

  it('find a fault without any scenario', async () => {
    const { conforms, findings, scripts } = await checkTarget(endpoint(1, 'cancel-fails-job'), {
      scenarios: [],
      explored: 60,
      seed: 1,
      shrink: false,
    });
    expect(scripts).toHaveLength(60);
    expect(conforms).toBe(false);
    const failed = findings.requirements.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id);
    expect(failed).toContain('3/cancel-queued');
  });

  // Seeds with jobs that were gone for another reason when they were asked about.
  it.each([3, 6, 10])(
    'are decisive for an endpoint that answers each question in one way, seed %i',
    async (seed) => {
      const { findings } = await checkTarget(endpoint(seed), { scenarios: [], explored: 200, seed });
      expect(findings.requirements.filter(({ verdict }) => verdict === 'fail')).toEqual([]);
      expect(findings.openQuestions.filter(({ stable }) => !stable)).toEqual([]);
    },
  );
});
