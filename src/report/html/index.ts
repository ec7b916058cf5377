/** `html/` promises one self-contained page: it sends no request and never executes text from a target. */
import { createHash } from 'node:crypto';
import { sectionTitles } from '../document-lines.js';
import type { RenderContext } from '../formats/context.js';
import type { Report } from '../report.js';
import { isUnasked, MARK_SYMBOL, MARK_WORDS, MARKS } from '../formatting.js';
import { PAGE_SCRIPT } from './page-script.js';
import { documentView } from './document-view.js';
import { callSection, indexCalls, type CallIndex } from './call-list.js';
import { failureCards } from './failure-card.js';
import { jobList } from './job-list.js';
import { latenessCard } from './lateness-strip.js';
import { h, trusted, type Markup } from './markup.js';
import {
  assumptionCard,
  hintCard,
  openMusts,
  dialectCard,
  questionCard,
  sectionBars,
  tiles,
  verdictHeader,
  warningList,
} from './overview.js';
import { rateCard } from './rate-window.js';
import { requirementTable } from './requirement-table.js';
import { runView } from './run-view.js';
import { stateDiagram } from './state-diagram.js';
import { STYLE } from './style.js';

// The browser runs this script only: a second barrier after the escaping.
function contentPolicy(): string {
  const hash = createHash('sha256').update(PAGE_SCRIPT).digest('base64');
  return `default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'`;
}

function navigation(report: Report, calls: CallIndex, hasJobs: boolean): Markup {
  const failed = report.requirements.some(({ verdict }) => verdict === 'fail');
  return h`<nav class="contents" aria-label="Contents"><ul>${failed ? h`<li><a href="#failures">Failures</a></li>` : h``}
${calls.scripts.length > 0 ? h`<li><a href="#calls">Calls</a></li>` : h``}${report.transitions === undefined ? h`` : h`<li><a href="#lifecycle">Life of a job</a></li>`}<li><a href="#requirements">Requirements</a></li>${calls.scriptOf.size > 0 ? h`${hasJobs ? h`<li><a href="#jobs">Jobs</a></li>` : h``}<li><a href="#run">The run</a></li>` : h``}<li><a href="#questions-title">Open questions</a></li><li><a href="#document">The document, annotated</a></li></ul></nav>`;
}

function annotatedDocument(report: Report, { documentText, requirements }: RenderContext): Markup {
  return h`<section id="document" aria-labelledby="document-title"><h2 id="document-title">The document, annotated</h2>
<p>Each sentence behind a requirement has the colour of its verdict. Click it to see the entry.</p>
<p class="legend">${MARKS.map((mark) => h`<span class="badge ${mark}">${MARK_SYMBOL[mark]} ${MARK_WORDS[mark]}</span>`)}</p>
<div class="document">${documentView(documentText, report.requirements, requirements)}</div></section>`;
}

/** The report as one HTML page. */
export function renderHtml(given: Report, context: RenderContext): string {
  // What a run was not asked about has no row of its own.
  const report = { ...given, requirements: given.requirements.filter((one) => !isUnasked(one)) };
  const unasked = given.requirements.length - report.requirements.length;
  const titles = sectionTitles(context.documentText);
  const readings = new Map(
    context.questions.flatMap(({ id, readings: all }) =>
      all.map((one) => [`${id} ${one.id}`, one.text] as const),
    ),
  );
  const index = indexCalls(report, context.history);
  const jobs = jobList(context.history, index);
  return h`<!doctype html>
<html lang="en"><head><meta charset="utf-8" />
<meta http-equiv="Content-Security-Policy" content="${contentPolicy()}" />
<meta name="viewport" content="width=device-width, initial-scale=1" />
<title>${report.verdict.split(':')[0] ?? ''} – ${report.target.name} – Runproof</title>
<style>${trusted(STYLE)}</style></head><body>
<a class="skip" href="#requirements">Skip to the requirements</a>
${verdictHeader(report)}
<main class="wide">
${navigation(report, index, jobs.markup !== '')}
${tiles(report)}
${openMusts(report)}
${failureCards(report, context.requirements, context.history, index)}
${warningList(report)}
${assumptionCard(report)}
${hintCard(report)}
${sectionBars(report, titles)}
${stateDiagram(report, context.lifecycle)}
${requirementTable(report, titles, unasked)}
${dialectCard(report, readings)}
${questionCard(report, readings)}
${latenessCard(report)}
${rateCard(context.history)}
${callSection(index, report, context)}
${jobs}
${runView(report, context.history)}
${annotatedDocument(report, context)}
<footer>Runproof ${report.runproof} · exit code ${report.exitCode} · history.ndjson beside this file holds every call.</footer>
</main><script>${trusted(PAGE_SCRIPT)}</script></body></html>
`.markup;
}
