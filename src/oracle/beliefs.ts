/**
 * What the judge believed of the jobs of scripts: every state that a job may have been in at an instant, and what ruled the
 * others out. It watches `judge` and follows each job again by the same model and rules (`proof/beliefs.ts`). All results are
 * plain data, with times in ms from the beginning of the script.
 */
import type { CallEvent, HistoryEvent } from '../history/events.js';
import { getOrMake } from '../util/maps.js';
import type { JudgedJob } from './context/judging-context.js';
import { Judging } from './judge.js';
import { byEnd } from './model/linearize.js';
import { Beliefs, type BeliefStep, type Unexplained, type Known } from './proof/beliefs.js';

export type { Belief, BeliefStep, Unexplained, RuledOut } from './proof/beliefs.js';

/** What was believed at an instant. */
export interface Moment extends Known {
  readonly atMs: number;
  /**
   * The contradictions by then. What is believed since is believed without these answers and without the requirements that
   * they may violate; nothing where the job is not followed any further.
   */
  readonly contradictions: readonly Unexplained[];
}

/**
 * The jobs that these scripts submitted, as far as their ids came back.
 *
 * @param timesAreFine the run shows that times are reported in a finer unit than ms
 * @throws if the first event is not of kind `run`
 */
export function followJobs(
  events: readonly HistoryEvent[],
  scripts: ReadonlySet<number>,
  timesAreFine = false,
): readonly FollowedJob[] {
  const rounds = new Map<unknown, JudgedJob[]>();
  const watch = (judged: JudgedJob): void => {
    if (scripts.has(judged.job.script)) getOrMake(rounds, judged.job, () => []).push(judged);
  };
  const judging = new Judging(events[0], { watch, timesAreFine });
  for (const event of whatConcerns(events, scripts)) judging.see(event);
  judging.evidence();
  return [...rounds.values()].map((judged) => new FollowedJob(judged));
}

/** Nothing but a real clock, or an endpoint that they share with others, joins these scripts to the rest of the run. */
function whatConcerns(
  events: readonly HistoryEvent[],
  scripts: ReadonlySet<number>,
): readonly HistoryEvent[] {
  const [run, ...rest] = events;
  const own = rest.filter((event) => 'script' in event && scripts.has(event.script));
  const isApart = own.every((event) => event.kind !== 'script' || event.fresh);
  return isApart && run?.kind === 'run' && run.clock !== 'real' ? own : rest;
}

/** How one job was followed: once, and again after each contradiction. */
export class FollowedJob {
  readonly id: string;
  readonly script: number;
  readonly submitted: CallEvent;
  /** The instant that times in words count from. */
  readonly wordsFromMs: number;
  readonly #notJudged: string | null;
  readonly #rounds: readonly Beliefs[];

  constructor(judged: readonly JudgedJob[]) {
    const { context, job } = judged[0]!;
    const beganMs = context.session.scripts.get(job.script)?.atMs ?? 0;
    this.id = job.id;
    this.script = job.script;
    this.submitted = job.submitted;
    this.wordsFromMs = 0 - beganMs;
    this.#notJudged = job.notJudged;
    // Of two jobs with one id nothing is known.
    this.#rounds = job.isGivenTwice ? [] : judged.map((one) => new Beliefs(one, beganMs));
  }

  /** In the order in which the calls ended. */
  get steps(): readonly BeliefStep[] {
    return this.#rounds.flatMap(({ steps }, round) => {
      const last = this.#rounds[round - 1]?.steps.at(-1)?.op;
      return steps.filter(({ op }) => last === undefined || byEnd(last, op) < 0).map(({ told }) => told);
    });
  }

  /** @param byTick of what was answered at that instant, only what ended by this position of the history's count */
  at(atMs: number, byTick = Infinity): Moment {
    const over = this.#rounds.findIndex((round) => !round.isContradictedBy(atMs, byTick));
    const contradicted = over < 0 ? this.#rounds : this.#rounds.slice(0, over);
    const contradictions = contradicted.flatMap(({ contradiction }) => contradiction ?? []);
    const nothing = { beliefs: [], ruledOut: [], pending: [], unknown: null };
    const known = over < 0 ? nothing : this.#rounds[over]!.at(atMs, byTick);
    return { atMs, ...known, unknown: this.#notJudged ?? known.unknown, contradictions };
  }
}
