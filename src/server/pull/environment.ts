/** How often a worker tells that it lives; one that is silent for about 44 s loses its jobs. */
const PING_MS = 10_000;

export interface EnvironmentOptions {
  /** The `{base_url}` of the document, without a slash at its end. */
  readonly url: string;
  readonly endpoint: string;
  /** The worker's own name. */
  readonly workerId: string;
  /** As a shell shall read it, e.g. `'key'` or `"$KEY"`. */
  readonly quotedKey: string;
}

/**
 * The environment in which a worker of the official SDK fetches its jobs here, as lines for a shell. The SDK puts in
 * `$ID` and, save in the first address, `$RUNPOD_POD_ID` by itself; its addresses have to hold a `?`.
 */
export function workerEnvironment({
  url,
  endpoint,
  workerId: worker,
  quotedKey,
}: EnvironmentOptions): readonly string[] {
  const name = encodeURIComponent(endpoint).replaceAll("'", '%27');
  const base = `${url}/v2/${name}`;
  return [
    `RUNPOD_POD_ID='${worker}'`,
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
