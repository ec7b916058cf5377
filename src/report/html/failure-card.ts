import type { HistoryEvent } from '../../history/events.js';
import { beforeSending } from '../calls/call-again.js';
import { cellOf } from '../client/condition.js';
import { cellAnchor, placed } from '../client/html-matrix.js';
import { sourceWords } from '../client/words.js';
import { rateOf, shellLine } from '../replay-line.js';
import type { Report, ReportFailure, ReportRequirement } from '../report.js';
import {
  capitalized,
  formatFailed,
  markOf,
  MARK_SYMBOL,
  MARK_WORDS,
  runsAgain,
  scenarioOf,
  wordsOf,
  type Mark,
  LEVEL_WORDS,
} from '../formatting.js';
import { causesIn } from '../causes.js';
import { clueLines, type Clues } from '../differences/index.js';
import type { RenderContext, RenderedFile } from '../formats/context.js';
import { causeAnchor, failureList } from './failure-list.js';
import { headlines } from '../headline.js';
import { evidenceOf, SHOWN_MAX, withCallLinks, type CallIndex } from './call-list.js';
import { copied, h, prose, type Markup } from './markup.js';
import { proofDrawing } from './drawings/proof-drawing.js';
import { rateDrawing } from './drawings/rate-window.js';
import { timeAxis } from './drawings/time-axis.js';

type FailurePages = ReadonlyMap<ReportFailure, RenderedFile>;
/** Where the page has calls, which failures have pages of their own, and the clues to their causes. */
type Links = readonly [CallIndex, FailurePages, ReadonlyMap<string, Clues>];

/** Failed musts by cause, what follows from each folded below it; then known failures and advice, folded. */
export function failureCards(
  report: Report,
  { requirements: catalogue, history }: RenderContext,
  links: Links,
): Markup {
  const failed = report.requirements.filter(({ verdict }) => verdict === 'fail');
  if (failed.length === 0) return h``;
  const byId = new Map(failed.map((requirement) => [requirement.id, requirement]));
  const quotes = new Map(catalogue.map(({ id, quote }) => [id, quote]));
  const card = (id: string): Markup => {
    const requirement = byId.get(id);
    return requirement === undefined
      ? h``
      : requirementCard(requirement, quotes.get(id) ?? null, report, history, links);
  };
  const titles = headlines(report);
  const titleOf = (id: string): Markup => prose(titles.get(id)?.[0] ?? id);
  const folded = (title: string, ids: readonly string[], anchor: string): Markup =>
    ids.length === 0
      ? h``
      : h`<details class="fold" id="${anchor}"><summary>${title}</summary>${ids.map(
          (id) =>
            h`<details class="fold"><summary>${titleOf(id)} <span class="meta id">${id}</span></summary>${card(id)}</details>`,
        )}</details>`;
  const of = (mark: Mark): readonly string[] =>
    failed.filter((requirement) => markOf(requirement) === mark).map(({ id }) => id);
  const causes = causesIn(report);
  const title = causes.length === 1 ? wordsOf(report).theCause : capitalized(wordsOf(report).causes);
  const parts = causes.map((cause, at) => {
    const { requirement, sameAnswer, consequences } = cause;
    const anchor = causeAnchor(requirement);
    const body = h`${card(requirement)}
${folded(`${sameAnswer.length} more failed in this way`, sameAnswer, `${anchor}-same`)}
${folded(`${consequences.length} failed because of it`, consequences, `${anchor}-because`)}`;
    return h`<div class="cause" id="${anchor}"><details${at < CAUSES_OPEN_MAX ? h` open` : h``}><summary><h3>${causes.length > 1 ? `${at + 1}. ` : ''}${titleOf(requirement)}</h3> <span class="meta id">${requirement}</span></summary>${body}</details></div>`;
  });
  return h`<section id="failures" class="failures" aria-labelledby="failures-title"><h2 id="failures-title">${causes.length === 0 ? 'Failures' : title}</h2>
${failureList(report)}
<div class="causes">${parts}
${folded(`Known failures: ${of('known').length}`, of('known'), 'known-failures')}
${folded(`Advice not followed: ${of('advice').length}`, of('advice'), 'advice-failures')}
</div></section>`;
}

/** Further causes are folded. */
const CAUSES_OPEN_MAX = 1;

function requirementCard(
  requirement: ReportRequirement,
  quote: string | null,
  report: Report,
  history: readonly HistoryEvent[],
  links: Links,
): Markup {
  const mark = markOf(requirement);
  const { id, section, level, text, known, failures, failed, rule } = requirement;
  const more = failed - Math.min(failures.length, SHOWN_MAX);
  return h`<article class="card ${mark}">
<p class="meta"><span class="badge ${mark}">${MARK_SYMBOL[mark]} ${MARK_WORDS[mark]}</span> <a class="id" href="#${id}">${id}</a> · ${LEVEL_WORDS[level]} · §${section} · ${formatFailed(requirement)}</p>
<p class="sentence">${prose(text)}</p>
${known === null ? h`` : h`<p class="meta">${known}</p>`}
${rule?.source === undefined ? h`` : h`<blockquote>${prose(sourceWords(rule.source))}</blockquote>`}${quote === null ? h`` : h`<blockquote><a href="#doc-${section}">“${prose(quote)}”</a></blockquote>`}
${clueParagraphs(links[2].get(id))}
${failures.slice(0, 1).map((failure) => oneFailure(failure, requirement, history, links))}
${failures
  .slice(1, SHOWN_MAX)
  .map(
    (failure) =>
      h`<details class="fold"><summary>Another failure: ${failure.scenario}</summary>${oneFailure(failure, requirement, history, links)}</details>`,
  )}
${more > 0 ? h`<p class="meta">and ${more} more like it in report.json</p>` : h``}
${rule === undefined ? h`` : brokenUnder(requirement, report)}</article>`;
}

/** As in `show`. */
export const clueParagraphs = (clues: Clues | undefined): readonly Markup[] =>
  (clues === undefined ? [] : clueLines(clues)).map((line) => h`<p class="clue">${capitalized(line)}.</p>`);

/** All conditions under which a rule is violated, each a link. */
function brokenUnder({ id, decided, failed }: ReportRequirement, report: Report): Markup {
  const links = placed(report)
    .filter(({ condition }) => cellOf(condition, id) === 'violated')
    .map(({ condition, anchor }) => h`<a href="#${cellAnchor(anchor, id)}">${condition.weather.id}</a>`);
  return h`<p class="meta">Violated under ${links.map((link, at) => h`${at === 0 ? '' : ', '}${link}`)}; kept under ${decided - failed}.</p>`;
}

function oneFailure(
  failure: ReportFailure,
  { text: sentence, section }: ReportRequirement,
  history: readonly HistoryEvent[],
  [index, pages]: Links,
): Markup {
  const script = index.scriptOf.get(failure.calls.at(-1) ?? -1) ?? null;
  const { replay } = failure;
  const shell = shellLine(failure);
  const again = runsAgain(failure);
  const busy = beforeSending(failure.curl);
  return h`<div class="failure">
<dl><dt>${failure.about === undefined ? 'Scenario' : 'Condition'}</dt><dd>${scenarioOf(failure)}</dd>
${failure.steps === undefined ? h`` : h`<dt>Steps</dt><dd><ol class="short">${failure.steps.map((step) => h`<li>${withCallLinks(step, index)}</li>`)}</ol></dd>`}
${failure.expected === sentence ? h`` : h`<dt>Expected</dt><dd>${failure.expected}</dd>`}
<dt>Actual</dt><dd>${withCallLinks(failure.actual, index)}</dd>
${callLinks(failure, script, index)}${pageLink(pages.get(failure))}</dl>
${failure.proof.length === 0 ? h`` : h`<ul class="proof">${failure.proof.map((line) => h`<li${line.startsWith('> ') ? h` class="named"` : h``}>${withCallLinks(line, index)}</li>`)}</ul>`}
${drawing(failure, section, history, script) ?? h``}
${again === null ? h`` : h`<p class="meta">${again}</p>`}
${shell === null ? h`` : copied('All calls', shell)}
${failure.curl === null ? h`` : copied('The call', failure.curl)}${busy === null ? h`` : h`<p class="meta">${busy}.</p>`}
${replay === null ? h`` : longCommand('Replay', `${replay}${rateOf(failure)}`)}
</div>`;
}

/** Section 8 is about many calls; their window says more than the last of them. */
const drawing = (
  failure: ReportFailure,
  section: string,
  history: readonly HistoryEvent[],
  script: number | null,
): Markup | null =>
  (section === '8' ? rateDrawing(history, failure.calls) : null) ??
  proofDrawing(failure, history) ??
  timeAxis(history, script, failure);

/** To what its jobs may have been. */
const pageLink = (page: RenderedFile | undefined): Markup =>
  page === undefined
    ? h``
    : h`<dt>Its jobs</dt><dd><a href="${page.file}">Step through the calls</a>, with the possible states of the jobs</dd>`;

const LINKS_MAX = 12;

/** The calls that show the failure, and all steps of their script. */
function callLinks(failure: ReportFailure, script: number | null, index: CallIndex): Markup {
  const calls = evidenceOf(failure).filter((call) => index.listed.has(call));
  if (script === null || calls.length === 0) return h``;
  const more = calls.length - LINKS_MAX;
  return h`<dt>Calls</dt><dd>${calls.slice(0, LINKS_MAX).map((call) => h`<a href="#call-${call}">#${call}</a> `)}${
    more > 0 ? `and ${more} more ` : ''
  }· <a href="#script-${script}">all steps of the script</a></dd>`;
}

/** A token of many lines is copied, not read. */
const COMMAND_SHOWN_MAX = 160;

function longCommand(title: string, line: string): Markup {
  return line.length <= COMMAND_SHOWN_MAX
    ? copied(title, line)
    : h`<details class="fold"><summary>${title} without a file</summary>${copied(title, line)}</details>`;
}
