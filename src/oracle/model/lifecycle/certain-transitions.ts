/** The transitions that a job has certainly made, and for how long it was in the state that it left. */
import { commonValue } from '../conditions.js';
import { DOCUMENT_STATES, type DocumentState, type Hypothesis, type JobState } from '../hypothesis.js';
import type { JobOperation } from '../operations.js';
import { ENDED, QUEUED, STARTED, type Instant } from '../zone.js';

/** One transition of one job. */
export interface CertainTransition {
  readonly from: DocumentState;
  readonly to: DocumentState;
  /** It was in the state `from` for at least, and at most, this long, ms; null where that is not known. */
  readonly atLeastMs: number | null;
  readonly atMostMs: number | null;
}

/** The instant at which a job enters each state; that of its deletion is in no zone. */
export const ENTERED_AT: { readonly [S in JobState]: Instant | null } = {
  queued: QUEUED,
  running: STARTED,
  completed: ENDED,
  failed: ENDED,
  'timed-out': ENDED,
  cancelled: ENDED,
  purged: ENDED,
  deleted: null,
};

/** It was not found: a cancelled or purged job, which may be deleted at any time, is gone then. */
const isGone = ({ state }: Hypothesis, { kind, code }: JobOperation): boolean =>
  state === 'deleted' || (kind === 'status' && code === 404);

/** The state it came from; undefined if the hypotheses disagree or do not tell. */
function stateBefore(
  state: JobState,
  op: JobOperation,
  after: readonly Hypothesis[],
): JobState | null | undefined {
  if (state === 'running' || state === 'purged') return 'queued';
  // A crash may have brought it there, too.
  if (state === 'queued')
    return op.kind === 'retry' ? commonValue(after, ({ retriedFrom }) => retriedFrom) : null;
  if (state !== 'cancelled' && state !== 'deleted') return 'running';
  const left = commonValue(after, (at) =>
    state === 'deleted' && at.state !== 'deleted' ? at.state : at.previousState,
  );
  // Its timeout may be reported as CANCELLED.
  return state === 'cancelled' && left === 'timed-out' ? 'running' : left;
}

/** Between two retries a job is in each state at most once. */
const TRANSITIONS_MAX = 4;
const NONE: readonly CertainTransition[] = [];

/** What it has certainly done since it was certainly in the state `was`; `state` is the one in which it certainly is now. */
export function transitionsSince(
  was: JobState,
  op: JobOperation,
  before: readonly Hypothesis[],
  after: readonly Hypothesis[],
): { readonly state: JobState; readonly made: readonly CertainTransition[] } {
  const state = commonValue(after, (at) => (isGone(at, op) ? 'deleted' : at.state));
  if (state === undefined || state === was) return { state: was, made: NONE };
  const made: CertainTransition[] = [];
  for (let to = state; to !== was;) {
    const from = stateBefore(to, op, after);
    if (from === undefined || from === null || made.length === TRANSITIONS_MAX) return { state, made: [] };
    made.unshift({
      from: DOCUMENT_STATES[from],
      to: DOCUMENT_STATES[to],
      ...stayed(from, to, op, before, after),
    });
    to = from;
  }
  return { state, made };
}

function stayed(
  from: JobState,
  to: JobState,
  { byMs }: JobOperation,
  before: readonly Hypothesis[],
  after: readonly Hypothesis[],
): Pick<CertainTransition, 'atLeastMs' | 'atMostMs'> {
  const [since, until] = [ENTERED_AT[from]!, ENTERED_AT[to]];
  // A retry begins a new life, whose instants are those that the zone has.
  if (to === 'queued') return { atLeastMs: null, atMostMs: null };
  const least = after.map(({ zone }) =>
    until === null
      ? Math.min(...before.map(({ notBeforeMs }) => notBeforeMs)) - zone.latest(since)
      : -zone.bound(since, until),
  );
  const most = after.map(({ zone }) =>
    until === null ? byMs - zone.earliest(since) : zone.bound(until, since),
  );
  const [atLeastMs, atMostMs] = [Math.max(0, Math.min(...least)), Math.max(...most)];
  return { atLeastMs, atMostMs: Number.isFinite(atMostMs) ? Math.max(0, atMostMs) : null };
}
