/** The state of a running service, which all parts of the core share. */
import type { CoreReply, Effect } from './api.js';
import type { Changes } from './saved/changes.js';
import type { Deadlines } from './deadlines.js';
import type { RunningWorkers } from './workers/worker-pool.js';
import type { Meters, ConcurrencySlot } from './meters.js';
import type { JobTable } from './job-table.js';
import type { Rules } from './rules.js';
import type { Delivery, Endpoint, Job, WaitingCall } from './entities.js';

export interface ServiceState {
  readonly rules: Rules;
  readonly keys: readonly string[];
  readonly unpermittedKeys: readonly string[];
  readonly keysEqual: (key: string, given: string) => boolean;
  readonly deadlines: Deadlines;
  readonly endpoints: Map<string, Endpoint>;
  /** Over all endpoints. */
  readonly jobs: JobTable;
  /** The job of each attempt whose handler may still report. */
  readonly attempts: Map<number, Job>;
  readonly calls: Map<number, WaitingCall>;
  /** Calls whose body has not arrived. `slot`: null when the concurrency limit was reached. */
  readonly arrivals: Map<number, { readonly endpoint: Endpoint; readonly slot: ConcurrencySlot | null }>;
  readonly deliveries: Map<number, Delivery>;
  readonly meters: Meters;
  /** Effects of the current `apply`. */
  effects: Effect[];
  lastAttempt: number;
  lastDelivery: number;
  readonly workers: RunningWorkers;
  /** Ids of purged jobs, where a rule needs them. */
  readonly purgedIds: Set<string>;
  /** All job ids ever assigned; null where no rule needs them. */
  readonly idsGiven: Set<string> | null;
  /** What has changed since the last `takeChanges`; null where changes are not tracked. */
  changes: Changes | null;
  /** Webhook calls that were in flight when the previous process stopped. */
  readonly interrupted: Set<number>;
  readonly makeId: (endpoint: string, sync: boolean) => string;
  /**
   * `loseWorker` of redelivery.ts. A reference, as lifecycle.ts and redelivery.ts would otherwise import each
   * other.
   */
  readonly loseWorker: (job: Job, nowMs: number) => void;
}

export const jsonReply = (state: ServiceState, status: number, body: CoreReply['body']): CoreReply => ({
  status,
  headers: { 'content-type': state.rules.contentType(status) },
  body,
});
