/**
 * Judges and reports in a thread, so that signals and deadlines work however long that takes. A thread that
 * misses a deadline is ended: the main thread goes on with its results so far.
 */
import type { HistoryEvent } from '../history/events.js';
import type { Findings, JudgeOptions } from '../oracle/index.js';
import type { RenderedFile } from '../report/formats/context.js';
import type { Report } from '../report/index.js';
import { isBuilt, startThread, type Thread, type ThreadOptions } from '../threads/thread.js';
import { CONCLUDING, type ThreadConcluder } from './conclude-worker.js';
import { Concluder, nothingKnown, type BuildInput, type Shrunk, type ConcludeInput } from './concluder.js';
import type { Weighed } from './assumption-costs.js';
import type { PlayedScript } from './missed-musts.js';
import { unjudged } from './with-reasons.js';
import { JUDGED_AFTER_SIGNAL_MS, type StoppedBy, type StepDeadlines, type StepLimits } from './deadlines.js';
import type { Reproduced } from '../test-bed/reproduce.js';

/** An event usually takes 0.2 ms to judge. */
const JUDGE_MS = 60_000;
const JUDGE_PER_EVENT_MS = 2;
const JUDGE: Omit<StepLimits, 'maxMs'> = {
  afterBudgetMs: 1_500,
  afterSignalMs: JUDGED_AFTER_SIGNAL_MS,
  minMs: 300,
};
/** Playing the scripts again and judging them takes about as long as judging the run. */
const EXPLAIN: StepLimits = { maxMs: 60_000, afterBudgetMs: 0, afterSignalMs: 0 };
/** Judges recorded traffic, or the beginning of its first part, up to four times; usually each time faster than before. */
const WEIGH: StepLimits = { maxMs: 60_000, afterBudgetMs: 0, afterSignalMs: 0 };
const SHRINK_MS = 10_000;
const SHRINK: StepLimits = { maxMs: SHRINK_MS, afterBudgetMs: 1_000, afterSignalMs: 0 };
/** After the order to stop: time for the judging step in progress. */
const LAST_JUDGING_MS = 300;
/** As long as no signal and no budget presses: with the thread, what parts have shown would be lost. */
const LAST_JUDGING_OF_PART_MS = 5_000;
const WRITE: StepLimits = {
  maxMs: 60_000,
  afterBudgetMs: 2_200,
  afterSignalMs: JUDGED_AFTER_SIGNAL_MS + 1_000,
};
const REPRODUCE: StepLimits = { maxMs: 30_000, afterBudgetMs: 0, afterSignalMs: 100 };

/** The result of a step, or what stopped it after how many ms. */
export type Step<T> = { readonly done: T } | Cut;

interface Cut {
  readonly cut: StoppedBy;
  readonly afterMs: number;
}

export interface ShrinkResult {
  readonly found: readonly Shrunk[];
  /** How many failures were not shrunk because of `cut`; null: not known. */
  readonly unshrunk: number | null;
  readonly cut: StoppedBy | null;
  readonly tookMs: number;
}

type Steps = Omit<{ [step in keyof Concluder]: Concluder[step] }, 'shrink' | 'hear'>;

interface ConcludeThreadOptions {
  readonly judgeMs?: number | undefined;
  /** False: every step runs in the main thread. */
  readonly inThread?: boolean | undefined;
  readonly spawn?: ThreadOptions<Shrunk>['spawn'];
}

export class ConcludeThread {
  private readonly deadlines: StepDeadlines;
  private readonly judgeMs: number;
  /** How long the run may take to be judged. */
  private maxMs = 0;
  /** Null if there is to be none, or the code was not built: then every step runs in the main thread. */
  private readonly started: Thread<ThreadConcluder> | null;
  /** The results of the thread, with which the main thread goes on. */
  private readonly known = nothingKnown();
  private readonly here = new Concluder(this.known);
  /** Why the thread was ended; null: it was not. */
  private lost: Cut | null = null;
  /** How many events of the run the thread was sent, and those that it has not been sent so far. */
  private heard = 0;
  private readonly unheard: HistoryEvent[] = [];

  /** Starts the thread now, so that it is ready when the run ends. */
  constructor(
    deadlines: StepDeadlines,
    { judgeMs = JUDGE_MS, inThread = true, spawn }: ConcludeThreadOptions = {},
  ) {
    this.deadlines = deadlines;
    this.judgeMs = judgeMs;
    const onProgress = (found: Shrunk): void => void this.known.shrunk.push(found);
    const hasThread = inThread && (spawn !== undefined || isBuilt(CONCLUDING));
    this.started = hasThread ? startThread(CONCLUDING, null, { onProgress, ...(spawn && { spawn }) }) : null;
  }

  /** Null if there is none, or it was ended: then the steps run in the main thread. */
  private get thread(): Thread<ThreadConcluder> | null {
    return this.started?.isEnded === false ? this.started : null;
  }

  /**
   * The next event of a run that is to be judged with these options: the thread judges it while the run goes on, as far as
   * it has time. Where all events were heard, `judge` has less to do; it comes to the same.
   */
  hear(event: HistoryEvent, judgeOptions: JudgeOptions): void {
    if (this.thread === null) return;
    this.unheard.push(event);
    if (event.kind === 'script-end') this.tell(judgeOptions);
  }

  judge(input: ConcludeInput): Promise<Step<Findings>> {
    this.known.input = input;
    this.known.shrunk.length = 0;
    this.maxMs = this.judgeMs + JUDGE_PER_EVENT_MS * input.events.length;
    const time = { ...JUDGE, maxMs: this.maxMs };
    this.tell(input.judgeOptions);
    const { events, ...rest } = input;
    const isHeard = this.thread !== null && this.heard > 0 && this.heard === events.length;
    this.heard = 0;
    return this.found(isHeard ? this.step(time, 'judgeHeard', rest) : this.step(time, 'judge', input));
  }

  /** The next part of recorded traffic; the findings are those of all parts by now. */
  async judgePart(input: ConcludeInput): Promise<Step<Findings>> {
    // What the parts before have shown went with the thread: the findings would be those of later ones alone.
    if (this.lost !== null) return this.lost;
    this.known.input = input;
    this.known.shrunk.length = 0;
    const maxMs = this.judgeMs + JUDGE_PER_EVENT_MS * input.events.length;
    return this.found(this.step({ ...JUDGE, maxMs }, 'judgePart', input));
  }

  /** What is reported on: what the parts have come to. */
  async take(...known: Parameters<Concluder['take']>): Promise<void> {
    this.here.take(...known);
    if (this.thread !== null) await this.step(WRITE, 'take', ...known);
  }

  private tell(judgeOptions: JudgeOptions): void {
    const events = this.unheard.splice(0);
    if (events.length === 0) return;
    this.heard += events.length;
    this.thread?.ask('hear', [events, judgeOptions]).catch(() => undefined);
  }

  /** Judges the run together with further scripts; null if there was no time: then only the run counts. */
  async judgeMore(events: readonly HistoryEvent[]): Promise<Findings | null> {
    const { input } = this.known;
    const time = { maxMs: this.maxMs, afterBudgetMs: 0, afterSignalMs: 0 };
    const step = await this.found(this.step(time, 'judgeMore', events));
    if (!('done' in step)) return null;
    this.known.input = { ...input, events: [...input.events, ...events] };
    return step.done;
  }

  /** Findings that decide nothing, if judging failed. */
  unjudged(reason: string): Findings {
    return (this.known.findings = unjudged(this.known.input, reason));
  }

  /** Why musts are open that these scripts exercise; null if there was no time to find out. */
  async explain(played: readonly PlayedScript[]): Promise<Findings | null> {
    const step = await this.found(this.step(EXPLAIN, 'explain', played));
    return 'done' in step ? step.done : null;
  }

  /** What the assumptions about recorded traffic cost; null if there are none, or no time to find out. */
  async weigh(isWhole: boolean): Promise<Weighed | null> {
    const step = await this.step(WEIGH, 'weigh', isWhole);
    if (!('done' in step) || step.done === null) return null;
    this.known.findings = step.done.findings;
    return step.done;
  }

  /** @param only failures of these requirements; absent: of all */
  async shrink(only: readonly string[] | null = null): Promise<ShrinkResult> {
    const { deadlines, thread } = this;
    const { shrunk: found } = this.known;
    const begunMs = performance.now();
    const took = (): number => Math.round(performance.now() - begunMs);
    if (thread === null) {
      const unshrunk = this.here.shrink(deadlines.overdueCheck(SHRINK), undefined, only);
      return { found, unshrunk, cut: unshrunk > 0 ? 'time' : null, tookMs: took() };
    }
    const graceOf = (cut: StoppedBy): number =>
      only !== null && cut === 'time' ? LAST_JUDGING_OF_PART_MS : LAST_JUDGING_MS;
    const step = await thread.askUntil(deadlines.watch(SHRINK), graceOf, 'shrink', [
      undefined,
      undefined,
      only,
    ]);
    if ('done' in step) return { found, unshrunk: step.done, cut: null, tookMs: took() };
    if (thread.isEnded) this.lost = step;
    return { found, unshrunk: step.late, cut: step.cut, tookMs: step.afterMs };
  }

  async build(input: BuildInput): Promise<Report> {
    const step = await this.step(WRITE, 'build', input);
    return 'done' in step ? step.done : this.here.build(input);
  }

  async render(...task: Parameters<Concluder['render']>): Promise<readonly RenderedFile[]> {
    const step = await this.step(WRITE, 'render', ...task);
    return 'done' in step ? step.done : this.here.render(...task);
  }

  /** Looks for a failure of the target on the simulator; null if there was no time to find it. */
  async reproduce(...task: Parameters<Concluder['reproduce']>): Promise<Reproduced | null> {
    const step = await this.step(REPRODUCE, 'reproduce', ...task);
    return 'done' in step ? step.done : null;
  }

  async end(): Promise<void> {
    await this.started?.end();
  }

  private async found(judging: Promise<Step<Findings>>): Promise<Step<Findings>> {
    const step = await judging;
    if ('done' in step) this.known.findings = step.done;
    return step;
  }

  /** Does one step; ends the thread if it misses the deadline. */
  private async step<K extends keyof Steps>(
    time: StepLimits,
    step: K,
    ...args: Parameters<Steps[K]>
  ): Promise<Step<Awaited<ReturnType<Steps[K]>>>> {
    const { thread } = this;
    if (thread !== null) {
      const answer = await thread.askUntil(this.deadlines.watch(time), () => 0, step, args);
      if ('cut' in answer) this.lost = answer;
      return answer;
    }
    type Done = Awaited<ReturnType<Steps[K]>>;
    return { done: await (this.here[step] as (...given: typeof args) => Promise<Done>)(...args) };
  }
}
