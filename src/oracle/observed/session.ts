/** All that happened on one endpoint, from the beginning of its first script to the end of its last one. */
import { ScriptGroup } from './script-group.js';
import type { HarnessLags } from './tolerance.js';
import type {
  CallEvent,
  HistoryEvent,
  RunEvent,
  ScriptEndEvent,
  ScriptEvent,
  StorageEvent,
  WebhookEvent,
  WorkersEvent,
} from '../../history/events.js';

export interface Session {
  readonly run: RunEvent;
  /** When the harness itself was held up while scripts ran here. */
  readonly lags: HarnessLags;
  /** The last instant at which the target is known to have lived; Infinity where no clock goes on without it. */
  readonly livedUntilMs: number;
  readonly endpoint: string;
  /** The instant of the run's clock that all times count from, ms. */
  readonly originMs: number;
  /** False for an id that no script was given: there is no such endpoint. */
  readonly exists: boolean;
  /** Workers at the beginning; null when unknown. */
  readonly workersAtFirst: number | null;
  /** Created or emptied for the scripts that use it. */
  readonly fresh: boolean;
  readonly scripts: Map<number, ScriptEvent>;
  readonly ends: Map<number, ScriptEndEvent>;
  /** In order of their ends. */
  readonly calls: CallEvent[];
  /** Of all endpoints of its scripts: the address identifies the job. */
  readonly webhooks: WebhookEvent[];
  /** Of all endpoints of its scripts: calls at addresses that submissions named as their storage. */
  readonly storageCalls: StorageEvent[];
  readonly workers: WorkersEvent[];
}

/**
 * The endpoint was made for its script, by test control or by the simulator: nothing else uses it, and its
 * workers are known from the beginning.
 */
export function isMadeForTests(session: Session): boolean {
  return (
    session.fresh &&
    session.workersAtFirst !== null &&
    session.run.capabilities.includes('worker-count-known')
  );
}

/** The call is judged in another part of the history. */
export const isOfOtherPart = ({ scripts }: Session, { script }: CallEvent): boolean =>
  scripts.get(script)?.isOfOtherPart === true;

/** A deployed service: gateways between it and the client, and workers that do not share memory. */
export function isBehindNetwork(session: Session): boolean {
  return session.run.clock === 'real' && !isMadeForTests(session);
}

/** Sessions of endpoints that the same scripts have used. */
export type Batch = readonly Session[];

/**
 * Splits a history into sessions. Each batch is returned as soon as nothing can be added to it, so that
 * only the current scripts are kept in memory. Of an endpoint that many scripts share, finished scripts are
 * returned together once there are many of them (`script-group.ts`).
 */
export class Batches {
  readonly #run: RunEvent;
  readonly #groups = new Map<number, ScriptGroup>();
  readonly #shared = new Map<string, ScriptGroup>();
  readonly #ticks = new TickTracker();

  constructor(run: RunEvent) {
    this.#run = run;
  }

  /** The batch that the event completes; null: none. */
  see(event: HistoryEvent): Batch | null {
    // What the harness did after a script is evidence of nothing in it (`endpoint-jobs.ts`).
    if (event.kind === 'run' || event.kind === 'cleanup') return null;
    if (event.kind === 'script') {
      this.#begin(event);
      return null;
    }
    if (event.kind === 'call') {
      this.#ticks.mark(event.sentTick);
      this.#ticks.mark(event.endedTick);
    }
    const group = this.#groups.get(event.script);
    if (group === undefined) return null;
    if (event.kind === 'script-end') return this.#end(group, event);
    group.add(event);
    return null;
  }

  /** What was not complete before the history ended. */
  rest(): readonly Batch[] {
    return [...new Set([...this.#groups.values(), ...this.#shared.values()])].map((group) => group.batch());
  }

  #begin(event: ScriptEvent): void {
    const known = event.fresh ? undefined : this.#shared.get(event.endpoint);
    const group = known ?? new ScriptGroup(this.#run);
    if (!event.fresh) this.#shared.set(event.endpoint, group);
    group.begin(event, this.#ticks.next);
    this.#groups.set(event.script, group);
  }

  #end(group: ScriptGroup, event: ScriptEndEvent): Batch | null {
    group.end(event, this.#ticks.next);
    this.#groups.delete(event.script);
    // While no script runs no call is pending: a tick that is missing now never comes.
    if (this.#groups.size === 0) this.#ticks.markAll();
    // Nothing can follow on an endpoint that was made for its script.
    if (group.fresh) return group.batch();
    return group.isCrowded ? group.finishedPart(this.#ticks) : null;
  }
}

export function* batchesOf(run: RunEvent, events: Iterable<HistoryEvent>): Generator<Batch> {
  const batches = new Batches(run);
  for (const event of events) {
    const batch = batches.see(event);
    if (batch !== null) yield batch;
  }
  yield* batches.rest();
}

/**
 * When the counts of a reply were taken. The document does not say that `/health` counts anew for each
 * call: its counts may be as old as any timer may be late, on the target's clock. `/purge-queue` counts
 * what this call has removed.
 */
export function countedSinceMs({ run }: Session, count: CallEvent): number {
  return count.op === 'health' ? count.sentMs - run.graceMs : count.sentMs;
}

/**
 * Which positions of the history's single count of sendings and ends have been accounted for. The others
 * belong to pending calls.
 */
export class TickTracker {
  /** The position after the highest one marked. */
  next = 0;
  /** Unmarked positions below that, as intervals in order: about as many as there are pending calls. */
  private gaps: { readonly from: number; readonly to: number }[] = [];

  mark(tick: number | null): void {
    if (tick === null) return;
    if (tick > this.next) this.gaps.push({ from: this.next, to: tick });
    if (tick >= this.next) this.next = tick + 1;
    else this.fill(tick);
  }

  markAll(): void {
    this.gaps = [];
  }

  /** Everything that was sent before this position has ended. */
  allEndedBefore(tick: number): boolean {
    return tick <= (this.gaps[0]?.from ?? this.next);
  }

  private fill(tick: number): void {
    const at = this.gaps.findIndex(({ from, to }) => from <= tick && tick < to);
    if (at < 0) return;
    const { from, to } = this.gaps[at]!;
    const left = [
      { from, to: tick },
      { from: tick + 1, to },
    ].filter((gap) => gap.from < gap.to);
    this.gaps.splice(at, 1, ...left);
  }
}
