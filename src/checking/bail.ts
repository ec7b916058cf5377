/** `bail`: a run is judged while it goes on, and ends when a must has failed. */
import type { HistoryEvent } from '../history/events.js';
import { whatCounts, type RunSelection } from '../history/selection.js';
import type { Findings } from '../oracle/index.js';
import type { Baseline } from '../report/index.js';
import type { Script } from '../scenario/index.js';
import type { Edition } from '../spec/types.js';
import { ConcludeThread } from '../judging/conclude-thread.js';
import type { StepDeadlines } from '../judging/deadlines.js';

/** Between two looks at least so many times what a look took, so that judging does not slow the run down. */
const PAUSE_SHARE = 3;
const PAUSE_MIN_MS = 500;

export interface BailOptions {
  readonly asked: RunSelection;
  readonly edition: Edition;
  /** Failures that it knows do not end the run. */
  readonly baseline: Baseline | null;
  /** Scripts may share an endpoint, in real time: what seems to fail may be explained by a call that is under way. */
  readonly isShared: boolean;
  /** By their number in the history. */
  readonly scripts: readonly Script[];
}

/**
 * Watches the events of a run. A failure counts if its script has ended, so that all calls of the script are known, or if the script
 * makes its calls one after the other, so that a call under way explains none before it; on a shared endpoint it has to show in
 * two looks in turn. The whole run is judged at its end in any case.
 */
export class Bail {
  readonly #options: BailOptions;
  readonly #thread: ConcludeThread;
  readonly #events: HistoryEvent[] = [];
  /** Scripts of which no call that could explain another is missing. */
  readonly #whole = new Set<number>();
  #timer: NodeJS.Timeout | undefined;
  #suspected: readonly string[] = [];
  #isLooking = false;
  /** Since the last look began. */
  #hasMore = false;
  #nextMs = 0;
  #isOver = false;

  constructor(options: BailOptions, deadlines: StepDeadlines) {
    this.#options = options;
    this.#thread = new ConcludeThread(deadlines);
  }

  /** `onFailed` is told the requirement, at most once. */
  see(event: HistoryEvent, onFailed: (requirement: string) => void): void {
    if (this.#isOver) return;
    this.#events.push(event);
    // Where the clock stands still, a script ends at once, and can be made smaller then.
    const isSeen = event.kind === 'script' && this.#options.isShared && this.#isInTurn(event.script);
    if (isSeen) this.#whole.add(event.script);
    if (event.kind === 'script-end') this.#whole.add(event.script);
    else if (event.kind !== 'call' || !this.#whole.has(event.script)) return;
    this.#hasMore = true;
    if (this.#isLooking) return;
    clearTimeout(this.#timer);
    const inMs = this.#nextMs - performance.now();
    if (inMs <= 0) void this.#look(onFailed);
    else this.#timer = setTimeout(() => void this.#look(onFailed), inMs);
  }

  #isInTurn(script: number): boolean {
    const { steps = [] } = this.#options.scripts[script] ?? {};
    return steps.every((step) => step.do !== 'burst' && step.lane === steps[0]!.lane);
  }

  /** Looks no more. */
  async end(): Promise<void> {
    this.#isOver = true;
    clearTimeout(this.#timer);
    await this.#thread.end();
  }

  async #look(onFailed: (requirement: string) => void): Promise<void> {
    this.#isLooking = true;
    this.#hasMore = false;
    const whole = new Set(this.#whole);
    const beganMs = performance.now();
    const findings = await this.#judged();
    // The first look waits for the thread to start.
    const tookMs = this.#nextMs === 0 ? 0 : performance.now() - beganMs;
    this.#nextMs = performance.now() + Math.max(PAUSE_MIN_MS, PAUSE_SHARE * tookMs);
    this.#isLooking = false;
    if (this.#isOver || findings === null) return;
    const failed = this.#failedIn(findings, whole);
    const sure = this.#options.isShared ? failed.find((id) => this.#suspected.includes(id)) : failed[0];
    this.#suspected = failed;
    if (sure === undefined) {
      const again = (): void => void this.#look(onFailed);
      if (failed.length > 0 || this.#hasMore)
        this.#timer = setTimeout(again, this.#nextMs - performance.now());
      return;
    }
    this.#isOver = true;
    onFailed(sure);
  }

  async #judged(): Promise<Findings | null> {
    const { asked, edition } = this.#options;
    const judgeOptions = { edition, selection: asked };
    const input = {
      events: [...this.#events],
      judgeOptions,
      secrets: [],
      reasons: new Map<string, string>(),
      asked,
      exercises: new Map(),
    };
    const step = await this.#thread.judge(input).catch(() => null);
    return step !== null && 'done' in step ? step.done : null;
  }

  #failedIn({ requirements }: Findings, whole: ReadonlySet<number>): readonly string[] {
    const { asked, baseline } = this.#options;
    const known = new Set(baseline?.known.map(({ requirement }) => requirement));
    return requirements
      .filter(whatCounts(asked, requirements))
      .filter(({ id, level, verdict }) => level === 'must' && verdict === 'fail' && !known.has(id))
      .filter(({ failures }) => failures.some(({ script }) => whole.has(script)))
      .map(({ id }) => id);
  }
}
