import type { CreateScriptRunner, HistorySink } from '../port.js';
import { createScriptRunner } from '../../runner/script-runner.js';
import type { Script } from '../../scenario/script.js';
import { changesSecondEndpoint } from '../../scenario/second-endpoint.js';
import type { ClientRateLimiter } from '../../schedule/rate-limiter.js';
import type { HttpClient } from '../session/http-client.js';
import type { Control } from './control.js';
import type { EventLoopLagMonitor } from '../session/event-loop-lag.js';
import type { Latency } from '../../schedule/latency.js';
import type { CreatedJobs } from '../session/created-jobs.js';
import type { EndpointAllocation, RunContext } from '../session/script-session.js';
import type { CleanupOptions } from './cleanup.js';
import type { WebhookReceiver } from '../session/webhook-receiver.js';

/** What is known of the target for the length of a run. */
export interface TargetContext {
  readonly client: HttpClient;
  /** Another one for the same target, which counts its calls by itself. */
  readonly newClient: () => HttpClient;
  readonly receiver: WebhookReceiver | null;
  readonly control: Control | null;
  /** Every script gets an endpoint of its own. */
  readonly ownEndpoints: boolean;
  /** And these have clocks of their own, named like the endpoint. */
  readonly ownClocks: boolean;
  /** The endpoint that all scripts share; null with endpoints of their own. */
  readonly endpoint: string | null;
  /** Another one, of which nothing else is known; null: none, or they are made. */
  readonly otherEndpoint: string | null;
  /** Nothing else uses it during the run. */
  readonly dedicated: boolean;
  readonly workers: number | null;
  readonly latency: Latency;
  /** How many times as fast as real time the target's clock runs. */
  readonly speed: number;
  readonly maxWaitMs: number;
  readonly auth: 'bare' | 'bearer';
  readonly sampleInput: unknown;
  readonly timeoutMs: number;
  readonly createdJobs: CreatedJobs | null;
  readonly rateLimiter: ClientRateLimiter | null;
  readonly cleanup: CleanupOptions;
}

export function runContextOf(
  context: TargetContext,
  sink: HistorySink,
  createRunner: CreateScriptRunner = createScriptRunner,
  lag: EventLoopLagMonitor | null = null,
  callsPlanned: RunContext['callsPlanned'] = null,
): RunContext {
  const { client, receiver, auth, sampleInput, createdJobs, timeoutMs, latency, maxWaitMs } = context;
  return {
    client,
    receiver,
    auth,
    sampleInput,
    createdJobs,
    timeoutMs,
    latency,
    maxWaitMs,
    sink,
    createRunner,
    lag,
    callsPlanned,
  };
}

/** The endpoint made for a script. */
export const endpointOfScript = (script: number): string => `runproof-${script}`;

/** Creates the endpoints that a script needs. Ids never depend on chance, so that a run can be repeated. */
export async function allocateEndpoints(
  context: TargetContext,
  script: Script,
  number: number,
): Promise<EndpointAllocation> {
  const { control, ownEndpoints } = context;
  if (control === null || !ownEndpoints) {
    // Others may use it: nothing is submitted, purged or loaded there. Steps that would do so are left out.
    const isRead = script.secondEndpoint === true && !changesSecondEndpoint(script.steps);
    const secondEndpoint = isRead ? context.otherEndpoint : null;
    return { endpoint: context.endpoint ?? '', secondEndpoint, fresh: false, workers: null };
  }
  const { workers } = script;
  const endpoint = endpointOfScript(number);
  const clock = context.ownClocks ? endpoint : null;
  const secondEndpoint = script.secondEndpoint === true ? `${endpoint}-neighbour` : null;
  await control.putEndpoint(endpoint, workers, clock);
  if (secondEndpoint !== null) await control.putEndpoint(secondEndpoint, workers, clock);
  return { endpoint, secondEndpoint, fresh: true, workers };
}

/** Removes what was made for the script, with all that is still alive there. */
export async function removeEndpoints(context: TargetContext, allocation: EndpointAllocation): Promise<void> {
  await context.control?.deleteEndpoint(allocation.endpoint);
  if (allocation.secondEndpoint !== null) await context.control?.deleteEndpoint(allocation.secondEndpoint);
}
