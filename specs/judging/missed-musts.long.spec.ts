/** Silence is a verdict, too: a must that the scenarios played decide on a correct target, and that stayed open. */
import { describe, expect, it } from 'vitest';
import { checkTarget, type CheckResult } from '../../src/checking/check-target.js';
import { ORDINARY_USE } from '../../src/judging/decidable.js';
import { rulesFor } from '../../src/core/rules.js';
import type { CallEvent, HistoryEvent } from '../../src/history/events.js';
import type { Dialect } from '../../src/spec/index.js';
import type { Target } from '../../src/target/port.js';
import { simulatorTarget } from '../../src/target/simulator/simulator-target.js';
import { named } from '../../scenarios/index.js';

/** The simulator, whose history is changed on its way; null: nothing of it arrives. */
function changed(
  change: (event: HistoryEvent) => HistoryEvent | null,
  dialect: Dialect = {},
  clock: Target['clock'] = 'virtual',
): Target {
  const rules = rulesFor(dialect, 'document');
  const { run, ...rest } = simulatorTarget({ seed: 1, graceMs: 2_000, rules });
  return {
    ...rest,
    clock,
    run(scripts, sink, options) {
      const append = (event: HistoryEvent): void => {
        const arrived = change(event);
        if (arrived !== null) sink.append(arrived);
      };
      return run(scripts, { append }, options);
    },
  };
}

const asIs = (event: HistoryEvent): HistoryEvent => event;

function saysCancelled({ op, reply }: CallEvent): boolean {
  return (
    op === 'status' && reply?.body.as === 'json' && JSON.stringify(reply.body.value).includes('CANCELLED')
  );
}

/** What no requirement forbids by name: the answer of `/status` for a job that may be gone is open. */
function failing(event: HistoryEvent): HistoryEvent {
  if (event.kind !== 'call' || !saysCancelled(event)) return event;
  return { ...event, reply: { ...event.reply!, status: 500, body: { as: 'none' } } };
}

const check = (target: Target, ...scenarios: readonly string[]): Promise<CheckResult> =>
  checkTarget(target, {
    seed: 1,
    runs: 1,
    scenarios: named.filter(({ name }) => ORDINARY_USE.includes(name) || scenarios.includes(name)),
  });

const missedIn = ({ report }: CheckResult): readonly (readonly [string, string | undefined])[] =>
  report.requirements.filter(({ missed }) => missed !== undefined).map(({ id, missed }) => [id, missed]);
const findingOf = ({ report }: CheckResult, id: string) => report.requirements.find((one) => one.id === id);

const CANCEL = '3/cancel-a-running-job';

describe('a must that a scenario decides on a correct target', () => {
  it('is decided there, and the run conforms', async () => {
    const result = await check(changed(asIs), CANCEL);
    expect(missedIn(result)).toEqual([]);
    expect(result.report).toMatchObject({ exitCode: 0 });
    expect(result.conforms).toBe(true);
  });

  it('and stays open on another one: the run does not conform, and says what happened instead', async () => {
    const result = await check(changed(failing), CANCEL);
    const { report } = result;
    expect(
      report.requirements.filter(({ level, verdict }) => level === 'must' && verdict === 'fail'),
    ).toEqual([]);
    expect(missedIn(result)).toContainEqual(['3/cancel-running', 'unexplained']);
    expect(findingOf(result, '3/cancel-running')).toMatchObject({ verdict: 'inconclusive' });
    expect(findingOf(result, '3/cancel-running')?.reason).toMatch(
      /3\/cancel-a-running-job.* played .*: \/status was answered with 500 \(.* more than from a correct target\)/,
    );
    expect(report.exitCode).toBe(6);
    expect(report.verdict).toMatch(
      /^LEFT OPEN: nothing failed, but with a correct server these scenarios decide [0-9]+ more required rules; /,
    );
    expect(result.conforms).toBe(false);
  });

  it.each<[string, Target, RegExp]>([
    ['in real time', changed(failing, {}, 'real'), /\/status was answered with 500/],
    [
      'where the harness ran late',
      changed((event) => (event.kind === 'script-end' ? { ...event, harnessLagMs: 1_700 } : failing(event))),
      /Runproof itself ran late, by up to 1\.7 s/,
    ],
  ])(
    '%s there are other explanations: the reason is named, and the run conforms',
    async (_, target, reason) => {
      const result = await check(target, CANCEL);
      expect(missedIn(result)).toContainEqual(['3/cancel-running', 'explained']);
      expect(findingOf(result, '3/cancel-running')?.reason).toMatch(reason);
      expect(result.report.exitCode).toBe(0);
    },
  );

  it('is open for want of webhooks, where none is called', async () => {
    const silent = changed((event) => (event.kind === 'webhook' ? null : event));
    const result = await check(silent, '6/any-worker-called');
    expect(findingOf(result, '6/stops-after-200')?.reason).toMatch(
      /^6\/any-worker-called was played (?:once|\d+ times): no webhook was called, and by a correct target [0-9]+ times/,
    );
  });

  it('is not missed where a reading of an open question leaves it open', async () => {
    const scenario = '2.2/ttl-before-execution-timeout';
    const dialect = { '2.2/ttl-below-execution-timeout': 'refused' } as const;
    const [own, other] = [
      await check(changed(asIs), scenario),
      await check(changed(asIs, dialect), scenario),
    ];
    const open = (result: CheckResult): readonly string[] =>
      result.report.requirements
        .filter(({ reason }) => reason?.includes('reading of an open question') === true)
        .map(({ id }) => id);
    expect([open(own), own.report.exitCode]).toEqual([[], 0]);
    expect(open(other).length).toBeGreaterThan(0);
    expect([missedIn(other), other.report.exitCode]).toEqual([[], 0]);
  });

  it('is not exercised where the scenario was not played', async () => {
    const result = await check(changed(failing));
    expect(missedIn(result)).toEqual([]);
    expect(findingOf(result, '3/cancel-running')).toMatchObject({
      verdict: 'not-exercised',
      reason: 'no scenario of this run reached this situation',
    });
  });
});

describe('a target whose time runs faster than real time', () => {
  const TTL = '2.2/ttl-removes-failed';
  const checkAt = async (speed: number): Promise<CheckResult> => {
    const { limits, ...rest } = changed(asIs, {}, 'real');
    const graceMs = 2_000 * speed;
    const fast: Target = { ...rest, speed, earlyMs: 50 * speed, limits: { ...limits, graceMs } };
    return check(fast, '2.2/ttl-removes-a-failed-job');
  };

  it('is told what stays open because of its speed', async () => {
    const fast = await checkAt(60);
    expect(findingOf(fast, TTL)).toMatchObject({
      verdict: 'inconclusive',
      reason: expect.stringContaining('at speed 60 what would decide it may be mere lateness'),
    });
    expect(fast.report.warnings.join()).toMatch(
      /required rules? stays? undecided because of speed 60 .* 2 min late/,
    );
  });

  it('is told nothing where the speed leaves nothing open', async () => {
    const usual = await checkAt(1);
    expect(findingOf(usual, TTL)).toMatchObject({ verdict: 'pass' });
    expect(usual.report.warnings.join()).not.toContain('because of speed');
  });
});
