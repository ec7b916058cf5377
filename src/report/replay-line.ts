import { plain } from './escape.js';
import type { Report } from './report.js';

/**
 * The command that plays a failure again. `directory` is where the report lies; null for a reader who is in it.
 * The embedded endpoint needs no address: the command starts another of its kind.
 */
export function replayLine(script: string, directory: string | null, { target }: Report): string {
  const file = directory === null ? script : `${directory}/${script}`;
  return plain(['runproof replay', file, ...target.replayArguments].join(' '));
}
