import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { checkTarget } from '../../src/app/check-target.js';
import type { HistoryEvent } from '../../src/history/events.js';
import { judge } from '../../src/oracle/index.js';
import { named as shippedScenarios } from '../../scenarios/index.js';
import { EventLoopLagMonitor } from '../../src/target/session/event-loop-lag.js';
import { playOn, scriptOf, withFake } from './support.js';
import { simulatorTarget } from '../../src/target/simulator/simulator-target.js';

function keepBusy(ms: number): void {
  for (const endMs = performance.now() + ms; performance.now() < endMs;);
}

test('remembers when this process ran late, and for how long', async () => {
  const watch = new EventLoopLagMonitor(0);
  const before = watch.mark();
  keepBusy(400);
  await sleep(50);
  const between = watch.mark();
  expect(watch.sinceMs(before)).toBeGreaterThan(300);
  await sleep(1);
  expect(watch.sinceMs(between + 60_000)).toBe(0);
  expect(watch.stop()).toBeGreaterThan(300);
});

test('tells when, by the clock of the history, and to whoever met it', async () => {
  const watch = new EventLoopLagMonitor(100_000);
  const startMs = performance.now();
  const first = watch.mark();
  await sleep(50);
  keepBusy(300);
  await sleep(700);
  const second = watch.mark();
  keepBusy(200);
  await sleep(50);
  const met = watch.stretchesSince(first);
  watch.stop();
  const lostBy = (endMs: number): number =>
    met.filter(({ toMs }) => toMs <= endMs).reduce((sum, { lostMs }) => sum + lostMs, 0);
  expect(met[0]!.fromMs).toBeGreaterThanOrEqual(99_999);
  expect(met.at(-1)!.toMs).toBeLessThanOrEqual(100_001 + performance.now() - startMs);
  expect(lostBy(100_000 + second - startMs)).toBeGreaterThanOrEqual(250);
  const later = watch.stretchesSince(second);
  expect(later.length).toBeLessThan(met.length);
  expect(later.every(({ toMs }) => toMs >= 100_000 + second - startMs)).toBe(true);
});

test('tells it in ms of a clock that runs faster', async () => {
  const watch = new EventLoopLagMonitor(100_000, 60);
  const startMs = performance.now();
  const before = watch.mark();
  keepBusy(300);
  await sleep(50);
  const [first] = watch.stretchesSince(before);
  const [lostMs, worstMs, realMs] = [watch.lostSinceMs(before), watch.sinceMs(before), watch.stop()];
  expect(lostMs).toBeGreaterThanOrEqual(250 * 60);
  expect(worstMs).toBe(lostMs);
  expect(Math.abs(lostMs - realMs * 60)).toBeLessThanOrEqual(lostMs / 2);
  expect(first!.lostMs).toBeGreaterThanOrEqual(250 * 60);
  expect(first!.fromMs).toBeGreaterThanOrEqual(100_000 - 60);
  expect(first!.toMs).toBeGreaterThanOrEqual(100_000 + 250 * 60);
  expect(first!.toMs).toBeLessThanOrEqual(100_001 + (performance.now() - startMs) * 60);
});

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
