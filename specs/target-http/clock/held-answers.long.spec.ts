/** Under test control, calls that are answered only after time has passed, or never. */
import { describe, expect, it, vi } from 'vitest';
import type { HistoryEvent } from '../../../src/history/events.js';
import { judge } from '../../../src/oracle/index.js';
import type { Step } from '../../../src/scenario/script.js';
import { RunClock } from '../../../src/target/http/clock/run-clock.js';
import type { FakeOptions } from '../fake-endpoint.js';
import { playOn, scriptOf, withFake } from '../support.js';
import { FakeEndpoint, KEY } from '../fake-endpoint.js';
import { httpTarget } from '../../../src/target/http/index.js';
import { runHeader } from '../../support/run-header.js';

const CONTROLLED: FakeOptions = { clock: 'controlled', features: ['clock', 'endpoints'] };
const RUN = runHeader({
  target: { kind: 'http', name: 'fake' },
  capabilities: ['scripted-worker', 'test-control', 'worker-count-known', 'dedicated'],
  earlyMs: 1,
});

const failedIn = (events: readonly HistoryEvent[]): readonly string[] =>
  judge([RUN, ...events])
    .requirements.filter(({ verdict }) => verdict === 'fail')
    .map(({ id }) => id);

async function played(holds: NonNullable<FakeOptions['holds']>, steps: readonly Step[], scripts: number) {
  return withFake({ ...CONTROLLED, holds }, {}, async (target) => {
    const advance = vi.spyOn(RunClock.prototype, 'advanceTo');
    const { events, calls, summary } = await playOn(
      target,
      Array.from({ length: scripts }, () => scriptOf(steps)),
    );
    const advances = advance.mock.calls.length;
    advance.mockRestore();
    return { events, calls, summary, advances };
  });
}

describe('the clock moves while calls are open', () => {
  it('a /run that is held until its job ends is answered at that instant, and failed', async () => {
    const steps: Step[] = [{ do: 'run', job: 'a', plan: [{ sleepMs: 60_000 }, { return: 1 }] }];
    const { events, calls, advances } = await played('run', steps, 3);
    expect(calls.map((call) => call.receivedMs! - call.sentMs)).toEqual([60_000, 60_000, 60_000]);
    expect(failedIn(events)).toEqual(['4.2/returns-at-once']);
    expect(advances).toBeLessThan(15);
  });

  it('one that is never answered is given up, and failed once it was really waited for', async () => {
    const steps: Step[] = [
      { do: 'run', job: 'a', plan: [{ return: 1 }] },
      { do: 'run', job: 'b', plan: [{ hang: true }] },
    ];
    const { events, calls, summary, advances } = await played('run', steps, 3);
    expect(summary.finished).toBe(3);
    const lost = calls.filter((call) => call.lost === 'timeout');
    expect(lost.map(({ patienceMs }) => patienceMs! >= 5_000)).toEqual([true, false, false]);
    expect(failedIn(events)).toEqual(['4.2/returns-at-once']);
    expect(advances).toBeLessThan(15);
  });

  it('a /cancel that is never answered is failed for that alone', async () => {
    const steps: Step[] = [
      { do: 'run', job: 'a', plan: [{ hang: true }] },
      { do: 'status', job: 'a' },
      { do: 'cancel', job: 'a' },
      { do: 'health' },
    ];
    const { events, calls, advances } = await played('cancel', steps, 2);
    expect(calls.filter(({ op }) => op === 'health')).toHaveLength(2);
    expect(failedIn(events)).toContain('4.5/returns-at-once');
    expect(failedIn(events)).not.toContain('4.2/returns-at-once');
    expect(advances).toBeLessThan(15);
  });

  it('a /status that is held until its job ends is failed, once it was really waited for', async () => {
    const steps: Step[] = [
      { do: 'run', job: 'a', plan: [{ sleepMs: 60_000 }, { return: 1 }] },
      { do: 'status', job: 'a' },
    ];
    const { events, calls, advances } = await played('status', steps, 3);
    const [asked, ...looks] = calls.filter(({ op }) => op === 'status');
    expect(asked).toMatchObject({ lost: 'timeout', askedAgain: true });
    expect(looks.map((call) => call.receivedMs! - call.sentMs)).toEqual([60_000, 60_000, 60_000]);
    expect(looks.map(({ patienceMs = 0 }) => patienceMs >= 5_000)).toEqual([true, false, false]);
    expect(failedIn(events)).toContain('4.3/shows-current-state');
    expect(advances).toBeLessThan(15);
  });

  it('one that is never answered is failed, and it is polled no more', async () => {
    const steps: Step[] = [
      { do: 'run', job: 'a', plan: [{ hang: true }] },
      { do: 'await', job: 'a', until: ['COMPLETED'], everyMs: 1_000, timeoutMs: 3_600_000 },
      { do: 'status', job: 'a' },
    ];
    const { events, calls, summary, advances } = await played('status', steps, 3);
    expect(summary.finished).toBe(3);
    const lost = calls.filter(({ op }) => op === 'status');
    expect(lost.map(({ patienceMs }) => patienceMs! >= 5_000)).toEqual([
      ...[true, true],
      ...Array<boolean>(5).fill(false),
    ]);
    expect(failedIn(events)).toEqual(['4.3/shows-current-state']);
    expect(advances).toBeLessThan(15);
  });

  it('one of which the answer is lost is asked again, on another connection', async () => {
    const steps: Step[] = [
      { do: 'run', job: 'a', plan: [{ sleepMs: 60_000 }, { return: 1 }] },
      ...Array.from({ length: 4 }, (): Step => ({ do: 'status', job: 'a' })),
    ];
    let reads = 0;
    const loses = (operation: string): boolean => operation === 'status' && (reads += 1) === 2;
    await withFake({ ...CONTROLLED, loses }, {}, async (target) => {
      const { events, calls } = await playOn(target, [scriptOf(steps)]);
      const looks = calls.filter(({ op }) => op === 'status');
      expect(looks.map(({ receivedMs }) => receivedMs)).toEqual([0, null, 0, 0, 0]);
      expect(looks[1]).toMatchObject({ lost: 'timeout', askedAgain: true, gaveUpMs: 0 });
      expect(looks[2]!.sentTick).toBeGreaterThan(looks[1]!.endedTick!);
      expect(failedIn(events)).not.toContain('4.3/shows-current-state');
    });
  });

  it('one that is slow while the clock stands still is not failed', async () => {
    const steps: Step[] = [
      { do: 'run', job: 'a', plan: [{ sleepMs: 60_000 }, { return: 1 }] },
      { do: 'status', job: 'a' },
      { do: 'status', job: 'a' },
    ];
    await withFake({ ...CONTROLLED, slowStatusMs: 3_000 }, {}, async (target) => {
      const { events, calls } = await playOn(target, [scriptOf(steps)]);
      expect(calls.map((call) => call.receivedMs! - call.sentMs)).toEqual([0, 0, 0]);
      expect(failedIn(events)).not.toContain('4.3/shows-current-state');
    });
  });

  it('the probe gives up after one poll that is not answered, and says so', async () => {
    const fake = await new FakeEndpoint({ ...CONTROLLED, holds: 'status', stuck: true }).start();
    const { url, controlUrl } = fake;
    const target = await httpTarget({ url, controlUrl, apiKey: KEY });
    expect(fake.log.filter((line) => line.includes('/status/'))).toHaveLength(1);
    expect(target.notes).toEqual([
      '/status has not answered the probe within 6 s, so the worker is taken to be scripted.',
    ]);
    await target.close();
    await fake.stop();
  });
});
