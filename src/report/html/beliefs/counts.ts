/** The queue, the workers and `/health` at an instant, as far as what is believed of the jobs tells. */
import type { CallEvent, HistoryEvent, RunEvent, ScriptEvent } from '../../../history/events.js';
import type { Belief, Moment } from '../../../oracle/index.js';
import { RUNSYNC_RETENTION_MS } from '../../../spec/limits.js';
import type { ScriptInstant } from './instants.js';

type State = Belief['state'];

const UNKNOWN = 'unknown';

/** What does not change from instant to instant. */
export class Counted {
  readonly #run: RunEvent;
  readonly #script: ScriptEvent;
  /** Submissions whose jobs, if there are any, have no known id. */
  readonly #withoutId: readonly CallEvent[];
  readonly #changes: readonly { readonly atMs: number; readonly workers: number }[];

  /** @param submitted the calls that submitted the jobs that are followed */
  constructor(
    run: RunEvent,
    script: ScriptEvent,
    history: readonly HistoryEvent[],
    submitted: ReadonlySet<number>,
  ) {
    this.#run = run;
    this.#script = script;
    const own = history.filter((event) => 'script' in event && event.script === script.script);
    this.#withoutId = own
      .filter((event) => event.kind === 'call')
      .filter((call) => mayHaveSubmitted(call) && !submitted.has(call.call));
    this.#changes = own.flatMap((event) =>
      event.kind === 'workers' ? [{ atMs: event.sentMs - script.atMs, workers: event.workers }] : [],
    );
  }

  /** @param moments of all jobs of the endpoint; null: they are not all known */
  at(
    { atMs, call }: ScriptInstant,
    moments: readonly Moment[] | null,
  ): readonly (readonly [string, string])[] {
    const byTick = call?.endedTick ?? Infinity;
    const { atMs: originMs } = this.#script;
    const lost = this.#withoutId.filter(
      ({ sentMs, sentTick }) => sentMs - originMs <= atMs && sentTick <= byTick,
    ).length;
    const now = moments?.map((moment) => statesIn(moment, 0)) ?? null;
    const workers = this.#workersAt(atMs);
    const [queued, running] = (['IN_QUEUE', 'IN_PROGRESS'] as const).map((state) =>
      now === null ? UNKNOWN : spanOf(boundsOf(now, [state], lost)),
    );
    return [
      ['Jobs of the script in the queue', queued!],
      ['Jobs of the script that run', running!],
      ['Workers', workers === null ? UNKNOWN : `${workers}`],
      ...this.#health(moments, lost),
    ];
  }

  #workersAt(atMs: number): number | null {
    if (!this.#run.capabilities.includes('worker-count-known')) return null;
    return this.#changes.findLast((change) => change.atMs <= atMs)?.workers ?? this.#script.workers;
  }

  /** Counts may be as old as a timer may be late, so a job counts for certain once it has been in its state for so long. */
  #health(moments: readonly Moment[] | null, lost: number): readonly (readonly [string, string])[] {
    const { graceMs, capabilities } = this.#run;
    if (!capabilities.includes('dedicated') || !this.#script.fresh)
      return [['/health', `${UNKNOWN}: others may use the endpoint`]];
    if (moments === null) return [['/health', `${UNKNOWN}: not all jobs are followed here`]];
    const settled = moments.map((moment) => statesIn(moment, graceMs));
    const lately = moments.map((moment) => statesIn(moment, graceMs, RUNSYNC_RETENTION_MS));
    const exactly = (state: State): string => spanOf(boundsOf(settled, [state], lost));
    const ended = (state: State): number => boundsOf(lately, [state], lost).least;
    const { most } = boundsOf(settled, ['COMPLETED', 'CANCELLED', 'GONE'], lost);
    return [
      ['/health jobs.inQueue', exactly('IN_QUEUE')],
      ['/health jobs.inProgress', exactly('IN_PROGRESS')],
      ['/health jobs.completed', spanOf({ least: ended('COMPLETED'), most })],
      ['/health jobs.failed', `at least ${ended('FAILED')}`],
      ['/health jobs.retried, workers.*', UNKNOWN],
    ];
  }
}

/** It was not refused for its form, its key or the rate. */
const mayHaveSubmitted = ({ op, reply }: CallEvent): boolean =>
  (op === 'run' || op === 'runsync' || op === 'openai') &&
  (reply === null || ![400, 401, 404, 405, 413, 422, 429].includes(reply.status));

/**
 * The states that it may have been in for `forMs`, and since `withinMs` at most; null: it may be in any, or not exist yet.
 */
function statesIn(moment: Moment, forMs: number, withinMs = Infinity): ReadonlySet<State> | null {
  const { beliefs, unknown, contradictions, atMs } = moment;
  if (unknown !== null || contradictions.length > 0 || beliefs.length === 0) return null;
  const isSettled = ({ state, byMs, fromMs }: Belief): boolean =>
    state === 'NOT_YET' || (byMs <= atMs - forMs && fromMs >= atMs - withinMs);
  return beliefs.every(isSettled) ? new Set(beliefs.map(({ state }) => state)) : null;
}

interface Bounds {
  readonly least: number;
  readonly most: number;
}

/** How many jobs are in one of these states. @param more jobs that may exist besides */
function boundsOf(
  jobs: readonly (ReadonlySet<State> | null)[],
  states: readonly State[],
  more: number,
): Bounds {
  const isIn = (state: State): boolean => states.includes(state);
  return {
    least: jobs.filter((possible) => possible !== null && [...possible].every(isIn)).length,
    most: more + jobs.filter((possible) => possible === null || [...possible].some(isIn)).length,
  };
}

const spanOf = ({ least, most }: Bounds): string => (least === most ? `${least}` : `${least} to ${most}`);
