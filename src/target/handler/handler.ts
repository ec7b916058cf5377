/**
 * Answers one request of the API under test. Hono's `app.fetch` is one; see `bridges.ts` for others.
 *
 * @public
 */
export type FetchHandler = (request: Request) => Response | Promise<Response>;

/** An implementation that runs in this process. A Hono app is one as it stands. @public */
export interface HandlerInstance {
  fetch(request: Request): Response | Promise<Response>;
  /** Changes how many workers the endpoint has; without it, scripts that do so are given up. */
  setWorkers?(workers: number, endpoint: string): void | Promise<void>;
  /** Called when its script is over. */
  close?(): void | Promise<void>;
}

/** What a script needs of the implementation that is created for it. @public */
export interface FreshEndpoint {
  /** The only endpoint id that exists, besides `secondEndpoint`. */
  readonly endpoint: string;
  /** A second endpoint, where the script needs one, with its own jobs, workers and limits. */
  readonly secondEndpoint: string | null;
  /** Workers of each endpoint, idle at the start. */
  readonly workers: number;
  /** The only valid key, but for `otherApiKey`; null where the target was told that none is wanted. */
  readonly apiKey: string | null;
  /** As the target was given it: a key that is known and has no permission for the endpoint. */
  readonly unpermittedApiKey?: string | undefined;
  /** As the target was given it: the key of another user, with permission. */
  readonly otherApiKey?: string | undefined;
}

/** Makes a new implementation for every script: no jobs, counters at zero, full rate allowance. @public */
export interface FreshHandlers {
  fresh(
    wanted: FreshEndpoint,
  ): FetchHandler | HandlerInstance | Promise<FetchHandler> | Promise<HandlerInstance>;
}

export function instanceOf(handler: FetchHandler | HandlerInstance): HandlerInstance {
  return typeof handler === 'function' ? { fetch: handler } : handler;
}
