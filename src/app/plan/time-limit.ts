/** How long a run in real time may take, whatever the target does, and what it says where that was not enough. */
import type { HistoryEvent } from '../../history/events.js';
import { pluralize, formatDuration } from '../../report/formatting.js';
import { createScriptRunner } from '../../runner/script-runner.js';
import type { LeftOut } from '../../schedule/draw-plan.js';
import type { NamedScenario, Script } from '../../scenario/index.js';
import { REQUIREMENTS } from '../../spec/index.js';
import type { Requirement } from '../../spec/types.js';
import { dryRun, type DurationEstimate, type HttpTarget } from '../../target/http/index.js';
import { PROFILE_WAIT_MS, type Profile } from '../profiles.js';

/** So many times what was foreseen a run may take; a short one has a minute in any case. */
const LIMIT_FACTOR = 2;
const LIMIT_LEAST_MS = 60_000;

/** Playing ends by then; null where the clock can be advanced. What is alive by then is ended afterwards. */
export function timeLimitOf(foreseen: DurationEstimate | null, budgetMs: number | null): number | null {
  if (budgetMs !== null || foreseen === null) return budgetMs;
  return Math.max(LIMIT_FACTOR * foreseen.wallMs, foreseen.wallMs + LIMIT_LEAST_MS);
}

/** Of a budget: what ending the jobs, judging and the report take. */
const AFTERWARDS_SHARE = 0.1;
const AFTERWARDS_LEAST_MS = 1_000;
const AFTERWARDS_MOST_MS = 20_000;

/** Until when scripts are played, where the whole run has so much time. */
export function playedBy(budgetMs: number): number {
  const afterwards = Math.min(
    Math.max(AFTERWARDS_SHARE * budgetMs, AFTERWARDS_LEAST_MS),
    AFTERWARDS_MOST_MS,
    budgetMs / 2,
  );
  return budgetMs - afterwards;
}

export interface PlayedInTime {
  readonly target: HttpTarget;
  readonly scripts: readonly Script[];
  /** Scenarios that were not played, each with the reason. */
  readonly leftOut: readonly LeftOut[];
  readonly scenarios: readonly NamedScenario[];
  readonly events: readonly HistoryEvent[];
  readonly profile: Profile;
  readonly limitMs: number | null;
  /** The limit ended it. */
  readonly wasCut: boolean;
}

/** Why a requirement was not decided, where the time was too short for it; else null. */
export function tooLittleTime(played: PlayedInTime): (id: string) => string | null {
  const { target, scripts, scenarios, profile, limitMs, wasCut } = played;
  const done = new Set(
    played.events.flatMap((event) =>
      event.kind === 'script-end' && event.outcome === 'played' ? [event.script] : [],
    ),
  );
  const cut = new Set(wasCut ? scripts.flatMap((script, n) => (done.has(n) ? [] : [script.scenario])) : []);
  const unreached = new Set<string>(
    scenarios.flatMap(({ name, exercises }) => (cut.has(name) ? exercises : [])),
  );
  const noRoom = notPlayed(played, ({ forBudget }) => forBudget === true);
  const waits = new Map<string, number>(REQUIREMENTS.map(({ id, waitMs }) => [id, waitMs]));
  return (id) => {
    if (unreached.has(id))
      return `not reached in the time of the run, ${formatDuration(limitMs ?? 0)}: more is given by --budget ${minutes(2 * (limitMs ?? 0))}`;
    const left = noRoom.get(id);
    if (left !== undefined) return `${left.reason}: more is given by --budget ${minutes(2 * (limitMs ?? 0))}`;
    const waitMs = waits.get(id) ?? 0;
    const enough = profileFor(waitMs);
    return target.clock === 'real' && waitMs > target.limits.maxWaitMs && enough !== null
      ? `it takes a wait of ${formatDuration(waitMs)} and more, where ${profile} has ${formatDuration(target.limits.maxWaitMs)}: --profile ${enough}`
      : null;
  };
}

/** By requirement, why the scenarios that would have exercised it were left out for such a reason, where none was played. */
function notPlayed(
  { scripts, scenarios, leftOut }: PlayedInTime,
  wanted: (left: LeftOut) => boolean,
): ReadonlyMap<string, LeftOut> {
  const played = new Set(scripts.map(({ scenario }) => scenario));
  const done = new Set<string>(
    scenarios.flatMap(({ name, exercises }) => (played.has(name) ? exercises : [])),
  );
  const why = new Map<string, LeftOut>();
  for (const left of leftOut.filter(wanted))
    for (const id of scenarios.find(({ name }) => name === left.scenario)?.exercises ?? [])
      if (!done.has(id)) why.set(id, left);
  return why;
}

const minutes = (ms: number): string => `${Math.ceil(ms / 60_000)}m`;

function profileFor(waitMs: number): Profile | null {
  return (['quick', 'standard', 'full'] as const).find((one) => PROFILE_WAIT_MS[one] > waitMs) ?? null;
}

/** What a plan says of requirements whose waits are longer than it allows. */
export function waitLines(
  target: HttpTarget,
  profile: Profile,
  judges: (id: string) => boolean,
): readonly string[] {
  if (target.clock !== 'real') return [];
  const { maxWaitMs } = target.limits;
  return (['standard', 'full'] as const).flatMap((enough) => {
    const ids = (REQUIREMENTS as readonly Requirement[])
      .filter(
        ({ id, waitMs, untestable }) =>
          untestable === undefined && judges(id) && waitMs > maxWaitMs && profileFor(waitMs) === enough,
      )
      .map(({ id }) => id);
    if (ids.length === 0 || enough === profile) return [];
    const named = ids.slice(0, 3).join(', ');
    const others = ids.length > 3 ? ` and ${ids.length - 3} more` : '';
    return [`its waits are too short to decide ${named}${others}: --profile ${enough}`];
  });
}

/** A run that takes so much longer than foreseen says why. */
const LONGER = 1.25;
const LONGER_MS = 15_000;
const NAMED_MAX = 3;
const SECOND_MS = 1_000;

/** Which scripts took longer than their rehearsals, where the whole run did; null where it did not. */
export function whyLonger(
  { target, scripts, events }: Pick<PlayedInTime, 'target' | 'scripts' | 'events'>,
  foreseenMs: number,
  wallMs: number,
): string | null {
  if (wallMs <= Math.max(LONGER * foreseenMs, foreseenMs + LONGER_MS)) return null;
  const began = new Map<number, number>();
  const longer: { readonly scenario: string; readonly tookMs: number; readonly wantedMs: number }[] = [];
  for (const event of events) {
    if (event.kind === 'script') began.set(event.script, event.atMs);
    const script = event.kind === 'script-end' ? scripts[event.script] : undefined;
    if (event.kind !== 'script-end' || script === undefined) continue;
    const tookMs = event.atMs - (began.get(event.script) ?? event.atMs);
    const wantedMs = dryRun(script, createScriptRunner, target.latency).lastsMs;
    if (tookMs > LONGER * wantedMs + SECOND_MS) longer.push({ scenario: script.scenario, tookMs, wantedMs });
  }
  longer.sort((left, right) => right.tookMs - right.wantedMs - (left.tookMs - left.wantedMs));
  const told = longer
    .slice(0, NAMED_MAX)
    .map(
      ({ scenario, tookMs, wantedMs }) =>
        `${scenario} took ${formatDuration(tookMs)}, not ${formatDuration(wantedMs)}`,
    );
  const why =
    told.length === 0
      ? 'scripts waited for each other'
      : `${pluralize(longer.length, 'script')} waited longer than foreseen: ${told.join(', ')}`;
  return `the run took ${formatDuration(wallMs)} where ${formatDuration(foreseenMs)} were foreseen: ${why}`;
}
