/** How often a worker sends a heartbeat; one that is silent for about 44 s loses its jobs. */
const PING_MS = 10_000;

export interface EnvironmentOptions {
  /** The `{base_url}` of the document, without a trailing slash. */
  readonly url: string;
  readonly endpoint: string;
  /** The worker's name for itself. */
  readonly workerId: string;
  /** Quoted for a shell, e.g. `'key'` or `"$KEY"`. */
  readonly quotedKey: string;
}

/**
 * Environment variables, as shell lines, that make a worker of the official SDK fetch its jobs from this
 * server. The SDK fills in `$ID` and, except in the first address, `$RUNPOD_POD_ID`; it requires a `?` in its
 * addresses.
 */
export function workerEnvironment({
  url,
  endpoint,
  workerId,
  quotedKey,
}: EnvironmentOptions): readonly string[] {
  const name = encodeURIComponent(endpoint).replaceAll("'", '%27');
  const base = `${url}/v2/${name}`;
  return [
    `RUNPOD_POD_ID='${workerId}'`,
    `RUNPOD_WEBHOOK_GET_JOB="${base}/job-take/$RUNPOD_POD_ID?gpu=SIM"`,
    `RUNPOD_WEBHOOK_POST_OUTPUT='${base}/job-done/$RUNPOD_POD_ID/$ID?gpu=SIM'`,
    `RUNPOD_WEBHOOK_POST_STREAM='${base}/job-stream/$RUNPOD_POD_ID/$ID?gpu=SIM'`,
    `RUNPOD_WEBHOOK_PING='${base}/ping/$RUNPOD_POD_ID'`,
    `RUNPOD_PING_INTERVAL='${PING_MS}'`,
    `RUNPOD_AI_API_KEY=${quotedKey}`,
    `RUNPOD_ENDPOINT_ID='${name}'`,
    "RUNPOD_SKIP_AUTO_SYSTEM_CHECKS='true'",
    "RUNPOD_SKIP_GPU_CHECK='true'",
  ].map((assignment) => `export ${assignment}`);
}
