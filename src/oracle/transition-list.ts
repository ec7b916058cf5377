/** The life-cycle as a list of transitions to print, derived from the tables that the model uses. */
import type { RequirementId } from '../spec/index.js';
import type { Transition } from './ledger/findings.js';
import { DOCUMENT_STATES, type DocumentState, type JobState } from './model/hypothesis.js';
import { CANCEL, FORBIDDEN_TRANSITIONS, PURGE, RETRY } from './model/lifecycle/lifecycle-calls.js';
import type { OfJob } from './model/conditions.js';
import { TIMERS } from './model/lifecycle/lifecycle.js';
import type { CallEffects, Case } from './model/lifecycle/lifecycle-rows.js';

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
