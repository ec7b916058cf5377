/** How the tables of faults are written down. */
import type { Hooks } from '../hooks.js';

/** One fault: what the server does, and the points at which it does it. */
export interface FaultCode extends Partial<Hooks> {
  /** What the server does instead of what it should. */
  readonly does: string;
  /** Makes the hooks of a fault that remembers something; asked once for each server. */
  readonly with?: () => Partial<Hooks>;
  /** Why a lenient reader could call it legal; absent when the sentence leaves no doubt. */
  readonly contested?: string;
  /**
   * Where an answer to an open question makes it legal, so that nothing may fail it: the question and its answer in
   * `src/spec/questions/`, or why it is none.
   */
  readonly legal?: string;
}

export interface Group<Id extends string> {
  readonly section: string;
  readonly sentence: string;
  readonly faults: Readonly<Record<Id, FaultCode>>;
}

/** Faults that break one and the same sentence of the document. */
export function breaking<Id extends string>(
  section: string,
  sentence: string,
  faults: Readonly<Record<Id, FaultCode>>,
): Group<Id> {
  return { section, sentence, faults };
}

export type IdsOf<T> = T extends Group<infer Id> ? Id : never;
