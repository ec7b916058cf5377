/** `serve --record FILE`: what was called as a script, written while it is called, so that a crash loses little. */
import { existsSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { UsageError } from '../../util/errors.js';
import { whyUnusable } from '../../files/user-file.js';
import { jsonText, quoteForShell } from '../../report/escape.js';
import type { Script } from '../../scenario/index.js';
import { program } from '../../program-name.js';
import type { Io } from '../../cli/io.js';

const EVERY_MS = 2_000;
/** After a write that took long, the next waits for this many times as long. */
const REST = 50;

/** Bodies are private. */
const OWNER_ONLY = 0o600;

export class RecordFile {
  readonly #name: string;
  readonly #path: string;
  readonly #io: Io;
  #script: (() => Script) | null = null;
  #timer: NodeJS.Timeout | undefined;
  #restMs = EVERY_MS;
  #hasFailed = false;

  /** @throws {UsageError} if the file exists, or cannot be written */
  constructor(name: string, io: Io) {
    this.#name = name;
    this.#io = io;
    this.#path = resolve(io.cwd, name);
    if (existsSync(this.#path))
      throw new UsageError(`${name} exists already: choose another file with --record`);
    // Whether it can be written shows now, and not after an hour of calls.
    try {
      writeFileSync(this.#part, '', { mode: OWNER_ONLY });
      rmSync(this.#part);
    } catch (error) {
      const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
      const why = isMissing ? `: the folder ${dirname(name)} does not exist` : ` ${whyUnusable(error)}`;
      throw new UsageError(`--record ${name}${why}`);
    }
  }

  /** @param script of what was called until now */
  begin(script: () => Script): void {
    this.#script = script;
  }

  /** Something was called, which is soon written. */
  called(): void {
    this.#timer ??= setTimeout(() => this.write(), this.#restMs).unref();
  }

  write(): Script | null {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const beganMs = performance.now();
    const script = this.#script?.() ?? null;
    if (script === null || script.steps.length === 0) return null;
    try {
      writeFileSync(this.#part, `${jsonText(script, 2)}\n`, { mode: OWNER_ONLY });
      renameSync(this.#part, this.#path);
    } catch (error) {
      if (!this.#hasFailed) this.#io.err(`--record ${this.#name} ${whyUnusable(error)}\n`);
      this.#hasFailed = true;
      return null;
    }
    this.#restMs = Math.max(EVERY_MS, REST * (performance.now() - beganMs));
    return script;
  }

  /** Writes it for the last time, and says what to do with it: `replay`, with these options. */
  close(options: readonly string[]): void {
    const script = this.write();
    if (script === null) return this.#io.note(`nothing was called, so there is no ${this.#name}\n`);
    const replay = ['replay', this.#name, ...options].map(quoteForShell).join(' ');
    this.#io.out(
      `${script.title}\nsaved as ${this.#name}; to make the calls again: ${program()} ${replay}\n`,
    );
  }

  get #part(): string {
    return `${this.#path}.part`;
  }
}
