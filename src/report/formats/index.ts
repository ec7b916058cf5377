/** `formats/` promises one file per format, each a pure function from the report to text. */
import { renderHtml } from '../html/index.js';
import { jsonText } from '../escape.js';
import { escapedReport, forReader } from '../replay-line.js';
import type { Report } from '../report.js';
import type { RenderContext } from './context.js';
import { renderCtrf } from './ctrf.js';
import { renderGithub } from './github.js';
import { renderHar } from './har.js';
import { renderJunit } from './junit.js';
import { renderMarkdown } from './markdown.js';
import { renderSarif } from './sarif.js';
import { renderTap } from './tap.js';

import type { Format } from './names.js';

const RENDERERS = {
  json: { file: 'report.json', render: (report: Report) => `${jsonText(report, 2)}\n` },
  html: { file: 'report.html', render: renderHtml },
  junit: { file: 'junit.xml', render: renderJunit },
  ctrf: { file: 'ctrf.json', render: renderCtrf },
  sarif: { file: 'report.sarif', render: renderSarif },
  tap: { file: 'report.tap', render: renderTap },
  markdown: { file: 'report.md', render: renderMarkdown },
  github: { file: 'github-annotations.txt', render: renderGithub },
  har: { file: 'calls.har', render: renderHar },
} as const satisfies {
  [name in Format]: { file: string; render: (report: Report, context: RenderContext) => string };
};

/** Written by `jsonText`, which escapes every text and keeps its value. */
const AS_JSON: readonly Format[] = ['json', 'ctrf', 'sarif', 'har'];

/** The file's name within the report's directory, and its content. */
export function renderFormat(
  format: Format,
  report: Report,
  context: RenderContext,
): { readonly file: string; readonly content: string } {
  const { file, render } = RENDERERS[format];
  // The value that was found is the same for all readers.
  const told = format === 'json' ? report : forReader(report, context);
  return { file, content: render(AS_JSON.includes(format) ? told : escapedReport(told), context) };
}
