/**
 * What tells how the target reads an open question. The file of a section names each of its questions with a function that
 * looks at one thing and says which reading it shows.
 */
import type { CallEvent } from '../../history/events.js';
import type { QUESTIONS, ReadingId } from '../../spec/index.js';
import type { Answer } from '../observed/reading.js';
import type { Scene } from '../scene/scene.js';
import type { SeenJob } from './seen-job.js';

/** The reading that was seen, or one for each thing looked at; null: nothing tells. */
export type Told<Reading> = Reading | null | readonly (Reading | null)[];

/** What else judges, and observes readings while it does. */
type Folder = 'model' | 'calls' | 'results' | 'webhooks' | 'counts' | 'effects' | 'rates';

export type Observer<Reading> = {
  /** It is observed, or some of its readings are, while something else is judged: in this folder. */
  readonly in?: Folder | undefined;
} & (
  | { readonly at: 'session'; readonly look: (scene: Scene) => Told<Reading> }
  | { readonly at: 'call'; readonly look: (call: OddCall) => Told<Reading> }
  | { readonly at: 'job'; readonly look: (job: SeenJob) => Told<Reading> }
  | { readonly at: null; readonly in: Folder }
);

/** Looks at all that happened at an endpoint. */
export function onSession<T extends Told<string>>(look: (scene: Scene) => T, folder?: Folder) {
  return { at: 'session', look, in: folder } as const;
}

/** Looks at each answered call that differs from an ordinary one. */
export function onCall<T extends Told<string>>(look: (call: OddCall) => T, folder?: Folder) {
  return { at: 'call', look, in: folder } as const;
}

/** Looks at each job whose life is explained. */
export function onJob<T extends Told<string>>(look: (job: SeenJob) => T, folder?: Folder) {
  return { at: 'job', look, in: folder } as const;
}

/** Nothing here looks for it. */
export function observedIn(folder: Folder) {
  return { at: null, in: folder } as const;
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

export interface OddCall {
  readonly scene: Scene;
  readonly call: CallEvent;
  /** Of the answer. */
  readonly code: number;
  readonly answer: Answer;
}

/** Its path names a job. */
export function isOnJob({ call: { op } }: OddCall): boolean {
  return op === 'status' || op === 'stream' || op === 'cancel' || op === 'retry';
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
