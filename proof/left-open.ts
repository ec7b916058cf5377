/** What a run leaves open without an explanation, as `check` ends with 6. */
import { openMusts } from '../src/app/conclude/missed-musts.js';
import { playedScripts, type exercisedBy } from '../src/app/conclude/played-scripts.js';
import type { HistoryEvent } from '../src/history/events.js';
import { judge } from '../src/oracle/index.js';
import type { Script } from '../src/scenario/index.js';

export interface PlayedPlan {
  readonly scripts: readonly Script[];
  readonly exercisedBy: ReturnType<typeof exercisedBy>;
}

/** Musts that the scripts decide on a correct target, and that stayed open here unexplained; none where a must failed. */
export function leftOpenIn(events: readonly HistoryEvent[], plan: PlayedPlan): readonly string[] {
  const findings = judge(events);
  if (findings.requirements.some(({ level, verdict }) => level === 'must' && verdict === 'fail')) return [];
  const played = playedScripts(findings.requirements, events, plan.scripts, plan.exercisedBy);
  if (played.length === 0) return [];
  return [...openMusts(events, findings, played).musts].flatMap(([id, { missed }]) =>
    missed === 'unexplained' ? [id] : [],
  );
}
