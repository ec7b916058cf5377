import type { HistoryEvent } from '../../history/events.js';
import type { Requirement } from '../../spec/types.js';
import { replayLine } from '../replay-line.js';
import type { Report, ReportFailure, ReportRequirement } from '../report.js';
import { formatConfirmed, pluralize, markOf, MARK_SYMBOL, MARK_WORDS, type Mark } from '../formatting.js';
import { h, prose, type Markup } from './markup.js';
import { proofDrawing } from './proof-drawing.js';
import { timeAxis } from './time-axis.js';

/** Failures of one requirement shown in full; the others are counted. */
const SHOWN_MAX = 3;

export function failureCards(
  report: Report,
  catalogue: readonly Requirement[],
  history: readonly HistoryEvent[],
): Markup {
  const failed = report.requirements.filter(({ verdict }) => verdict === 'fail');
  if (failed.length === 0) return h``;
  const of = (mark: Mark): readonly ReportRequirement[] =>
    failed.filter((requirement) => markOf(requirement) === mark);
  const advice = of('advice');
  const known = of('known');
  const quotes = new Map(catalogue.map(({ id, quote }) => [id, quote]));
  const card = (requirement: ReportRequirement): Markup =>
    requirementCard(requirement, quotes.get(requirement.id) ?? null, report, history);
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
${failures.slice(0, SHOWN_MAX).map((failure) => oneFailure(failure, report, history))}
${more > 0 ? h`<p class="meta">and ${more} more like it in report.json</p>` : h``}
</article>`;
}

function oneFailure(failure: ReportFailure, report: Report, history: readonly HistoryEvent[]): Markup {
  const call = history.find((event) => event.kind === 'call' && event.call === failure.calls.at(-1));
  const script = call?.kind === 'call' ? call.script : null;
  const replay = replayLine(failure, null, report);
  return h`<div class="failure">
<dl><dt>Scenario</dt><dd>${failure.scenario}</dd>
<dt>Expected</dt><dd>${failure.expected}</dd>
<dt>Actual</dt><dd>${failure.actual}</dd></dl>
${failure.proof.length === 0 ? h`` : h`<ul class="proof">${failure.proof.map((line) => h`<li>${line}</li>`)}</ul>`}
${proofDrawing(failure, history) ?? timeAxis(history, script, failure) ?? h``}
${failure.confirmed ? h`<p class="meta">${formatConfirmed(failure.confirmed)}</p>` : h``}
${failure.curl === null ? h`` : command('The call', failure.curl)}
${replay === null ? h`` : command('Replay', replay)}
</div>`;
}

function command(title: string, line: string): Markup {
  return h`<div class="command"><span>${title}</span><code>${line}</code><button type="button" data-copy>Copy</button></div>`;
}
