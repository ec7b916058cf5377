/** Concludes a history in parts, so that memory does not grow with the history: it gets the report that it gets as a whole. */
import type { HistoryEvent } from '../history/events.js';
import type { Failure, Findings, ShrunkHistory } from '../oracle/index.js';
import { historyTotals, sumOfTotals } from '../report/build.js';
import type { HistoryTotals, Report } from '../report/index.js';
import type { Assumptions } from '../report/assumptions.js';
import { unweighed, withWhyOpen, type Weighed } from './assumption-costs.js';
import type { Concluding } from './conclude.js';
import {
  concludeInputOf,
  concludeRun,
  decidedIn,
  reportRun,
  type Concluded,
  type RunToConclude,
} from './conclude-run.js';
import type { ShrinkResult } from './conclude-thread.js';
import type { Shrunk } from './concluder.js';
import { whyUnjudged, type JudgedSo } from './why-unjudged.js';

export interface PartsConcluded {
  readonly report: Report;
  /** The smallest history of the first failure, that of a must if one failed; undefined: none is smaller. */
  readonly smallest: ShrunkHistory | undefined;
  /** An error of Runproof itself while judging: to be thrown after the report is written. */
  readonly problem: Error | null;
}

/** What is known of a part before it is concluded. */
export type RunOfPart = Omit<RunToConclude, 'secrets' | 'redactor' | 'folder'>;

/**
 * @param parts at least one, each with the run first
 * @param runOf what is concluded of a part
 * @param onPhase called with what is done next, and how many requirements are decided by now
 */
export async function concludeParts(
  parts: Iterable<readonly HistoryEvent[]>,
  runOf: (events: readonly HistoryEvent[]) => RunOfPart,
  concluding: Concluding,
  onPhase: (phase: 'judging' | 'shrinking', decided: number) => void,
): Promise<PartsConcluded> {
  const { folder, redactor, thread, deadlines } = concluding;
  const iterator = parts[Symbol.iterator]();
  let sum: Sum | null = null;
  for (let part = iterator.next(); part.done !== true;) {
    const run: RunToConclude = { ...runOf(part.value), secrets: [], redactor, folder };
    part = iterator.next();
    if (sum === null && part.done === true) {
      const concluded = await concludeRun(run, thread, deadlines, (decided) => onPhase('shrinking', decided));
      return { ...concluded, smallest: smallestIn(concluded) };
    }
    sum ??= new Sum(concluding, run);
    await sum.add(run);
    onPhase('judging', sum.decided);
    if (!sum.isComplete || deadlines.isInterrupted) break;
  }
  const concluded = await sum!.concluded();
  return { ...concluded, smallest: smallestIn(concluded) };
}

/** Enough of them to look at. */
const SHOWN_FAILURES_MAX = 3;

/** All that is kept of the parts so far. */
class Sum {
  readonly #concluding: Concluding;
  #run: RunToConclude;
  #judged: JudgedSo | null = null;
  /** Null: nothing was judged. */
  #findings: Findings | null = null;
  /** What assumptions cost at the beginning of the first part: what it takes to judge again is bounded. */
  #weighed: Weighed | null = null;
  #assumptions: Assumptions | null | undefined;
  #totals: HistoryTotals | null = null;
  /** Of the scripts that the report's failures are about. */
  readonly #shown: HistoryEvent[];
  readonly #shrunk: Shrunk[] = [];
  #shrinking: ShrinkResult = { found: [], unshrunk: 0, cut: null, tookMs: 0 };

  constructor(concluding: Concluding, run: RunToConclude) {
    this.#concluding = concluding;
    this.#run = run;
    this.#shown = run.events.slice(0, 1);
  }

  /** How many requirements have been decided. */
  get decided(): number {
    return this.#findings === null ? 0 : decidedIn(this.#findings);
  }

  /** What was asked for could be judged. */
  get isComplete(): boolean {
    return this.#judged !== null && 'done' in this.#judged;
  }

  async add(run: RunToConclude): Promise<void> {
    const { thread } = this.#concluding;
    this.#run = run;
    const totals = historyTotals(run.events);
    this.#totals = this.#totals === null ? totals : sumOfTotals(this.#totals, totals);
    const judged = await thread
      .judgePart(concludeInputOf(run))
      .catch((problem: Error): JudgedSo => ({ problem }));
    this.#judged = judged;
    if (!('done' in judged)) return;
    const failedBefore = new Set(failedIn(this.#findings));
    const isFirst = this.#findings === null;
    this.#findings = judged.done;
    if (isFirst) await this.#weigh(run);
    this.#show(run.events, judged.done);
    const failed = failedIn(judged.done).filter((id) => !failedBefore.has(id));
    if (failed.length > 0) await this.#shrink(failed);
  }

  /** The report on all parts. */
  async concluded(): Promise<Concluded> {
    const { thread, deadlines } = this.#concluding;
    const judged = this.#judged!;
    const why = whyUnjudged(judged, this.#run, this.#findings === null ? 'nothing' : 'nothing more');
    const findings = withWhyOpen(
      this.#findings ?? thread.unjudged(why!),
      this.#weighed?.whyOpen ?? new Map(),
    );
    const run = { ...this.#run, events: this.#shown };
    const found = this.#shrunk.flatMap((one) => {
      const place = placeIn(findings, one.found.failure);
      return place === null ? [] : [{ ...one, ...place }];
    });
    await thread.take(concludeInputOf(run), findings, found);
    const about = { judged, why, findings, shrinking: { ...this.#shrinking, found } };
    const given = { assumptions: this.#assumptions, whole: this.#totals! };
    return reportRun(run, { ...about, ...given }, thread, deadlines);
  }

  async #weigh({ weighs, events }: RunToConclude): Promise<void> {
    if (weighs === undefined) return;
    this.#weighed = await this.#concluding.thread.weigh(weighs.isWhole);
    this.#assumptions = this.#weighed?.assumptions ?? unweighed(events, weighs.isWhole);
  }

  /** The first failures of each requirement, which are the simplest: a later part may have a simpler one. */
  #show(events: readonly HistoryEvent[], { requirements }: Findings): void {
    const first = requirements.flatMap(({ failures }) => failures.slice(0, SHOWN_FAILURES_MAX));
    const scripts = new Set(first.map(({ script }) => script));
    // A purge may be in several parts.
    for (const event of this.#shown) if ('script' in event) scripts.delete(event.script);
    this.#shown.push(...events.filter((event) => 'script' in event && scripts.has(event.script)));
  }

  async #shrink(failed: readonly string[]): Promise<void> {
    const { found, unshrunk, cut, tookMs } = await this.#concluding.thread.shrink(failed);
    this.#shrunk.push(...found);
    const before = this.#shrinking;
    if (cut === null && unshrunk === 0) return;
    // Once it was told to stop, the thread shrinks nothing more.
    this.#shrinking = {
      ...{ found: [], cut: cut ?? before.cut, tookMs: before.tookMs + tookMs },
      unshrunk: before.unshrunk === null || unshrunk === null ? null : before.unshrunk + unshrunk,
    };
  }
}

const failedIn = (findings: Findings | null): readonly string[] =>
  findings?.requirements.flatMap(({ id, failed }) => (failed > 0 ? [id] : [])) ?? [];

/** Of the failure as a smaller history shows it; null: there is no room for it any more. */
function placeIn({ requirements }: Findings, shown: Failure): Pick<Shrunk, 'at' | 'nth'> | null {
  const at = requirements.findIndex(({ id }) => id === shown.requirement);
  const nth = requirements[at]!.failures.findIndex(
    ({ script, calls }) => script === shown.script && calls.at(-1) === shown.calls.at(-1),
  );
  return nth < 0 ? null : { at, nth };
}

/** Of the failures that have a smallest history, that of a must first. */
function smallestIn({ findings, shrunk }: Concluded): ShrunkHistory | undefined {
  const { requirements } = findings;
  const failures = (isMust: boolean): readonly Failure[] =>
    requirements.filter(({ level }) => (level === 'must') === isMust).flatMap((one) => one.failures);
  const first = [...failures(true), ...failures(false)].find((failure) => shrunk.has(failure));
  return first && shrunk.get(first);
}
