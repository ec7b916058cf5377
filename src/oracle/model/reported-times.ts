/**
 * `delayTime` and `executionTime` are the target's own measurements of two differences in the job's life.
 * The document does not give their unit: each unit is tried until it is inconsistent.
 */
import { seconds } from '../../util/duration.js';
import { recordOf } from '../observed/recorded-call.js';
import type { RuleSet } from './rule-set.js';
import { type MutableHypothesis, fork, type Hypothesis } from './hypothesis.js';
import type { JobOperation } from './operations.js';
import { ranAtLeastMs, waitedAtLeastMs, type Condition } from './conditions.js';
import type { Row } from './lifecycle/lifecycle-rows.js';
import type { RequirementId } from '../../spec/index.js';
import { ENDED, QUEUED, STARTED, SUBMITTED } from './zone.js';

/**
 * The units that `delayTime` and `executionTime` may have. Milliseconds and seconds are usual; finer units
 * are tried only if something speaks for them (`possibleUnits`).
 */
const UNIT_MS = { ms: 1, s: 1000, us: 0.001, ns: 0.000001 } as const;

export type TimeUnit = keyof typeof UNIT_MS;

export const USUAL_UNITS: readonly TimeUnit[] = ['ms', 's'];
export const ALL_UNITS: readonly TimeUnit[] = ['ms', 's', 'us', 'ns'];

/** The requirements for reported times. If one is violated, the job itself may still be correct. */
export const REPORTED_TIME_RULES = [
  '2.4/delay-time-measures-waiting',
  '2.4/execution-time-measures-run',
] as const satisfies readonly RequirementId[];
const [DELAY_TIME, EXECUTION_TIME] = REPORTED_TIME_RULES;
/** Advice: the unit of neither is shown. */
const SAME_UNIT: RequirementId = '2.4/times-same-unit';

export const isAboutReportedTimes = (id: RequirementId): boolean =>
  id === DELAY_TIME || id === EXECUTION_TIME;

/** It is reported of the one run of the job, and this lasted long enough to be told from nothing. */
const lasted =
  (ms: (at: Hypothesis) => number): Condition =>
  (at, { rules, job, op }) =>
    op.call !== null && at.runs === 0 && ms(at) > 3 * rules.graceAt(job.submittedFromMs, op.byMs);
const hasWaited = lasted(waitedAtLeastMs);
const hasRun = lasted(ranAtLeastMs);
const isInOneUnit: Condition = ({ unit }, { after }) => unit !== null && unit === after[0]!.unit;

/** The quantity that each of the rules bounds. */
export const REPORTED_TIMES = [
  { quantity: 'delayTime', cases: [[DELAY_TIME]] },
  { quantity: 'executionTime', cases: [[EXECUTION_TIME]] },
] as const;

/** Section 2.4: the two times can be told from each other, and from other sums of the job's life. */
export const TIME_DECISIONS: readonly Row[] = [
  {
    shown: ['completed'],
    if: hasWaited,
    topics: ['reported times'],
    cases: [[DELAY_TIME], ['2.4/execution-time-excludes-waiting'], [SAME_UNIT, hasRun, isInOneUnit]],
  },
  {
    shown: ['completed'],
    if: hasRun,
    topics: ['reported times'],
    cases: [[EXECUTION_TIME], ['2.4/delay-time-excludes-execution']],
  },
];

/** So many of anything may be no seconds but a wrong number: rounding alone allows a second more or less. */
const SECONDS_TOLD_MIN = 2;
const NEXT_COARSER_MS = { us: UNIT_MS.ms, ns: UNIT_MS.us } as const;

/** The hypotheses that are consistent with the reported times. Constrains `at`; empty: they contradict it. */
export function withReportedTimes(rules: RuleSet, at: MutableHypothesis, op: JobOperation): Hypothesis[] {
  // After a crash and a second run it is open which runs and waits they cover.
  const reported =
    at.state === 'completed' && at.runs <= at.retries && op.call !== null ? recordOf(op.call) : null;
  const delay = counted(reported?.['delayTime']);
  const execution = counted(reported?.['executionTime']);
  const fits = (one: MutableHypothesis, unit: TimeUnit, ofExecution = unit): boolean =>
    (delay === null || durationFits(rules, one, DELAY_TIME, delay, unit)) &&
    (execution === null || durationFits(rules, one, EXECUTION_TIME, execution, ofExecution));
  if (delay === null && execution === null) return [at];
  if (at.unit !== null) return fits(at, at.unit) ? [at] : [];
  const most = Math.max(delay ?? 0, execution ?? 0);
  const inOneUnit = rules.units.flatMap((unit) => {
    // A time within the tolerance in one unit is within it in all finer ones, which would add nothing.
    if ((unit === 'us' || unit === 'ns') && most * NEXT_COARSER_MS[unit] <= rules.graceMs) return [];
    const one = fork(at);
    one.unit = unit;
    return fits(one, unit) ? [one] : [];
  });
  if (inOneUnit.length > 0 || delay === null || execution === null) return inOneUnit;
  const inTwo = USUAL_UNITS.flatMap((unit) => {
    const inSeconds = unit === 's' ? delay : execution;
    if (inSeconds < SECONDS_TOLD_MIN) return [];
    const one = fork(at);
    return fits(one, unit, unit === 'ms' ? 's' : 'ms') ? [one] : [];
  });
  return inTwo.length > 0 && rules.permits(SAME_UNIT, () => ['the two times are in different units'])
    ? inTwo
    : [];
}

function counted(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : null;
}

function durationFits(
  rules: RuleSet,
  { zone, retries, priorRunsMs }: Hypothesis,
  rule: (typeof REPORTED_TIME_RULES)[number],
  value: number,
  unit: TimeUnit,
): boolean {
  const perUnit = UNIT_MS[unit];
  const isDelay = rule === DELAY_TIME;
  const beforeMs = isDelay ? 0 : priorRunsMs;
  const later = isDelay ? STARTED : ENDED;
  const earlier = isDelay ? (retries > 0 ? SUBMITTED : QUEUED) : STARTED;
  const slackMs = rules.graceAt(zone.earliest(earlier), zone.latest(later)) + Math.max(1, perUnit);
  // After a retry `delayTime` may cover any of the waits; `executionTime` covers at least the last run.
  const isOpen = isDelay && retries > 0;
  const mostMs = Math.ceil(value * perUnit) + slackMs;
  const leastMs = Math.floor(value * perUnit) - slackMs - beforeMs;
  if (rules.isPlain)
    return (isOpen || zone.constrain(later, earlier, mostMs)) && zone.constrain(earlier, later, -leastMs);
  const say = (): readonly string[] => {
    const [least, most] = [seconds(-zone.bound(earlier, later)), seconds(zone.bound(later, earlier))];
    return [
      `${isDelay ? 'delayTime' : 'executionTime'} ${value} (read as ${unit})`,
      `but it lasted ${least === most ? least : `between ${least} and ${most}`}`,
    ];
  };
  return (
    (isOpen || rules.bound(rule, zone, later, earlier, mostMs, say, slackMs)) &&
    rules.bound(rule, zone, earlier, later, -leastMs, say, slackMs)
  );
}
