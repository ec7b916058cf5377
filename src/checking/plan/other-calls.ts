import { pluralize } from '../../report/formatting.js';
import { dryRun } from '../../target/http/index.js';
import type { TimedRun } from './time-limit.js';

/** The figure of a plan holds within a quarter, and a few calls. */
const QUARTER = 0.25;
const FEW_CALLS = 50;
const NAMED_MAX = 3;

/** Why the run made other than the planned number of calls; null where it made about as many. */
export function whyOtherCalls(
  { plan, events }: Pick<TimedRun, 'plan' | 'events'>,
  calls: number,
): string | null {
  const { scripts, target, estimate } = plan;
  if (estimate === null || Math.abs(calls - estimate.calls) <= QUARTER * estimate.calls + FEW_CALLS)
    return null;
  const madeBy = new Map<number, number>();
  const played = new Set<number>();
  for (const event of events) {
    if (event.kind === 'call') madeBy.set(event.script, (madeBy.get(event.script) ?? 0) + 1);
    if (event.kind === 'script-end' && event.outcome === 'played') played.add(event.script);
  }
  const off = scripts.map((script, number) => {
    const made = madeBy.get(number) ?? 0;
    return { script, made, planned: dryRun(script, target.latency).calls, isPlayed: played.has(number) };
  });
  const told = `the run made ${pluralize(calls, 'call')}, not ${estimate.calls} as estimated: `;
  if (calls > estimate.calls) {
    const more = off
      .filter(({ made, planned }) => made > (1 + QUARTER) * planned)
      .toSorted((left, right) => right.made - right.planned - (left.made - left.planned));
    const named = more
      .slice(0, NAMED_MAX)
      .map(({ script, made, planned }) => `${script.scenario} made ${made}, not ${planned}`);
    return `${told}${pluralize(more.length, 'script')} looked again and again at jobs that had not got as far as planned: ${named.join(', ')}`;
  }
  const cut = off.filter(({ isPlayed }) => !isPlayed).length;
  return (
    told +
    (cut > 0
      ? `${pluralize(cut, 'script')} did not come to an end`
      : 'steps were left out, because the jobs they name were refused or ended otherwise than planned')
  );
}
