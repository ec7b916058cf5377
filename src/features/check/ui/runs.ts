/** The runs of a page, one at a time, and what they have found about each row. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { escapeLines } from '../../../report/escape.js';
import type { ExitCode } from '../../../report/index.js';
import { InterruptedError, UnreachableError, UsageError } from '../../../util/errors.js';
import type { Io } from '../../../cli/io.js';
import { parseAddress } from '../../../cli/options/address.js';
import type { Beside } from '../check-command.js';
import type { CheckSettings } from '../index.js';
import type { LastFailed } from '../last-failed.js';
import { checkFailuresFirst, isRestarted, watchedOrigin } from '../watch.js';
import type { Row, Selectors } from './rows.js';
import { Run, type Told } from './run.js';

/** One check as `check` makes it. */
export type CheckOnce = (settings: CheckSettings, io: Io, beside: Beside) => Promise<ExitCode>;

/** What has been told of a row, with the number of the report. */
interface Reported extends Told {
  readonly report: number;
}

export class Runs {
  readonly rows: readonly Row[];
  /** By selector. */
  readonly told = new Map<string, Reported>();
  /** The address of the server, or what stands in its place. */
  readonly target: string;
  /** The folder of each report. */
  readonly #folders: string[] = [];
  /** The last one; null before the first. */
  run: Run | null = null;
  /** Why the last one found nothing; null: it runs, or has been judged. */
  problem: string | null = null;
  readonly settings: CheckSettings;
  readonly #io: Io;
  readonly #once: CheckOnce;
  readonly #onBug: (error: unknown) => void;
  /** Of the last check; null: the server did not answer. */
  #code: ExitCode | null = 0;
  #chosen: Selectors | null = null;
  #work: Promise<unknown> | null = null;
  #stop = new AbortController();
  #watch: AbortController | null = null;
  /** Nothing starts any more. */
  #hasEnded = false;

  /** @param onBug told of what is neither a mistake of the user nor a server that does not answer */
  constructor(
    settings: CheckSettings,
    rows: readonly Row[],
    io: Io,
    once: CheckOnce,
    onBug: (error: unknown) => void,
  ) {
    const formats = settings.formats && [...new Set([...settings.formats, 'json', 'html'] as const)];
    this.settings = { ...settings, ui: false, watch: false, open: false, formats };
    this.target = settings.url === undefined ? 'the emulator itself' : parseAddress(settings.url).baseUrl;
    this.rows = rows;
    this.#io = io;
    this.#once = once;
    this.#onBug = onBug;
  }

  get isBusy(): boolean {
    return this.#work !== null;
  }

  get isStopping(): boolean {
    return this.isBusy && this.#stop.signal.aborted;
  }

  /** Null: there is no server that could be restarted. */
  get isWatching(): boolean | null {
    return this.settings.url === undefined ? null : this.#watch !== null;
  }

  /** Rules that failed when they were last played, those outside the selection in the last run among them. */
  get failing(): readonly string[] {
    const selectors = [...this.rows.map(({ selector }) => selector), ...this.told.keys()];
    return [...new Set(selectors)].filter(
      (one) => !one.startsWith('scenarios/') && this.told.get(one)?.mark === 'fail',
    );
  }

  /** @param chosen null: what the options of the command say. False: one is under way, or the command ends. */
  start(chosen: Selectors | null): boolean {
    if (!this.isBusy) this.#chosen = chosen;
    return this.#begin(() => this.#checkChosen());
  }

  /** False: one is under way, or nothing failed. */
  startFailed(): boolean {
    return this.failing.length > 0 && this.#begin(() => this.#checkFailed());
  }

  stop(): void {
    this.#stop.abort();
  }

  /** @throws {UsageError} where there is no server */
  watch(isOn: boolean): void {
    this.#watch?.abort();
    this.#watch = isOn && !this.#hasEnded ? new AbortController() : null;
    if (this.#watch !== null)
      this.#checkOnRestart(watchedOrigin(this.settings), this.#watch.signal).catch(this.#onBug);
  }

  /** Stops what runs. The exit code of the last check. */
  async end(): Promise<ExitCode> {
    this.#hasEnded = true;
    this.#watch?.abort();
    this.stop();
    await this.#work;
    return this.#code ?? 3;
  }

  /** The page of a report; null where there is none. @throws {Error} the system's, where it has been removed */
  reportPage(number: number): string | null {
    const folder = this.#folders[number];
    return folder === undefined ? null : readFileSync(resolve(this.#io.cwd, folder, 'report.html'), 'utf8');
  }

  #begin(work: () => Promise<unknown>): boolean {
    if (this.isBusy || this.#hasEnded) return false;
    this.#stop = new AbortController();
    this.#work = work()
      .catch(this.#onBug)
      .finally(() => (this.#work = null));
    return true;
  }

  async #checkOnRestart(origin: string, signal: AbortSignal): Promise<void> {
    while (await isRestarted(origin, this.#code === null, this.#io, signal)) {
      await this.#work;
      if (signal.aborted) return;
      const checked = (failures: boolean) => (failures ? this.#checkFailed() : this.#checkChosen());
      this.#begin(() => checkFailuresFirst(this.#code, checked, this.#stop.signal));
      await this.#work;
    }
  }

  /** Who chooses a scenario knows that it decides little. */
  #checkChosen(): Promise<ExitCode | null> {
    const { minDecided = { count: 1 } } = this.settings;
    const chosen = this.#chosen === null ? {} : { ...this.#chosen, minDecided };
    return this.#check({ ...this.settings, ...chosen }, () => Promise.resolve(null));
  }

  #checkFailed(): Promise<ExitCode | null> {
    return this.#check({ ...this.settings, only: [], skip: [] }, () => this.#lastFailed());
  }

  /** What fails now, as the reports have it in which it failed; the rest is that of the newest of them. */
  async #lastFailed(): Promise<LastFailed> {
    const { lastFailed } = await import('../last-failed.js');
    const { failing } = this;
    const reports = failing.map((selector) => this.told.get(selector)!.report).sort((a, b) => a - b);
    const folders = [...new Set(reports.map((report) => this.#folders[report]!))];
    const all = await Promise.all(folders.map((folder) => lastFailed(folder, this.#io.cwd)));
    return { ...all.at(-1)!, requirements: failing, scripts: all.flatMap(({ scripts }) => scripts) };
  }

  async #check(settings: CheckSettings, last: () => Promise<LastFailed | null>): Promise<ExitCode | null> {
    const run = new Run(this.#io);
    this.run = run;
    this.problem = null;
    const { signal } = this.#stop;
    const io: Io = {
      ...this.#io,
      onInterrupt(callback) {
        if (signal.aborted) callback();
        else signal.addEventListener('abort', callback);
        return () => signal.removeEventListener('abort', callback);
      },
    };
    try {
      this.#code = await this.#once(settings, io, { onlooker: run, last: await last() });
    } catch (error) {
      this.#code = codeOf(error);
      this.problem = escapeLines((error as Error).message);
      this.#io.err(`${this.problem}\n`);
    }
    this.#take(run);
    return this.#code;
  }

  /** A folder that was written again does not show the failures any more that it had. */
  #take(run: Run): void {
    const folder = run.result?.folder ?? null;
    if (folder === null) return;
    const selectors = this.rows.map(({ selector }) => selector);
    for (const [selector, { report, anchor }] of this.told)
      if (!selectors.includes(selector) || (anchor !== null && this.#folders[report] === folder))
        this.told.delete(selector);
    run.report = this.#folders.push(folder) - 1;
    for (const [selector, told] of run.found(this.rows))
      this.told.set(selector, { ...told, report: run.report });
  }
}

/** @throws what is a bug */
function codeOf(error: unknown): ExitCode | null {
  if (error instanceof UnreachableError) return null;
  if (error instanceof UsageError) return 2;
  if (error instanceof InterruptedError) return 130;
  throw error;
}
