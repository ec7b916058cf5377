/**
 * `test-bed/` promises our own endpoint as a place to try scripts: on the simulator, correct in every environment and legal
 * variant, or with one known fault.
 */
import { rulesFor, type Rules } from '../core/rules.js';
import type { Judged } from '../explore/batch.js';
import type { Violation, TestBed, Environment } from '../explore/index.js';
import type { HistoryEvent, RunEvent } from '../history/events.js';
import { LEGAL_VARIANTS, MUTANTS } from '../mutants/index.js';
import { judge } from '../oracle/index.js';
import { without, type Knowledge } from '../oracle/proof/generalize.js';
import { packageVersion } from '../package-files.js';
import { escapeControls } from '../report/escape.js';
import { runEvent as runEventOf } from '../target/run-scripts.js';
import type { Dialect } from '../spec/index.js';
import type { Capability, Edition } from '../spec/types.js';
import {
  simulatorLimits,
  simulatorTarget,
  type SimulatorOptions,
  type SimulatorTarget,
} from '../target/simulator/simulator-target.js';
import { UsageError } from '../util/errors.js';

/** Which endpoint the test bed simulates. Plain JSON. */
export interface TestBedSettings {
  readonly edition: Edition;
  /** Id of a known fault, or null. */
  readonly mutant: string | null;
  /** Readings to follow; default: the default ones. */
  readonly dialect?: Dialect | undefined;
  /** What is known of the endpoint; default: everything that is known of the simulator. */
  readonly capabilities?: readonly Capability[] | undefined;
  /**
   * The endpoint's default executionTimeout in ms (section 2.2), null: not known; default: that of the
   * simulator's rules.
   */
  readonly executionTimeoutDefaultMs?: number | null | undefined;
}

const KNOWLEDGE: readonly Knowledge[] = ['dedicated', 'worker-count-known', 'webhook-reachable'];

export function createTestBed(settings: TestBedSettings): TestBed {
  const { edition, mutant, capabilities, dialect = {}, executionTimeoutDefaultMs } = settings;
  // Variants would change an endpoint that the settings describe.
  const varies = mutant === null && settings.dialect === undefined;
  const unknown = KNOWLEDGE.filter((one) => capabilities?.includes(one) === false);
  const ownRules = rulesFor(dialect, edition);
  const optionsIn = (environment: Environment): SimulatorOptions => {
    const variant = environment.variant === null ? null : named(LEGAL_VARIANTS, environment.variant);
    // A variant may have another default.
    const defaultMs = variant === null ? executionTimeoutDefaultMs : null;
    return simulatorOptions(environment, edition, variant?.lateMs, defaultMs);
  };
  const targetIn = (environment: Environment): SimulatorTarget => {
    const { variant } = environment;
    const base = variant === null ? ownRules : named(LEGAL_VARIANTS, variant).rules();
    // Made anew, since some faults count what they have done.
    const rules = mutant === null ? base : named(MUTANTS, mutant).rules(base);
    return simulatorTarget({ ...optionsIn(environment), rules });
  };
  return {
    variants: varies ? LEGAL_VARIANTS.filter((each) => each.edition === edition).map(({ id }) => id) : [],
    limitsIn: (environment) => simulatorLimits(optionsIn(environment)),
    run(scripts, environment) {
      const target = targetIn(environment);
      const events: HistoryEvent[] = [runEvent(target, environment, edition)];
      target.runSynchronously(scripts, { append: (event) => events.push(event) });
      return events;
    },
    judge: (events, environment) =>
      judged(unknown.length === 0 ? events : without(events, unknown), environment),
  };
}

function named<T extends { readonly id: string }>(known: readonly T[], id: string): T {
  const found = known.find((each) => each.id === id);
  if (found === undefined) throw new UsageError(`no such planted bug or variant: ${escapeControls(id)}`);
  return found;
}

/** The simulator with these rules, in this environment. @param rulesLateMs their lateness, which is added */
export function simulatorIn(
  environment: Environment,
  edition: Edition,
  rules: Rules,
  rulesLateMs?: number,
  executionTimeoutDefaultMs?: number | null,
): SimulatorTarget {
  const options = simulatorOptions(environment, edition, rulesLateMs, executionTimeoutDefaultMs);
  return simulatorTarget({ ...options, rules });
}

function simulatorOptions(
  environment: Environment,
  edition: Edition,
  rulesLateMs: number = 0,
  executionTimeoutDefaultMs?: number | null,
): SimulatorOptions {
  const { requestMs, replyMs, timersLateMs, dispatchMs, workersLateMs } = environment;
  const worldLateMs = Math.max(...[timersLateMs, dispatchMs, workersLateMs].map((late) => late?.toMs ?? 0));
  const graceMs =
    rulesLateMs === 0 ? environment.graceMs : (environment.graceMs ?? worldLateMs) + rulesLateMs;
  return {
    seed: environment.seed,
    edition,
    executionTimeoutDefaultMs,
    graceMs: graceMs ?? undefined,
    ...(environment.ties === 'seeded' ? { ties: 'seeded' as const } : {}),
    arrivals: environment.arrivals,
    latency: { ...(requestMs && { requestMs }), ...(replyMs && { replyMs }) },
    timersLateMs,
    dispatchMs,
    ...(workersLateMs && { workers: { lateMs: workersLateMs } }),
    faults: environment.mishaps,
    ...(environment.scaling === undefined ? {} : autoscaling(environment.scaling)),
  };
}

function autoscaling({ coldStartMs, ...rest }: NonNullable<Environment['scaling']>) {
  const { fromMs, toMs } = coldStartMs;
  return {
    scaling: { ...rest, coldStartMs: fromMs },
    coldStartsLateMs: { fromMs: 0, toMs: toMs - fromMs },
  };
}

export function runEvent(target: SimulatorTarget, { seed }: Environment, edition: Edition): RunEvent {
  return runEventOf(target, { seed, edition, runproof: packageVersion() });
}

/** What in the history violates the document. For a legal variant only the musts count. */
export function judged(events: readonly HistoryEvent[], { variant }: Environment): Judged {
  const { requirements, openQuestions } = judge(events);
  const violations = requirements.flatMap(({ level, failures }) =>
    (variant !== null && level !== 'must' ? [] : failures).map((failure): Violation => {
      const { requirement, script, expected, actual, proof } = failure;
      return { requirement, level, script, expected, actual, proof };
    }),
  );
  return {
    violations,
    decided: requirements.filter(({ decided }) => decided > 0).map(({ id }) => id),
    doubts: openQuestions.filter(({ stable }) => !stable).map(({ id }) => id),
  };
}
