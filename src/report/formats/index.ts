/** `formats/` promises one file per format, each a pure function from the report to text. */
import { htmlPages } from '../html/index.js';
import { jsonText } from '../escape.js';
import { escapedReport, forReader } from '../replay-line.js';
import type { Report } from '../report.js';
import type { RenderContext, RenderedFile } from './context.js';
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
  html: { file: 'report.html', render: htmlPages },
  junit: { file: 'junit.xml', render: renderJunit },
  ctrf: { file: 'ctrf.json', render: renderCtrf },
  sarif: { file: 'report.sarif', render: renderSarif },
  tap: { file: 'report.tap', render: renderTap },
  markdown: { file: 'report.md', render: renderMarkdown },
  github: { file: 'github-annotations.txt', render: renderGithub },
  har: { file: 'calls.har', render: renderHar },
} as const satisfies {
  [name in Format]: {
    file: string;
    render: (report: Report, context: RenderContext) => string | readonly RenderedFile[];
  };
};

/** Written by `jsonText`, which escapes every text and keeps its value. */
const AS_JSON: readonly Format[] = ['json', 'ctrf', 'sarif', 'har'];

/** The file of a format. */
interface Rendered extends RenderedFile {
  /** Further files, to which it has links. */
  readonly pages: readonly RenderedFile[];
}

export function renderFormat(format: Format, report: Report, context: RenderContext): Rendered {
  const { file, render } = RENDERERS[format];
  // The value that was found is the same for all readers.
  const told = format === 'json' ? report : forReader(report, context);
  const content = render(AS_JSON.includes(format) ? told : escapedReport(told), context);
  if (typeof content === 'string') return { file, content, pages: [] };
  const [first, ...pages] = content;
  return { ...first!, pages };
}
