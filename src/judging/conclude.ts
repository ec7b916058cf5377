/**
 * `judging/` promises the way from events to findings to a written report: of a run, in parts, or while calls pass. Here: what
 * `check`, `replay` and `judge` do with a run.
 */
import { createRedactor, type FormatName, type Redactor, type Report } from '../report/index.js';
import { failureIndex } from '../report/failure-index.js';
import { FORMATS_DEFAULT } from '../report/formats/names.js';
import { program } from '../program-name.js';
import { openReportFolder, type ReportFolder } from '../files/report-folder.js';
import { concludeRun, decidedIn, type Concluded, type RunToConclude } from './conclude-run.js';
import { ConcludeThread } from './conclude-thread.js';
import { REAL_CLOCK, StepDeadlines } from './deadlines.js';

/** What is done after all scripts have ended. @public */
export type CheckPhase = 'judging' | 'shrinking' | 'confirming' | 'writing the report';

export interface Conclusion {
  /** Folder for the report. Undefined: nothing is written. */
  readonly out: string | undefined;
  /** Relative paths start here. Default: the working directory. */
  readonly cwd?: string | undefined;
  /** Default: `FORMATS_DEFAULT`. */
  readonly formats?: readonly FormatName[] | undefined;
  /** Values that no output may contain. */
  readonly secrets: readonly string[];
  /** Aborted when the user interrupts the run. */
  readonly signal: AbortSignal;
  /** When the budget ends, on the clock of `performance.now()`. Undefined: there is none. */
  readonly endsMs?: number | undefined;
  /** How long judging may take. */
  readonly judgeMs?: number | undefined;
  /** Whether a thread is started, which takes time; without it no step can be cut. Default true. */
  readonly inThread?: boolean | undefined;
  readonly onPhase?: ((phase: CheckPhase, decided: number) => void) | undefined;
  /** Plays failures again; returns the report with what it found. */
  readonly confirm?:
    | ((
        concluded: Concluded,
        run: RunToConclude,
        thread: ConcludeThread,
        deadlines: StepDeadlines,
      ) => Promise<Report>)
    | undefined;
}

export interface Reported {
  readonly redactor: Redactor;
  /** The folder of the report, for messages; null if there is none. */
  readonly folder: string | null;
}

export type Conclusions = Concluded & Reported;

/** What every step of a conclusion needs. */
export interface Concluding {
  readonly folder: ReportFolder | null;
  readonly redactor: Redactor;
  readonly deadlines: StepDeadlines;
  readonly thread: ConcludeThread;
}

/**
 * Opens the folder, lets `play` make the run, judges it, and writes the report.
 *
 * @throws {UsageError} when the folder cannot be written
 */
export function conclude(
  how: Conclusion,
  play: (
    folder: ReportFolder | null,
    deadlines: StepDeadlines,
    thread: ConcludeThread,
  ) => Promise<Omit<RunToConclude, 'secrets' | 'redactor' | 'folder'>>,
): Promise<Conclusions> {
  return reportOn(how, async ({ folder, redactor, deadlines, thread }) => {
    const run = { ...(await play(folder, deadlines, thread)), secrets: how.secrets, redactor, folder };
    const concluded = await concludeRun(run, thread, deadlines, (decided) =>
      how.onPhase?.('shrinking', decided),
    );
    const report = (await how.confirm?.(concluded, run, thread, deadlines)) ?? concluded.report;
    return { ...concluded, report };
  });
}

/**
 * Opens the folder, and writes the report that `reach` comes to.
 *
 * @throws {UsageError} when the folder cannot be written
 */
export async function reportOn<C extends { readonly report: Report }>(
  how: Conclusion,
  reach: (concluding: Concluding) => Promise<C>,
): Promise<C & Reported> {
  const { out, cwd = process.cwd(), secrets, signal, endsMs, judgeMs, onPhase } = how;
  const redactor = createRedactor(secrets);
  const folder = out === undefined ? null : openReportFolder(out, cwd, redactor);
  const deadlines = new StepDeadlines(REAL_CLOCK, signal, endsMs ?? null);
  const thread = new ConcludeThread(deadlines, { judgeMs, inThread: how.inThread });
  try {
    const concluded = await reach({ folder, redactor, deadlines, thread });
    const { report } = concluded;
    onPhase?.('writing the report', decidedIn(report));
    if (folder !== null) {
      const { formats = FORMATS_DEFAULT } = how;
      const reader = { program: program(), directory: folder.name };
      for (const { file, content } of await thread.render(report, formats, reader))
        folder.write(file, content);
      const index = failureIndex(report, reader);
      // One that is still there is the user's.
      if (index !== null && !folder.has(index.file)) folder.write(index.file, redactor.text(index.content));
      folder.flush();
    }
    return { ...concluded, redactor, folder: folder?.name ?? null };
  } finally {
    await thread.end();
    folder?.close();
  }
}
