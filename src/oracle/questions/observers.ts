/**
 * What tells how the target reads an open question. The file of a section names each of its questions with a function that
 * looks at one thing and says which reading it shows, or with the folder that observes it.
 */
import type { CallEvent } from '../../history/events.js';
import type { QuestionId, QUESTIONS, ReadingId } from '../../spec/index.js';
import type { Answer } from '../observed/recorded-call.js';
import type { JudgingContext } from '../context/judging-context.js';
import type { ExplainedJob } from './explained-job.js';

/** The reading that was seen, or one for each thing looked at; null: nothing tells. */
export type ReadingsSeen<Reading> = Reading | null | readonly (Reading | null)[];

/** What else judges, and observes readings while it does. */
type Folder = 'model' | 'calls' | 'results' | 'webhooks' | 'counts' | 'effects' | 'rates';

export type Observer<Reading> = {
  /** It is observed, or some of its readings are, while something else is judged: in this folder. */
  readonly in?: Folder | undefined;
} & (
  | { readonly at: 'session'; readonly observe: (context: JudgingContext) => ReadingsSeen<Reading> }
  | { readonly at: 'call'; readonly observe: (call: UnusualCall) => ReadingsSeen<Reading> }
  | { readonly at: 'job'; readonly observe: (job: ExplainedJob) => ReadingsSeen<Reading> }
  | { readonly at: null; readonly in: Folder }
);

/** Looks at all that happened at an endpoint. */
export const onSession = <T extends ReadingsSeen<string>>(observe: (context: JudgingContext) => T) =>
  ({ at: 'session', observe }) as const;

/** Looks at each answered call that differs from an ordinary one. */
export const onCall = <T extends ReadingsSeen<string>>(observe: (call: UnusualCall) => T, folder?: Folder) =>
  ({ at: 'call', observe, in: folder }) as const;

/** Looks at each job whose life is explained. */
export const onJob = <T extends ReadingsSeen<string>>(observe: (job: ExplainedJob) => T, folder?: Folder) =>
  ({ at: 'job', observe, in: folder }) as const;

/** Nothing here looks for these. */
export function observedIn<Q extends QuestionId>(folder: Folder, ...questions: readonly Q[]) {
  const observer = { at: null, in: folder } as const;
  return Object.fromEntries(questions.map((id) => [id, observer])) as { readonly [Id in Q]: typeof observer };
}

type Observable<Section> = Exclude<
  Extract<(typeof QUESTIONS)[number], { readonly section: Section }>,
  { readonly unobservable: string }
>['id'];

/**
 * An observer for every open question of these sections that is not `unobservable`: where `src/spec/questions/` has a question
 * for which the file of its section has none, that file does not compile.
 */
export type ObserversOf<Section extends (typeof QUESTIONS)[number]['section']> = {
  readonly [Q in Observable<Section>]: Observer<ReadingId<Q>>;
};

export interface UnusualCall {
  readonly context: JudgingContext;
  readonly call: CallEvent;
  /** Of the answer. */
  readonly code: number;
  readonly answer: Answer;
}

/** What all that are left agree on; null where they differ, or none is left. */
export function agreed<Way, T>(left: readonly Way[], on: (way: Way) => T): T | null {
  const [value, ...others] = new Set(left.map(on));
  return others.length > 0 ? null : (value ?? null);
}

/** Found once for each subject, and kept: several questions of a section look at the same. */
export function remembered<S extends object, T>(find: (subject: S) => T): (subject: S) => T {
  const found = new WeakMap<S, { readonly value: T }>();
  return (subject) => {
    let known = found.get(subject);
    if (known === undefined) found.set(subject, (known = { value: find(subject) }));
    return known.value;
  };
}
