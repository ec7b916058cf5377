/** What a run leaves open without an explanation, as `check` ends with 6. */
import { named } from '../../scenarios/index.js';
import { openMusts } from '../../src/judging/missed-musts.js';
import { exercisedBy, playedScripts } from '../../src/judging/played-scripts.js';
import type { HistoryEvent } from '../../src/history/events.js';
import type { Findings } from '../../src/oracle/index.js';
import type { PlayedPlan } from '../history-files.js';

/** Musts that the scripts decide on a correct target, and that stayed open here unexplained, each with the reason. */
export function leftOpenIn(
  events: readonly HistoryEvent[],
  findings: Findings,
  { scripts, maxWaitMs }: PlayedPlan,
): ReadonlyMap<string, string> {
  const [run] = events;
  if (run?.kind !== 'run') return new Map();
  const { capabilities } = run;
  const scenarios = new Set(scripts.map(({ scenario }) => scenario));
  const exercises = exercisedBy(
    named.filter(({ name }) => scenarios.has(name)),
    { capabilities, limits: { maxWaitMs: maxWaitMs ?? Infinity } },
  );
  const played = playedScripts(findings.requirements, events, scripts, exercises);
  if (played.length === 0) return new Map();
  const open = [...openMusts(events, findings, played).musts];
  return new Map(
    open.flatMap(([id, { missed, reason }]) => (missed === 'unexplained' ? [[id, reason]] : [])),
  );
}
