import { quoteForShell } from './escape.js';
import { forReader, replayLine, type Reader } from './replay-line.js';
import type { Report } from './report.js';

/** Its name in `failures/`. */
export const FAILURE_INDEX = 'README.md';

/** A line of every such file, by which it is known as one of ours. */
export const FAILURE_INDEX_MARK = 'Runproof writes this list anew with every report.';

/** What the files of `failures/` show and how to repeat them, as Markdown; null if there are none. */
export function failureIndex(report: Report, reader: Reader): { file: string; content: string } | null {
  const read = forReader(report, reader);
  const lines = report.requirements.flatMap(({ id, text, failures }, at) => {
    // Several failures of a rule may be of one script.
    const own = new Map<string, { readonly files: Set<string>; readonly command: string | null }>();
    for (const [nth, { script, shell = null, shrunk, confirmed }] of failures.entries()) {
      const history = shrunk?.history ?? null;
      const files = [confirmed?.script ?? null, script, shell, history].filter((file) => file !== null);
      if (files.length === 0) continue;
      const replay = replayLine(read.requirements[at]!.failures[nth]!, read, reader.program);
      const judge = `${reader.program} judge ${quoteForShell(`${reader.directory ?? '.'}/${history}`)}`;
      const one = own.get(files[0]!) ?? {
        files: new Set(),
        command: replay ?? (history === null ? null : judge),
      };
      own.set(files[0]!, one);
      for (const file of files) one.files.add(file.replace(/^failures\/(.*)$/, '[$1]($1)'));
    }
    const shown = [...own.values()].map(
      ({ files, command }) => `  - ${[...files].join(', ')}${command === null ? '' : `\n    \`${command}\``}`,
    );
    return shown.length === 0 ? [] : [`- \`${id}\`: ${text}`, ...shown];
  });
  if (lines.length === 0) return null;
  const head = `# Failures of this run\n\n${FAILURE_INDEX_MARK} The report in the folder above has the proofs.\n.json is a script that failed, .sh the same as curl commands, .ndjson the fewest calls that show a failure.\n`;
  return { file: `failures/${FAILURE_INDEX}`, content: `${[head, ...lines].join('\n')}\n` };
}
