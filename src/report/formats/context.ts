import type { HistoryEvent } from '../../history/events.js';
import type { Decision, FollowedJob } from '../../oracle/index.js';
import type { Transition } from '../../oracle/ledger/findings.js';
import type { Reader } from '../replay-line.js';
import type { OpenQuestion, Requirement } from '../../spec/types.js';

export interface RenderedFile {
  /** Its name within the report's directory. */
  readonly file: string;
  readonly content: string;
}

/** What a renderer gets in addition to the report. */
export interface RenderContext extends Reader {
  /** The document, for its sentences and section titles. */
  readonly documentText: string;
  readonly requirements: readonly Requirement[];
  readonly questions: readonly OpenQuestion[];
  /** All transitions of a job that the document allows or forbids. */
  readonly lifecycle: readonly Transition[];
  /** Already redacted. */
  readonly history: readonly HistoryEvent[];
  /** The jobs of these scripts, as the judge followed them; none where that would take too long. */
  readonly followed: (scripts: ReadonlySet<number>, timesAreFine: boolean) => readonly FollowedJob[];
  /** The decisions on each of these requirements and its kin, as `decisionsOn` finds them; none where that would take too long. */
  readonly decided: (
    wanted: readonly string[],
    timesAreFine: boolean,
  ) => ReadonlyMap<string, readonly Decision[]>;
}
