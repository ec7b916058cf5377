/** `html/` promises one self-contained page: it sends no request and never executes text from a target. */
import { assumptionLines, assumptionTitle } from '../assumptions.js';
import { conditionSection } from '../client/html-conditions.js';
import { matrix, placed } from '../client/html-matrix.js';
import { CLIENT_STYLE } from '../client/html-style.js';
import { clientLines, CLIENTS_TITLE } from '../client/seen.js';
import { sectionTitles } from '../document-lines.js';
import { hasFineTimes } from '../calls/beliefs-text.js';
import type { FollowedJob } from '../../oracle/index.js';
import type { RenderContext, RenderedFile } from '../formats/context.js';
import type { Report } from '../report.js';
import { cluesTo } from '../differences/index.js';
import { isUnasked, MARK_SYMBOL, MARK_WORDS, MARKS, wordsOf } from '../formatting.js';
import { hintLines, HINTS_TITLE } from '../hints.js';
import { PAGE_SCRIPT } from './page-script.js';
import { failurePages } from './beliefs/index.js';
import { documentView } from './document-view.js';
import { callSection, indexCalls, type CallIndex } from './call-list.js';
import { failureCards } from './failure-card.js';
import { jobList } from './job-list.js';
import { latenessCard } from './drawings/lateness-strip.js';
import { h, type Markup } from './markup.js';
import {
  noteCard,
  openMusts,
  dialectCard,
  questionCard,
  sectionBars,
  tiles,
  verdictHeader,
} from './overview.js';
import { page } from './page.js';
import { rateCard } from './drawings/rate-window.js';
import { requirementTable } from './requirement-table.js';
import { runView } from './run-view.js';
import { stateDiagram } from './drawings/state-diagram.js';

function navigation(report: Report, calls: CallIndex, hasJobs: boolean): Markup {
  const failed = report.requirements.some(({ verdict }) => verdict === 'fail');
  if (report.subject === 'client')
    return h`<nav class="contents" aria-label="Contents"><ul>${failed ? h`<li><a href="#failures">Failures</a></li>` : h``}<li><a href="#matrix">Conditions</a></li><li><a href="#conditions">Calls</a></li><li><a href="#requirements">Rules</a></li></ul></nav>`;
  return h`<nav class="contents" aria-label="Contents"><ul>${failed ? h`<li><a href="#failures">Failures</a></li>` : h``}
${calls.scripts.length > 0 ? h`<li><a href="#calls">Calls</a></li>` : h``}${report.transitions === undefined ? h`` : h`<li><a href="#lifecycle">Life of a job</a></li>`}<li><a href="#requirements">Requirements</a></li>${calls.scriptOf.size > 0 ? h`${hasJobs ? h`<li><a href="#jobs">Jobs</a></li>` : h``}<li><a href="#run">The run</a></li>` : h``}<li><a href="#questions-title">Open questions</a></li><li><a href="#document">The document, annotated</a></li></ul></nav>`;
}

function annotatedDocument(report: Report, { documentText, requirements }: RenderContext): Markup {
  return h`<section id="document" aria-labelledby="document-title"><h2 id="document-title">The document, annotated</h2>
<p>Each sentence behind a requirement has the colour of its verdict. Click it to see the entry.</p>
<p class="legend">${MARKS.map((mark) => h`<span class="badge ${mark}">${MARK_SYMBOL[mark]} ${MARK_WORDS[mark]}</span>`)}</p>
<div class="document">${documentView(documentText, report.requirements, requirements)}</div></section>`;
}

/** The report as one HTML page, and a page for each failure in whose script jobs were followed. */
export function htmlPages(given: Report, context: RenderContext): readonly RenderedFile[] {
  // What a run was not asked about has no row of its own.
  const report = { ...given, requirements: given.requirements.filter((one) => !isUnasked(one)) };
  const unasked = given.requirements.length - report.requirements.length;
  const titles = sectionTitles(context.documentText);
  const index = indexCalls(report, context.history);
  const followed =
    index.scripts.length === 0
      ? []
      : context.followed(new Set(index.scripts.map(({ script }) => script)), hasFineTimes(report));
  const failing = report.requirements.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id);
  const decisions = report.subject === 'client' ? new Map() : context.decided(failing, hasFineTimes(report));
  const clues = cluesTo(report.requirements, context.history, decisions);
  const pages = failurePages(report, context, index, [followed, clues]);
  const jobs = jobList(context.history, index);
  const table = requirementTable(report, titles, unasked);
  const content = page({
    title: `${report.verdict.split(':')[0] ?? ''} – ${report.target.name}`,
    style: report.subject === 'client' ? CLIENT_STYLE : '',
    script: PAGE_SCRIPT,
    body: h`<a class="skip" href="#requirements">Skip to the ${wordsOf(report).requirement}s</a>
${verdictHeader(report)}
<main class="wide">
${navigation(report, index, jobs.markup !== '')}
${tiles(report)}
${openMusts(report)}
${failureCards(report, context, [index, pages, clues])}
${noteCard('warnings', 'Warnings', report.warnings, ' advice')}
${noteCard('assumptions', assumptionTitle(report), assumptionLines(report))}
${noteCard('clients', CLIENTS_TITLE, clientLines(report))}
${noteCard('hints', HINTS_TITLE, hintLines(report))}
${report.subject === 'client' ? ofClient(report, table) : ofServer(report, context, titles, table, [index, followed], jobs)}
<footer>Runproof ${report.runproof} · exit code ${report.exitCode} · ${report.subject === 'client' ? 'report.json' : 'history.ndjson'} beside this file holds every call.</footer>
</main>`,
  });
  return [{ file: 'report.html', content }, ...pages.values()];
}

/** The first of them. */
export const renderHtml = (report: Report, context: RenderContext): string =>
  htmlPages(report, context)[0]!.content;

function ofClient(report: Report, table: Markup): Markup {
  const all = placed(report);
  return h`${matrix(all, report.requirements)}
${conditionSection(all, report.requirements)}
${table}`;
}

function ofServer(
  report: Report,
  context: RenderContext,
  titles: ReadonlyMap<string, string>,
  table: Markup,
  [index, followed]: readonly [CallIndex, readonly FollowedJob[]],
  jobs: Markup,
): Markup {
  const readings = new Map(
    context.questions.flatMap(({ id, readings: all }) =>
      all.map((one) => [`${id} ${one.id}`, one.text] as const),
    ),
  );
  const rateFailures = report.requirements
    .filter(({ section, verdict }) => section === '8' && verdict === 'fail')
    .flatMap(({ failures }) => failures.flatMap(({ calls }) => calls));
  return h`${sectionBars(report, titles)}
${stateDiagram(report, context.lifecycle)}
${table}
${dialectCard(report, readings)}
${questionCard(report, readings)}
${latenessCard(report)}
${rateCard(context.history, new Set(rateFailures))}
${callSection(index, report, context, followed)}
${jobs}
${runView(report, context.history)}
${annotatedDocument(report, context)}`;
}
