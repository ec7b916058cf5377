import { describe, expect, test } from 'vitest';
import { checkTarget } from '../../../src/checking/check-target.js';
import type { HistoryEvent } from '../../../src/history/events.js';
import { judge } from '../../../src/oracle/index.js';
import { named as shippedScenarios } from '../../../scenarios/index.js';
import { playOn, scriptOf, withFake } from '../support.js';
import { simulatorTarget } from '../../../src/target/simulator/simulator-target.js';

function keepBusy(ms: number): void {
  for (const endMs = performance.now() + ms; performance.now() < endMs;);
}

test('a script tells when it was held up, and its webhook came at some instant before it was read', async () => {
  await withFake({}, {}, async (target) => {
    const script = scriptOf([
      { do: 'run', job: 'a', plan: [{ sleepMs: 300 }, { return: 1 }], webhook: [{ status: 200 }] },
      { do: 'status', job: 'a', at: { waitMs: 1_500 } },
    ]);
    // The call of the fake comes in while this process does nothing else.
    setTimeout(() => keepBusy(700), 200);
    const { ends, webhooks, calls } = await playOn(target, [script]);
    const end = ends[0]!;
    expect(end.harnessLagMs).toBeGreaterThan(400);
    const worst = end.harnessLags!.reduce((one, other) => (other.lostMs > one.lostMs ? other : one));
    expect(worst.lostMs).toBeGreaterThan(400);
    expect(worst.toMs).toBeGreaterThan(calls[0]!.sentMs + 200);
    expect(worst.toMs).toBeLessThanOrEqual(end.atMs);
    expect(webhooks[0]!.arrivedMs - webhooks[0]!.sinceMs!).toBeGreaterThan(400);
  });
});

test.each([
  ['holds up the target: what it does meanwhile may be late', 60, 25, true],
  ['does not where it is answered at once', 60, 0, false],
  ['is no load where a few calls are slow', 2, 700, false],
])('a burst of calls %s', async (_, count, slowStatusMs, isHeldUp) => {
  await withFake({ slowStatusMs }, {}, async (target) => {
    const script = scriptOf([
      { do: 'run', job: 'a', plan: [{ return: 1 }] },
      { do: 'burst', op: 'status', job: 'a', count },
    ]);
    const { ends } = await playOn(target, [script]);
    expect((ends[0]!.harnessLagMs ?? 0) > 400).toBe(isHeldUp);
  });
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
    expect(warnings.join()).toContain('Runproof itself ran late');
  });
});
