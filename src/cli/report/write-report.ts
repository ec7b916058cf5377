import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { HistoryEvent } from '../../history/events.js';
import { makeFolder } from '../../make-folder.js';
import { fromHere, program } from '../../program-name.js';
import type { FormatName, Report } from '../../report/index.js';

/** Writes the report in each format that has a file, and gives the files, without those that others link to. */
export async function writeReport(
  report: Report,
  history: readonly HistoryEvent[],
  formats: readonly FormatName[],
  folder: string,
  cwd: string,
): Promise<readonly string[]> {
  // They take longer to load, with the oracle's list of transitions, than to print the report of a client.
  const { renderContext } = await import('../../judging/render-context.js');
  const { renderFormat } = await import('../../report/formats/index.js');
  const context = renderContext(history, { program: program(), directory: fromHere(folder, cwd) });
  const files = formats.flatMap((one) => (one === 'terminal' ? [] : [renderFormat(one, report, context)]));
  for (const { file, content } of files.flatMap(({ pages, ...first }) => [first, ...pages])) {
    makeFolder(dirname(join(folder, file)));
    writeFileSync(join(folder, file), content);
  }
  return files.map(({ file }) => join(folder, file));
}
