import { escapeControls } from './escape.js';
import type { Report, ReportFailure } from './report.js';

/** The command that replays a file or a token. Without an address it starts the embedded endpoint. */
export function replayCommand(what: string, replayArguments: readonly string[]): string {
  return escapeControls(['runproof replay', what, ...replayArguments].join(' '));
}

/**
 * The command that replays a failure: by its file if the report's folder is known, otherwise by its token. Null if
 * neither is available.
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
