/** What renderers get in addition to the report. */
import type { HistoryEvent } from '../history/events.js';
import { transitions } from '../oracle/index.js';
import { documentText } from '../package-files.js';
import type { Reader } from '../report/index.js';
import type { RenderContext } from '../report/formats/context.js';
import { QUESTIONS, REQUIREMENTS } from '../spec/index.js';

/** @param history already redacted */
export const renderContext = (history: readonly HistoryEvent[], reader: Reader): RenderContext => ({
  ...reader,
  documentText: documentText(),
  requirements: REQUIREMENTS,
  questions: QUESTIONS,
  lifecycle: transitions(),
  history,
});
