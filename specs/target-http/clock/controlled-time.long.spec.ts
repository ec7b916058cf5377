import { describe, expect, it, vi } from 'vitest';
import type { Step, WebhookAnswer } from '../../../src/scenario/script.js';
import { StallDetector } from '../../../src/target/http/clock/clock-steps.js';
import type { FakeOptions } from '../fake-endpoint.js';
import { playOn, scriptOf, withFake } from '../support.js';

const CONTROLLED: FakeOptions = { clock: 'controlled', features: ['clock', 'endpoints'] };
const DAY_MS = 86_400_000;

const runsync = (sleepMs: number, wait?: number): Step => ({
  do: 'runsync',
  job: 'a',
  plan: [{ sleepMs }, { return: 1 }],
  ...(wait === undefined ? {} : { wait }),
});

describe('under a controlled clock', () => {
  it('passes days in no time, and counts from the start of the run', async () => {
    await withFake(CONTROLLED, {}, async (target) => {
      const script = scriptOf([
        { do: 'run', job: 'a', plan: [{ sleepMs: 7 * DAY_MS }] },
        { do: 'status', job: 'a', at: { waitMs: 7 * DAY_MS - 1 } },
        { do: 'status', job: 'a', at: { waitMs: 1 } },
      ]);
      const { calls, summary } = await playOn(target, [script, script]);
      expect(calls.map((call) => [call.sentMs, call.receivedMs])).toEqual([
        [0, 0],
        [7 * DAY_MS - 1, 7 * DAY_MS - 1],
        [7 * DAY_MS, 7 * DAY_MS],
        [7 * DAY_MS, 7 * DAY_MS],
        [14 * DAY_MS - 1, 14 * DAY_MS - 1],
        [14 * DAY_MS, 14 * DAY_MS],
      ]);
      expect(summary).toMatchObject({ finished: 2, aborted: [], calls: 6, elapsedMs: 14 * DAY_MS });
    });
  });

  it('gives each script a fresh endpoint with its workers, and removes it', async () => {
    await withFake(CONTROLLED, {}, async (target, fake) => {
      const script = scriptOf([{ do: 'health' }, { do: 'workers', count: 4 }], { workers: 2 });
      const { events } = await playOn(target, [script], { firstScript: 7 });
      expect(events[0]).toMatchObject({ kind: 'script', script: 7, fresh: true, workers: 2 });
      expect(events[2]).toMatchObject({ kind: 'workers', workers: 4, sentMs: 0, receivedMs: 0 });
      const endpoint = events[0]?.kind === 'script' ? events[0].endpoint : '';
      expect(fake.log.filter((line) => line.includes(endpoint))).toEqual([
        `PUT /_control/endpoints/${endpoint}`,
        `GET /v2/${endpoint}/health`,
        `PATCH /_control/endpoints/${endpoint}`,
        `DELETE /_control/endpoints/${endpoint}`,
      ]);
    });
  });

  it('knows by `received` that a waiting call has arrived before it moves the clock', async () => {
    await withFake({ ...CONTROLLED, slowArrivalMs: () => 60 }, {}, async (target) => {
      const { calls } = await playOn(target, [
        scriptOf([{ do: 'pause', at: { waitMs: 10 } }, runsync(3_000)]),
      ]);
      expect(calls[0]).toMatchObject({ sentMs: 10, arrivedByMs: 10, receivedMs: 3_010 });
    });
  });

  it('asks for `received` again, once it has counted a call, though another was not seen to arrive', async () => {
    await withFake({ ...CONTROLLED, slowArrivalMs: (n) => (n === 1 ? 2_600 : 60) }, {}, async (target) => {
      const { calls } = await playOn(target, [scriptOf([runsync(100), runsync(3_000), runsync(3_000)])]);
      const [first, late, last] = calls;
      expect([first!.arrivedByMs, late!.arrivedByMs]).toEqual([0, null]);
      expect(last!.arrivedByMs).toBe(last!.sentMs);
      expect(last!.receivedMs! - last!.sentMs).toBe(3_000);
    });
  });

  it.each([
    ['nothing else is to happen', []],
    ['another job has its deadline days later', [{ do: 'run', job: 'b', plan: [{ sleepMs: 3 * DAY_MS }] }]],
  ] as const)(
    'asks the clock again until it shows a large body that is complete after it was counted: %s',
    async (_, before) => {
      await withFake({ ...CONTROLLED, lateBodiesMs: 230 }, {}, async (target) => {
        const large: Step = { ...runsync(300), padToBytes: 20_000_000 } as Step;
        const { calls } = await playOn(target, [scriptOf([...before, large])]);
        expect(calls.at(-1)).toMatchObject({ op: 'runsync', sentMs: 0, receivedMs: 300 });
      });
    },
  );

  it('waits only once for a clock that never shows when a call has waited long enough', async () => {
    const asked: number[] = [];
    const claimsNextEvent = (nowMs: number): number => {
      asked.push(performance.now());
      return nowMs + DAY_MS;
    };
    await withFake({ ...CONTROLLED, claimsNextEvent }, {}, async (target) => {
      const { calls } = await playOn(target, [scriptOf([runsync(50_000, 4_000), { do: 'health' }])]);
      expect(calls[0]).toMatchObject({ receivedMs: 4_000 });
    });
    expect(asked.at(-1)! - asked[0]!).toBeLessThan(2_000);
  });

  it('goes from event to event while a call waits', async () => {
    await withFake(CONTROLLED, {}, async (target) => {
      const script = scriptOf([
        runsync(50_000, 4_000),
        { do: 'status', job: 'a' },
        { do: 'status', job: 'a', lane: 'other', at: { sinceStartMs: 1_500 } },
        { do: 'status', job: 'a', lane: 'other', at: { sinceStartMs: 60_000 } },
      ]);
      const { calls } = await playOn(target, [script]);
      expect(calls.map((call) => [call.op, call.lane, call.sentMs, call.receivedMs])).toEqual([
        ['runsync', 'main', 0, 4_000],
        ['status', 'main', 4_000, 4_000],
        ['status', 'other', 60_000, 60_000],
      ]);
    });
  });

  it.each([
    ['right after the answer to `advance`', 0],
    ['a little later in real time', 15],
  ])('takes in a reply that comes %s at the instant it was made at', async (_, lateRepliesMs) => {
    await withFake({ ...CONTROLLED, lateRepliesMs }, {}, async (target) => {
      const { calls } = await playOn(target, [
        scriptOf([runsync(3_000), runsync(DAY_MS, 5_000), { do: 'health', at: { waitMs: DAY_MS } }]),
      ]);
      expect(calls.map((call) => call.receivedMs)).toEqual([3_000, 8_000, 8_000 + DAY_MS]);
    });
  });

  it('says of a reply that comes much too late only what is sure', async () => {
    await withFake({ ...CONTROLLED, lateRepliesMs: 600 }, {}, async (target) => {
      const { calls } = await playOn(target, [scriptOf([runsync(3_000)])]);
      expect(calls[0]?.sentMs).toBe(0);
      expect(calls[0]?.receivedMs).toBeGreaterThanOrEqual(3_000);
      expect(calls[0]?.reply?.status).toBe(200);
    });
  });

  it('gives up a call that is never answered, and goes on', async () => {
    await withFake({ ...CONTROLLED, swallowsReplies: true }, {}, async (target) => {
      const { calls, summary } = await playOn(target, [scriptOf([runsync(3_000, 5_000), { do: 'health' }])]);
      expect(calls[0]).toMatchObject({ receivedMs: null, reply: null, lost: 'timeout' });
      expect(calls[0]?.gaveUpMs).toBeGreaterThan(5_000);
      expect(calls[1]).toMatchObject({ op: 'health', reply: { status: 200 } });
      expect(summary.finished).toBe(1);
    });
  });

  it.each([
    ['always now', (nowMs: number) => nowMs],
    ['always in a second', (nowMs: number) => nowMs + 1_000],
  ])('comes through with a next event that is early: %s', async (_, claimsNextEvent) => {
    await withFake({ ...CONTROLLED, claimsNextEvent }, {}, async (target) => {
      const { calls } = await playOn(target, [
        scriptOf([runsync(3_000), { do: 'health', at: { waitMs: DAY_MS } }]),
      ]);
      const answeredMs = calls[0]?.receivedMs ?? 0;
      expect(answeredMs).toBeGreaterThanOrEqual(3_000);
      expect(answeredMs).toBeLessThanOrEqual(3_100);
      expect(calls[1]?.sentMs).toBe(answeredMs + DAY_MS);
    });
  });

  it('does not need to know the next event when nothing is to be seen before a step', async () => {
    await withFake(CONTROLLED, {}, async (target, fake) => {
      await playOn(target, [scriptOf([{ do: 'health' }, { do: 'health', at: { waitMs: DAY_MS } }])]);
      expect(fake.log.filter((line) => line === 'POST /_control/clock/advance')).toHaveLength(1);
    });
  });

  it('lets time pass for an ordinary call that turns out to wait', async () => {
    await withFake({ ...CONTROLLED, streamWaits: true }, {}, async (target) => {
      const script = scriptOf([
        { do: 'run', job: 'a', plan: [{ sleepMs: 5_000 }, { return: 1 }] },
        { do: 'stream', job: 'a' },
      ]);
      const { calls } = await playOn(target, [script]);
      expect(calls[1]).toMatchObject({ op: 'stream', sentMs: 0, receivedMs: 5_000 });
    });
  });

  it('soon knows an operation that waits, and loses little real time by it', async () => {
    await withFake({ ...CONTROLLED, streamWaits: true }, {}, async (target) => {
      const script = scriptOf([
        { do: 'run', job: 'a', plan: [{ sleepMs: 5_000 }, { return: 1 }] },
        ...Array.from({ length: 8 }, (): Step => ({ do: 'status', job: 'a' })),
        { do: 'stream', job: 'a' },
        { do: 'stream', job: 'a', lane: 'other', at: { waitMs: 1_000 } },
        { do: 'status', job: 'a', lane: 'third', at: { waitMs: 2_000 } },
      ]);
      // By what it grants and not by a watch, for the machine may be busy.
      const granted = vi.spyOn(StallDetector.prototype, 'stallMs');
      const { calls, summary } = await playOn(target, [script, script, script]);
      expect(summary.finished).toBe(3);
      for (const call of calls.filter(({ op }) => op === 'stream')) expect(call.receivedMs! % 5_000).toBe(0);
      // Who waits is no hindrance to those who ask meanwhile.
      const asked = calls.filter(({ lane }) => lane === 'third');
      expect(asked.map((call) => call.receivedMs! - call.sentMs)).toEqual([0, 0, 0]);
      const forStreams = granted.mock.results.filter((_, n) => granted.mock.calls[n]?.[0] === 'stream');
      expect([forStreams.length, forStreams[0]?.value]).toEqual([6, 600]);
      for (const { value } of forStreams.slice(1)) expect(value).toBeLessThanOrEqual(300);
      granted.mockRestore();
    });
  });

  it('does not take slow answers for waiting ones', async () => {
    await withFake({ ...CONTROLLED, slowStatusMs: 70 }, {}, async (target) => {
      const burst: Step = { do: 'burst', op: 'status', count: 40 };
      const { calls } = await playOn(target, [scriptOf([burst, { do: 'health', at: { waitMs: DAY_MS } }])]);
      expect(calls).toHaveLength(41);
      expect(new Set(calls.map((call) => call.receivedMs))).toEqual(new Set([0, DAY_MS]));
    });
  });

  it('gets along with a target that counts no calls', async () => {
    await withFake({ ...CONTROLLED, countsNothing: true }, {}, async (target) => {
      const { calls } = await playOn(target, [scriptOf([runsync(3_000), runsync(1_000)])]);
      expect(calls.map((call) => [call.arrivedByMs, call.receivedMs])).toEqual([
        [null, 3_000],
        [null, 4_000],
      ]);
    });
  });

  it('plays on the shared endpoint where none can be made, and cancels what is left', async () => {
    await withFake({ clock: 'controlled', features: ['clock'] }, {}, async (target, fake) => {
      const { events, calls, summary } = await playOn(target, [
        scriptOf([{ do: 'run', job: 'a', plan: [{ hang: true }] }, runsync(3_000)]),
        scriptOf([{ do: 'health' }]),
      ]);
      expect(events[0]).toMatchObject({ kind: 'script', endpoint: 'shared', fresh: false, workers: null });
      expect(fake.log).toContain('POST /v2/shared/cancel/job-1');
      expect(calls[1]).toMatchObject({ op: 'runsync', sentMs: 0, arrivedByMs: null, receivedMs: 3_000 });
      // The next script has the whole rate allowance again.
      expect(calls[2]?.sentMs).toBeGreaterThan(13_000);
      expect(summary.leftBehind).toEqual([]);
    });
  });

  it('aborts when it is told to, without another call', async () => {
    await withFake(CONTROLLED, {}, async (target) => {
      const stop = new AbortController();
      const script = scriptOf([{ do: 'health' }, { do: 'health', at: { waitMs: 1 } }]);
      const { summary, ends } = await playOn(target, [script, script], {
        signal: stop.signal,
        onProgress: () => stop.abort(),
      });
      expect(summary).toMatchObject({
        finished: 0,
        aborted: [{ script: 0, reason: 'interrupted' }],
        calls: 0,
      });
      expect(ends).toMatchObject([{ script: 0, outcome: 'aborted', reason: 'interrupted' }]);
    });
  });

  it('tells of every script that was not played because test control failed', async () => {
    await withFake(CONTROLLED, {}, async (target, fake) => {
      await fake.stop();
      const { summary, events } = await playOn(
        target,
        Array.from({ length: 7 }, () => scriptOf([])),
      );
      expect(summary.aborted.map(({ script }) => script)).toEqual([0, 1, 2, 3, 4, 5, 6]);
      expect(summary.aborted[0]?.reason).toContain('test control does not answer PUT');
      expect(summary.aborted[6]?.reason).toContain('not tried');
      expect(events).toEqual([]);
    });
  });

  it('sends a burst at once', async () => {
    await withFake(CONTROLLED, {}, async (target, fake) => {
      const { calls } = await playOn(target, [
        scriptOf([{ do: 'burst', op: 'runsync', count: 450, plan: [{ sleepMs: 1_000 }], wait: 5_000 }]),
      ]);
      expect(fake.openCallsMax).toBe(450);
      expect(calls).toHaveLength(450);
      expect(new Set(calls.map((call) => call.receivedMs))).toEqual(new Set([1_000]));
      const lastSent = Math.max(...calls.map((call) => call.sentTick));
      expect(Math.min(...calls.map((call) => call.endedTick ?? -1))).toBeGreaterThan(lastSent);
    });
  });
});

describe('webhooks under a controlled clock', () => {
  const submission = (webhook: readonly WebhookAnswer[]): Step => ({
    do: 'run',
    job: 'a',
    plan: [{ sleepMs: 2_000 }, { return: 1 }],
    webhook,
  });
  const later: Step = { do: 'pause', at: { waitMs: DAY_MS } };

  it('are placed at the instant they were made at, and answered as the script says', async () => {
    await withFake(CONTROLLED, {}, async (target) => {
      const { webhooks } = await playOn(target, [
        scriptOf([submission([{ status: 500 }, { close: true }, { status: 200 }]), later]),
      ]);
      expect(webhooks.map(({ arrivedMs, endedMs, answered }) => [arrivedMs, endedMs, answered])).toEqual([
        [2_000, 2_000, 500],
        [12_000, 12_000, null],
        [22_000, 22_000, 200],
      ]);
      expect(webhooks.every((webhook) => webhook.sinceMs === undefined)).toBe(true);
      expect(webhooks[0]).toMatchObject({ method: 'POST', body: { value: { status: 'COMPLETED' } } });
      expect(new URL(webhooks[0]?.url ?? '').pathname).toMatch(/^\/[0-9a-f]{24}\/0\/a$/);
    });
  });

  it('are let wait until the target gives up', async () => {
    await withFake({ ...CONTROLLED, webhookTimeoutMs: 100 }, {}, async (target) => {
      const { webhooks } = await playOn(target, [
        scriptOf([submission([{ never: true }, { status: 200 }]), later]),
      ]);
      expect(webhooks.map(({ arrivedMs, answered }) => [arrivedMs, answered])).toEqual([
        [2_000, null],
        [12_000, 200],
      ]);
    });
  });

  it('say between which instants they came where the target does not tell its next event', async () => {
    await withFake({ ...CONTROLLED, claimsNextEvent: (nowMs) => nowMs }, {}, async (target, fake) => {
      const { webhooks } = await playOn(target, [scriptOf([submission([{ status: 200 }]), later])]);
      const sentMs = (fake.sentWebhooks[0] ?? 0) - 5_000_000;
      expect(sentMs).toBe(2_000);
      expect(webhooks[0]?.arrivedMs).toBeGreaterThanOrEqual(sentMs);
      expect(webhooks[0]?.arrivedMs).toBeLessThanOrEqual(sentMs + 100);
      expect(webhooks[0]?.sinceMs ?? sentMs).toBeLessThanOrEqual(sentMs);
    });
  });

  it('of scripts that are over are nobody’s evidence', async () => {
    await withFake(CONTROLLED, {}, async (target) => {
      const { webhooks } = await playOn(target, [
        scriptOf([submission([{ status: 200 }])]),
        scriptOf([later]),
      ]);
      expect(webhooks).toEqual([]);
    });
  });
});
