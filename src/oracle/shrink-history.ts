/**
 * Finds the smallest part of a recorded history that still shows a failure, without the target. It removes
 * whole scripts and endpoints, then jobs, then single calls, as long as the same requirement fails at the
 * same call. A call that cannot be removed without creating a contradiction loses its reply instead.
 */
import type { CallEvent, HistoryEvent } from '../history/events.js';
import { REQUIREMENTS } from '../spec/index.js';
import type {
  Failure,
  Findings,
  JudgeOptions,
  RequirementFinding,
  ShrunkHistory,
} from './ledger/findings.js';
import { distinctLags } from './observed/tolerance.js';
import { judge } from './judge.js';
import {
  changedNothing,
  cutAfter,
  withReplyLost,
  jobsIn,
  jobsStandAlone,
  onEndpoint,
  scriptsBearingOn,
  without,
  withoutJobs,
  type Events,
  type JobTraces,
  type Knowledge,
} from './proof/generalize.js';

interface ShrinkLimits {
  /** Limit of judged histories; the smallest one found by then is the result. */
  readonly judgingsMax: number;
  /** Limit of judged events, in total. */
  readonly eventsMax: number;
  /** Called before each judgement but the first; true ends the search with the smallest history so far. */
  readonly stop?: () => boolean;
}

const SHRINK_LIMITS: ShrinkLimits = { judgingsMax: 300, eventsMax: 60_000 };

/** Null if the failure rests on the run as a whole, so that no part shows it. Deterministic. */
export function shrinkHistory(
  events: Events,
  failure: Failure,
  options: JudgeOptions = {},
  limits: ShrinkLimits = SHRINK_LIMITS,
): ShrunkHistory | null {
  const search = new Search(failure, limits);
  if (!search.accepts(asJudged(scriptsBearingOn(events, failure.script), options, failure))) return null;
  search.narrow();
  return search.result(callsIn(events).length);
}

/** With the judge's options written into the history, so that it can be judged anywhere; of the failing rule alone. */
function asJudged(events: Events, options: JudgeOptions, { requirement, script }: Failure): Events {
  let lagMs = 0;
  for (const event of events)
    if (event.kind === 'script-end') lagMs = Math.max(lagMs, event.harnessLagMs ?? 0);
  const lags = distinctLags(
    events.flatMap((event) => (event.kind === 'script-end' ? (event.harnessLags ?? []) : [])),
  );
  return events.map((event): HistoryEvent => {
    if (event.kind === 'run') {
      const { signs: _, ...run } = event;
      // What the rest has decided is lost, so that this part says nothing about other rules.
      return { ...run, ...options, selection: { only: [requirement] } };
    }
    // The harness's own lag excuses lateness in all scripts of an endpoint; others of them may be removed.
    return event.kind === 'script-end' && event.script === script && lagMs > 0
      ? { ...event, harnessLagMs: lagMs, ...(lags.length > 0 ? { harnessLags: lags } : {}) }
      : event;
  });
}

const UNKNOWN: readonly (readonly Knowledge[])[] = [
  ['dedicated', 'worker-count-known', 'webhook-reachable'],
  ['worker-count-known', 'webhook-reachable'],
  ['dedicated', 'webhook-reachable'],
  ['dedicated', 'worker-count-known'],
  ['webhook-reachable'],
  ['worker-count-known'],
  ['dedicated'],
];

class Search {
  private best: Events = [];
  private found: Failure;
  private readonly wanted: Failure;
  private judgingsLeft: number;
  private eventsJudged = 0;
  /** The same call shows several failures of the requirement. */
  private isOneOfSeveral = false;
  private readonly eventsMax: number;
  private readonly stop: () => boolean;

  constructor(wanted: Failure, { judgingsMax, eventsMax, stop = () => false }: ShrinkLimits) {
    this.wanted = wanted;
    this.found = wanted;
    this.judgingsLeft = judgingsMax;
    this.eventsMax = eventsMax;
    this.stop = stop;
  }

  /** If the same failure shows at the same call, this is the best history so far. */
  accepts(candidate: Events): boolean {
    // The first is judged at any cost: without it there is no result.
    const spent = this.judgingsLeft <= 0 || this.eventsJudged + candidate.length > this.eventsMax;
    if (this.best.length > 0 && (spent || this.stop())) return false;
    this.judgingsLeft -= 1;
    this.eventsJudged += candidate.length;
    const { requirement, script, calls, contradiction } = this.wanted;
    const alike =
      judge(candidate)
        .requirements.find(({ id }) => id === requirement)
        ?.failures.filter(
          (one) =>
            one.script === script &&
            one.calls.at(-1) === calls.at(-1) &&
            (one.contradiction?.kind ?? contradiction?.kind) ===
              (contradiction?.kind ?? one.contradiction?.kind),
        ) ?? [];
    // Wrong webhook calls of one job show by the same call and differ by their instants.
    this.isOneOfSeveral ||= alike.length > 1;
    const again = this.isOneOfSeveral ? alike.find((one) => this.saysTheSame(one)) : alike[0];
    if (again === undefined) return false;
    this.best = candidate;
    this.found = again;
    return true;
  }

  private saysTheSame({ actual, originMs }: Failure): boolean {
    return actual === this.wanted.actual && originMs === this.wanted.originMs;
  }

  narrow(): void {
    const shown = callsIn(this.best).find(({ call }) => call === this.wanted.calls.at(-1));
    if (shown !== undefined) this.accepts(cutAfter(this.best, shown));
    // Endpoints are independent.
    if (shown !== undefined) this.accepts(onEndpoint(this.best, shown.endpoint));
    UNKNOWN.some((knowledge) => this.accepts(without(this.best, knowledge)));
    for (let size = Infinity; this.best.length < size;) {
      size = this.best.length;
      this.dropJobs();
      this.dropCalls();
    }
    this.dropScripts();
    this.forgetReplies();
  }

  result(callsBefore: number): ShrunkHistory {
    const told = new Set(this.found.calls);
    const operations = callsIn(this.best)
      .filter(({ call, reply }) => reply !== null || told.has(call))
      .sort((left, right) => left.sentTick - right.sentTick)
      .map(({ call }) => call);
    const { best: events, found: failure, eventsJudged } = this;
    return { events, failure, operations, callsBefore, eventsJudged };
  }

  private dropJobs(): void {
    if (!jobsStandAlone(this.best)) return;
    const own = new Set(this.found.calls);
    const isOwn = ({ submitted, traces }: JobTraces): boolean =>
      own.has(submitted.call) || [...traces].some((one) => one.kind === 'call' && own.has(one.call));
    const others = jobsIn(this.best).filter((job) => !isOwn(job));
    leaveOut(others, (left) => {
      const gone = others.filter((job) => !left.includes(job));
      return this.accepts(withoutJobs(this.best, gone));
    });
  }

  private dropCalls(): void {
    const shown = this.wanted.calls.at(-1);
    const counted = this.isOfRates() ? callsIn(this.best).find(({ call }) => call === shown)?.op : undefined;
    const idle = callsIn(this.best).filter(
      (call) => call.call !== shown && changedNothing(call) && call.op !== counted,
    );
    leaveOut(idle, (left) => {
      const kept = new Set<HistoryEvent>(left);
      const gone = new Set<HistoryEvent>(idle.filter((call) => !kept.has(call)));
      return this.accepts(this.best.filter((event) => !gone.has(event)));
    });
  }

  /** Whether a call exceeded a rate depends on the calls before it. */
  private isOfRates(): boolean {
    return REQUIREMENTS.find(({ id }) => id === this.wanted.requirement)?.section === '8';
  }

  /** Removes scripts without events. */
  private dropScripts(): void {
    const busy = new Set([this.wanted.script]);
    for (const event of this.best)
      if (event.kind !== 'run' && event.kind !== 'script' && event.kind !== 'script-end')
        busy.add(event.script);
    const rest = this.best.filter((event) => event.kind === 'run' || busy.has(event.script));
    if (rest.length < this.best.length) this.accepts(rest);
  }

  private forgetReplies(): void {
    for (const call of callsIn(this.best)) {
      if (call.reply === null || call.call === this.wanted.calls.at(-1)) continue;
      // A job without a known id says less to a reader than one that counts.
      if ((call.op === 'run' || call.op === 'runsync') && !jobsStandAlone(this.best)) continue;
      this.accepts(this.best.map((event) => (event === call ? withReplyLost(call) : event)));
    }
  }
}

const callsIn = (events: Events): readonly CallEvent[] => events.filter((event) => event.kind === 'call');

/**
 * Removes halves, quarters, and so on down to single items, the last first; `accepts` gets what would be
 * left.
 */
function leaveOut<T>(items: readonly T[], accepts: (left: readonly T[]) => boolean): void {
  let left = items;
  for (let size = left.length; size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let end = left.length; end > 0; end -= size) {
      const start = Math.max(0, end - size);
      const fewer = [...left.slice(0, start), ...left.slice(end)];
      if (accepts(fewer)) left = fewer;
    }
  }
}

/** Failures of one requirement that are worth a close look. */
const PER_REQUIREMENT_MAX = 3;
/** Limit of judged events over all failures: a few seconds. */
const EVENTS_MAX = 1_000_000;

/** Options of a search that takes time. */
export interface ShrinkOptions {
  /** The requirements whose failures are shrunk; default: all. */
  readonly wanted?: (requirement: RequirementFinding) => boolean;
  /**
   * Called between two judgements: true ends the search with the results so far. The caller owns the clock.
   */
  readonly stop?: () => boolean;
  /** Called with each result as soon as it is found. */
  readonly onFound?: (failure: Failure, shrunk: ShrunkHistory) => void;
}

export interface ShrunkFailures {
  readonly shrunk: ReadonlyMap<Failure, ShrunkHistory>;
  /** Failures that were not reached when the search was stopped. */
  readonly unshrunk: number;
}

/**
 * The smallest histories of a run's failures: of the first failure of each requirement, then of more, as
 * long as it costs little. Deterministic, unless it is stopped. A failure that rests on the run as a whole
 * has none, nor has one that comes too late in the list.
 */
export function shrinkFailures(
  events: readonly HistoryEvent[],
  { requirements }: Findings,
  options: JudgeOptions,
  { wanted = () => true, stop = () => false, onFound = () => undefined }: ShrinkOptions = {},
): ShrunkFailures {
  const shrunk = new Map<Failure, ShrunkHistory>();
  let eventsLeft = EVENTS_MAX;
  let unshrunk = 0;
  for (let nth = 0; nth < PER_REQUIREMENT_MAX; nth += 1) {
    for (const requirement of requirements) {
      const failure = requirement.failures[nth];
      if (failure === undefined || !wanted(requirement) || eventsLeft <= 0) continue;
      if (stop()) {
        unshrunk += 1;
        continue;
      }
      const eventsMax = Math.min(eventsLeft, SHRINK_LIMITS.eventsMax);
      const found = shrinkHistory(events, failure, options, { ...SHRINK_LIMITS, eventsMax, stop });
      if (found === null) continue;
      eventsLeft -= found.eventsJudged;
      shrunk.set(failure, found);
      onFound(failure, found);
    }
  }
  return { shrunk, unshrunk };
}
