/**
 * `differences/` promises what leads from a failure to its cause: what the broken cases of a rule have in common that the kept
 * ones lack, the numbers of the failure set against times of its job, and the nearest case in which the rule held. It judges
 * nothing: decisions are the oracle's.
 */
import type { HistoryEvent } from '../../history/events.js';
import type { Decision } from '../../oracle/index.js';
import { pluralize } from '../formatting.js';
import type { Report, ReportFailure, ReportRequirement } from '../report.js';
import { ScriptCalls } from './facts.js';
import { numbersOf, readingOf, type Numbers } from './numbers.js';
import { inCommon, tellingFacts, type Case, type Common, type Fact } from './separate.js';

/** The nearest case in which the rule held. */
export interface Nearest {
  readonly requirement: string;
  readonly script: number;
  readonly call: number;
  /** What it has instead: `last state seen: IN_QUEUE, not IN_PROGRESS`. */
  readonly instead: readonly string[];
}

interface WhatDiffers {
  readonly broken: number;
  readonly kept: number;
  /** The requirements that were decided there, in the order of their decisions. */
  readonly rules: readonly string[];
  /** What each broken case has and no kept one; null: nothing does. */
  readonly line: string | null;
  readonly facts: readonly Fact[];
  readonly nearest: Nearest | null;
}

/** Null: nothing is decided by calls that the history has. */
function whatDiffers(
  id: string,
  { calls }: Pick<ReportFailure, 'calls'>,
  decisions: readonly Decision[],
  history: ScriptCalls,
): WhatDiffers | null {
  // One call may decide several rules.
  const byCall = new Map<string, Case>();
  for (const decision of decisions.toSorted(
    (one, other) => Number(other.requirement === id) - Number(one.requirement === id),
  )) {
    const facts = history.factsOf(decision);
    const key = `${decision.call} ${decision.isKept}`;
    if (facts !== null && !byCall.has(key)) byCall.set(key, { decision, facts });
  }
  const all = [...byCall.values()];
  // Of its kin, another may be broken by another fault.
  const own = all.filter(({ decision }) => decision.isKept || decision.requirement === id);
  const told = [all, own].map((cases) => {
    const facts = tellingFacts(cases);
    return { cases, facts, common: inCommon(cases, facts) };
  });
  const { cases, facts, common } =
    told.find((one) => one.common?.alsoKept === 0) ?? told.find((one) => one.common !== null) ?? told[1]!;
  const kept = cases.filter(({ decision }) => decision.isKept);
  const broken = cases.length - kept.length;
  if (broken === 0) return null;
  const failing = cases.find(({ decision }) => !decision.isKept && decision.call === calls.at(-1));
  return {
    broken,
    kept: kept.length,
    rules: [...new Set(cases.map(({ decision }) => decision.requirement))],
    line: common === null ? null : lineOf(common, broken, kept.length),
    facts,
    nearest: failing === undefined ? null : nearestOf(failing, kept, facts, history),
  };
}

const lineOf = ({ words, alsoKept }: Common, broken: number, kept: number): string =>
  `broken in ${alsoKept === 0 ? 'all' : `${broken} of`} ${pluralize(broken + alsoKept, 'case')} with ${words}; kept in all ${kept - alsoKept} others`;

/** So many calls of a script are as hard to compare as another fact. */
const CALLS_ARE_FAR = 20;

/** The one with the fewest other facts and calls. */
function nearestOf(
  failing: Case,
  kept: readonly Case[],
  facts: readonly Fact[],
  history: ScriptCalls,
): Nearest | null {
  const of = ({ decision }: Case): number => history.call(decision.call)!.script;
  const ranked = kept
    .filter((one) => of(one) !== of(failing))
    .map((one) => ({
      one,
      instead: facts.flatMap(({ name }) => {
        const [is, was] = [one, failing].map((each) => each.facts.get(name) ?? 'none');
        return is === was ? [] : [`${name}: ${is}, not ${was}`];
      }),
    }))
    .map((each) => ({
      ...each,
      far: each.instead.length + history.ofScript(of(each.one)).length / CALLS_ARE_FAR,
    }))
    .toSorted((one, other) => one.far - other.far);
  const [first] = ranked;
  if (first === undefined) return null;
  const { requirement, call } = first.one.decision;
  return { requirement, script: of(first.one), call: call!, instead: first.instead };
}

/** What is told of a failed requirement besides its proof. */
export interface Clues {
  readonly differs: WhatDiffers | null;
  readonly numbers: Numbers | null;
  /** `13 s too early: as long as the job had waited in the queue`. */
  readonly reading: string | null;
}

/** Of its failures the one that is told: a smaller script was made for it, or it is the first. */
export const foremost = ({ failures }: Pick<ReportRequirement, 'failures'>): ReportFailure | undefined =>
  failures.find(({ stepsBefore }) => stepsBefore !== undefined) ?? failures[0];

/** By failed requirement. @param decisions by the same, as `decisionsOn` finds them */
export function cluesTo(
  requirements: Report['requirements'],
  history: readonly HistoryEvent[],
  decisions: ReadonlyMap<string, readonly Decision[]>,
): ReadonlyMap<string, Clues> {
  const calls = new ScriptCalls(history);
  return new Map(
    requirements.flatMap((one) => {
      const { id, failures } = one;
      const failure = foremost(one);
      if (failure === undefined) return [];
      const differs = whatDiffers(id, failure, decisions.get(id) ?? [], calls);
      return [
        [id, { differs, numbers: numbersOf(failure), reading: readingOf(failure, failures, calls) }] as const,
      ];
    }),
  );
}

/** The clues in a line each, where there are any: for a page and a terminal. */
export const clueLines = ({ differs, reading }: Clues): readonly string[] =>
  [differs?.line, reading].flatMap((line) => line ?? []);
