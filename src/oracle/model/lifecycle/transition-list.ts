/** The life-cycle as a list of transitions to print, derived from the tables that the model uses. */
import type { RequirementId } from '../../../spec/index.js';
import { DOCUMENT_STATES, type DocumentState, type JobState } from '../hypothesis.js';
import { CANCEL, FORBIDDEN_TRANSITIONS, PURGE, RETRY } from './lifecycle-calls.js';
import type { OfJob } from '../conditions.js';
import { TIMERS } from './lifecycle.js';
import type { CallEffects, Case } from './lifecycle-rows.js';

export interface Transition {
  readonly from: DocumentState;
  readonly to: DocumentState;
  /** The timer or the call that causes it; null: nothing may. */
  readonly by: string | null;
  /** The requirements of its lower and upper bound; which of them applies depends on the job. */
  readonly notEarlier: readonly RequirementId[];
  readonly notLater: readonly RequirementId[];
  /** What its call must do, or must not; for a transition that nothing may cause: what forbids it. */
  readonly requires: readonly RequirementId[];
}

/** All transitions, by the state that they leave. */
export function transitions(): readonly Transition[] {
  return [
    ...ofTimers(),
    ...ofCalls('/cancel', CANCEL),
    ...ofCalls('/retry', RETRY),
    ...ofCalls('/purge-queue', PURGE),
    ...forbiddenTransitions(),
  ].sort((left, right) => order(left.from) - order(right.from));
}

const order = (state: DocumentState): number => Object.values(DOCUMENT_STATES).indexOf(state);

function ofTimers(): Transition[] {
  return TIMERS.flatMap(({ name, section, runsIn, leadsTo, tooEarly, tooLate }) =>
    runsIn.flatMap((from) =>
      leadsTo
        .filter((to) => to !== from)
        .map((to) => ({
          from: DOCUMENT_STATES[from],
          to: DOCUMENT_STATES[to],
          by: `${name} (${section})`,
          notEarlier: idsIn(tooEarly.cases, from),
          notLater: idsIn(tooLate.cases, from),
          requires: [],
        })),
    ),
  );
}

function ofCalls(call: string, effects: CallEffects): Transition[] {
  return (Object.keys(effects) as JobState[]).map((from) => {
    const { to, how, cases } = effects[from]!;
    const by = how === 'must' ? call : null;
    return {
      from: DOCUMENT_STATES[from],
      to: DOCUMENT_STATES[to],
      by,
      notEarlier: [],
      notLater: [],
      requires: idsIn(cases, from),
    };
  });
}

function forbiddenTransitions(): Transition[] {
  return FORBIDDEN_TRANSITIONS.map(({ in: from, to, cases }) => ({
    from: DOCUMENT_STATES[from],
    to: to === undefined ? DOCUMENT_STATES[from] : DOCUMENT_STATES[to],
    by: null,
    notEarlier: [],
    notLater: [],
    requires: idsIn(cases, from),
  }));
}

/** The cases of jobs in this state; which of them holds depends on the job. */
const idsIn = (cases: readonly Case<OfJob>[], state: JobState): readonly RequirementId[] => [
  ...new Set(
    cases
      .filter(([, ...needs]) => needs.every((need) => typeof need === 'function' || need.includes(state)))
      .map(([id]) => id),
  ),
];
