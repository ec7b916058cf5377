import type { Json } from '../../history/events.js';
import type { CreatedJobs } from '../session/created-jobs.js';
import type { ConnectionOptions } from './connection.js';

/** Where `httpTarget` finds an implementation, with which key, and what it may do there. @public */
export interface HttpTargetOptions extends ConnectionOptions {
  /** `{base_url}`, which may have a path, or `{base_url}/v2/<endpoint_id>`. */
  readonly url: string;
  /** The endpoint id, where the address does not hold it. Not needed under control that creates endpoints. */
  readonly endpoint?: string | undefined;
  /** The id of another endpoint of the same service and key. It is read only. Not needed under such control either. */
  readonly otherEndpoint?: string | undefined;
  /**
   * What stands before the operations in place of `/v2/<endpoint_id>`: empty, or `/` and more without a slash at its
   * end. Not with `controlUrl`. Default: as the document has it (section 1).
   */
  readonly basePath?: string | undefined;
  /** Null for a target that needs no key. */
  readonly apiKey: string | null;
  /** A key that the service gave out without permission for the endpoint. Default: as test control tells, or none. */
  readonly unpermittedApiKey?: string | undefined;
  /** A key of another user, with permission for the endpoint. Default: likewise. */
  readonly otherApiKey?: string | undefined;
  /** How the key stands in the header; `auto` (default): as the target accepts it, bare first. */
  readonly auth?: 'auto' | 'bare' | 'bearer' | undefined;
  /** Address of test control, where the target offers it. */
  readonly controlUrl?: string | undefined;
  /** What the endpoint's handler is; default `probe`. */
  readonly worker?: 'scripted' | 'opaque' | 'probe' | undefined;
  /** Input for jobs whose worker follows no plans. */
  readonly sampleInput?: Json | undefined;
  /** This run is the only user of the endpoint. Always true for endpoints created by test control. */
  readonly dedicated?: boolean | undefined;
  /** How many workers a shared endpoint has; default: as `/health` tells. */
  readonly workers?: number | undefined;
  /**
   * The endpoint's own default for `executionTimeout`, ms; null: not known, so that it is found out and not judged. Default:
   * 10 minutes for endpoints created by test control, which have the defaults of the document, and null for any other.
   */
  readonly executionTimeoutDefaultMs?: number | null | undefined;
  /**
   * How many times as fast as real time the target's time runs, 0.1 to 10,000: of a server that scales all durations of the
   * document, such as `serve --speed 60`. Then they are ms of its clock, here as well. Default: as test control tells, or 1.
   */
  readonly speed?: number | undefined;
  /**
   * At most so many calls in a second, for a gateway that refuses more: scripts that send load are left out. In real time.
   * Default: as many as section 8 allows.
   */
  readonly callsPerSecond?: number | undefined;
  /** Ceiling for the lateness of the target's timers, ms of its clock. Default 2 s; above speed 1, two real seconds. */
  readonly graceMs?: number | undefined;
  /** The longest single wait in real time. Default 1 minute; under a controlled clock 8 days. */
  readonly maxWaitMs?: number | undefined;
  /** `HOST:PORT` for the webhook receiver. */
  readonly webhookListen?: string | undefined;
  /** The address by which the target reaches the webhook receiver. */
  readonly webhookUrl?: string | undefined;
  /** Real milliseconds that a call may take, besides what `/runsync` may wait. Default 30,000. */
  readonly timeoutMs?: number | undefined;
  readonly createdJobs?: CreatedJobs | undefined;
  /** Real milliseconds in which the jobs of the probe should have ended. Default 60,000. */
  readonly probeMs?: number | undefined;
  /**
   * Real milliseconds for which they may wait in the queue while `/health` shows no worker at work, because one may be
   * starting. Default: 5 minutes where `/health` shows workers that start, else `probeMs`.
   */
  readonly workerStartMs?: number | undefined;
  /** Once aborted, connecting stops at once, and all calls within a second. */
  readonly signal?: AbortSignal | undefined;
}
