import { describe, expect, it } from 'vitest';
import type { FaultAction, FaultRule } from '../../src/sim/faults.js';
import { FaultRules, opOfPath } from '../../src/sim/faults.js';
import { createRandom } from '../../src/time/random.js';
import { createTestBed } from './support.js';

/** One `/run` under this fault: what the client learns, and whether the service has a job of it. */
function submit(action: FaultAction, timeoutMs?: number) {
  const { simulation, run, runsync, health, advanceTo, of, bodyOf } = createTestBed({
    latency: { requestMs: 10, replyMs: 20 },
    faults: [
      { op: 'run', action },
      { op: 'runsync', action },
    ],
  });
  const call = timeoutMs === undefined ? run([{ hang: true }]) : runsync([{ hang: true }], timeoutMs);
  advanceTo(5_000);
  const asked = health();
  advanceTo(10_000);
  const { jobs } = bodyOf(asked) as { jobs?: { inProgress?: number } };
  return { learnt: of(call), running: jobs?.inProgress, simulation };
}

describe('network faults', () => {
  it('passes a call that matches no rule', () => {
    expect(submit({ do: 'pass' })).toMatchObject({ learnt: { kind: 'reply', atMs: 30 }, running: 1 });
  });

  it('delays requests and replies', () => {
    expect(submit({ do: 'delay', requestMs: 100 }).learnt).toMatchObject({ arrivedMs: 110, atMs: 130 });
    expect(submit({ do: 'delay', replyMs: 100 }).learnt).toMatchObject({ arrivedMs: 10, atMs: 130 });
  });

  it('drops a request before it reaches the service', () => {
    expect(submit({ do: 'drop-request', seen: 'reset' })).toMatchObject({
      learnt: { kind: 'lost', why: 'reset', atMs: 10, arrivedMs: null },
      running: 0,
    });
    expect(submit({ do: 'drop-request', seen: 'timeout' }, 700)).toMatchObject({
      learnt: { kind: 'lost', why: 'timeout', atMs: 700, arrivedMs: null },
      running: 0,
    });
  });

  it('drops a reply after the service has handled the request', () => {
    expect(submit({ do: 'drop-reply', seen: 'reset' })).toMatchObject({
      learnt: { kind: 'lost', why: 'reset', atMs: 30, arrivedMs: 10 },
      running: 1,
    });
  });

  it('disconnects the client of a waiting call', () => {
    const { learnt, running } = submit({ do: 'hang-up', afterMs: 50 }, 4_000);
    expect(learnt).toMatchObject({ kind: 'lost', why: 'aborted', atMs: 50, arrivedMs: 10 });
    expect(running).toBe(1);
  });

  it('reports a disconnected client to the service once, also when the request arrives later', () => {
    for (const [action, expected] of [
      [{ do: 'hang-up', afterMs: 50 }, 60],
      [{ do: 'hang-up', afterMs: 3 }, 10],
    ] as const) {
      const { runsync, advanceTo, log } = createTestBed({ latency: { requestMs: 10 }, faults: [{ action }] });
      runsync([{ hang: true }]);
      advanceTo(5_000);
      expect(log.filter((entry) => entry.event === 'hang-up').map((entry) => entry.atMs)).toEqual([expected]);
    }
  });
});

describe('fault rules', () => {
  const drop: FaultAction = { do: 'drop-request', seen: 'reset' };
  const decide = (rules: readonly FaultRule[], ops: readonly string[]) => {
    const all = new FaultRules(rules);
    const random = createRandom(1);
    return ops.map((op) => all.decide(op, random).do);
  };

  it('uses the first rule that matches', () => {
    const rules: FaultRule[] = [{ op: 'run', action: { do: 'pass' } }, { action: drop }];
    expect(decide(rules, ['run', 'status'])).toEqual(['pass', 'drop-request']);
  });

  it('counts matching calls', () => {
    const rules: FaultRule[] = [{ op: 'run', nth: 2, action: drop }];
    expect(decide(rules, ['run', 'status', 'run', 'run'])).toEqual(['pass', 'pass', 'drop-request', 'pass']);
  });

  it('uses probabilities in thousandths', () => {
    const lost = decide([{ perMille: 250, action: drop }], Array(4_000).fill('run')).filter(
      (d) => d !== 'pass',
    );
    expect(lost.length).toBeGreaterThan(900);
    expect(lost.length).toBeLessThan(1_100);
  });

  it.each([
    ['/v2/e/run', 'run'],
    ['/v2/e/status/id-1', 'status'],
    ['/v2/e/openai/v1/chat', 'openai'],
    ['/v2/e', ''],
    ['/', ''],
  ])('reads the operation out of %s', (path, op) => {
    expect(opOfPath(path)).toBe(op);
  });
});
