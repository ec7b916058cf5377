/** How long a run in real time may take, and what the report says when that was too short. */
import { isSelected, type RunSelection } from '../../history/selection.js';
import type { HistoryEvent } from '../../history/events.js';
import { pluralize, formatDuration } from '../../report/formatting.js';
import type { LeftOut } from '../../schedule/draw-plan.js';
import type { Latency } from '../../schedule/latency.js';
import type { NamedScenario } from '../../scenario/index.js';
import { REQUIREMENTS } from '../../spec/index.js';
import type { Requirement } from '../../spec/types.js';
import { dryRun, type DurationEstimate } from '../../target/http/index.js';
import { exercisedBy } from '../../judging/played-scripts.js';
import { PROFILE_WAIT_MS, type Profile } from '../../judging/profiles.js';
import type { RunPlan } from './plan-run.js';
import type { PlanTarget } from './plan-target.js';

/** A run may take this many times its estimate, and at least a minute more. */
const LIMIT_FACTOR = 2;
const LIMIT_LEAST_MS = 60_000;

/** After how many ms the run is stopped; null: when all scripts have ended. */
export function timeLimitOf(estimate: DurationEstimate | null, budgetMs: number | null): number | null {
  if (budgetMs !== null || estimate === null) return budgetMs;
  return Math.max(LIMIT_FACTOR * estimate.wallMs, estimate.wallMs + LIMIT_LEAST_MS);
}

/** The same of a run that may make fewer calls in a second than was estimated. */
export function limitAtPaceMs(estimate: DurationEstimate | null, callsPerSecond: number): number | undefined {
  if (estimate === null) return undefined;
  const pacedMs = (1_000 * estimate.calls) / callsPerSecond;
  return timeLimitOf({ ...estimate, wallMs: Math.max(estimate.wallMs, pacedMs) }, null) ?? undefined;
}

/** Share of a budget that ending the jobs, judging and the report need. */
const AFTERWARDS_SHARE = 0.1;
const AFTERWARDS_MIN_MS = 1_000;
const AFTERWARDS_MAX_MS = 20_000;

/** Until when scripts may run, in ms from the beginning of the budget. */
export function runsUntilMs(budgetMs: number): number {
  const afterwardsMs = Math.min(
    Math.max(AFTERWARDS_SHARE * budgetMs, AFTERWARDS_MIN_MS),
    AFTERWARDS_MAX_MS,
    budgetMs / 2,
  );
  return budgetMs - afterwardsMs;
}

/** A run that is over, and the plan that it followed. */
export interface TimedRun {
  readonly plan: Pick<RunPlan, 'target' | 'scripts' | 'leftOut' | 'limitMs' | 'estimate' | 'enoughMs'>;
  /** Those that were selected. */
  readonly scenarios: readonly NamedScenario[];
  readonly events: readonly HistoryEvent[];
  /** The budget or the time limit ended it. */
  readonly stoppedByLimit: boolean;
  /** Why it ended before all scripts had been run, where going on would have taught nothing; otherwise null. */
  readonly stoppedBecause: string | null;
}

/** Why a requirement was not decided, if the run ended early or there was too little time for it; otherwise null. */
export function whyNotReached(run: TimedRun): (id: string) => string | null {
  const { plan, scenarios, events, stoppedByLimit, stoppedBecause } = run;
  const { clock, limits, latency } = plan.target;
  const limitMs = plan.limitMs ?? 0;
  const finished = new Set(
    events.flatMap((event) =>
      event.kind === 'script-end' && event.outcome === 'played' ? [event.script] : [],
    ),
  );
  const unfinished = plan.scripts.filter((_, number) => !finished.has(number));
  const isCut = stoppedByLimit || stoppedBecause !== null;
  const stopped = new Set(isCut ? unfinished.map(({ scenario }) => scenario) : []);
  const unreached = new Set<string>(
    scenarios.flatMap(({ name, exercises }) => (stopped.has(name) ? exercises : [])),
  );
  const noRoom = leftOutForBudget(run);
  const waits = new Map<string, number>(REQUIREMENTS.map(({ id, waitMs }) => [id, waitMs]));
  const twiceMs = plan.enoughMs === undefined || stoppedByLimit ? 2 * limitMs : 0;
  const moreTime = `use --budget ${minutes(Math.max(twiceMs, plan.enoughMs ?? 0))} or more`;
  return (id) => {
    if (unreached.has(id) && stoppedBecause !== null)
      return 'not reached: the run stopped early (see the warning)';
    if (unreached.has(id)) return `not reached within the run's ${formatDuration(limitMs)}: ${moreTime}`;
    const left = noRoom.get(id);
    if (left !== undefined) return `${left.reason}: ${moreTime}`;
    const waitMs = waits.get(id) ?? 0;
    const profile = profileFor(waitMs, latency);
    return clock === 'real' && waitMs > limits.maxWaitMs && profile !== null
      ? `needs a wait of ${formatDuration(waitMs)} or more; the longest wait of this run was ` +
          `${formatDuration(limits.maxWaitMs)}: use --profile ${profile}`
      : null;
  };
}

/** By requirement: a scenario that would have exercised it, did not fit the budget, and was not run. */
function leftOutForBudget({ plan, scenarios }: TimedRun): ReadonlyMap<string, LeftOut> {
  const run = new Set(plan.scripts.map(({ scenario }) => scenario));
  const exercised = new Set<string>(
    scenarios.flatMap(({ name, exercises }) => (run.has(name) ? exercises : [])),
  );
  const exercises = exercisedBy(scenarios, plan.target);
  const found = new Map<string, LeftOut>();
  for (const left of plan.leftOut.filter(({ forBudget }) => forBudget === true))
    for (const id of exercises(left.scenario)) if (!exercised.has(id)) found.set(id, left);
  return found;
}

/** The budget that `whyNotReached` names; null: it names none. */
export const budgetIn = (reason: string | null): string | null =>
  /: use --budget (\S+) or more$/.exec(reason ?? '')?.[1] ?? null;

const minutes = (ms: number): string => `${Math.ceil(ms / 60_000)}m`;

function profileFor(waitMs: number, { speed = 1 }: Latency): Profile | null {
  const waits = (['quick', 'standard', 'full'] as const).find((one) => PROFILE_WAIT_MS[one] * speed > waitMs);
  return waits ?? null;
}

/**
 * Requirements whose waits are longer than the target allows, and the profile that has such waits.
 *
 * @internal
 */
export interface LongerWaits {
  readonly profile: Profile;
  readonly requirements: readonly string[];
}

export function longerWaits(
  { clock, limits, latency }: Pick<PlanTarget, 'clock' | 'limits' | 'latency'>,
  asked: RunSelection,
): readonly LongerWaits[] {
  if (clock !== 'real') return [];
  return (['standard', 'full'] as const).flatMap((profile) => {
    const requirements = (REQUIREMENTS as readonly Requirement[])
      .filter(
        ({ id, waitMs, untestable }) =>
          untestable === undefined &&
          isSelected(asked, id) &&
          waitMs > limits.maxWaitMs &&
          profileFor(waitMs, latency) === profile,
      )
      .map(({ id }) => id);
    return requirements.length === 0 ? [] : [{ profile, requirements }];
  });
}

/** Above these, a run explains why it took longer than estimated. */
const LONGER = 1.25;
const LONGER_MS = 15_000;
const NAMED_MAX = 3;
const SECOND_MS = 1_000;

/** Which scripts took longer than estimated, if the whole run did; otherwise null. */
export function whyLonger(
  { plan, events }: Pick<TimedRun, 'plan' | 'events'>,
  wallMs: number,
): string | null {
  const { scripts, target } = plan;
  const { speed = 1 } = target.latency;
  const estimateMs = plan.estimate?.wallMs ?? Infinity;
  if (wallMs <= Math.max(LONGER * estimateMs, estimateMs + LONGER_MS)) return null;
  const startedMs = new Map<number, number>();
  const longer: { readonly scenario: string; readonly tookMs: number; readonly estimateMs: number }[] = [];
  for (const event of events) {
    if (event.kind === 'script') startedMs.set(event.script, event.atMs);
    const script = event.kind === 'script-end' ? scripts[event.script] : undefined;
    if (event.kind !== 'script-end' || script === undefined) continue;
    const tookMs = (event.atMs - (startedMs.get(event.script) ?? event.atMs)) / speed;
    const lastsMs = dryRun(script, target.latency).lastsMs / speed;
    if (tookMs > LONGER * lastsMs + SECOND_MS)
      longer.push({ scenario: script.scenario, tookMs, estimateMs: lastsMs });
  }
  longer.sort((left, right) => right.tookMs - right.estimateMs - (left.tookMs - left.estimateMs));
  const named = longer
    .slice(0, NAMED_MAX)
    .map((one) => `${one.scenario} took ${formatDuration(one.tookMs)} instead of ${inWords(one.estimateMs)}`);
  const why =
    named.length === 0
      ? 'scripts waited for each other'
      : `${pluralize(longer.length, 'script')} waited longer than estimated: ${named.join(', ')}`;
  return `the run took ${formatDuration(wallMs)}, and was estimated at ${inWords(estimateMs)}: ${why}`;
}

/** What waits for nothing takes as long as its calls do. */
const inWords = (ms: number): string => (ms < SECOND_MS ? 'less than a second' : formatDuration(ms));
