/** What the page is told: types alone, which its script in `src/browser/emulator/` shares. */
import type { JobDetail } from '../../core/job-detail.js';
import type { EndpointSnapshot } from '../../core/saved/snapshot.js';
import type { UpcomingEvent } from '../../core/upcoming.js';
import type { Edition } from '../../spec/index.js';
import type { Faults, InjectedFault } from '../faults/faults.js';
import type { WorkStep } from '../handlers/handler-runner.js';
import type { LoggedCall } from '../logged-call.js';
import type { DepthPoint } from './queue-depths.js';
import type { WebhookAttempt } from './webhook-log.js';

/** Everything the page shows, at one instant. It has no inputs and outputs of jobs. */
export interface PageState {
  readonly edition: Edition;
  readonly clock: 'real' | 'controlled';
  /** How many times as fast as real time a real clock runs. */
  readonly speed: number;
  readonly nowMs: number;
  readonly nextEventAtMs: number | null;
  /** Whether the page lets its user act. */
  readonly acts: boolean;
  readonly keyInShell: string;
  /** How the user starts this program, for commands to copy. */
  readonly program: string;
  /** The page knows the published key by itself; null: another key is needed. */
  readonly publishedKey: string | null;
  readonly endpoints: readonly PageEndpoint[];
  readonly endpointsLeftOut: number;
  readonly next: readonly PageEvent[];
  /** Null where no faults are injected. */
  readonly faults: PageFaults | null;
  /** Why what is asked for is no filter, so that all is shown; null: it is one, or none is asked for. */
  readonly filterFault: string | null;
  /** The newest first, without their bodies. */
  readonly calls: readonly LoggedCall[];
  /** What was called can be saved as a script. */
  readonly records: boolean;
}

export interface PageEndpoint extends EndpointSnapshot {
  /** The oldest first. */
  readonly depth: readonly DepthPoint[];
}

/** What happens next: a timer of the service or a step of a worker. */
export interface PageEvent extends Omit<UpcomingEvent, 'kind'> {
  readonly kind: UpcomingEvent['kind'] | `worker-${WorkStep['does']}`;
}

export interface PageFaults {
  readonly seed: number;
  readonly rules: ReturnType<Faults['rules']>;
  /** The newest first. */
  readonly recent: readonly InjectedFault[];
}

/** A call with its bodies, as far as they are kept. */
export interface CallState extends LoggedCall {
  /** How to send it again, but for the address; null where its body was cut. */
  readonly curl: string | null;
}

/** Everything known of one job, its content too. */
export interface JobState extends JobDetail {
  readonly nowMs: number;
  /** The oldest first. */
  readonly webhooks: readonly WebhookAttempt[];
  readonly faults: readonly InjectedFault[];
  readonly next: readonly PageEvent[];
}

/** Where the clock stands after it was advanced. */
export interface Advanced {
  readonly nowMs: number;
  /** Whether the job has ended until which it was to be advanced. */
  readonly ended?: boolean;
}

export type FaultChange =
  | { readonly add: string }
  | { readonly remove: number }
  | { readonly turn: number; readonly on: boolean };
