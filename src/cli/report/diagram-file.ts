/** `--diagram FILE`: what was seen of the life of a job, drawn as its states. The ending of FILE selects the form. */
import { writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { makeFolder } from '../../make-folder.js';
import { whyUnusable } from '../../files/user-file.js';
import { UsageError } from '../../util/errors.js';
import { transitions } from '../../oracle/index.js';
import { lifecycleOf } from '../../report/html/drawings/lifecycle-edges.js';
import { stateMermaid } from '../../report/html/drawings/state-mermaid.js';
import { stateSvg } from '../../report/html/drawings/state-svg.js';
import type { Report } from '../../report/index.js';
import type { Io } from '../io.js';
import { diagramFormOf } from '../options/values.js';

/** @throws {UsageError} when the file cannot be written */
export function saveDiagram(report: Report, file: string | undefined, io: Io): void {
  if (file === undefined) return;
  const lifecycle = lifecycleOf(report, transitions());
  const form = diagramFormOf(file);
  const drawn = form === 'svg' ? stateSvg(lifecycle) : stateMermaid(lifecycle);
  const path = resolve(io.cwd, file);
  try {
    makeFolder(dirname(path));
    writeFileSync(path, form === 'markdown' ? `\`\`\`mermaid\n${drawn}\`\`\`\n` : drawn);
  } catch (error) {
    throw new UsageError(`--diagram ${file} ${whyUnusable(error)}: choose another file`);
  }
  io.note(`diagram: ${file}\n`);
}
