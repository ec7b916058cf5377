/** What is assumed of recorded traffic, because it does not show it, and how many musts stay open by that. */
import type { Capture } from '../history/capture.js';
import type { OpenBecause } from '../oracle/ledger/findings.js';
import { pluralize } from './formatting.js';
import type { Report } from './report.js';

type Assumption = 'others' | 'missing-calls' | 'crashes';

/** One assumption, or all together. @internal */
export interface AssumptionCost {
  readonly assumed: readonly Assumption[];
  /** The options by which something stronger is assumed; null: the recording itself would have to show more. */
  readonly instead: string | null;
  /** How many musts are open, and would be decided otherwise; null: there was no time to judge again. */
  readonly musts: number | null;
  /** How many of them would fail. */
  readonly failed: number;
}

/** @internal */
export interface Assumptions {
  /** So many calls were judged again: all, or the first ones of a recording in parts. */
  readonly calls: number;
  /** The clocks of several files may differ by so much, ms; absent: there was one clock. */
  readonly clockSkewMs?: number;
  /** Each by itself, then all together if there are several. */
  readonly costs: readonly AssumptionCost[];
}

/** What is assumed, and what is stronger. */
const STRONGER: {
  readonly [assumption in Assumption]: {
    readonly words: string;
    /** The same as what happened. */
    readonly happened: string;
    readonly option: string;
    readonly capture: Partial<Capture>;
    readonly openBecause: OpenBecause;
  };
} = {
  others: {
    words: 'other clients may use the endpoint',
    happened: 'other clients use the endpoint',
    option: '--world closed',
    capture: { others: false },
    openBecause: 'closed-world',
  },
  'missing-calls': {
    words: 'calls may be missing',
    happened: 'calls are missing',
    option: '--complete yes',
    capture: { complete: true },
    openBecause: 'all-calls',
  },
  crashes: {
    words: 'workers may crash',
    happened: 'workers crash',
    option: '--crashes no',
    capture: { crashes: false },
    openBecause: 'no-crashes',
  },
};

/** What to judge by instead of the weak assumptions: of one at a time, then of all. */
export function strongerThan(
  { others, complete, crashes }: Capture,
  isWhole: boolean,
): readonly (Pick<AssumptionCost, 'assumed' | 'instead'> & { readonly capture: Partial<Capture> })[] {
  const weak: readonly Assumption[] = [
    ...(others ? (['others'] as const) : []),
    ...(complete ? [] : (['missing-calls'] as const)),
    ...(crashes === false ? [] : (['crashes'] as const)),
  ];
  const sets = [...weak.map((one) => [one]), ...(weak.length > 1 ? [weak] : [])];
  return sets.map((assumed) => ({
    assumed,
    instead:
      assumed.includes('missing-calls') && !isWhole
        ? null
        : assumed.map((one) => STRONGER[one].option).join(' '),
    capture: Object.assign({}, ...assumed.map((one) => STRONGER[one].capture)) as Partial<Capture>,
  }));
}

/** The assumptions in words: `other clients may use the endpoint`, `all of these`. */
export const assumedText = ({ assumed }: Pick<AssumptionCost, 'assumed'>): string =>
  assumed.length === 1 ? STRONGER[assumed[0]!].words : 'all of these';

/** Why a must is open that is decided without these assumptions. */
export const openBecauseOf = ({ assumed }: Pick<AssumptionCost, 'assumed'>): OpenBecause =>
  assumed.length === 1 ? STRONGER[assumed[0]!].openBecause : 'all-of-these';

/** The assumption whose removal shows a violation, the fewest first; undefined: none does. */
export const violatedWithout = (assumptions: Assumptions | null | undefined): AssumptionCost | undefined =>
  assumptions?.costs.find(({ failed }) => failed > 0);

/** The verdict where something fails unless a weak assumption holds; null: nothing does. */
export function failsUnless(assumptions: Assumptions | null | undefined): string | null {
  const cost = violatedWithout(assumptions);
  if (cost === undefined) return null;
  const { assumed, failed, instead } = cost;
  const happened = assumed.map((one) => STRONGER[one].happened).join(' or ');
  const by = instead === null ? 'a recording with all calls' : instead;
  return `FAILS UNLESS ${happened.toUpperCase()}: ${by} would show that ${pluralize(failed, 'required rule')} failed`;
}

/** The title of `assumptionLines`. */
export function assumptionTitle({ assumptions, totals }: Report): string {
  const title = 'Assumptions about the recording, and what each costs';
  const isPart = assumptions !== undefined && assumptions.calls < totals.calls;
  return isPart ? `${title} in the first ${assumptions.calls} of ${totals.calls} calls` : title;
}

/** A line for each assumption, and one for all together; none without weak assumptions. */
export function assumptionLines({ assumptions }: Report): readonly string[] {
  if (assumptions === undefined) return [];
  const { clockSkewMs, costs } = assumptions;
  const lines = costs.map(
    (cost, _, all) => `${assumedText(cost)}: ${costText(cost, all.length > 1 && cost.assumed.length === 1)}`,
  );
  if (clockSkewMs === undefined) return lines;
  return [
    `the clocks of the files may differ by ${clockSkewMs} ms: --clock-skew says by how much, 0 for one clock`,
    ...lines,
  ];
}

function costText({ assumed, instead, musts, failed }: AssumptionCost, isOneOfSeveral: boolean): string {
  const costs = assumed.length > 1 ? 'cost' : 'costs';
  if (musts === null)
    return `no time to count what this ${costs}${instead === null ? '' : `; ${instead} may decide more`}`;
  if (musts === 0) return `${costs} nothing${isOneOfSeveral ? ' by itself' : ''}`;
  const failing = failed === 0 ? '' : failed === musts ? ' (as failed)' : ` (${failed} as failed)`;
  const by = instead === null ? 'a recording with all calls' : instead;
  return `${costs} ${pluralize(musts, 'required rule')}, which ${by} would decide${failing}`;
}
