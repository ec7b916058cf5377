import { describe, expect, it } from 'vitest';
import { shrinkScript } from '../../src/explore/shrink/shrink-script.js';
import { simplerScripts } from '../../src/explore/shrink/index.js';
import { shrinkViolation, type Violation, type TestBed } from '../../src/explore/index.js';
import type { RequirementId } from '../../src/spec/index.js';
import { parseScript } from '../../src/scenario/index.js';
import { drawScripts, simulatorTestBed, ENVIRONMENT } from './test-bed.js';

describe('a breach', () => {
  const [script] = drawScripts(1, 2);
  const violation = (requirement: RequirementId): Violation => ({
    script: 0,
    requirement,
    level: 'must',
    expected: '',
    actual: '',
    proof: [],
  });
  const telling = (alone: readonly Violation[]): TestBed => ({
    ...simulatorTestBed(),
    run: () => [],
    judge: () => ({ violations: alone, decided: [], doubts: [] }),
  });
  const found = { requirement: '2.2/ttl-min-accepted', script: script!, environment: ENVIRONMENT } as const;

  it('attributed differently in the whole run is shrunk for what the script violates alone', () => {
    const shrunk = shrinkViolation(found, telling([violation('2.1/policy-accepted-run')]));
    expect(shrunk.alone).toBe(true);
    expect(shrunk.violations[0]!.requirement).toBe('2.1/policy-accepted-run');
    expect(shrunk.script.steps.length).toBeLessThan(script!.steps.length);
  });

  it('that needs the other scripts stays as it was found', () => {
    expect(shrinkViolation(found, telling([]))).toMatchObject({ alone: false, script });
  });
});

describe('shrinking', () => {
  it('makes scripts that can be run, whatever is left out', () => {
    for (const script of drawScripts(10, 3)) {
      const simpler = [...simplerScripts(script)];
      for (const each of simpler) parseScript(each);
      const ends = simulatorTestBed()
        .run(simpler.slice(0, 60), ENVIRONMENT)
        .filter((event) => event.kind === 'script-end');
      expect(ends.filter(({ outcome }) => outcome !== 'played')).toEqual([]);
    }
  });

  it('never gives a script again', () => {
    for (const script of drawScripts(10, 4)) {
      const texts = [...simplerScripts(script)].map((each) => JSON.stringify([each.workers, each.steps]));
      expect(new Set(texts).size).toBe(texts.length);
      expect(texts).not.toContain(JSON.stringify([script.workers, script.steps]));
    }
  });

  it('keeps only what the failure needs, with simple names and parameters', () => {
    const script = drawScripts(400, 5).find(
      ({ steps }) => steps.length > 10 && steps.some(({ do: does }) => does === 'purge-queue'),
    )!;
    const smallest = shrinkScript(script, ({ steps }) => {
      const purge = steps.findIndex((step) => step.do === 'purge-queue');
      return steps.slice(0, Math.max(0, purge)).some((step) => step.do === 'run' || step.do === 'runsync');
    });
    expect(smallest.steps).toEqual([{ do: 'run', job: 'a' }, { do: 'purge-queue' }]);
    expect(smallest.workers).toBeLessThanOrEqual(1);
  });

  it('needs nothing of the workers that the script did not need', () => {
    const [script] = drawScripts(1, 1);
    const steps = [
      { do: 'run', job: 'x', input: {} },
      { do: 'status', job: 'x' },
    ] as const;
    for (const needs of [[], ['scripted-worker']] as const)
      expect(shrinkScript({ ...script!, steps, needs }, () => true).needs).toEqual(needs);
  });

  it('moves a timer and the probes around it together', () => {
    const [script] = drawScripts(1, 1);
    const steps = [
      { do: 'run', job: 'x', plan: [{ hang: true }], policy: { ttl: 172_800_000, lowPriority: true } },
      {
        do: 'status',
        job: 'x',
        at: { job: 'x', milestone: 'submitted', side: 'latest', plusMs: 172_802_001 },
      },
    ] as const;
    const smallest = shrinkScript({ ...script!, steps }, ({ steps: [run, status] }) => {
      const policy = run?.do === 'run' ? (run.policy as { ttl?: number } | undefined) : undefined;
      const at = status?.at;
      return policy?.ttl !== undefined && at !== undefined && 'job' in at && at.plusMs > policy.ttl;
    });
    expect(smallest.steps).toEqual([
      { do: 'run', job: 'a', policy: { ttl: 10_000 } },
      { do: 'status', job: 'a', at: { job: 'a', milestone: 'submitted', side: 'latest', plusMs: 12_001 } },
    ]);
  });
});
