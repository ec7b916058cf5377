/**
 * Each pass of a rule of the life-cycle says something: where the rule is always broken, and grossly, the answers by which it
 * was counted are impossible; or, where it forbids a state, a read that had shown that state would have failed.
 */
import { describe, expect, test } from 'vitest';
import type { HistoryEvent, RunEvent } from '../../../src/history/events.js';
import { observeJobs } from '../../../src/oracle/jobs/observed-jobs.js';
import { jobStarts, withStartWindow } from '../../../src/oracle/jobs/start-windows.js';
import { decide } from '../../../src/oracle/model/decide.js';
import { HeldDecisions } from '../../../src/oracle/model/held-decisions.js';
import { TIMERS } from '../../../src/oracle/model/lifecycle/lifecycle.js';
import { linearize } from '../../../src/oracle/model/linearize.js';
import { initialHypotheses, type ObservedJob } from '../../../src/oracle/model/observed-job.js';
import type { JobOperation } from '../../../src/oracle/model/operations.js';
import { RuleSet } from '../../../src/oracle/model/rule-set.js';
import { batchesOf } from '../../../src/oracle/observed/session.js';
import { drawOrLeaveOut } from '../../../src/scenario/draw.js';
import type { RequirementId } from '../../../src/spec/index.js';
import { EXECUTION_TIMEOUT_DEFAULT_MS } from '../../../src/spec/limits.js';
import { simulatorTarget } from '../../../src/target/simulator/simulator-target.js';
import { named as shippedScenarios } from '../../../scenarios/index.js';
import { runHeader } from '../../support/run-header.js';
import { brokenWorld, inWorld, SHOWN_INSTEAD } from '../support/broken-worlds.js';
import { TraceBuilder } from '../support/trace-builder.js';

const SEED = 1;
const OPERATIONS_MAX = 60;

/** What counts passes at the timers: bounds where they are tested, and what is neither bound. */
const IDS: ReadonlySet<RequirementId> = new Set(
  TIMERS.flatMap(({ tooLate, tooEarly, others }) => [
    ...[tooLate, tooEarly].flatMap(({ tested, cases }) => (tested.length === 0 ? [] : cases)),
    ...others.flatMap(({ cases }) => cases),
  ]).map(([id]) => id),
);

/** Of these no world of one job can tell. */
const NOT_ASKED: { readonly [id in RequirementId]?: string } = {
  '1/no-more-jobs-in-progress-than-workers': 'which jobs run at once is told by several of them',
  '4.6/keeps-input': 'the input shows in the output, which the life-cycle does not know',
};

const RETENTION_IS_OPEN = 'how long the record of an unsuccessful job is kept is open';
/** These may be counted where something else explains the answers as well. */
const EASY: { readonly [id in RequirementId]?: string } = {
  '2.2/ttl-removes-failed': RETENTION_IS_OPEN,
  '2.2/ttl-removes-timed-out': RETENTION_IS_OPEN,
  '2.2/ttl-removes-cancelled': RETENTION_IS_OPEN,
  '2.2/ttl-removes-retried': RETENTION_IS_OPEN,
  '2.2/ttl-not-restarted-by-completion': 'it may have ended as soon as it was submitted',
  '1/waits-when-no-worker-free': 'it may be read before a free worker would have had to take it',
};

const hang = [{ hang: true }];
const FAR = { ttl: 604_800_000, executionTimeout: 604_800_000 };
/** The simulator refuses policies out of range. */
const OUT_OF_RANGE: readonly TraceBuilder[] = [
  new TraceBuilder(0).submitted(0, 'a', hang, { ttl: 1e9 }).seen(604_800_200, 'a', 'GONE'),
  new TraceBuilder(0).submitted(0, 'a', hang, { ttl: 5_000 }).seen(9_900, 'a', 'IN_QUEUE'),
  new TraceBuilder(1)
    .submitted(0, 'a', hang, { ...FAR, executionTimeout: 1e9 })
    .seen(604_800_050, 'a', 'TIMED_OUT', { executionTime: 604_800_000 }),
  new TraceBuilder(1)
    .submitted(0, 'a', hang, { ...FAR, executionTimeout: 3_000 })
    .seen(4_900, 'a', 'IN_PROGRESS'),
];

function simulated(): readonly HistoryEvent[] {
  const target = simulatorTarget({ seed: SEED });
  const { capabilities, clock, earlyMs, limits, name } = target;
  const scripts = shippedScenarios.flatMap((one) => {
    const drawn = drawOrLeaveOut(one, SEED, limits);
    return 'script' in drawn ? [drawn.script] : [];
  });
  const { graceMs } = limits;
  const events: HistoryEvent[] = [
    runHeader({
      seed: SEED,
      target: { kind: 'simulator', name },
      ...{ capabilities, clock, graceMs, earlyMs, executionTimeoutDefaultMs: EXECUTION_TIMEOUT_DEFAULT_MS },
    }),
  ];
  target.runSynchronously(scripts, { append: (event) => events.push(event) });
  return events;
}

interface Told {
  readonly scenario: string;
  readonly job: ObservedJob;
  readonly rules: RuleSet;
}

function* jobsOf([run, ...events]: readonly HistoryEvent[]): Generator<Told> {
  const { graceMs, earlyMs } = run as RunEvent;
  for (const session of [...batchesOf(run as RunEvent, events)].flat()) {
    const observed = observeJobs(session);
    const rules = new RuleSet(graceMs, earlyMs);
    const starts = jobStarts(rules, session, observed);
    for (const job of observed.jobs) {
      if (job.notJudged !== null || job.operations.length > OPERATIONS_MAX) continue;
      const { window = job.model.startWindow } = starts.get(job.id) ?? {};
      const { scenario = '' } = session.scripts.get(job.script) ?? {};
      yield { scenario, job: withStartWindow(job, window), rules };
    }
  }
}

const explain = ({ job, rules }: Told, operations = job.operations, step?: Parameters<typeof linearize>[4]) =>
  linearize(rules, job.model, initialHypotheses(job), operations, step);

class Passes extends HeldDecisions {
  readonly ids = new Set<RequirementId>();
  override pass(id: RequirementId): void {
    this.ids.add(id);
  }
}

/** The operations of the job at which each requirement passes. */
function passesOf(told: Told): ReadonlyMap<RequirementId, readonly JobOperation[]> {
  const found = new Map<RequirementId, JobOperation[]>();
  const { job, rules } = told;
  const { kind } = explain(told, job.operations, (op, before, after) => {
    if (op.kind === 'health') return;
    const passes = new Passes();
    decide(passes, { rules, job, op, before, after });
    for (const id of passes.ids) if (IDS.has(id)) found.set(id, [...(found.get(id) ?? []), op]);
  });
  return kind === 'consistent' ? found : new Map();
}

/** Those of these operations that leave it open whether the requirement is broken; null: nothing can tell. */
function easyOf(told: Told, id: RequirementId, ops: readonly JobOperation[]): readonly JobOperation[] | null {
  const { operations } = told.job;
  const observed = SHOWN_INSTEAD[id];
  if (observed !== undefined)
    return ops.filter((op) => {
      const other = { ...op, answer: 'ok', code: 200, observed, call: null } as const;
      return explain(told, operations.slice(0, operations.indexOf(op)).concat(other)).kind === 'consistent';
    });
  const world = brokenWorld(id);
  if (world === null) return null;
  const broken = inWorld(world, told.rules.graceMs, () => explain(told));
  const until = broken.kind === 'consistent' ? Infinity : operations.indexOf(broken.op);
  return ops.filter((op) => operations.indexOf(op) < until);
}

const asked = new Map<RequirementId, string[]>();
for (const events of [simulated(), ...OUT_OF_RANGE.map((trace) => trace.history(1e9))])
  for (const told of jobsOf(events))
    for (const [id, ops] of passesOf(told)) {
      const easy = easyOf(told, id, ops);
      if (easy === null) continue;
      const { scenario, job } = told;
      const places = easy.map(
        ({ kind, fromMs, observed, code }) =>
          `${scenario}: ${kind} after ${fromMs - job.submittedFromMs} ms, ${observed ?? code}`,
      );
      asked.set(id, [...(asked.get(id) ?? []), ...places]);
    }

describe('a pass at a timer', () => {
  test('is counted somewhere, and asked', () => {
    const never = [...IDS].filter((id) => !asked.has(id));
    expect(never.toSorted()).toEqual(Object.keys(NOT_ASKED).toSorted());
  });

  test.each([...asked])('of %s would be impossible if it were always broken', (id, easy) => {
    if (EASY[id] === undefined) expect(easy).toEqual([]);
    else expect(easy, 'it is no longer easy: take it out of the list').not.toEqual([]);
  });
});
