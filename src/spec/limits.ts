/** Every number of the document that is not a rate (sections 2.2, 3, 4, 6, 8), once, unit last. */

export const SECOND_MS = 1_000;
export const MINUTE_MS = 60_000;
export const HOUR_MS = 3_600_000;
export const DAY_MS = 86_400_000;

/** `policy.ttl` (2.2, 8). */
export const TTL_MIN_MS = 10 * SECOND_MS;
export const TTL_DEFAULT_MS = 86_400_000;
export const TTL_MAX_MS = 7 * DAY_MS;

/** "(a value of 6000 means 6 seconds)": what /status accepts, below the minimum of `policy.ttl` (4.3). */
export const STATUS_TTL_EXAMPLE_MS = 6 * SECOND_MS;

/** `policy.executionTimeout` (2.2, 8). */
export const EXECUTION_TIMEOUT_MIN_MS = 5 * SECOND_MS;
export const EXECUTION_TIMEOUT_DEFAULT_MS = 600_000;
export const EXECUTION_TIMEOUT_MAX_MS = 7 * DAY_MS;

/** Query parameter `wait` of `/runsync` (4.1, 8). */
export const WAIT_MIN_MS = 1_000;
export const WAIT_DEFAULT_MS = 90_000;
export const WAIT_MAX_MS = 300_000;

/** How long a result stays readable after completion (3, 4.1, 4.2, 8). */
export const RUN_RETENTION_MS = 30 * MINUTE_MS;
export const RUNSYNC_RETENTION_MS = 1 * MINUTE_MS;
/** "up to 5 minutes with `wait`": which value between 1 and 5 minutes is an open question. */
export const RUNSYNC_RETENTION_WITH_WAIT_MAX_MS = 5 * MINUTE_MS;

/** Webhook attempts in total: the first and "up to 2 more" (6). */
export const WEBHOOK_ATTEMPTS_MAX = 3;
export const WEBHOOK_RETRY_PAUSE_MS = 10 * SECOND_MS;
export const WEBHOOK_SUCCESS_STATUS = 200;

/** A size that the document gives in MB. Whether that is 10^6 or 2^20 bytes is the question `8/megabyte`. */
export interface MegabyteLimit {
  readonly megabytes: number;
  readonly decimalBytes: number;
  readonly binaryBytes: number;
}

const megabytes = (count: number): MegabyteLimit => ({
  megabytes: count,
  decimalBytes: count * 1_000_000,
  binaryBytes: count * 1_048_576,
});

/** Largest body of `/runsync` (4.1, 8). */
export const RUNSYNC_PAYLOAD_MAX: MegabyteLimit = megabytes(20);
/** Largest body of `/run` (4.2, 8). */
export const RUN_PAYLOAD_MAX: MegabyteLimit = megabytes(10);
/** Largest streamed chunk (4.4, 8). */
export const STREAM_CHUNK_MAX: MegabyteLimit = megabytes(1);
