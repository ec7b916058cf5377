import { escapeControls } from './escape.js';
import type { Report, ReportFailure } from './report.js';

/** The command that plays a file or a token again. Without an address it starts an endpoint of its own. */
export function replayCommand(what: string, replayArguments: readonly string[]): string {
  return escapeControls(['runproof replay', what, ...replayArguments].join(' '));
}

/**
 * The one line that plays a failure again: by its file for a reader who knows where the report lies, else by its
 * token. Null where neither is at hand.
 */
export function replayLine(
  { script, replay, confirmed }: ReportFailure,
  directory: string | null,
  { target }: Report,
): string | null {
  const rate = confirmed ? `  # failed in ${confirmed.failed} of ${confirmed.plays}` : '';
  const file = confirmed?.script ?? script;
  if (directory === null || file === null) return replay === null ? null : `${replay}${rate}`;
  return `${replayCommand(`${directory}/${file}`, target.replayArguments)}${rate}`;
}
