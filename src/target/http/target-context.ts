import type { CreatePlayer, HistorySink, PlayOptions, PlayProgress, PlaySummary } from '../port.js';
import type { Script } from '../../scenario/script.js';
import type { RateAllowance } from '../../schedule/rate-limiter.js';
import type { Carrier } from '../session/http-client.js';
import type { Control } from './control.js';
import type { LagWatch } from '../session/event-loop-lag.js';
import type { Pace } from '../../schedule/latency.js';
import type { CreatedJobs } from './options.js';
import type { SessionPlace, Stage } from '../session/script-session.js';
import type { SweepOptions } from './cleanup.js';
import type { WebhookReceiver } from '../session/webhook-receiver.js';

/** What is known of the target for the length of a run. */
export interface Ground {
  readonly carrier: Carrier;
  readonly receiver: WebhookReceiver | null;
  readonly control: Control | null;
  /** Every script gets an endpoint of its own. */
  readonly ownEndpoints: boolean;
  /** The endpoint that all scripts share; null with endpoints of their own. */
  readonly endpoint: string | null;
  readonly workers: number | null;
  readonly pace: Pace;
  readonly maxWaitMs: number;
  readonly auth: 'bare' | 'bearer';
  readonly sampleInput: unknown;
  readonly timeoutMs: number;
  readonly createdJobs: CreatedJobs | null;
  readonly allowance: RateAllowance | null;
  readonly sweep: SweepOptions;
}

export function stageOf(
  ground: Ground,
  sink: HistorySink,
  createPlayer: CreatePlayer,
  lag: LagWatch | null = null,
): Stage {
  const { carrier, receiver, auth, sampleInput, createdJobs, timeoutMs, pace, maxWaitMs } = ground;
  return {
    carrier,
    receiver,
    auth,
    sampleInput,
    createdJobs,
    timeoutMs,
    pace,
    maxWaitMs,
    sink,
    createPlayer,
    lag,
  };
}

/** Makes the endpoints that a script wants. Ids never depend on chance, so that a run can be repeated. */
export async function preparePlace(ground: Ground, script: Script, number: number): Promise<SessionPlace> {
  const { control, ownEndpoints } = ground;
  if (control === null || !ownEndpoints) {
    return { endpoint: ground.endpoint ?? '', neighbour: null, fresh: false, workers: null };
  }
  const { workers } = script;
  const endpoint = `runproof-${number}`;
  const neighbour = script.neighbour === true ? `${endpoint}-neighbour` : null;
  await control.putEndpoint(endpoint, workers);
  if (neighbour !== null) await control.putEndpoint(neighbour, workers);
  return { endpoint, neighbour, fresh: true, workers };
}

/** Removes what was made for the script, with all that is still alive there. */
export async function removePlace(ground: Ground, place: SessionPlace): Promise<void> {
  await ground.control?.deleteEndpoint(place.endpoint);
  if (place.neighbour !== null) await ground.control?.deleteEndpoint(place.neighbour);
}

/** Counts scripts as they begin and end, and tells whoever wants to know. */
export class Tally {
  readonly #options: PlayOptions;
  readonly #total: number;
  readonly #calls: () => number;
  readonly #callsBefore: number;
  readonly #aborted: { script: number; reason: string }[] = [];
  readonly leftBehind: string[] = [];
  #played = 0;

  constructor(options: PlayOptions, total: number, calls: () => number) {
    this.#options = options;
    this.#total = total;
    this.#calls = calls;
    this.#callsBefore = calls();
  }

  started(number: number, script: Script): void {
    this.#tell('script-started', number, script);
  }

  ended(number: number, script: Script, reason: string | null): void {
    if (reason === null) this.#played += 1;
    else this.#aborted.push({ script: number, reason });
    this.#tell('script-ended', number, script);
  }

  summary(elapsedMs: number): PlaySummary {
    return {
      played: this.#played,
      aborted: this.#aborted,
      calls: this.#calls() - this.#callsBefore,
      elapsedMs,
      leftBehind: this.leftBehind,
    };
  }

  #tell(kind: PlayProgress['kind'], script: number, { scenario }: Script): void {
    const ended = this.#played + this.#aborted.length;
    this.#options.onProgress?.({ kind, script, scenario, ended, total: this.#total });
  }
}
