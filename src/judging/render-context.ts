/** What renderers get in addition to the report. */
import type { HistoryEvent } from '../history/events.js';
import { decisionsOn, followJobs, transitions, type Decision } from '../oracle/index.js';
import { documentText } from '../package-files.js';
import type { Reader } from '../report/index.js';
import type { RenderContext } from '../report/formats/context.js';
import { QUESTIONS, REQUIREMENTS } from '../spec/index.js';

/** On a real clock, to follow jobs, all is judged once more; of recorded traffic, what others may have done takes long. */
const EVENTS_FOLLOWED_MAX = 20_000;

/** @param history already redacted */
export const renderContext = (history: readonly HistoryEvent[], reader: Reader): RenderContext => ({
  ...reader,
  documentText: documentText(),
  requirements: REQUIREMENTS,
  questions: QUESTIONS,
  lifecycle: transitions(),
  history,
  followed: (scripts, timesAreFine) =>
    isJudgedAgain(history) ? followJobs(history, scripts, timesAreFine) : [],
  decided: (wanted, timesAreFine) => decided(history, wanted, timesAreFine),
});

/** The decisions on requirements; none where that would take too long. */
export const decided = (
  history: readonly HistoryEvent[],
  wanted: readonly string[],
  timesAreFine: boolean,
): ReadonlyMap<string, readonly Decision[]> =>
  wanted.length > 0 && isJudgedAgain(history) ? decisionsOn(history, wanted, timesAreFine) : new Map();

function isJudgedAgain(history: readonly HistoryEvent[]): boolean {
  const [run] = history;
  if (run?.kind !== 'run' || run.capture !== undefined) return false;
  return run.clock !== 'real' || history.length <= EVENTS_FOLLOWED_MAX;
}
