import type { Json } from '../../history/events.js';

/** What `fetchTarget` has to know of a handler; every option has a default. @public */
export interface HandlerTargetOptions {
  /** For people. Default `handler in process`. */
  readonly name?: string;
  /** The key that the handler requires; null where it requires none. Default `in-process-key`. */
  readonly apiKey?: string | null;
  /** A key that the handler knows and that has no permission for the endpoint (section 5). Default: none. */
  readonly unpermittedApiKey?: string;
  /** The key of another user, with permission. Default: none. */
  readonly otherApiKey?: string;
  /** How the key stands in the header; `auto` (default): as the handler accepts it, bare first. */
  readonly auth?: 'auto' | 'bare' | 'bearer';
  /**
   * `scripted`: jobs are run by the scripted worker (`runScriptedWorker`), so that what they do can be said.
   * Default `opaque`: only what can be seen from outside of any worker is checked.
   */
  readonly worker?: 'scripted' | 'opaque';
  /** Input for the jobs of an opaque worker. Default `{}`. */
  readonly sampleInput?: Json;
  /** What stands before `/v2` in the handler's paths, such as `/api`. Default nothing. */
  readonly basePath?: string;
  /** Endpoint id of a handler that all scripts share. Default `test`. */
  readonly endpoint?: string;
  /** Workers of a handler that all scripts share. Default 1. */
  readonly workers?: number;
  /** False where an implementation serves one endpoint only; default true. */
  readonly secondEndpoints?: boolean;
  /** Ceiling for the lateness of the handler's timers. Default 2,000. */
  readonly graceMs?: number;
  /** The longest single wait, in ms of the fake clock. Default 8 days. */
  readonly maxWaitMs?: number;
  /** Real ms that a script may take. Default 60,000. */
  readonly scriptTimeoutMs?: number;
  /**
   * Awaited at every instant before time goes on: for a handler that does real work (a database, a file) which
   * has to be over before its clock moves.
   */
  readonly settle?: () => unknown;
}

export const HANDLER_KEY = 'in-process-key';
