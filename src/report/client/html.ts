/** The report on a client as one page: it loads nothing and runs nothing. */
import type { ClientReport } from '../../client/report.js';
import type { ClientRule } from '../../client/rule.js';
import { formatDuration, LEVEL_WORDS } from '../formatting.js';
import { h, prose, trusted, type Markup } from '../html/markup.js';
import { STYLE } from '../html/style.js';
import type { ClientRenderContext } from './context.js';
import { detailsOf } from './details.js';
import { matrix, ruleAnchor, weatherAnchor } from './html-matrix.js';
import { CLIENT_STYLE } from './html-style.js';
import { weatherSection } from './html-weather.js';
import { summarize, totalsWords, untriedWords, type ClientSummary, type RuleSummary } from './summary.js';
import { sourceWords } from './words.js';

// It has no script, so none may run: a second barrier after the escaping.
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

export function renderClientHtml(report: ClientReport, context: ClientRenderContext): string {
  const summary = summarize(report);
  return h`<!doctype html>
<html lang="en"><head><meta charset="utf-8" />
<meta http-equiv="Content-Security-Policy" content="${POLICY}" />
<meta name="viewport" content="width=device-width, initial-scale=1" />
<title>${summary.headline.split(/:| in /)[0] ?? ''} – ${report.client} – Runproof</title>
<style>${trusted(STYLE + CLIENT_STYLE)}</style></head><body>
${header(report, summary)}
<main class="wide">
${violations(summary, context)}
${matrix(report, summary)}
${ruleTable(summary)}
${weatherSection(report, summary, context)}
<footer>Runproof ${report.runproof} · exit code ${summary.exitCode}</footer>
</main></body></html>
`.markup;
}

function header(report: ClientReport, { headline, exitCode }: ClientSummary): Markup {
  const { client, seed, speed, edition, startedAt, wallMs, runproof } = report;
  const untried = untriedWords(report);
  const facts = [
    `${totalsWords(report)} in ${formatDuration(wallMs)}`,
    ...(untried === null ? [] : [untried]),
    `seed ${seed}`,
    `speed ${speed}`,
    `edition ${edition}`,
    startedAt,
    `Runproof ${runproof}`,
  ];
  const mood = exitCode === 0 ? 'good' : exitCode === 1 ? 'bad' : 'open';
  return h`<header class="verdict ${mood}"><div class="wide">
<p class="target">${client}</p><h1 class="headline">${headline}</h1>
<p class="facts">${facts.map((fact) => h`<span>${fact}</span>`)}</p></div></header>`;
}

function violations({ violated }: ClientSummary, context: ClientRenderContext): Markup {
  if (violated.length === 0) return h``;
  return h`<section aria-labelledby="violated-title"><h2 id="violated-title">What is violated, the gravest first</h2>
${violated.map((rule) => violationCard(rule, context))}</section>`;
}

function violationCard(rule: RuleSummary, context: ClientRenderContext): Markup {
  const details = detailsOf(rule, context);
  if (details === null) return h``;
  const { weather, source, text, timeline, repeat } = details;
  const weathers = rule.violatedIn.map(({ result }) => result.session.weather.id);
  return h`<article class="card fail"><h3>✗ ${rule.id} ${rule.level === 'ending' ? h`` : h`<span class="badge fail">${LEVEL_WORDS[rule.level]}</span>`}</h3>
<p class="sentence">${prose(rule.text)}</p>
${source === null ? h`` : h`<blockquote>${prose(source)}</blockquote>`}
<p>Under <a href="#${weatherAnchor(weather.id)}">${weather.id}</a>: <b>${prose(text)}</b></p>
<div class="excerpt" tabindex="0">${timeline.map((line) => h`<div class="${line.startsWith('>') ? 'named' : ''}">${line}</div>`)}</div>
<p class="command"><span>To repeat it</span> <code>${repeat}</code></p>
<p class="meta">Violated under ${weathers.map((id, index) => h`${index === 0 ? '' : ', '}<a href="#${weatherAnchor(id)}">${id}</a>`)}; kept under ${rule.kept}.</p></article>`;
}

function ruleTable({ decided, open }: ClientSummary): Markup {
  return h`<section aria-labelledby="rules-title"><h2 id="rules-title">The rules</h2>
<div class="scroll" tabindex="0" role="group" aria-label="Table of the rules"><table><thead><tr><th scope="col">Rule</th><th scope="col" class="number">Violated</th><th scope="col" class="number">Kept</th></tr></thead><tbody>
${decided.map(
  ({ id, level, text, rule, violatedIn, kept }) =>
    h`<tr id="${ruleAnchor(id)}"><td><span class="id">${id}</span> ${levelBadge(level, violatedIn.length > 0)}<div>${prose(text)}</div>${rule === null ? h`` : decidedBy(rule)}</td><td class="number">${violatedIn.length}</td><td class="number">${kept}</td></tr>`,
)}</tbody></table></div>
${
  open.length === 0
    ? h``
    : h`<details class="fold"><summary>Never put to the test: ${open.length}</summary><ul>${open.map(
        (rule) =>
          h`<li><span class="id">${rule.id}</span> ${levelBadge(rule.level, false)} ${prose(rule.text)}${decidedBy(rule)}</li>`,
      )}</ul></details>`
}</section>`;
}

const levelBadge = (level: RuleSummary['level'], isViolated: boolean): Markup =>
  level === 'ending' ? h`` : h`<span class="badge ${isViolated ? 'fail' : ''}">${LEVEL_WORDS[level]}</span>`;

const decidedBy = (rule: ClientRule): Markup =>
  h`<div class="meta">${prose(sourceWords(rule))}<br />Decided by: ${prose(rule.decidedBy)}</div>`;
