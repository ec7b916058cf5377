/** What a drawing of a contradiction shows, on a page and in a terminal: lanes, bounds, and all their instants. */
import type { HistoryEvent } from '../../../history/events.js';
import type { ReportFailure } from '../../report.js';
import { chainsOf, type Chains } from './proof-chains.js';
import { lanesOf, type Lane } from './proof-lanes.js';

/** A drawing with more calls would be unreadable. */
const CALLS_MAX = 24;

export interface ProofParts {
  readonly lanes: readonly Lane[];
  /** Null if the contradiction is not one of times. */
  readonly chains: Chains | null;
  /** The begin and the end of everything that is drawn. */
  readonly instants: readonly number[];
}

/** Null if there is too much to draw, or nothing. */
export function proofParts(
  { contradiction, originMs = 0, shrunk, calls }: ReportFailure,
  history: readonly HistoryEvent[],
): ProofParts | null {
  const shown = shrunk?.calls ?? calls;
  if (shown.length === 0 || shown.length > CALLS_MAX || contradiction === undefined) return null;
  const ordered = [...shown.filter((call) => call !== calls.at(-1)), ...calls.slice(-1)];
  const lanes = lanesOf(history, ordered, originMs, true);
  if (lanes.length === 0) return null;
  const marks = lanes.flatMap((lane) => lane.marks);
  const firstMs = Math.min(...marks.map(({ fromMs }) => fromMs));
  const chains = contradiction?.kind === 'time' ? chainsOf(contradiction, firstMs) : null;
  const placed = chains === null ? [] : [...chains.atMost, ...chains.atLeast];
  const instants = [...marks, ...placed].flatMap(({ fromMs, toMs }) => [fromMs, toMs]);
  return { lanes, chains, instants };
}
