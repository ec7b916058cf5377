import type { HistoryEvent } from '../../history/events.js';
import type { Requirement } from '../../spec/types.js';
import { replayLine } from '../replay-line.js';
import type { Report, ReportFailure, ReportRequirement } from '../report.js';
import { formatConfirmed, pluralize, markOf, MARK_SYMBOL, MARK_WORDS, type Mark } from '../formatting.js';
import { evidenceOf, SHOWN_MAX, withCallLinks, type CallIndex } from './call-list.js';
import { h, prose, type Markup } from './markup.js';
import { proofDrawing } from './proof-drawing.js';
import { timeAxis } from './time-axis.js';

export function failureCards(
  report: Report,
  catalogue: readonly Requirement[],
  history: readonly HistoryEvent[],
  index: CallIndex,
): Markup {
  const failed = report.requirements.filter(({ verdict }) => verdict === 'fail');
  if (failed.length === 0) return h``;
  const of = (mark: Mark): readonly ReportRequirement[] =>
    failed.filter((requirement) => markOf(requirement) === mark);
  const advice = of('advice');
  const known = of('known');
  const quotes = new Map(catalogue.map(({ id, quote }) => [id, quote]));
  const card = (requirement: ReportRequirement): Markup =>
    requirementCard(requirement, quotes.get(requirement.id) ?? null, report, history, index);
  return h`<section id="failures" aria-labelledby="failures-title"><h2 id="failures-title">Failures</h2>
${of('fail').map(card)}
${known.length === 0 ? h`` : h`<h3>Known failures</h3>${known.map(card)}`}
${advice.length === 0 ? h`` : h`<h3>Advice not followed</h3>${advice.map(card)}`}
</section>`;
}

function requirementCard(
  requirement: ReportRequirement,
  quote: string | null,
  report: Report,
  history: readonly HistoryEvent[],
  index: CallIndex,
): Markup {
  const mark = markOf(requirement);
  const { id, section, level, text, known, failures, failed, decided } = requirement;
  const more = failed - Math.min(failures.length, SHOWN_MAX);
  return h`<article class="card ${mark}">
<header><h3><span class="badge ${mark}">${MARK_SYMBOL[mark]} ${MARK_WORDS[mark]}</span> <a href="#${id}">${id}</a></h3>
<p class="meta">${level} · §${section} · failed ${failed} of ${pluralize(decided, 'decision')}</p></header>
<p class="sentence">${prose(text)}</p>
${known === null ? h`` : h`<p class="meta">${known}</p>`}
${quote === null ? h`` : h`<blockquote><a href="#doc-${section}">“${prose(quote)}”</a></blockquote>`}
${failures.slice(0, SHOWN_MAX).map((failure) => oneFailure(failure, report, history, index))}
${more > 0 ? h`<p class="meta">and ${more} more like it in report.json</p>` : h``}
</article>`;
}

function oneFailure(
  failure: ReportFailure,
  report: Report,
  history: readonly HistoryEvent[],
  index: CallIndex,
): Markup {
  const script = index.scriptOf.get(failure.calls.at(-1) ?? -1) ?? null;
  const replay = replayLine(failure, null, report);
  return h`<div class="failure">
<dl><dt>Scenario</dt><dd>${failure.scenario}</dd>
<dt>Expected</dt><dd>${failure.expected}</dd>
<dt>Actual</dt><dd>${withCallLinks(failure.actual, index)}</dd>
${callLinks(failure, script, index)}</dl>
${failure.proof.length === 0 ? h`` : h`<ul class="proof">${failure.proof.map((line) => h`<li>${withCallLinks(line, index)}</li>`)}</ul>`}
${proofDrawing(failure, history) ?? timeAxis(history, script, failure) ?? h``}
${failure.confirmed ? h`<p class="meta">${formatConfirmed(failure.confirmed)}</p>` : h``}
${shellCommand(failure)}
${failure.curl === null ? h`` : command('The call', failure.curl)}
${replay === null ? h`` : command('Replay', replay)}
</div>`;
}

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

/** The file is beside the page. */
function shellCommand({ shell }: ReportFailure): Markup {
  return typeof shell === 'string' ? command('All calls', `bash ${shell}`) : h``;
}

function command(title: string, line: string): Markup {
  return h`<div class="command"><span>${title}</span><code>${line}</code><button type="button" data-copy>Copy</button></div>`;
}
