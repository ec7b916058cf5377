/** How late this process runs, on a clock of the spec's own: `jump` is a process that does nothing meanwhile. */
import FakeTimers from '@sinonjs/fake-timers';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { EventLoopLagMonitor } from '../../../src/target/session/event-loop-lag.js';

let clock: ReturnType<typeof FakeTimers.install>;
beforeEach(() => {
  clock = FakeTimers.install({ toFake: ['setInterval', 'clearInterval', 'performance'] });
});
afterEach(() => clock.uninstall());

test('remembers when this process ran late, and for how long', () => {
  const watch = new EventLoopLagMonitor(0);
  const before = watch.mark();
  clock.jump(400);
  clock.tick(50);
  const between = watch.mark();
  expect(watch.sinceMs(before)).toBeGreaterThan(300);
  clock.tick(1);
  expect(watch.sinceMs(between + 60_000)).toBe(0);
  expect(watch.stop()).toBeGreaterThan(300);
});

test('tells when, by the clock of the history, and to whoever met it', () => {
  const watch = new EventLoopLagMonitor(100_000);
  const startMs = performance.now();
  const first = watch.mark();
  clock.tick(50);
  clock.jump(300);
  clock.tick(700);
  const second = watch.mark();
  clock.jump(200);
  clock.tick(50);
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

test('tells it in ms of a clock that runs faster', () => {
  const watch = new EventLoopLagMonitor(100_000, 60);
  const startMs = performance.now();
  const before = watch.mark();
  clock.jump(300);
  clock.tick(50);
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
