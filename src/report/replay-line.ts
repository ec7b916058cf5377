import { escapedTexts, quoteForShell } from './escape.js';
import type { ConfirmedScript, Report, ReportFailure } from './report.js';

/** What a renderer knows of its reader, for commands to copy. */
export interface Reader {
  /** How the reader starts this program. */
  readonly program: string;
  /** The report's folder, from where the reader stands; null if none was written. */
  readonly directory: string | null;
}

/** Where a failure is replayed: at its own endpoint, where the report is about several. */
const argumentsOf = ({ address }: ReportFailure, { replayArguments }: Report['target']): readonly string[] =>
  address === undefined ? replayArguments : [address, ...replayArguments.slice(1)];

/** The command that replays a file or a token. Without an address it starts the embedded endpoint. */
export function replayCommand(program: string, what: string, replayArguments: readonly string[]): string {
  return [program, 'replay', ...[what, ...replayArguments].map(quoteForShell)].join(' ');
}

/**
 * The report with its commands as this reader types them: the files are named from where the reader stands, and what
 * has no token is replayed by its file. No command reaches a handler that runs in a process of the user's.
 */
export function forReader(report: Report, { program, directory }: Reader): Report {
  const { target } = report;
  const here = <T>(file: string | T): string | T | null =>
    typeof file !== 'string' ? file : directory === null ? null : `${directory}/${file}`;
  const told = (failure: ReportFailure): ReportFailure => {
    const { confirmed } = failure;
    const script = here(failure.script);
    const replay =
      failure.replay?.replace(/^.*? replay (?=rp\d+-)/, () => `${program} replay `) ??
      (script === null ? null : replayCommand(program, script, argumentsOf(failure, target)));
    return {
      ...failure,
      script,
      replay: target.kind === 'handler' ? null : replay,
      ...(failure.shell === undefined ? {} : { shell: here(failure.shell) }),
      confirmed: confirmed === null ? null : { ...confirmed, script: here(confirmed.script) },
    };
  };
  const requirements = report.requirements.map((one) => ({ ...one, failures: one.failures.map(told) }));
  return { ...report, requirements };
}

/** The report with harmless texts. What a client wrote has lines, which whatever shows them escapes one by one. */
export function escapedReport({ conditions, ...report }: Report): Report {
  return { ...escapedTexts(report), ...(conditions && { conditions }) };
}

/** The command that makes all calls of a failure, of a report that is `forReader`; null if there is none. */
export const shellLine = ({ shell }: ReportFailure): string | null =>
  typeof shell === 'string' ? `bash ${quoteForShell(shell)}` : null;

/** The command that replays a failure of a report that is `forReader`: by its file if there is one. Null: there is none. */
export function replayLine(failure: ReportFailure, { target }: Report, program: string): string | null {
  const { script, confirmed, replay } = failure;
  const file = (confirmed && isConfirmed(confirmed) ? confirmed.script : null) ?? script;
  const line =
    file === null || replay === null ? replay : replayCommand(program, file, argumentsOf(failure, target));
  return line === null ? null : `${line}${rateOf(failure)}`;
}

/** A smaller script that failed in no run is none to replay: the failing one was larger. */
const isConfirmed = ({ script, failed }: ConfirmedScript): boolean => script === null || failed > 0;

/** How often a failure showed that was confirmed, as a comment behind its command. */
export const rateOf = ({ confirmed }: ReportFailure): string =>
  confirmed && isConfirmed(confirmed) ? `  # failed in ${confirmed.failed} of ${confirmed.plays}` : '';
