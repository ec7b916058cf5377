import { plain } from './escape.js';
import type { Report, ReportFailure } from './report.js';

/** The command that plays a file or a token again. Without an address it starts an endpoint of its own. */
export function replayCommand(what: string, replayArguments: readonly string[]): string {
  return plain(['runproof replay', what, ...replayArguments].join(' '));
}

/**
 * The one line that plays a failure again: by its file for a reader who knows where the report lies, else by its
 * token. Null where neither is at hand.
 */
export function replayLine(
  { script, replay }: ReportFailure,
  directory: string | null,
  { target }: Report,
): string | null {
  if (directory === null || script === null) return replay;
  return replayCommand(`${directory}/${script}`, target.replayArguments);
}
