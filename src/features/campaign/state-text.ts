/** How far a campaign is, in a few lines. */
import { leftAtPace, roughly } from '../../cli/progress-line.js';
import { pluralize } from '../../report/formatting.js';
import type { CampaignState } from './report.js';

/** How fast it went since it is watched. */
interface Pace {
  readonly perS: number;
  readonly tookMs: number;
  readonly newRuns: number;
}

export function stateText(state: CampaignState, pace: Pace | null): readonly string[] {
  const { name, summary, runs, epoch, epochs, undone, workers, aside, alarms, proofs, discovery } = state;
  const { pairs, goals, decided, violations, breachCounts } = summary;
  const left =
    pace === null
      ? null
      : leftAtPace(pace.tookMs, pace.newRuns / Math.max(1, runs - summary.runs + pace.newRuns));
  return [
    ...alarms.map(({ text: alarm }) => `ALARM ${alarm}`),
    [
      ...(proofs === null
        ? [
            `${name} ${state.state}: ${summary.runs} of ${runs} runs (${Math.floor((summary.runs / runs) * 100)} %)`,
            `epoch ${Math.min(epoch + 1, epochs)} of ${epochs}, ${pluralize(undone, 'chunk')} to do`,
          ]
        : [`${name} ${state.state}`, `${pluralize(undone, 'planted bug')} to search for`]),
      pluralize(workers, 'worker'),
      ...(pace === null ? [] : [`${Math.round(pace.perS)} runs/s`]),
      ...(left === null || state.state === 'ended' ? [] : [`${roughly(left)} left`]),
    ].join(', '),
    ...(discovery === null
      ? []
      : [
          `  ${decided.length} requirements decided, pairs ${pairs.reached}/${pairs.of}, goals ${goals.reached}/${goals.of}, chance that the next call is new ${discovery.toExponential(1)}`,
        ]),
    ...violations.map(
      ({ requirement, level, run }) =>
        `  ${level === 'must' ? 'BROKEN' : 'broken'} ${requirement}, in ${breachCounts[requirement] ?? 0} runs, first in run ${run}`,
    ),
    ...aside.map(({ id, reason }) => `  set aside: ${id}: ${reason}`),
  ];
}
