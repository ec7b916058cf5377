/** Sessions in few lines, for the specs of client rules. */
import type { Json } from '../../../src/history/events.js';
import type {
  WholeCall,
  ClientEnd,
  ClientJob,
  Session,
  WebhookDelivery,
} from '../../../src/client/session.js';
import { isSubmission, isSuccess } from '../../../src/client/rules/calls.js';
import { callOf, READ, type Reply, type Said } from '../call-of.js';
import { WEATHERS } from '../../../src/client/weather/index.js';
import type { JobStatus, Operation } from '../../../src/spec/index.js';

/** A call before its number and its instants are known. */
interface CallDraft extends Partial<Said> {
  /** Instant; default: `after` the end of the call before. */
  readonly at?: number;
  /** Default 200. */
  readonly after?: number;
  /** Default 5. */
  readonly took?: number;
}

interface SessionDraft {
  /** Default `clear`. */
  readonly weather?: string;
  readonly edition?: 'document' | 'runpod';
  readonly calls?: readonly CallDraft[];
  readonly webhooks?: readonly Partial<WebhookDelivery>[];
  /** Default: for each accepted submission one, which is completed. */
  readonly jobs?: readonly Partial<ClientJob>[];
  /** Default: it ends with success, 100 ms after its last call. */
  readonly end?: (lastMs: number) => ClientEnd;
  readonly idle?: number;
  /** Default: not known. */
  readonly jobsWhenClear?: number;
  /** Default: not known. */
  readonly patienceMs?: number;
  /** Default: not known. */
  readonly printed?: string;
  /** Default none. */
  readonly lags?: Session['machineLags'];
}

export function session(draft: SessionDraft): Session {
  const weather = WEATHERS.find(({ id }) => id === (draft.weather ?? 'clear'));
  if (weather === undefined) throw new Error(`there is no weather ${draft.weather}`);
  const calls: WholeCall[] = [];
  for (const each of draft.calls ?? [])
    calls.push(drafted(each, calls.length + 1, calls.at(-1)?.byMs ?? 0, draft.edition));
  const webhooks = (draft.webhooks ?? []).map(webhookOf);
  const lastMs = Math.max(0, ...calls.map(({ byMs }) => byMs), ...webhooks.map((one) => one.endedMs ?? 0));
  return {
    weather,
    edition: draft.edition ?? 'document',
    calls,
    webhooks,
    jobs: (draft.jobs ?? calls.flatMap(jobAccepted)).map(jobOf),
    end: (draft.end ?? succeeded)(lastMs),
    limitMs: 30_000,
    jobsWhenClear: draft.jobsWhenClear ?? null,
    patienceMs: draft.patienceMs ?? null,
    printed: draft.printed ?? null,
    idleConnectionsMax: draft.idle ?? 1,
    machineLags: draft.lags ?? [],
  };
}

function drafted(
  draft: CallDraft,
  id: number,
  beforeMs: number,
  edition?: SessionDraft['edition'],
): WholeCall {
  const { at, after = 200, took = 5, ...given } = draft;
  const fromMs = at ?? beforeMs + after;
  const said: Said = { ...READ, operation: null, path: '/', job: null, reply: answered(200, {}), ...given };
  return callOf(said, id, fromMs, fromMs + took, edition);
}

const jobAccepted = (call: WholeCall): readonly Partial<ClientJob>[] =>
  isSubmission(call) && isSuccess(call) ? [{ id: 'j1', call: call.id }] : [];

const jobOf = (draft: Partial<ClientJob>): ClientJob => ({
  id: 'j1',
  call: 1,
  state: 'COMPLETED',
  webhook: null,
  ttlMs: 86_400_000,
  executionTimeoutMs: 600_000,
  chunks: 0,
  chunksRead: 0,
  endedMs: null,
  ...draft,
});

const webhookOf = (draft: Partial<WebhookDelivery>, at: number): WebhookDelivery => {
  const startedMs = draft.startedMs ?? 1_000 + 200 * at;
  return {
    number: at + 1,
    job: 'j1',
    address: 'http://127.0.0.1:4000/hook',
    startedMs,
    endedMs: startedMs + 5,
    status: 200,
    fate: 'delivered',
    state: 'COMPLETED',
    ...draft,
  };
};

// Calls. What they are answered is next to them, so that a session reads like a conversation.

export const run = (
  reply: Reply = told('IN_QUEUE'),
  more: CallDraft & { readonly sent?: Json } = {},
): CallDraft => submission('run', reply, more);

export const runsync = (
  reply: Reply = told('COMPLETED'),
  more: CallDraft & { readonly sent?: Json } = {},
): CallDraft => submission('runsync', reply, more);

function submission(
  operation: 'run' | 'runsync',
  reply: Reply,
  { sent = { input: {} }, ...more }: CallDraft & { readonly sent?: Json },
): CallDraft {
  return {
    operation,
    method: 'POST',
    path: `/v2/ep/${operation}`,
    contentType: 'application/json',
    body: { bytes: JSON.stringify(sent).length, value: sent, isJson: true },
    reply,
    ...more,
  };
}

const ofJob =
  (operation: Operation, method: 'GET' | 'POST') =>
  (reply: Reply, more: CallDraft = {}): CallDraft => {
    const job = more.job ?? 'j1';
    return { operation, method, path: `/v2/ep/${operation}/${job}`, job, reply, ...more };
  };

export const status = ofJob('status', 'GET');
export const stream = ofJob('stream', 'GET');
export const cancel = ofJob('cancel', 'POST');
export const retry = ofJob('retry', 'POST');

// Replies.

export const answered = (status: number, body?: Json, retryAfterMs: number | null = null): Reply => ({
  kind: 'answer',
  status,
  retryAfterMs,
  body,
});
export const told = (state: JobStatus, more: { readonly [name: string]: Json } = {}): Reply =>
  answered(200, { id: 'j1', status: state, ...more });
export const LIMITED = answered(429, {});
export const GONE = answered(404, {});
export const LOST: Reply = { kind: 'lost', why: 'lost' };
export const REFUSED: Reply = { kind: 'lost', why: 'refused' };
export const ABANDONED: Reply = { kind: 'abandoned' };

// Ends.

export const succeeded = (lastMs: number): ClientEnd => ended(lastMs, true);
export const failed = (lastMs: number): ClientEnd => ended(lastMs, false);
const ended = (lastMs: number, success: boolean): ClientEnd => ({
  kind: 'ended',
  success,
  how: success ? 'exit code 0' : 'exit code 1',
  atMs: lastMs + 2_000,
});
export const stopped =
  (afterMs: number) =>
  (lastMs: number): ClientEnd => ({ kind: 'stopped', atMs: lastMs + afterMs });

/** The same call again and again, after pauses of these lengths. */
export const again = (call: CallDraft, pauses: readonly number[]): readonly CallDraft[] => [
  call,
  ...pauses.map((after) => ({ ...call, after })),
];

export const times = (count: number, call: CallDraft): readonly CallDraft[] =>
  Array.from({ length: count }, () => call);
