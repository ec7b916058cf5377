import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { checkTarget } from '../../src/check-target.js';
import type { HistoryEvent } from '../../src/history/events.js';
import { judge } from '../../src/oracle/index.js';
import { named as shippedScenarios } from '../../scenarios/index.js';
import { LagWatch } from '../../src/target/http/lag.js';
import { simulatorTarget } from '../../src/target/simulator/simulator-target.js';

function keepBusy(ms: number): void {
  for (const endMs = performance.now() + ms; performance.now() < endMs;);
}

test('remembers when this process ran late, and for how long', async () => {
  const watch = new LagWatch();
  const before = watch.mark();
  keepBusy(400);
  await sleep(50);
  const between = watch.mark();
  expect(watch.sinceMs(before)).toBeGreaterThan(300);
  await sleep(1);
  expect(watch.sinceMs(between + 60_000)).toBe(0);
  expect(watch.stop()).toBeGreaterThan(300);
});

describe('a reply that came in late', () => {
  async function verdict(harnessLagMs: number | null) {
    const scenarios = shippedScenarios.filter(({ name }) => name === '4.2/answers-at-once');
    const { history } = await checkTarget(simulatorTarget({ seed: 1, graceMs: 2_000 }), {
      scenarios,
      runs: 1,
    });
    const last = history.findLast((event) => event.kind === 'call' && event.op === 'run');
    const late = history.map((event): HistoryEvent => {
      if (event.kind === 'run') return { ...event, clock: 'real' };
      if (event.kind === 'call' && event === last) return { ...event, receivedMs: event.receivedMs! + 6_000 };
      return event.kind === 'script-end' && harnessLagMs !== null ? { ...event, harnessLagMs } : event;
    });
    const { requirements, warnings } = judge(late);
    return { verdict: requirements.find(({ id }) => id === '4.2/returns-at-once')?.verdict, warnings };
  }

  test('is the target\u2019s fault when the harness ran in time', async () => {
    expect((await verdict(null)).verdict).toBe('fail');
  });

  test('is not held against it when the harness was late itself, and the report says so', async () => {
    const { verdict: passed, warnings } = await verdict(4_000);
    expect(passed).toBe('pass');
    expect(warnings.join()).toContain('harness itself ran late');
  });
});
