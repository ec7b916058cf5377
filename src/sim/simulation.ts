/**
 * `sim/` promises the service on virtual time, with seeded workers, network and faults: the same seed and the
 * same calls give the same events in the same order. It knows no promise, no real clock, and no scripts.
 */
import type { CoreRequest, Service } from '../core/api.js';
import type { Scaling } from '../core/scaling-settings.js';
import type { RandomStream } from '../time/random.js';
import type { Delay } from './delay.js';
import { Engine } from './engine.js';
import type { LogEntry } from './event-log.js';
import type { FaultRule } from './faults.js';
import type { TieOrder } from './tie-order.js';
import type { ClientEvent } from './client-events.js';
import type { Handler } from './worker-runs.js';

export type { CoreRequest, Scaling };

export interface SimulationOptions {
  readonly service: Service;
  /** Its forks `network`, `faults`, `workers` and `ties` are drawn from. */
  readonly random: RandomStream;
  readonly startMs?: number;
  /** How long messages are on their way. Default 0: a call is answered at the instant it was made at. */
  readonly latency?: { readonly requestMs?: Delay; readonly replyMs?: Delay; readonly webhookMs?: Delay };
  readonly faults?: readonly FaultRule[];
  /** Default: timer, worker, network, client. The service itself settles its deadlines before every input. */
  readonly ties?: TieOrder;
  /** Default: the scripted worker, in time to the millisecond. */
  readonly workers?: { readonly handler?: Handler; readonly lateMs?: Delay };
  /** Told every event as it happens. */
  readonly observe?: (entry: LogEntry) => void;
}

export interface Simulation {
  nowMs(): number;
  /** When something happens next if nobody does anything; null when nothing ever will. */
  nextEventAtMs(): number | null;
  /** Lets the next event happen, at its own instant; false when there is none. */
  step(): boolean;
  /** Lets everything up to `ms` happen, then stands at `ms`. */
  advanceTo(ms: number): void;
  /** What the client has learnt since it last asked, in order. */
  takeEvents(): readonly ClientEvent[];

  /**
   * Sends a call now. `callId` is unique; after `timeoutMs` without a reply the client gives up. The end of its body
   * is sent `heldMs` later, of which `rest-sent` tells; by default all of it goes at once.
   */
  send(callId: number, request: CoreRequest, timeoutMs?: number, heldMs?: number): void;
  /** Ends a webhook call `afterMs` from now, with null for no answer. Unknown or dropped ones are ignored. */
  answerWebhook(delivery: number, status: number | null, afterMs?: number): void;
  /** Sets the client's alarm clock, in the place of an earlier setting; null switches it off. */
  wakeAt(ms: number | null): void;

  createEndpoint(endpoint: string, workers: number | Scaling, jobsPerWorker?: number): void;
  setWorkers(endpoint: string, workers: number): void;
  deleteEndpoint(endpoint: string): void;

  /** Draws from forks of that label from now on, counts faults anew, and drops what is on its way. */
  restart(label: string): void;

  readonly eventCount: number;
  /** Rolling hash of everything that has happened: equal for equal runs. */
  fingerprint(): string;
}

export function createSimulation(options: SimulationOptions): Simulation {
  return new Engine(options);
}
