/** What the assumptions about recorded traffic cost: its history is judged again by stronger ones. */
import type { Capture } from '../history/capture.js';
import type { HistoryEvent, RunEvent } from '../history/events.js';
import { isSelected, type RunSelection } from '../history/selection.js';
import { judge, type Findings, type JudgeOptions, type RequirementFinding } from '../oracle/index.js';
import {
  assumedText,
  openBecauseOf,
  strongerThan,
  type AssumptionCost,
  type Assumptions,
} from '../report/assumptions.js';

type WhyOpen = ReadonlyMap<string, Pick<RequirementFinding, 'reason' | 'openBecause'>>;

export interface Weighed {
  /** With the reason of each must that stays open by an assumption. */
  readonly findings: Findings;
  /** By these musts. */
  readonly whyOpen: WhyOpen;
  readonly assumptions: Assumptions;
}

const isDecided = ({ verdict }: RequirementFinding): boolean => verdict === 'pass' || verdict === 'fail';

/**
 * @param findings of the history as it was judged
 * @param isWhole false: calls are missing, whatever options say
 * @returns null: nothing weak is assumed
 */
export function weighed(
  events: readonly HistoryEvent[],
  findings: Findings,
  judgeOptions: JudgeOptions,
  asked: RunSelection,
  isWhole: boolean,
): Weighed | null {
  const [run, ...rest] = events;
  if (run?.kind !== 'run' || run.capture === undefined) return null;
  const { capture } = run;
  const open = new Set(
    findings.requirements.flatMap((one) =>
      one.level === 'must' && !isDecided(one) && isSelected(asked, one.id) ? [one.id] : [],
    ),
  );
  const whyOpen = new Map<string, Pick<RequirementFinding, 'reason' | 'openBecause'>>();
  const costs = strongerThan(capture, isWhole).map((stronger) => {
    const { assumed, instead } = stronger;
    const again: RunEvent = { ...run, capture: { ...capture, ...stronger.capture } };
    const { requirements } = judge([again, ...rest], { ...judgeOptions, failuresMax: 1 });
    const decided = requirements.filter((one) => open.has(one.id) && isDecided(one));
    const why = { reason: reasonFor(stronger), openBecause: openBecauseOf(stronger) };
    for (const { id } of decided) if (!whyOpen.has(id)) whyOpen.set(id, why);
    const failed = decided.filter(({ verdict }) => verdict === 'fail').length;
    return { assumed, instead, musts: decided.length, failed };
  });
  if (costs.length === 0 && capture.clockSkewMs === undefined) return null;
  return {
    findings: withWhyOpen(findings, whyOpen),
    whyOpen,
    assumptions: assumptionsOf(events, capture, costs),
  };
}

/** The same findings; those that are not decided say by which assumption. */
export function withWhyOpen(findings: Findings, whyOpen: WhyOpen): Findings {
  const requirements = findings.requirements.map((finding): RequirementFinding => {
    const why = isDecided(finding) ? undefined : whyOpen.get(finding.id);
    return why === undefined ? finding : { ...finding, verdict: 'inconclusive', ...why };
  });
  return { ...findings, requirements };
}

/** The same without judging again, for which there was no time. */
export function unweighed(events: readonly HistoryEvent[], isWhole: boolean): Assumptions | null {
  const [run] = events;
  if (run?.kind !== 'run' || run.capture === undefined) return null;
  const costs = strongerThan(run.capture, isWhole).map(({ assumed, instead }) => ({
    ...{ assumed, instead },
    ...{ musts: null, failed: 0 },
  }));
  const isNone = costs.length === 0 && run.capture.clockSkewMs === undefined;
  return isNone ? null : assumptionsOf(events, run.capture, costs);
}

const assumptionsOf = (
  events: readonly HistoryEvent[],
  { clockSkewMs }: Capture,
  costs: readonly AssumptionCost[],
): Assumptions => ({
  calls: events.filter(({ kind }) => kind === 'call').length,
  ...(clockSkewMs !== undefined && { clockSkewMs }),
  costs,
});

function reasonFor(stronger: ReturnType<typeof strongerThan>[number]): string {
  const { assumed, instead } = stronger;
  const by = instead === null ? 'a recording with all calls' : instead;
  return `not shown, because ${assumed.length > 1 ? 'several things are assumed of the recording' : assumedText(stronger)}: ${by} would decide it`;
}
