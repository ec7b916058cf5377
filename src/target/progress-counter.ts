import type { Script } from '../scenario/script.js';
import type { RunOptions, RunProgress, RunSummary } from './port.js';

/** Counts scripts as they start and end, and reports progress. */
export class ProgressCounter {
  readonly #options: RunOptions;
  readonly #total: number;
  readonly #calls: () => number;
  readonly #callsBefore: number;
  readonly #aborted: { script: number; reason: string }[] = [];
  readonly leftBehind: string[] = [];
  #finished = 0;

  constructor(options: RunOptions, total: number, calls: () => number) {
    this.#options = options;
    this.#total = total;
    this.#calls = calls;
    this.#callsBefore = calls();
  }

  started(number: number, script: Script): void {
    this.#report('script-started', number, script);
  }

  ended(number: number, script: Script, reason: string | null): void {
    if (reason === null) this.#finished += 1;
    else this.#aborted.push({ script: number, reason });
    this.#report('script-ended', number, script);
  }

  summary(elapsedMs: number): RunSummary {
    return {
      finished: this.#finished,
      aborted: this.#aborted,
      calls: this.#calls() - this.#callsBefore,
      elapsedMs,
      leftBehind: this.leftBehind,
    };
  }

  #report(kind: RunProgress['kind'], script: number, { scenario }: Script): void {
    const ended = this.#finished + this.#aborted.length;
    this.#options.onProgress?.({ kind, script, scenario, ended, total: this.#total });
  }
}
