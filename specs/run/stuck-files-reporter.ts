/**
 * Names the spec files that a run waits for. Code that never comes back stops the timers of its own process, so that
 * no time limit of a spec strikes: the run would end in silence when whoever started it loses patience.
 */
import { relative } from 'node:path';
import type { Reporter, TestModule } from 'vitest/node';

export class UnderWay implements Reporter {
  readonly #sinceMs = new Map<string, number>();
  readonly #everyMs: number;
  readonly #say: (line: string) => void;
  #timer: NodeJS.Timeout | undefined;

  /** @param everyMs how often to look, in ms; a file is named once it has taken that long */
  constructor(everyMs = 90_000, say: (line: string) => void = console.log) {
    this.#everyMs = everyMs;
    this.#say = say;
  }

  onTestRunStart(): void {
    this.#timer = setInterval(() => this.#tell(), this.#everyMs).unref();
  }

  onTestModuleQueued({ moduleId }: Pick<TestModule, 'moduleId'>): void {
    this.#sinceMs.set(moduleId, Date.now());
  }

  onTestModuleEnd({ moduleId }: Pick<TestModule, 'moduleId'>): void {
    this.#sinceMs.delete(moduleId);
  }

  onTestRunEnd(): void {
    clearInterval(this.#timer);
  }

  #tell(): void {
    for (const [file, sinceMs] of this.#sinceMs) {
      const ms = Date.now() - sinceMs;
      if (ms < this.#everyMs) continue;
      this.#say(`still under way after ${Math.round(ms / 1_000)} s: ${relative(process.cwd(), file)}`);
    }
  }
}
