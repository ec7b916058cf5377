/**
 * `sim/` promises the service on virtual time, with seeded workers, network and faults: the same seed and the
 * same calls give the same events in the same order. It uses no promises and no real clock, and knows no
 * scripts.
 */
import type { CoreRequest, Service } from '../core/api.js';
import type { Scaling } from '../core/workers/scaling-settings.js';
import type { RandomStream } from '../time/random.js';
import type { Delay } from './delay.js';
import { Engine } from './engine.js';
import type { LogEntry } from './event-log.js';
import type { FaultRule } from './faults.js';
import type { TieOrder } from './tie-order.js';
import type { ClientEvent } from './client-events.js';
import type { Handler } from './worker-runs.js';

export type { CoreRequest, Scaling };

/** The network and the clients around a simulated endpoint. @internal */
export interface SimulationOptions {
  readonly service: Service;
  /** Only its forks `network`, `faults`, `workers` and `ties` are used. */
  readonly random: RandomStream;
  /** The first instant, in integer ms. Default 0. */
  readonly startMs?: number;
  /** How long messages are on the network. Default 0: a call is answered at the instant of its sending. */
  readonly latency?: { readonly requestMs?: Delay; readonly replyMs?: Delay; readonly webhookMs?: Delay };
  readonly faults?: readonly FaultRule[];
  /**
   * Default: timer, worker, network, client. The service fires its due timers before every input in any case.
   */
  readonly ties?: TieOrder;
  /** Default: the scripted worker, without lateness. */
  readonly workers?: { readonly handler?: Handler; readonly lateMs?: Delay };
  /** Called with every event as it happens. */
  readonly observe?: (entry: LogEntry) => void;
}

export interface Simulation {
  nowMs(): number;
  /** The instant of the next event without further calls; null when there is none. */
  nextEventAtMs(): number | null;
  /** Moves to the next event and executes it; false when there is none. */
  step(): boolean;
  /** Executes all events up to `ms`, then moves to `ms`. */
  advanceTo(ms: number): void;
  /** What has happened at the client since the last call of this, in order. */
  takeEvents(): readonly ClientEvent[];

  /**
   * Sends a call now.
   * @param callId unique within the simulation
   * @param timeoutMs the client gives up after this time without a reply; by default it never does
   * @param heldMs the end of the body is sent this much later, with a `rest-sent` event; by default it is not
   * held back
   * @param hangsUpAfterMs the client breaks the call off after this time, with a `lost` event; by default it waits
   */
  send(
    callId: number,
    request: CoreRequest,
    timeoutMs?: number,
    heldMs?: number,
    hangsUpAfterMs?: number,
  ): void;
  /**
   * Answers a webhook call `afterMs` from now; `status` null for no answer. Ignored when the call is not in
   * flight.
   */
  answerWebhook(delivery: number, status: number | null, afterMs?: number): void;
  /** Sets the client's timer, which replaces an earlier one; null removes it. */
  wakeAt(ms: number | null): void;

  createEndpoint(endpoint: string, workers: number | Scaling, jobsPerWorker?: number): void;
  setWorkers(endpoint: string, workers: number): void;
  deleteEndpoint(endpoint: string): void;

  /**
   * Starts over: random draws come from a fork with this label, fault counts are reset, messages on the way
   * are dropped.
   */
  restart(label: string): void;

  readonly eventCount: number;
  /** Rolling hash of everything that has happened: equal for equal runs. */
  fingerprint(): string;
}

export function createSimulation(options: SimulationOptions): Simulation {
  return new Engine(options);
}
