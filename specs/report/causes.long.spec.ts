/** Which failures are shown as causes, and which below them. */
import { describe, expect, it } from 'vitest';
import { rulesFor } from '../../src/core/rules.js';
import type { CallEvent } from '../../src/history/events.js';
import { MUTANTS } from '../../src/mutants/index.js';
import { judge } from '../../src/oracle/index.js';
import { causesOf, type Cause } from '../../src/report/causes.js';
import { checkedOf, moreText } from '../../src/report/checked.js';
import { drawPlan } from '../../src/schedule/draw-plan.js';
import { runScripts } from '../../src/target/run-scripts.js';
import { simulatorTarget } from '../../src/target/simulator/simulator-target.js';
import { REQUIREMENTS } from '../../src/spec/index.js';
import { named } from '../../scenarios/index.js';
import { drawnByCommit } from '../support/whole.js';
import { HISTORY } from './sample-report.js';

const call = (
  number: number,
  status: number,
  word: string | null,
  more: Partial<CallEvent> = {},
): CallEvent => {
  const made = HISTORY.find((event) => event.kind === 'call') as CallEvent;
  const body =
    word === null ? { as: 'none' as const } : { as: 'json' as const, value: { status: word }, bytes: 9 };
  return { ...made, op: 'status', call: number, reply: { ...made.reply!, status, body }, ...more };
};

const failing = (
  id: string,
  failed: number,
  decided: number,
  calls: readonly number[],
): Parameters<typeof causesOf>[0][number] => ({
  ...{ id, section: id.slice(0, id.indexOf('/')), failed, decided },
  failures: [{ calls }],
});

const callsOf = (...calls: readonly CallEvent[]): ReadonlyMap<number, CallEvent> =>
  new Map(calls.map((one) => [one.call, one]));

describe('causes', () => {
  it.each([
    // What it demands is no code, and what it forbids is none that it demands.
    ['8/concurrency-run-above', 200, null],
    ['7/no-500-in-normal-use', 503, 'answered 503'],
    ['4.9/openai-exists', 405, 'answered 405'],
    ['5/unauthorized-reveals-nothing', 200, null],
    ['7/unknown-job-status', 200, 'answered 200 instead of 404'],
    ['8/rate-run-above', 200, 'answered 200 instead of 429'],
  ])('of %s, answered %i: %s', (id, code, answer) => {
    const [cause] = causesOf([failing(id, 1, 1, [0])], callsOf(call(0, code, 'COMPLETED')));
    expect(cause?.answer).toBe(answer);
  });

  it('come by the share of decisions that failed; few decisions count less', () => {
    const found = causesOf(
      [failing('a/once', 1, 1, [0]), failing('b/some', 9, 90, [1]), failing('c/most', 44, 55, [2])],
      callsOf(),
    );
    expect(found.map(({ requirement }) => requirement)).toEqual(['c/most', 'a/once', 'b/some']);
  });

  it('group requirements that failed by the same wrong answer', () => {
    const calls = callsOf(call(0, 403, null), call(1, 403, null), call(2, 403, null));
    const found = causesOf(
      [
        failing('5/missing-key-run', 2, 2, [0]),
        failing('5/missing-key-status', 9, 9, [1]),
        failing('7/no-body-run', 1, 9, [2]),
      ],
      calls,
    );
    expect(found).toEqual<Cause[]>([
      {
        requirement: '5/missing-key-status',
        answer: 'answered 403 instead of 401',
        sameAnswer: ['5/missing-key-run'],
        consequences: [],
      },
      {
        requirement: '7/no-body-run',
        answer: 'answered 403 instead of 400',
        sameAnswer: [],
        consequences: [],
      },
    ]);
  });

  it('begin, where no key is asked for, with a call without one', () => {
    const found = causesOf(
      [failing('5/key-compared-whole', 9, 9, [0]), failing('5/missing-key-stream', 1, 1, [1])],
      callsOf(call(0, 200, 'COMPLETED', { op: 'stream' }), call(1, 200, 'COMPLETED', { op: 'stream' })),
    );
    expect(found.map(({ requirement, answer, sameAnswer }) => [requirement, answer, sameAnswer])).toEqual([
      ['5/missing-key-stream', 'answered 200 instead of 401', ['5/key-compared-whole']],
    ]);
  });

  it('have as consequences what rests on an answer that cannot be read', () => {
    const calls = callsOf(call(0, 200, 'in_queue'), call(1, 200, 'COMPLETED'), call(2, 200, 'COMPLETED'));
    const found = causesOf(
      [
        failing('2.4/known', 8, 8, [0]),
        failing('3/follows', 1, 1, [0, 1]),
        failing('3/by-itself', 1, 1, [2, 1]),
      ],
      calls,
    );
    expect(found.map(({ requirement, consequences }) => [requirement, consequences])).toEqual([
      ['2.4/known', ['3/follows']],
      ['3/by-itself', []],
    ]);
  });

  it('have none by what else a requirement of theirs failed by', () => {
    const calls = callsOf(call(0, 200, 'COMPLETED'), call(1, 500, null), call(2, 500, null));
    const keys = failing('5/missing-key-run', 9, 9, [0]);
    const found = causesOf(
      [{ ...keys, failures: [...keys.failures, { calls: [1] }] }, failing('7/malformed-json-run', 6, 6, [2])],
      calls,
    );
    expect(found.map(({ requirement, consequences }) => [requirement, consequences])).toEqual([
      ['5/missing-key-run', []],
      ['7/malformed-json-run', []],
    ]);
  });

  it('never take a refusal for an answer that cannot be read: 404 is a right answer elsewhere', () => {
    const calls = callsOf(call(0, 404, null), call(1, 200, 'COMPLETED'));
    const found = causesOf([failing('4.2/kept', 8, 8, [0]), failing('4.4/other', 1, 9, [0, 1])], calls);
    expect(found.map(({ consequences }) => consequences)).toEqual([[], []]);
  });

  it('leave nothing out', () => {
    const ids = REQUIREMENTS.slice(0, 60).map(({ id }) => id);
    const all = ids.map((id, index) => failing(id, index + 1, 60, [index % 7, (index * 3) % 11]));
    const calls = callsOf(...ids.map((_, index) => call(index, index % 3 === 0 ? 500 : 200, 'odd')));
    const shown = causesOf(all, calls).flatMap((cause) => [
      cause.requirement,
      ...cause.sameAnswer,
      ...cause.consequences,
    ]);
    expect(shown.toSorted()).toEqual(ids.toSorted());
  });
});

describe('what more could be checked', () => {
  const judged = (
    id: string,
    verdict: 'pass' | 'untestable' | 'not-exercised' | 'inconclusive',
    reason: string | null = null,
  ) => ({
    ...{ id, verdict, reason },
    level: 'must' as const,
  });
  const needing = (need: string): string =>
    REQUIREMENTS.find(
      ({ needs, level }) =>
        level === 'must' &&
        needs.some((one) => one === need) &&
        needs.every((one) => one === need || one === 'scripted-worker'),
    )!.id;

  it('counts what each offer would add by itself', () => {
    const found = checkedOf(
      [
        judged('1/a', 'pass'),
        judged(needing('dedicated'), 'untestable'),
        judged(needing('unpermitted-key'), 'untestable'),
        judged(
          '1/b',
          'not-exercised',
          'needs a wait of 5 min or more; the longest wait of this run was 1 min',
        ),
        judged('1/c', 'inconclusive', 'the harness ran late'),
      ],
      { capabilities: ['scripted-worker'] },
    );
    expect(found).toMatchObject({ musts: 5, checked: 1 });
    expect(moreText(found)).toBe(
      '--control would add 3, a longer --profile 1, --dedicated 1, --unpermitted-api-key 1',
    );
  });

  it('offers nothing to recorded traffic', () => {
    const target = { capabilities: [], isRecorded: true } as const;
    const found = checkedOf([judged('1/a', 'pass'), judged(needing('dedicated'), 'not-exercised')], target);
    expect(found).toMatchObject({ musts: 2, checked: 1, more: [] });
  });

  it('says nothing where nothing is missing', () => {
    expect(moreText(checkedOf([judged('1/a', 'pass')], { capabilities: [] }))).toBe('');
  });
});

/**
 * Faults with several failing requirements, of which the first in the catalogue is none that is broken. Each is tried in all
 * scenarios: the commit draws one of the four.
 */
const MISLEADING = [
  'retry-loses-input',
  'timeout-keeps-worker',
  'ttl-in-seconds',
  'result-read-once',
] as const;

it.each(drawnByCommit(MISLEADING, MISLEADING.length))(
  'the first cause of %s is a requirement that the fault breaks',
  { timeout: 60_000 },
  async (id) => {
    const mutant = MUTANTS.find((one) => one.id === id)!;
    const target = simulatorTarget({
      seed: 1,
      rules: mutant.rules(rulesFor({}, 'document')),
      graceMs: 2_000,
    });
    const { scripts } = drawPlan(named, target, 1, 1);
    const { events } = await runScripts(target, scripts, { seed: 1, edition: 'document', runproof: '0' });
    const failed = judge(events).requirements.filter(
      ({ level, verdict }) => level === 'must' && verdict === 'fail',
    );
    expect(failed.length).toBeGreaterThan(1);
    expect(mutant.breaks).not.toContain(failed[0]!.id);
    const calls = callsOf(...events.filter((event) => event.kind === 'call'));
    expect(mutant.breaks).toContain(causesOf(failed, calls)[0]!.requirement);
  },
);
