import type { HistoryEvent } from '../../history/events.js';
import type { OpenQuestion, Requirement } from '../../spec/types.js';

/** What a renderer may know beside the report itself. */
export interface RenderContext {
  /** The document, for its sentences and section titles. */
  readonly documentText: string;
  readonly requirements: readonly Requirement[];
  readonly questions: readonly OpenQuestion[];
  /** Redacted already. */
  readonly history: readonly HistoryEvent[];
}
