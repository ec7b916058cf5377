/** The decisions of a client that can be wrong, and how a careful client decides them. */
import type { Json } from '../../src/history/events.js';
import type { JobStatus } from '../../src/spec/index.js';

export type Style = 'polling' | 'streaming' | 'runsync' | 'webhook';

export type CallKind = 'submission' | 'read' | 'retry' | 'action';

/** A code, or why there was no answer: `unsent` means that nothing has reached the service. */
export type Failure = number | 'unsent' | 'no-reply';

export interface Behaviour {
  readonly keyIn: 'bearer' | 'bare' | 'query' | 'bearer-and-query' | 'x-api-key' | 'nowhere';
  readonly contentType: string | null;
  readonly encode: (body: Json) => string;
  /** The body of the submission, but for the webhook. */
  readonly body: { readonly [field: string]: Json };
  /** How many jobs it submits at the same time. The first that does not succeed ends the client. */
  readonly jobs: number;
  /** The query of `/runsync`. */
  readonly wait: string | null;
  readonly webhook: (address: string) => string;
  readonly methods: { readonly [kind in CallKind]: string };
  readonly bodyOfReads: string | null;
  readonly bodyOfActions: string | null;
  /** How often it purges the queue, before it submits. */
  readonly purges: number;
  /** What stands before the endpoint's id. */
  readonly versionPath: string;
  readonly statusPath: (id: string) => string;
  /** `one-per-call`: and none of them is ever closed. */
  readonly connections: 'kept' | 'one-per-call';

  /** After how many failures in a row of one call, ms. */
  readonly pauseMs: (failures: number) => number;
  readonly honoursRetryAfter: boolean;
  readonly repeats: (kind: CallKind, failure: Failure) => boolean;
  /** How long it tries one call again, ms. */
  readonly retryForMs: number;
  /** How long it waits for the reply to a call, ms. */
  readonly callMaxMs: number;
  /** And for that to `/runsync`: longer than the service waits. */
  readonly runsyncMaxMs: number;

  readonly pollMs: number;
  /** It reads by a timer, whether or not the last read was answered. */
  readonly overlaps: boolean;
  readonly finals: readonly JobStatus[];
  /** More reads after a final state. */
  readonly readsAfterFinal: number;
  /** How long a job may be unknown after its submission, ms. */
  readonly unknownForMs: number;
  readonly takesGoneForWaiting: boolean;
  /** Ends of a job that count as success; `gone`: it was deleted; `late`: it was not waited for. */
  readonly successes: readonly (JobStatus | 'gone' | 'late')[];
  /** States after which the job is retried, and how often. */
  readonly retries: readonly JobStatus[];
  readonly retriesMax: number;
  /** It purges the queue where it gives up. */
  readonly purgesAtEnd: boolean;
  /** It cancels its job at the end, however it ended. */
  readonly cancelsEnded: boolean;
  /** After a failed submission it ends as if nothing was wrong. */
  readonly ignoresFailedSubmission: boolean;
  /** Ends of its wait after which it submits its job once more; `unreadable`: its reads fail. */
  readonly startsOverAfter: readonly (JobStatus | 'gone' | 'late' | 'unreadable')[];
  /** How long it waits for the job, ms. */
  readonly deadlineMs: number;
  readonly cancels: boolean;
  /** It never ends by itself. */
  readonly hangs: boolean;

  readonly streamEnds: 'at-final-state' | 'at-empty-read' | 'at-empty-read-then-polls';
  /** What it does with a `/runsync` that is answered before the end. */
  readonly unfinished: 'follows' | 'is-the-result' | 'submits-again';

  readonly listens: boolean;
  /** Null: never. */
  readonly receiverAnswers: number | null;
  /** Reads the status now and then, although a webhook is to come. */
  readonly fallsBack: boolean;
  /** What it submits when a webhook says that a job has ended. */
  readonly followUp: 'none' | 'once' | 'each-delivery';
  /** How long it receives webhooks after the end, ms. */
  readonly lingersMs: number;
}

export const CAREFUL: Behaviour = {
  keyIn: 'bearer',
  contentType: 'application/json',
  encode: (body) => JSON.stringify(body),
  body: { input: { prompt: 'a lighthouse at dusk' } },
  jobs: 1,
  wait: null,
  webhook: (address) => address,
  methods: { submission: 'POST', read: 'GET', retry: 'POST', action: 'POST' },
  bodyOfReads: null,
  bodyOfActions: null,
  purges: 0,
  versionPath: '/v2',
  statusPath: (id) => `/status/${id}`,
  connections: 'kept',

  pauseMs: (failures) => Math.min(4_000, 125 * 2 ** failures),
  honoursRetryAfter: true,
  repeats: carefullyRepeats,
  retryForMs: 15_000,
  callMaxMs: 15_000,
  runsyncMaxMs: 130_000,

  pollMs: 250,
  overlaps: false,
  finals: ['COMPLETED', 'FAILED', 'CANCELLED', 'TIMED_OUT'],
  readsAfterFinal: 0,
  unknownForMs: 2_000,
  takesGoneForWaiting: false,
  successes: ['COMPLETED'],
  retries: [],
  retriesMax: 1,
  cancelsEnded: false,
  purgesAtEnd: false,
  ignoresFailedSubmission: false,
  startsOverAfter: [],
  deadlineMs: 20_000,
  cancels: true,
  hangs: false,

  streamEnds: 'at-final-state',
  unfinished: 'follows',

  listens: true,
  receiverAnswers: 200,
  fallsBack: true,
  followUp: 'none',
  lingersMs: 0,
};

/** A submission or a retry only where it has surely not been accepted. */
export function carefullyRepeats(kind: CallKind, failure: Failure): boolean {
  if (failure === 429 || failure === 'unsent') return true;
  return (kind === 'read' || kind === 'action') && (failure === 'no-reply' || failure >= 500);
}
