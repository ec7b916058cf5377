/**
 * What the oracle assumes of targets, networks and harnesses where the document says nothing: each bound makes verdicts
 * sound that would be guesses without it. A target beyond one of them gets a false alarm; a larger one leaves more open.
 * They are real ms: where the clock of the service runs faster, `onItsClock` says how long that is there. Only the document's
 * durations run faster with it.
 */
import { MINUTE_MS, RUNSYNC_RETENTION_MS, WEBHOOK_RETRY_PAUSE_MS } from '../../spec/limits.js';

// The workers.

/** How long a worker may take to come back after a stopped job; deployed ones take about a minute. */
export const WORKER_BACK_MS = 120_000;
/** How long a worker may take to accept a job after its last one was stopped; an open question. */
export const WORKER_LINGERS_MS = 60_000;

// The counters of /health.

/** A service may count in the background, and a stopped worker may report that it has stopped: both take a while. */
export const COUNTS_SETTLE_MS = 7_000;
/** The counters cover at least this period, the shortest retention; else they would be useless. */
export const COUNTED_FOR_MS = RUNSYNC_RETENTION_MS;
/** The endpoint was idle, without workers, for this long before the job came. */
export const IDLE_BEFORE_MS = 8_000;

// Answers.

/** A loaded network may delay an answer; a call that waits for a job takes longer than this. */
export const RETURNS_WITHIN_MS = 3_000;
/** Minimum real time after which a missing answer is held against the server. */
export const ANSWER_PATIENCE_MS = 5_000;
/** And so many times what the slowest answered call of the run took: a busy machine delays any. */
export const PATIENCE_OF_SLOWEST = 5;
/** Of an operation, one call in so many may be lost without telling anything of the server. */
export const LOST_IN = 200;
/** And no more than so many in a run: what a server never answers, it does not answer again and again. */
export const LOST_MAX = 3;
/** A request whose client has given up may still take effect for this long, ms. */
export const ON_THE_WAY_MAX_MS = 60_000;
/** Used under a controlled clock, where allowed lateness does not bound how soon a call arrives. */
export const HELD_UNDER_CONTROL_MS = 900;

// The network.

/** Used before enough was measured, and as the upper bound. */
export const LATENCY_UNMEASURED_MS = 3_000;
/** Lower bound: a handshake, a DNS lookup or a retransmission may delay any call. */
export const LATENCY_LEAST_MS = 2_000;
/** Each other call in flight may add this much: a service that answers one by one is slow, not wrong. */
export const LATENCY_PER_COMPANION_MS = 25;
/** On a virtual clock the simulator decides how long messages take. */
export const LATENCY_VIRTUAL_MS = 1_000;

// Targets that are lost, and harnesses that are held up.

/** What arrives this shortly before a loss may come from a target that is shutting down. */
export const DOUBTFUL_MS = 1_000;
/** No service restarts more quickly than this. */
export const RESTART_MIN_MS = 100;
/** What was on its way when a connection was lost is read by then. */
export const READ_BY_MS = 250;
/** What was held up this shortly before may still be behind. */
export const LAG_NEAR_MS = 10_000;
/** A request of ordinary size has left by then, unless the harness is held up. */
export const SENDING_MS = 1_000;

// Webhooks.

/** How long a sender that delivers nothing may take: three times the only pause that section 6 names. */
export const WEBHOOK_AMPLE_MS = 3 * WEBHOOK_RETRY_PAUSE_MS;
/** A caller may have abandoned the call by then; how long a service waits is open. */
export const WEBHOOK_PATIENCE_MS = 1_000;
/** A service that has not abandoned an unanswered call by then never does, for practical purposes. */
export const WEBHOOK_GIVEN_UP_MS = 15 * MINUTE_MS;
/** Difference allowed between two clocks, so that a delay does not make a short pause look long enough. */
export const CLOCKS_APART_MS = 100;
