/** What all parts of the machine share while it runs. */
import type { CoreReply, Effect } from './api.js';
import type { Changes } from './changes.js';
import type { Deadlines } from './deadlines.js';
import type { RunningWorkers } from './worker-pool.js';
import type { Meters, ConcurrencySlot } from './meters.js';
import type { Rules } from './rules.js';
import type { Delivery, Endpoint, Job, WaitingCall } from './entities.js';

export interface ServiceState {
  readonly rules: Rules;
  readonly keys: readonly string[];
  readonly unpermittedKeys: readonly string[];
  readonly keysEqual: (key: string, given: string) => boolean;
  readonly deadlines: Deadlines;
  readonly endpoints: Map<string, Endpoint>;
  readonly jobs: Map<string, Job>;
  /** The job of each attempt whose handler may still report. */
  readonly attempts: Map<number, Job>;
  readonly calls: Map<number, WaitingCall>;
  /** Calls whose body is still on its way. `slot`: null for one too many. */
  readonly arrivals: Map<number, { readonly endpoint: Endpoint; readonly slot: ConcurrencySlot | null }>;
  readonly deliveries: Map<number, Delivery>;
  readonly meters: Meters;
  /** Effects of the `apply` under way. */
  effects: Effect[];
  lastAttempt: number;
  lastDelivery: number;
  readonly workers: RunningWorkers;
  /** Of purged jobs, where a rule wants to know. */
  readonly purgedIds: Set<string>;
  /** Every id ever given, where a rule wants to know. */
  readonly idsGiven: Set<string> | null;
  /** What has changed since it was last asked for; null where nobody asks. */
  changes: Changes | null;
  /** Webhook calls that were under way when the service before this one was broken off. */
  readonly interrupted: Set<number>;
  readonly makeId: (endpoint: string, sync: boolean) => string;
  /** `lose` of losses.ts: who starts a job sets the timer of its loss, and what is lost may start the next one. */
  readonly loseWorker: (job: Job, nowMs: number) => void;
}

export const jsonReply = (state: ServiceState, status: number, body: CoreReply['body']): CoreReply => ({
  status,
  headers: { 'content-type': state.rules.contentType(status) },
  body,
});
