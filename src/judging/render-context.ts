/** What renderers get in addition to the report. */
import type { HistoryEvent } from '../history/events.js';
import { followJobs, transitions } from '../oracle/index.js';
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
  followed: (scripts, timesAreFine) => {
    const [run] = history;
    if (run?.kind !== 'run' || run.capture !== undefined) return [];
    return run.clock === 'real' && history.length > EVENTS_FOLLOWED_MAX
      ? []
      : followJobs(history, scripts, timesAreFine);
  },
});
