/** Sets of states of a job, as the bits of a number: the possible states of each job are asked for at each count. */
import { JOB_STATES, type JobState } from './hypothesis.js';

/** The sum of the bits of its states. */
export type StateSet = number;

export const BIT = Object.fromEntries(JOB_STATES.map((state, index) => [state, 1 << index])) as {
  readonly [State in JobState]: StateSet;
};

export const setOf = (states: readonly JobState[]): StateSet =>
  states.reduce((bits, state) => bits | BIT[state], 0);

/** The job may be in any state. */
export const ANY_STATE: StateSet = setOf(JOB_STATES);

export const statesIn = (set: StateSet): readonly JobState[] =>
  JOB_STATES.filter((state) => (set & BIT[state]) !== 0);

/** It contains more than one state. */
export const isAmbiguous = (set: StateSet): boolean => (set & (set - 1)) !== 0;
