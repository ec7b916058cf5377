/** `bail`: a run is judged while it goes on, and ends when a must has failed. */
import type { HistoryEvent } from '../history/events.js';
import { whatCounts, type RunSelection } from '../history/selection.js';
import type { Findings } from '../oracle/index.js';
import type { Baseline } from '../report/index.js';
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
}

/**
 * Watches the events of a run. A failure counts if its script has ended, so that all calls of the script are known;
 * on a shared endpoint it has to show in two looks in turn. The whole run is judged at its end in any case.
 */
export class Bail {
  readonly #options: BailOptions;
  readonly #thread: ConcludeThread;
  readonly #events: HistoryEvent[] = [];
  readonly #ended = new Set<number>();
  #suspected: readonly string[] = [];
  #isLooking = false;
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
    if (event.kind !== 'script-end') return;
    this.#ended.add(event.script);
    if (!this.#isLooking && performance.now() >= this.#nextMs) void this.#look(onFailed);
  }

  /** Looks no more. */
  async end(): Promise<void> {
    this.#isOver = true;
    await this.#thread.end();
  }

  async #look(onFailed: (requirement: string) => void): Promise<void> {
    this.#isLooking = true;
    const ended = new Set(this.#ended);
    const beganMs = performance.now();
    const findings = await this.#judged();
    this.#nextMs = performance.now() + Math.max(PAUSE_MIN_MS, PAUSE_SHARE * (performance.now() - beganMs));
    this.#isLooking = false;
    if (this.#isOver || findings === null) return;
    const failed = this.#failedIn(findings, ended);
    const sure = this.#options.isShared ? failed.find((id) => this.#suspected.includes(id)) : failed[0];
    this.#suspected = failed;
    if (sure === undefined) return;
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

  #failedIn({ requirements }: Findings, ended: ReadonlySet<number>): readonly string[] {
    const { asked, baseline } = this.#options;
    const known = new Set(baseline?.known.map(({ requirement }) => requirement));
    return requirements
      .filter(whatCounts(asked, requirements))
      .filter(({ id, level, verdict }) => level === 'must' && verdict === 'fail' && !known.has(id))
      .filter(({ failures }) => failures.some(({ script }) => ended.has(script)))
      .map(({ id }) => id);
  }
}
