/**
 * Observers show how the target reads an open question. The file of a section gives for each of its questions
 * a function that examines one subject and returns the reading, or the folder that observes it.
 */
import type { MainOperation, QuestionId, QUESTIONS, ReadingId } from '../../spec/index.js';
import type { AnsweredCall } from '../context/answered-call.js';
import type { JudgingContext } from '../context/judging-context.js';
import { setsTtl, type Life } from '../context/life.js';
import type { CallEvent } from '../../history/events.js';
import type { JobStatus } from '../../spec/types.js';
import type { JsonObject } from '../observed/recorded-call.js';
import type { Job } from '../jobs/observed-jobs.js';

/** The reading that was observed, or one per subject examined; null: nothing was observed. */
export type ReadingsSeen<Reading> = Reading | null | readonly (Reading | null)[];

/** Folders that observe readings while they judge something else. */
type Folder = 'model' | 'calls' | 'results' | 'webhooks' | 'counts' | 'effects' | 'rates';

type OfCall<Reading> = (call: AnsweredCall) => ReadingsSeen<Reading>;
type OfRecord<Reading> = (record: JsonObject, life: Life, call: CallEvent) => ReadingsSeen<Reading>;

export type Observer<Reading> = {
  /** The folder in which some or all of its readings are observed. */
  readonly in?: Folder | undefined;
} & (
  | { readonly at: 'session'; readonly observe: (context: JudgingContext) => ReadingsSeen<Reading> }
  | { readonly at: 'call'; readonly observe: OfCall<Reading> }
  | { readonly at: 'answer'; readonly of: readonly MainOperation[]; readonly observe: OfCall<Reading> }
  | { readonly at: 'record'; readonly of: readonly JobStatus[]; readonly observe: OfRecord<Reading> }
  | { readonly at: 'job'; readonly of: Trait; readonly observe: (life: Life) => ReadingsSeen<Reading> }
  | { readonly at: null; readonly in: Folder }
);

/** Examines everything that happened at an endpoint. */
export const onSession = <T extends ReadingsSeen<string>>(observe: (context: JudgingContext) => T) =>
  ({ at: 'session', observe }) as const;

/** Examines each answered call with an unusual request. */
export const onCall = <T extends ReadingsSeen<string>>(observe: (call: AnsweredCall) => T, folder?: Folder) =>
  ({ at: 'call', observe, in: folder }) as const;

/** Examines the answer of each performed call of these operations. */
export const onAnswer = <T extends ReadingsSeen<string>>(
  of: readonly MainOperation[],
  observe: (call: AnsweredCall) => T,
) => ({ at: 'answer', of, observe }) as const;

/**
 * A record of `/status` in one of these states, of a job that ran at most once. One that its service runs again waits and runs
 * twice: how its times are reported is another question.
 */
export const onRecord = <T extends ReadingsSeen<string>>(
  of: readonly JobStatus[],
  observe: (record: JsonObject, life: Life, call: CallEvent) => T,
) => ({ at: 'record', of, observe }) as const;

/** What a job must have for an observer to see anything there: most jobs have little of it. */
export const TRAITS = {
  any: () => true,
  'of runsync': ({ sync }) => sync,
  'with ttl': ({ model }) => model.ttlGiven,
  'with executionTimeout': ({ model }) => model.executionGiven,
  'with webhook': ({ webhookUrl }) => webhookUrl !== null,
  'given a ttl by status': ({ calls }) => calls.some(setsTtl),
  retried: ({ retried }) => retried,
  streamed: ({ streamed }) => streamed,
  cancelled: ({ calls }) => calls.some(({ op }) => op === 'cancel'),
} as const satisfies { readonly [name: string]: (job: Job) => boolean };

export type Trait = keyof typeof TRAITS;

/** Examines each job of this kind whose observations are explained. */
export const onJob = <T extends ReadingsSeen<string>>(
  of: Trait,
  observe: (life: Life) => T,
  folder?: Folder,
) => ({ at: 'job', of, observe, in: folder }) as const;

/** For questions that other folders observe. */
export function observedIn<Q extends QuestionId>(folder: Folder, ...questions: readonly Q[]) {
  const observer = { at: null, in: folder } as const;
  return Object.fromEntries(questions.map((id) => [id, observer])) as { readonly [Id in Q]: typeof observer };
}

type Observable<Section> = Exclude<
  Extract<(typeof QUESTIONS)[number], { readonly section: Section }>,
  { readonly unobservable: string }
>['id'];

/**
 * An observer for every open question of these sections that is not `unobservable`. If a question in
 * `src/spec/questions/` has no observer, the file of its section does not compile.
 */
export type ObserversOf<Section extends (typeof QUESTIONS)[number]['section']> = {
  readonly [Q in Observable<Section>]: Observer<ReadingId<Q>>;
};

/** The common value of all that remain; null if they differ, or none remains. */
export function agreed<Way, T>(left: readonly Way[], on: (way: Way) => T): T | null {
  const [value, ...others] = new Set(left.map(on));
  return others.length > 0 ? null : (value ?? null);
}

/** With more jobs than this, single jobs and pairs are not examined. */
const JOBS_MAX = 200;
/** Nor in recorded traffic, which may come in parts of any size: what the jobs of one show, they show among others. */
const JOBS_IN_TRAFFIC_MAX = 5_000;

/** Those that are explained: only what certainly happened shows how the target reads the document. */
export function explainedLives({ lives, session }: JudgingContext): readonly Life[] {
  const jobsMax = session.run.capture === undefined ? JOBS_MAX : JOBS_IN_TRAFFIC_MAX;
  return lives.length > jobsMax ? [] : lives.filter((life) => life.isExplained);
}
