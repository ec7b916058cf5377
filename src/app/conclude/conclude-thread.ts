/**
 * Judges and reports in a thread, so that signals and deadlines work however long that takes. A thread that
 * misses a deadline is ended: its results so far are kept, and the remaining steps run in the main thread.
 */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { HistoryEvent } from '../../history/events.js';
import type { Findings } from '../../oracle/index.js';
import type { FormatName, Report } from '../../report/index.js';
import type { ConcludeTask, ThreadMessage } from './conclude-worker.js';
import {
  Concluder,
  type BuildInput,
  type RenderedFile,
  type Shrunk,
  type ConcludeInput,
} from './concluder.js';
import { openMusts, type PlayedScript } from './missed-musts.js';
import type { StoppedBy, StepDeadlines, StepLimits } from './deadlines.js';
import type { Reproduced } from '../explore/reproduce.js';

/** Enough for the garbage of judging one run. */
const LIMITS = { maxYoungGenerationSizeMb: 32 };

/** An event usually takes 0.2 ms to judge. */
const JUDGE_MS = 60_000;
const JUDGE_PER_EVENT_MS = 2;
const JUDGE: Omit<StepLimits, 'maxMs'> = { afterBudgetMs: 1_500, afterSignalMs: 1_650, minMs: 300 };
/** Playing the scripts again and judging them takes about as long as judging the run. */
const EXPLAIN: StepLimits = { maxMs: 60_000, afterBudgetMs: 0, afterSignalMs: 0 };
const SHRINK_MS = 10_000;
const SHRINK: StepLimits = { maxMs: SHRINK_MS, afterBudgetMs: 1_000, afterSignalMs: 0 };
/** After the order to stop: time for the judging step in progress. */
const LAST_JUDGING_MS = 300;
const WRITE: StepLimits = { maxMs: 60_000, afterBudgetMs: 2_200, afterSignalMs: 1_850 };
const REPRODUCE: StepLimits = { maxMs: 30_000, afterBudgetMs: 0, afterSignalMs: 100 };

/** The result of a step, or what stopped it after how many ms. */
export type Step<T> = { readonly done: T } | { readonly cut: StoppedBy; readonly afterMs: number };

export interface ShrinkResult {
  readonly found: readonly Shrunk[];
  /** How many failures were not shrunk because of `cut`; null: not known. */
  readonly unshrunk: number | null;
  readonly cut: StoppedBy | null;
  readonly tookMs: number;
}

export class ConcludeThread {
  private readonly deadlines: StepDeadlines;
  private readonly judgeMs: number;
  /** How long the run may take to be judged. */
  private maxMs = 0;
  private readonly stop = new Int32Array(new SharedArrayBuffer(4));
  /** Null if the code was not built, or the thread was ended: then every step runs in the main thread. */
  private worker: Worker | null;
  private concluder: Concluder | null = null;
  private waiting: { resolve: (answer: unknown) => void; reject: (error: Error) => void } | null = null;
  private onFound: (shrunk: Shrunk) => void = () => undefined;

  /** Starts the thread now, so that it is ready when the run ends. */
  constructor(
    deadlines: StepDeadlines,
    {
      judgeMs = JUDGE_MS,
      start = startWorker,
    }: { readonly judgeMs?: number; readonly start?: (stop: Int32Array) => Worker | null } = {},
  ) {
    this.deadlines = deadlines;
    this.judgeMs = judgeMs;
    this.worker = start(this.stop);
    this.worker?.on('message', (word: ThreadMessage) => {
      if ('found' in word) this.onFound(word.found);
      else if ('answer' in word) this.settle()?.resolve(word.answer);
      else this.settle()?.reject(word.error);
    });
    this.worker?.on('error', (error) => {
      this.worker = null;
      this.settle()?.reject(error);
    });
    this.worker?.unref();
  }

  async judge(input: ConcludeInput): Promise<Step<Findings>> {
    const concluder = (this.concluder = new Concluder(input));
    this.maxMs = this.judgeMs + JUDGE_PER_EVENT_MS * input.events.length;
    const time = { ...JUDGE, maxMs: this.maxMs };
    const step = await this.step({ kind: 'judge', input }, time, () => concluder.judge());
    if ('done' in step) concluder.take(step.done);
    return step;
  }

  /** Judges the run together with further scripts; null if there was no time: then only the run counts. */
  async judgeMore(events: readonly HistoryEvent[]): Promise<Findings | null> {
    const concluder = this.concluder!;
    const time = { maxMs: this.maxMs, afterBudgetMs: 0, afterSignalMs: 0 };
    const inThread = this.worker !== null;
    const step = await this.step({ kind: 'judge-more', events }, time, () => {
      concluder.add(events);
      return concluder.judge();
    });
    if (!('done' in step)) return null;
    if (inThread) concluder.add(events);
    return concluder.take(step.done);
  }

  /** Findings that decide nothing, if judging failed. */
  unjudged(reason: string): Findings {
    return this.concluder!.unjudged(reason);
  }

  /** Why musts are open that these scripts exercise; null if there was no time to find out. */
  async explain(played: readonly PlayedScript[]): Promise<Findings | null> {
    const concluder = this.concluder!;
    const step = await this.step({ kind: 'explain', played }, EXPLAIN, () =>
      concluder.explain(played, openMusts),
    );
    return 'done' in step ? concluder.take(step.done) : null;
  }

  async shrink(): Promise<ShrinkResult> {
    const { deadlines } = this;
    const concluder = this.concluder!;
    const found: Shrunk[] = [];
    const begunMs = performance.now();
    const took = (): number => Math.round(performance.now() - begunMs);
    if (this.worker === null) {
      const stop = deadlines.overdueCheck(SHRINK);
      const unshrunk = concluder.shrink(stop, (one) => void found.push(one));
      return { found, unshrunk, cut: unshrunk > 0 ? 'time' : null, tookMs: took() };
    }
    this.onFound = (one) => void found.push(concluder.found(one));
    const asked = this.ask({ kind: 'shrink' });
    const watch = deadlines.watch(SHRINK);
    const inTime = await Promise.race([asked, watch.over.then((cut) => ({ cut }))]);
    watch.forget();
    if (typeof inTime === 'number') return { found, unshrunk: inTime, cut: null, tookMs: took() };
    const tookMs = took();
    Atomics.store(this.stop, 0, 1);
    const last = await Promise.race([asked, sleep(LAST_JUDGING_MS)]);
    if (typeof last !== 'number') await this.end();
    const { cut } = inTime as { readonly cut: StoppedBy };
    return { found, unshrunk: typeof last === 'number' ? last : null, cut, tookMs };
  }

  async build(input: BuildInput): Promise<Report> {
    const local = (): Report => this.concluder!.build(input);
    const step = await this.step({ kind: 'build', input }, WRITE, local);
    return 'done' in step ? step.done : local();
  }

  async render(report: Report, formats: readonly FormatName[]): Promise<readonly RenderedFile[]> {
    const local = (): readonly RenderedFile[] => this.concluder!.render(report, formats);
    const step = await this.step({ kind: 'render', report, formats }, WRITE, local);
    return 'done' in step ? step.done : local();
  }

  async reproduce(
    task: Omit<Extract<ConcludeTask, { kind: 'reproduce' }>, 'kind'>,
  ): Promise<Reproduced | null> {
    const { script, requirement, alike, around } = task;
    const step = await this.step({ kind: 'reproduce', ...task }, REPRODUCE, async () =>
      (await import('../explore/reproduce.js')).reproduce(script, requirement, alike, around),
    );
    return 'done' in step ? step.done : null;
  }

  async end(): Promise<void> {
    const { worker } = this;
    this.worker = null;
    await worker?.terminate();
  }

  /** Runs one task; ends the thread if it misses the deadline. */
  private async step<T>(task: ConcludeTask, time: StepLimits, local: () => T | Promise<T>): Promise<Step<T>> {
    if (this.worker === null) return { done: await local() };
    const begunMs = performance.now();
    const watch = this.deadlines.watch(time);
    try {
      const first = await Promise.race([
        this.ask(task).then((answer) => ({ done: answer as T })),
        watch.over.then((cut) => ({ cut, afterMs: Math.round(performance.now() - begunMs) })),
      ]);
      if ('cut' in first) await this.end();
      return first;
    } finally {
      watch.forget();
    }
  }

  private ask(task: ConcludeTask): Promise<unknown> {
    return new Promise((resolve, reject) => {
      this.waiting = { resolve, reject };
      this.worker!.ref();
      this.worker!.postMessage(task);
    });
  }

  private settle(): typeof this.waiting {
    const { waiting } = this;
    this.waiting = null;
    this.worker?.unref();
    return waiting;
  }
}

function startWorker(stop: Int32Array): Worker | null {
  const file = new URL('./conclude-worker.js', import.meta.url);
  if (!existsSync(fileURLToPath(file))) return null;
  return new Worker(file, { workerData: { stop }, resourceLimits: LIMITS });
}

const sleep = (ms: number): Promise<null> =>
  new Promise((resolve) => {
    setTimeout(() => resolve(null), ms);
  });
