/** The points where the document leaves an implementer free, and what this server does when nobody says otherwise. */
export interface Choices {
  // Answers
  readonly runCode: 200 | 201 | 202;
  readonly runsyncCode: 200 | 201;
  readonly cancelCode: 200 | 202;
  readonly retryCode: 200 | 201 | 202;
  readonly purgeCode: 200 | 202;
  /** The body of a 404 or 405 for what no row of the table of section 4 names. */
  readonly oddPathBody: 'as-others' | 'text';
  readonly errorBody: 'json' | 'problem' | 'text' | 'html' | 'empty' | 'nested' | 'record-like';
  readonly oversizeCode: 400 | 413;
  readonly wrongMethodCode: 404 | 405;
  /** Whether /status, /stream and /health answer to POST as well. */
  readonly readsByPost: boolean;
  readonly unknownQuery: 'ignored' | 'rejected';
  readonly needlessBody: 'ignored' | 'rejected';
  /** For ids of more than 200 characters. */
  readonly longPathCode: 404 | 414;
  /** For a job id that this server could not have given. */
  readonly malformedIdCode: 400 | 404;
  readonly retryRefusal: 400 | 404 | 405 | 409 | 422 | 'unchanged';
  readonly cancelFinished: 400 | 404 | 409 | 'own-status' | 'claims-cancelled' | 'becomes-cancelled';
  /** The order in which a call is checked: key, endpoint and path, rate. */
  readonly precedence: 'key-path-rate' | 'path-key-rate' | 'path-rate-key';
  /** Extra members in answers that the document gives as `{id, status}` or with named members. */
  readonly extraFields: boolean;

  // Authentication
  readonly authForm: 'both' | 'bare' | 'bearer';
  readonly bearerCase: 'exact' | 'any';

  // The record
  readonly idShape: 'uuid' | 'short' | 'number' | 'prefixed' | 'long' | 'dotted' | 'base64' | 'reserved';
  readonly timeUnit: 'ms' | 's' | 'us' | 'ns';
  readonly timeRounding: 'floor' | 'round' | 'ceil';
  /** What measuring by another part of the service adds to delayTime and executionTime. */
  readonly timesSkewMs: number;
  /** delayTime and executionTime while the job has not got so far. */
  readonly unfinishedTimes: 'elapsed' | 'zero' | 'absent' | 'null';
  readonly delayAfterRetry: 'from-retry' | 'from-submission';
  readonly executionAfterRetry: 'last-run' | 'all-runs';
  readonly executionOfUnstarted: 'zero' | 'absent';
  readonly failure: 'error' | 'output' | 'nothing' | 'error-object';
  /** `output` of a job that has none. */
  readonly missingOutput: 'absent' | 'null';
  /** `output` of a job that has streamed and not completed. */
  readonly unfinishedOutput: 'absent' | 'chunks';

  // Submissions
  readonly policyOutOfRange: 'rejected' | 'clamped';
  readonly ttlBelowTimeout: 'accepted' | 'rejected';
  readonly badWebhookUrl: 'rejected' | 'ignored';
  readonly s3FieldsRequired: boolean;
  readonly unknownFields: 'ignored' | 'rejected';
  /** Unknown members of policy and s3Config. */
  readonly unknownOptions: 'ignored' | 'rejected';
  /** Optional members that are null. */
  readonly nullMembers: 'rejected' | 'as-absent';
  readonly contentTypeMissing: 'accepted' | 400 | 415;
  readonly contentTypeOther: 'accepted' | 400 | 415;
  /** Optional fields and parameters of another type than the document's. */
  readonly wrongType: 'rejected' | 'as-absent';
  readonly megabyte: 1_000_000 | 1_048_576;

  // Waiting
  readonly waitOutOfRange: 'rejected' | 'clamped';
  readonly waitElapsed:
    | 'record'
    | 'id-and-status'
    | 'accepted-202'
    | 'nothing-204'
    | 'see-other-303'
    | 'timeout-408'
    | 'timeout-504';
  /** How long the result is kept of a job that its call did not wait for. */
  readonly outlivedRetention: 'as-others' | 'as-wait' | 'as-run';
  readonly waitRetention: 'minute' | 'longer-of-minute-and-wait' | 'five-minutes' | 'minute-and-wait';

  // Life of a job
  readonly queueOrder: 'fifo' | 'lifo' | 'shuffled' | 'low-priority-last';
  /** Where in the queue a retried job goes. */
  readonly retryPlace: 'back' | 'front';
  readonly dispatchTickMs: number;
  readonly overrun: 'TIMED_OUT' | 'FAILED' | 'CANCELLED';
  /** How much later than at its deadline an overrunning job is ended. */
  readonly overrunLateMs: number;
  readonly cancelledAfter: 'kept' | 'kept-one-minute' | 'gone';
  readonly purgedAfter: 'gone' | 'cancelled';
  readonly failedRetention: 'as-completed' | 'until-ttl';
  readonly statusTtlFrom: 'submission' | 'call';
  /** A `ttl` given by /status to a job that has ended. */
  readonly statusTtlOfEnded: 'used' | 400 | 409;
  readonly statusTtlBelowMinimum: 'used' | 'rejected' | 'clamped';
  readonly statusTtlAboveMaximum: 'used' | 'rejected' | 'clamped';
  /** How much later than they are due timers may strike: each by an amount of its own. */
  readonly timersLateMs: number;
  readonly expiry: 'timer' | 'lazy' | 'sweep';
  readonly crash: 'fails' | 'redispatched-once';
  /** How long a job whose worker died stays IN_PROGRESS, and then waits, before it may run again. */
  readonly crashNoticedMs: number;
  readonly crashPauseMs: number;

  // Stream
  /** `at-least-once`: drained, but what an interrupted read would have delivered is delivered again. */
  readonly stream: 'drained' | 'at-least-once' | 'cumulative' | 'held-until-news' | 'held-until-end';
  readonly streamMetrics: boolean;
  readonly streamOfPlainJob: 'empty' | 'output' | 400;
  readonly chunkBytesMax: number;
  /** How many chunks one read delivers at most. */
  readonly streamPage: number;
  readonly outputOfStreamingJob: 'ok' | 'aggregate' | 'null';

  // Health
  readonly healthCounters: 'lifetime' | 'current';
  readonly healthTimedOut: 'failed' | 'nowhere';
  readonly healthRetried: 'calls' | 'jobs' | 'automatic-only';
  /** The endpoint's default for executionTimeout, in ms. */
  readonly executionTimeoutDefaultMs: number;
  /** So old the figures of /health may be, in ms. */
  readonly healthKeptMs: number;
  readonly healthExtra: boolean;

  // Webhook
  readonly webhookOn: 'completed' | 'completed-and-failed' | 'ended' | 'every-end';
  /** How long after the end of the job its webhook is called first. */
  readonly webhookLateMs: number;
  /** Whether an address is called while another one is served, the pauses between its attempts included. */
  readonly webhookSending: 'at-once' | 'one-after-another';
  readonly webhookBody: 'record' | 'record-and-input' | 'id-and-status' | 'event' | 'empty';
  readonly webhookMethod: 'POST' | 'PUT' | 'GET';
  readonly webhookSuccess: '2xx' | '200';
  readonly webhookRedirects: 'failure' | 'followed';
  readonly webhookSigned: boolean;
  readonly webhookOfDeletedJob: 'continues' | 'stops';
  readonly webhookOnRetryCall: 'continues' | 'stops';

  // Rate limits
  readonly rateWindow: 'sliding' | 'fixed' | 'from-first' | 'bucket';
  readonly requestsPerWorker: number;
  readonly runningWorkers: 'busy' | 'all';
  readonly dynamicConcurrency: boolean;
  /** Whose calls share an allowance. */
  readonly limitScope: 'user' | 'endpoint';
  readonly retryAfter: boolean;
  readonly rateHeaders: boolean;
  readonly refusedCount: boolean;
  readonly invalidCount: boolean;
  readonly otherOperationsLimit: number | null;
  readonly openai: 'job' | 'stub' | 'not-found';

  // The wire
  readonly keepAlive: boolean;
  readonly framing: 'length' | 'chunked' | 'dribbled' | 'until-close' | 'after-interim';
  /** Cookies, tags and a reason phrase of its own; no date. */
  readonly strangeHeaders: boolean;
  /** Bodies declared too large are refused before they have arrived, and the connection is cut. */
  readonly cutsOversize: boolean;
  readonly headerCase: 'lower' | 'title' | 'upper';
  readonly json: 'compact' | 'pretty' | 'escaped' | 'reordered' | 'newline' | 'fractions';
  readonly contentType:
    | 'application/json'
    | 'application/json; charset=utf-8'
    | 'Application/JSON;charset=UTF-8';
  readonly gzip: boolean;
  readonly latencyMs: number;
}

export const UNITS_PER_MS = { s: 0.001, ms: 1, us: 1_000, ns: 1_000_000 } as const;

export const DEFAULT_CHOICES: Choices = {
  runCode: 200,
  runsyncCode: 200,
  cancelCode: 200,
  retryCode: 200,
  purgeCode: 200,
  oddPathBody: 'as-others',
  errorBody: 'json',
  oversizeCode: 400,
  wrongMethodCode: 405,
  readsByPost: false,
  unknownQuery: 'ignored',
  needlessBody: 'ignored',
  longPathCode: 404,
  malformedIdCode: 404,
  retryRefusal: 400,
  cancelFinished: 'own-status',
  precedence: 'key-path-rate',
  extraFields: false,
  authForm: 'both',
  bearerCase: 'exact',
  idShape: 'uuid',
  timeUnit: 'ms',
  timeRounding: 'floor',
  timesSkewMs: 0,
  unfinishedTimes: 'elapsed',
  delayAfterRetry: 'from-retry',
  executionAfterRetry: 'last-run',
  executionOfUnstarted: 'zero',
  failure: 'error',
  missingOutput: 'absent',
  unfinishedOutput: 'absent',
  policyOutOfRange: 'rejected',
  ttlBelowTimeout: 'accepted',
  badWebhookUrl: 'rejected',
  s3FieldsRequired: false,
  unknownFields: 'ignored',
  unknownOptions: 'ignored',
  nullMembers: 'rejected',
  contentTypeMissing: 'accepted',
  contentTypeOther: 'accepted',
  wrongType: 'rejected',
  megabyte: 1_048_576,
  waitOutOfRange: 'rejected',
  waitElapsed: 'record',
  outlivedRetention: 'as-others',
  waitRetention: 'longer-of-minute-and-wait',
  queueOrder: 'fifo',
  retryPlace: 'back',
  dispatchTickMs: 0,
  overrun: 'TIMED_OUT',
  overrunLateMs: 0,
  cancelledAfter: 'kept',
  purgedAfter: 'gone',
  failedRetention: 'as-completed',
  statusTtlFrom: 'submission',
  statusTtlOfEnded: 'used',
  statusTtlBelowMinimum: 'used',
  statusTtlAboveMaximum: 'used',
  timersLateMs: 0,
  expiry: 'timer',
  crash: 'fails',
  crashNoticedMs: 0,
  crashPauseMs: 0,
  stream: 'drained',
  streamMetrics: false,
  streamOfPlainJob: 'empty',
  chunkBytesMax: 1_000_000,
  streamPage: Infinity,
  outputOfStreamingJob: 'ok',
  healthCounters: 'lifetime',
  healthTimedOut: 'failed',
  healthRetried: 'calls',
  executionTimeoutDefaultMs: 600_000,
  healthKeptMs: 0,
  healthExtra: false,
  webhookOn: 'ended',
  webhookLateMs: 0,
  webhookSending: 'at-once',
  webhookBody: 'record',
  webhookMethod: 'POST',
  webhookSuccess: '2xx',
  webhookRedirects: 'failure',
  webhookSigned: false,
  webhookOfDeletedJob: 'continues',
  webhookOnRetryCall: 'continues',
  rateWindow: 'sliding',
  requestsPerWorker: 50,
  runningWorkers: 'busy',
  dynamicConcurrency: true,
  retryAfter: false,
  rateHeaders: false,
  refusedCount: false,
  invalidCount: true,
  otherOperationsLimit: null,
  openai: 'job',
  limitScope: 'user',
  keepAlive: true,
  framing: 'length',
  strangeHeaders: false,
  cutsOversize: false,
  headerCase: 'lower',
  json: 'compact',
  contentType: 'application/json',
  gzip: false,
  latencyMs: 0,
};

/** A correct implementation that differs from the default one. */
export interface Variant {
  readonly id: string;
  readonly choices: Partial<Choices>;
  /** Why a careful reader could call this variant wrong; absent when the document leaves no doubt. */
  readonly contested?: string;
  /** The variant breaks test control's rule 4 or measures nothing in controlled time: run it in real time. */
  readonly realTimeOnly?: true;
  /** Each `should` that it goes against, though it breaks no `must`. */
  readonly advised?: readonly string[];
}
