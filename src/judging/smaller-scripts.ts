/**
 * Makes the first failure of each cause small, where that costs no time: on a target whose clock is moved, and which
 * gives each script an endpoint of its own. Ever simpler scripts are played on the target, as long as the same
 * requirement fails, and nothing that had not failed before.
 */
import { shrinking, titleOf } from '../explore/index.js';
import type { HistoryEvent, RunEvent } from '../history/events.js';
import { judge, type Findings } from '../oracle/index.js';
import type { Script } from '../scenario/index.js';
import type { Target } from '../target/port.js';
import type { StepDeadlines, StepLimits } from './deadlines.js';
import type { decidesThere } from '../test-bed/reproduce.js';

/**
 * Calls that find the smallest scripts of all causes together, a new endpoint counted as one. Unlike a time, it gives the
 * same report again.
 */
export const SMALLER_CALLS_MAX = 1_500;

/** Causes whose first failure is shrunk. */
const CAUSES_MAX = 5;
/** Longer scripts are left as they are: each try would take as many calls. */
const CALLS_OF_SCRIPT_MAX = 60;
/** Where calls are slow, the smallest script found by then is taken. */
const TIME: StepLimits = { maxMs: 8_000, afterBudgetMs: 0, afterSignalMs: 0 };

export interface SmallerScripts {
  /** Their numbers follow those of the run. */
  readonly scripts: readonly Script[];
  /** What happened when they were played, to be judged together with the run. */
  readonly events: readonly HistoryEvent[];
  /** By number of the script: how many steps it had before. */
  readonly stepsBefore: ReadonlyMap<number, number>;
}

export interface RunToShrink {
  readonly target: Target;
  readonly events: readonly HistoryEvent[];
  readonly scripts: readonly Script[];
  readonly findings: Findings;
  /** The requirement of each cause, the surest first. */
  readonly causes: readonly string[];
  readonly deadlines: StepDeadlines;
}

/** A script, and what happened when it was played. */
interface Played {
  readonly script: Script;
  readonly events: readonly HistoryEvent[];
}

export async function smallerScripts(run: RunToShrink): Promise<SmallerScripts> {
  const causes = run.causes.slice(0, CAUSES_MAX);
  const stop = new AbortController();
  const watch = run.deadlines.watch(TIME);
  void watch.over.then(() => stop.abort());
  // It loads the simulator, which few runs need.
  const search = new Search(run, stop.signal, (await import('../test-bed/reproduce.js')).decidesThere);
  const found: Played[] = [];
  const stepsBefore = new Map<number, number>();
  try {
    for (const [index, requirement] of causes.entries()) {
      const finding = run.findings.requirements.find(({ id }) => id === requirement);
      const number = finding?.failures[0]?.script ?? -1;
      const share = Math.floor(search.callsLeft / (causes.length - index));
      const smaller = await search.smaller(number, requirement, share);
      if (smaller === null) continue;
      stepsBefore.set(run.scripts.length + found.length, run.scripts[number]!.steps.length);
      found.push(smaller);
    }
  } finally {
    watch.forget();
  }
  return {
    scripts: found.map(({ script }) => script),
    events: numberedAfter(run, found),
    stepsBefore,
  };
}

class Search {
  callsLeft = SMALLER_CALLS_MAX;
  private readonly run: RunToShrink;
  private readonly signal: AbortSignal;
  private readonly begin: RunEvent;
  private readonly failedBefore: ReadonlySet<string>;
  private readonly decidesThere: typeof decidesThere;
  private tries = 0;

  constructor(run: RunToShrink, signal: AbortSignal, decides: typeof decidesThere) {
    const { events, findings } = run;
    this.run = run;
    this.signal = signal;
    this.begin = events[0] as RunEvent;
    this.failedBefore = new Set(findings.requirements.flatMap(({ id, failed }) => (failed > 0 ? [id] : [])));
    this.decidesThere = decides;
  }

  /** The smallest script found in so many calls; null if none is simpler than that of the run. */
  async smaller(number: number, requirement: string, callsMax: number): Promise<Played | null> {
    const { scripts, events } = this.run;
    const original = scripts[number];
    if (original === undefined || !isCheap(events, number)) return null;
    const leftAtEnd = this.callsLeft - callsMax;
    const staysDecided = this.decides(original, requirement);
    // What failed only beside other scripts cannot be shrunk.
    const first = await this.played(original, requirement);
    if (first === null) return null;
    let best = first;
    const candidates = shrinking(original);
    for (let next = candidates.next(); next.done !== true;) {
      if (this.callsLeft <= leftAtEnd || this.signal.aborted) break;
      const script = { ...next.value, title: titleOf(next.value), needs: neededBy(next.value, original) };
      const played = await this.played(script, requirement);
      const fails = played !== null && (!staysDecided || this.decides(script, requirement));
      if (fails) best = played;
      next = candidates.next(fails);
    }
    return best === first ? null : best;
  }

  /** Null if the requirement does not fail, or one that had not failed before. */
  private async played(script: Script, requirement: string): Promise<Played | null> {
    const { target, scripts } = this.run;
    const events: HistoryEvent[] = [];
    const firstScript = scripts.length + this.tries;
    this.tries += 1;
    const sink = { append: (event: HistoryEvent): void => void events.push(event) };
    const { calls, finished } = await target.run([script], sink, { firstScript, signal: this.signal });
    this.callsLeft -= calls + 1;
    if (finished === 0) return null;
    const failed = judge([this.begin, ...events]).requirements.filter((one) => one.failed > 0);
    const isSame = failed.some(({ id }) => id === requirement);
    return isSame && failed.every(({ id }) => this.failedBefore.has(id)) ? { script, events } : null;
  }

  /** A requirement that a correct endpoint decides by the script stays decided, so that a replay can tell FIXED. */
  private decides(script: Script, requirement: string): boolean {
    const { findings, target } = this.run;
    const { capabilities, executionTimeoutDefaultMs = null } = target;
    const around = { edition: findings.edition, dialect: {}, capabilities, executionTimeoutDefaultMs };
    return this.decidesThere(script, requirement, around);
  }
}

/** The script had an endpoint of its own, and made few calls. */
function isCheap(events: readonly HistoryEvent[], number: number): boolean {
  const own = events.filter((event) => 'script' in event && event.script === number);
  return (
    own.some((event) => event.kind === 'script' && event.fresh) &&
    own.filter(({ kind }) => kind === 'call').length <= CALLS_OF_SCRIPT_MAX
  );
}

/** Part of a script that the target could run does not need more than that script. */
const neededBy = ({ needs }: Script, original: Script): Script['needs'] =>
  needs.filter((need) => original.needs.includes(need));

/** The events, with the numbers of scripts and calls that follow those of the run. */
function numberedAfter({ events, scripts }: RunToShrink, found: readonly Played[]): readonly HistoryEvent[] {
  let calls =
    1 + events.reduce((last, event) => (event.kind === 'call' ? Math.max(last, event.call) : last), -1);
  return found.flatMap((one, index) =>
    one.events.map((event): HistoryEvent => {
      const script = scripts.length + index;
      if (event.kind === 'run') return event;
      return event.kind === 'call' ? { ...event, script, call: calls++ } : { ...event, script };
    }),
  );
}
