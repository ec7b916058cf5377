/** What a client is told of the emulator that it is to call. @public */
export interface ClientEnvironment {
  /** `{base_url}` of the document. */
  readonly url: string;
  readonly endpoint: string;
  readonly apiKey: string;
  /** Webhooks that begin with it are delivered: nothing listens there unless the client does. */
  readonly webhookUrl: string;
  readonly webhookPort: number;
  /** The id of the weather. */
  readonly weather: string;
  /** How long the weather lasts at most, ms. */
  readonly limitMs: number;
}

/** The same as variables: ours, and those that official clients read. */
export function variablesOf(environment: ClientEnvironment): { readonly [name: string]: string } {
  const { url, endpoint, apiKey, webhookUrl, webhookPort, weather, limitMs } = environment;
  return {
    RUNPROOF_URL: url,
    RUNPROOF_ENDPOINT_ID: endpoint,
    RUNPROOF_ENDPOINT_URL: `${url}/v2/${endpoint}`,
    RUNPROOF_API_KEY: apiKey,
    RUNPROOF_WEBHOOK_URL: webhookUrl,
    RUNPROOF_WEBHOOK_PORT: String(webhookPort),
    RUNPROOF_WEATHER: weather,
    RUNPROOF_LIMIT_MS: String(limitMs),
    RUNPOD_ENDPOINT_BASE_URL: `${url}/v2`,
    RUNPOD_ENDPOINT_ID: endpoint,
    RUNPOD_API_KEY: apiKey,
  };
}
