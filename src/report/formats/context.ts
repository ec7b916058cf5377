import type { HistoryEvent } from '../../history/events.js';
import type { OpenQuestion, Requirement } from '../../spec/types.js';

/** What a renderer gets in addition to the report. */
export interface RenderContext {
  /** The document, for its sentences and section titles. */
  readonly documentText: string;
  readonly requirements: readonly Requirement[];
  readonly questions: readonly OpenQuestion[];
  /** Already redacted. */
  readonly history: readonly HistoryEvent[];
}
