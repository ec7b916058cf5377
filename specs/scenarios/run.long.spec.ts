import { describe, expect, it } from 'vitest';
import type { CallEvent, HistoryEvent } from '../../src/history/events.js';
import { drawOrLeaveOut, type Limits, type NamedScenario, type Step } from '../../src/scenario/index.js';
import { named as shippedScenarios } from '../../scenarios/index.js';
import { simulatorTarget } from '../../src/target/simulator/simulator-target.js';
import { drawnByCommit } from '../support/whole.js';

const QUICK: Limits = {
  graceMs: 2_000,
  marginMs: 2_500,
  maxWaitMs: 66_000,
  preferredWaitMaxMs: 20_000,
  maxWorkers: 4,
};
/** What a script may take beyond its longest wait: jobs to begin and end, and polls to see it. */
const BESIDES_MS = 20_000;

/** The longest wait of the profile `full`, for what is played in real time alone. */
const FULL_WAIT_MS = 31 * 60_000;

function runScenario(scenario: NamedScenario, seed: number, limits: Limits) {
  const target = simulatorTarget({ seed });
  const drawn = drawOrLeaveOut(scenario, seed, limits);
  if ('leftOut' in drawn) return null;
  const events: HistoryEvent[] = [];
  const summary = target.runSynchronously([drawn.script], { append: (event) => void events.push(event) });
  const calls = events.filter((event): event is CallEvent => event.kind === 'call');
  return { summary, calls, steps: drawn.script.steps };
}

function submits(call: CallEvent): boolean {
  return call.op === 'run' || call.op === 'runsync';
}

function refersTo(step: Step, labels: ReadonlySet<string | null>): boolean {
  const named = 'job' in step && typeof step.job === 'string' && labels.has(step.job);
  return named || (step.at !== undefined && 'job' in step.at && labels.has(step.at.job));
}

/** One of three, which the commit draws. */
const SHORT_SEEDS = drawnByCommit([1, 2, 3], 3);

describe.each(shippedScenarios.map((scenario) => [scenario.name, scenario] as const))('%s', (_, scenario) => {
  it('runs to its end on the simulator, no call lost', () => {
    // Some are for real time alone.
    const ran =
      runScenario(scenario, 1, simulatorTarget({ seed: 1 }).limits) ?? runScenario(scenario, 1, QUICK);
    expect(ran?.summary.aborted).toEqual([]);
    // Those that a script breaks off are no losses.
    expect(ran?.calls.filter(({ lost }) => lost !== null && lost !== 'hung-up')).toEqual([]);
  });

  it('sends a call for every step whose job was accepted: all references resolve', () => {
    const ran =
      runScenario(scenario, 2, simulatorTarget({ seed: 2 }).limits) ??
      runScenario(scenario, 2, { ...QUICK, maxWaitMs: FULL_WAIT_MS });
    expect(ran).not.toBeNull();
    const refused = new Set(
      ran?.calls
        .filter((call) => submits(call) && call.label !== null && call.reply?.status !== 200)
        .map((call) => call.label),
    );
    const silent = new Set(['pause', 'workers', 'await', 'burst']);
    const steps = ran?.steps.filter((step) => !silent.has(step.do) && !refersTo(step, refused)) ?? [];
    const single = ran?.calls.filter((call) => !call.lane.includes('#') && !refused.has(call.label)) ?? [];
    expect(single.length).toBeGreaterThanOrEqual(steps.length);
  });

  it('takes not much longer than its longest wait with a short profile', () => {
    for (const seed of SHORT_SEEDS) {
      const ran = runScenario(scenario, seed, QUICK);
      if (ran === null) {
        // What no short profile can bear, a long one can, or time that costs nothing.
        const longer = [simulatorTarget({ seed }).limits, { ...QUICK, maxWaitMs: FULL_WAIT_MS }];
        expect(longer.some((limits) => 'script' in drawOrLeaveOut(scenario, seed, limits))).toBe(true);
        continue;
      }
      expect(ran.summary.elapsedMs).toBeLessThanOrEqual(QUICK.maxWaitMs + BESIDES_MS);
    }
  });
});
