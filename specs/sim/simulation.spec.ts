import { describe, expect, it } from 'vitest';
import type { Delay } from '../../src/sim/delay.js';
import { createTestBed } from './support.js';

const SECOND = 1_000;
const DAY_MS = 86_400_000;

describe('simulation', () => {
  it('answers at the instant of the call when nothing takes time', () => {
    const { run, status, advanceTo, of, idOf, bodyOf } = createTestBed();
    const submitted = run([{ sleepMs: 100 }, { return: 7 }]);
    advanceTo(0);
    expect(of(submitted)).toMatchObject({ kind: 'reply', atMs: 0, arrivedMs: 0, reply: { status: 200 } });
    const id = idOf(submitted);
    advanceTo(99);
    const early = status(id);
    advanceTo(99);
    expect(bodyOf(early)['status']).toBe('IN_PROGRESS');
    advanceTo(100);
    const late = status(id);
    advanceTo(100);
    expect(bodyOf(late)).toMatchObject({ status: 'COMPLETED', output: 7, executionTime: 100 });
  });

  it('executes nothing between events, however far apart they are', () => {
    const { simulation, run, advanceTo } = createTestBed();
    run([{ hang: true }], { policy: { ttl: 5 * DAY_MS, executionTimeout: 6 * DAY_MS } });
    advanceTo(0);
    expect(simulation.nextEventAtMs()).toBe(5 * DAY_MS);
    expect(simulation.step()).toBe(true);
    expect(simulation.nowMs()).toBe(5 * DAY_MS);
    expect(simulation.nextEventAtMs()).toBeNull();
    expect(simulation.step()).toBe(false);
  });

  it('reports that a waiting call has arrived, and answers it when its job has ended', () => {
    const { runsync, advanceTo, learnt } = createTestBed({ latency: { requestMs: 10, replyMs: 20 } });
    const call = runsync([{ sleepMs: 500 }, { return: 1 }]);
    advanceTo(SECOND);
    expect(learnt).toEqual([
      { kind: 'arrived', callId: call, atMs: 10 },
      expect.objectContaining({ kind: 'reply', callId: call, arrivedMs: 10, atMs: 530 }),
    ]);
  });

  it('draws delays within their bounds, separately for request and reply', () => {
    const delay: Delay = { fromMs: 5, toMs: 9 };
    const { health, advanceTo, of } = createTestBed({ latency: { requestMs: delay, replyMs: delay } });
    const calls = Array.from({ length: 200 }, () => health());
    advanceTo(SECOND);
    const ways = calls.map((call) => {
      const reply = of(call);
      if (reply?.kind !== 'reply') throw new Error('no reply');
      return [reply.arrivedMs, reply.atMs - reply.arrivedMs] as const;
    });
    for (const way of ways.flat()) expect(way >= 5 && way <= 9).toBe(true);
    expect(new Set(ways.map(([there]) => there)).size).toBe(5);
    expect(new Set(ways.map(([, back]) => back)).size).toBe(5);
  });

  it('lets workers be late, never early', () => {
    const { run, advanceTo, log } = createTestBed({
      workers: { lateMs: { fromMs: 1, toMs: 30 } },
      workerCount: 50,
    });
    for (let job = 0; job < 50; job++) run([{ sleepMs: 100 }, { return: 1 }]);
    advanceTo(SECOND);
    const ends = log.filter((entry) => entry.event === 'success').map((entry) => entry.atMs);
    expect(ends).toHaveLength(50);
    for (const end of ends) expect(end >= 101 && end <= 130).toBe(true);
    expect(new Set(ends).size).toBeGreaterThan(5);
  });

  it('does not accumulate lateness over a run, or reorder its reports', () => {
    const steps = Array.from({ length: 40 }, (_, chunk) => [{ sleepMs: 5 }, { stream: chunk }]).flat();
    const { run, advanceTo, log } = createTestBed({ workers: { lateMs: { fromMs: 0, toMs: 30 } } });
    run(steps);
    advanceTo(SECOND);
    const chunks = log.filter((entry) => entry.event === 'stream');
    expect(chunks.map((entry) => Number(entry.detail))).toEqual(Array.from({ length: 40 }, (_, n) => n));
    const lateness = chunks.map((entry, n) => entry.atMs - 5 * (n + 1));
    expect(Math.min(...lateness)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...lateness)).toBeLessThanOrEqual(30);
    expect(new Set(lateness).size).toBeGreaterThan(10);
  });

  it('fires timers late, never early', () => {
    const gone = (lateMs: Delay) => {
      const { run, status, advanceTo, of, idOf } = createTestBed({ timersLateMs: lateMs });
      const submitted = run([{ hang: true }], { policy: { ttl: 10 * SECOND } });
      advanceTo(0);
      const id = idOf(submitted);
      return [9_999, 10_000, 10_199, 10_200].map((ms) => {
        advanceTo(ms);
        const call = status(id);
        advanceTo(ms);
        const reply = of(call);
        return reply?.kind === 'reply' && reply.reply.status;
      });
    };
    expect(gone(0)).toEqual([200, 404, 404, 404]);
    expect(gone(200)).toEqual([200, 200, 200, 404]);
  });

  it('stops the handler of a deleted job, which reports nothing more', () => {
    const { simulation, run, advanceTo, log } = createTestBed();
    run([{ sleepMs: 100 }, { return: 1 }]);
    advanceTo(50);
    simulation.deleteEndpoint('e');
    advanceTo(SECOND);
    expect(log.map((entry) => entry.event)).toContain('stop');
    expect(log.map((entry) => entry.event)).not.toContain('success');
  });

  it('passes webhook calls to the client, and its answers to the service', () => {
    const { simulation, run, advanceTo, learnt } = createTestBed({ latency: { webhookMs: 3 } });
    run([{ return: 1 }], { webhook: 'http://client.invalid/hook' });
    const calls = () => learnt.filter((occurrence) => occurrence.kind === 'webhook');
    advanceTo(5);
    expect(calls()).toMatchObject([{ atMs: 3, attempt: 1, url: 'http://client.invalid/hook' }]);
    expect(JSON.parse(calls()[0]!.bodyText)).toMatchObject({ status: 'COMPLETED', output: 1 });
    simulation.answerWebhook(calls()[0]!.delivery, 500);
    advanceTo(60 * SECOND);
    // Failed at 5 ms, known to the service 3 ms later, 10 s of pause, and 3 ms on the way again.
    expect(calls().map(({ atMs, attempt }) => [attempt, atMs])).toEqual([
      [1, 3],
      [2, 10_011],
    ]);
    simulation.answerWebhook(calls()[1]!.delivery, 200, 40);
    simulation.answerWebhook(calls()[1]!.delivery, 500);
    advanceTo(120 * SECOND);
    expect(calls()).toHaveLength(2);
  });

  it('wakes the client once, at the last time set', () => {
    const { simulation, advanceTo, learnt } = createTestBed();
    simulation.wakeAt(10);
    simulation.wakeAt(20);
    advanceTo(15);
    simulation.wakeAt(30);
    advanceTo(100);
    expect(learnt).toEqual([{ kind: 'wake', atMs: 30 }]);
    simulation.wakeAt(110);
    simulation.wakeAt(null);
    advanceTo(200);
    expect(learnt).toHaveLength(1);
  });

  it('drops messages in transit at a restart', () => {
    const { simulation, run, health, advanceTo, learnt } = createTestBed({ latency: { requestMs: 10 } });
    run([{ return: 1 }]);
    advanceTo(5);
    health();
    simulation.wakeAt(50);
    simulation.restart('next');
    advanceTo(SECOND);
    expect(learnt).toEqual([]);
  });
});
