/** The page: what can be checked on the left, the run and what failed beside it. Its script brings what is new. */
import { causesIn } from '../../../report/causes.js';
import { compareSections, sectionName, sectionTitles } from '../../../report/document-lines.js';
import {
  capitalized,
  formatFailed,
  isUnasked,
  LEVEL_WORDS,
  MARK_SYMBOL,
  MARK_WORDS,
  marksIn,
  markOf,
  moodOf,
  pluralize,
  type Mark,
} from '../../../report/formatting.js';
import { headlines } from '../../../report/headline.js';
import { h, prose, type Markup } from '../../../report/html/markup.js';
import { splitVerdict } from '../../../report/html/overview.js';
import { page } from '../../../report/html/page.js';
import type { Report, ReportRequirement } from '../../../report/index.js';
import { documentText } from '../../../package-files.js';
import { htmlDocument } from '../../../util/html-document.js';
import { PAGE_SCRIPT } from './page-script.js';
import { KINDS, type Row } from './rows.js';
import { anchorsOf, type Stage } from './run.js';
import type { Runs } from './runs.js';
import { OWN_STYLE } from './style.js';

const KIND_WORDS: { readonly [kind in Row['kind']]: string } = {
  scenarios: 'scenarios',
  rules: 'required rules',
};
const STAGES: { readonly [stage in Stage]: readonly [look: 'none' | 'running', words: string] } = {
  waiting: ['none', '○ waiting'],
  running: ['running', '▸ running'],
  played: ['none', '▪ played'],
};

/** The whole page. */
export function pageOf(runs: Runs): string {
  const titles = sectionTitles(documentText());
  const body = h`<a class="skip" href="#now">To the run</a>${headerOf(runs)}
<main class="wide"><p id="away" class="trouble" role="status" hidden>The command does not answer: it has ended, or is busy.</p>
<div class="two"><section class="choice" aria-labelledby="choice-title"><h2 id="choice-title">What to check</h2>
${controls(runs)}
${KINDS.map((kind) => h`<div class="rows" data-kind="${kind}"${kind === 'rules' ? h` hidden` : null}>${sectionsOf(runs, kind).map(([section, rows]) => sectionOf(section, rows, titles, runs))}</div>`)}
</section><section id="now" class="now" aria-labelledby="now-title"><h2 id="now-title">The run</h2>${runOf(runs)}</section></div></main>`;
  return page({ title: titleOf(runs), style: OWN_STYLE, script: PAGE_SCRIPT, isLive: true, body });
}

/** The parts of it that change. */
export function liveOf(runs: Runs): string {
  const parts = KINDS.flatMap((kind) =>
    sectionsOf(runs, kind).map(
      ([section, rows]) => h`${countsOf(section, rows, runs)}${rows.map((row) => statusOf(row, runs))}`,
    ),
  );
  const content = h`<title>${titleOf(runs)} – Runproof</title>${headerOf(runs)}${runOf(runs)}${parts}`.markup;
  return htmlDocument(content);
}

const titleOf = (runs: Runs): string => `${headOf(runs)[1]} – ${runs.target}`;

/** The mood, the title, and more. */
function headOf({
  run,
  problem,
  isBusy,
  isStopping,
}: Runs): readonly [mood: string, title: string, more: string] {
  if (isBusy && run !== null) {
    const { what } = run.course.state();
    return ['', isStopping ? 'Stopping' : 'Running', capitalized(what)];
  }
  if (problem !== null) return ['open', 'Nothing was judged', capitalized(problem)];
  if (run === null || run.result === null)
    return ['', 'Nothing has run yet', 'Choose scenarios or rules on the page, or run all.'];
  const { report } = run.result;
  return [moodOf(report), ...splitVerdict(report.verdict)];
}

function headerOf(runs: Runs): Markup {
  const [mood, title, more] = headOf(runs);
  const { isBusy, isStopping, isWatching, failing } = runs;
  const state = h` data-busy="${String(isBusy)}" data-stopping="${String(isStopping)}" data-watching="${String(isWatching)}" data-failing="${failing.length}"`;
  return h`<header class="verdict ${mood}"${state}><div class="wide"><p class="target">${runs.target}</p>
<div id="headline" data-live><h1>${title}</h1><p>${more}</p></div><p id="said" class="unseen" role="status" data-live>${title}</p></div></header>`;
}

function controls({ isWatching }: Runs): Markup {
  return h`<form class="filters" role="search" aria-label="Choose">
<label>Show <select name="kind">${KINDS.map((kind) => h`<option value="${kind}">${KIND_WORDS[kind]}</option>`)}</select></label>
<label>Filter <input type="search" name="text" placeholder="2.2, 4.6/*, ttl ( / )" aria-keyshortcuts="/" autocomplete="off" spellcheck="false"></label>
<div class="buttons"><button type="submit" id="start" class="first">Run all</button>
<button type="button" id="failed" disabled>Run failed</button>
<button type="button" id="stop" disabled>Stop</button>
<button type="button" id="none" disabled>Clear choice</button></div>
${isWatching === null ? null : h`<label><input type="checkbox" id="watch"> Watch: run again when the server restarts, failures first</label>`}
<output aria-live="polite"></output><p id="refused" class="trouble" role="alert" hidden></p></form>`;
}

function sectionsOf({ rows }: Runs, kind: Row['kind']): readonly (readonly [string, readonly Row[]])[] {
  const own = rows.filter((row) => row.kind === kind);
  const sections = [...new Set(own.map(({ section }) => section))].sort(compareSections);
  return sections.map((section) => [section, own.filter((row) => row.section === section)]);
}

function sectionOf(
  section: string,
  rows: readonly Row[],
  titles: ReadonlyMap<string, string>,
  runs: Runs,
): Markup {
  const name = sectionName(section, titles);
  return h`<details class="section"><summary><span class="name">${name} <span class="meta">${rows.length}</span></span>${countsOf(section, rows, runs)}</summary>
<label class="all"><input type="checkbox" class="every"> All of ${sectionName(section)}</label>
<ul>${rows.map((row) => h`<li data-row="${row.selector}"><label><input type="checkbox" name="pick" value="${row.selector}"><span><span class="id">${row.name}</span><span class="text">${prose(row.text)}</span></span></label>${statusOf(row, runs)}</li>`)}</ul></details>`;
}

/** How many rows of the section have which mark. */
function countsOf(section: string, rows: readonly Row[], { told }: Runs): Markup {
  const marks = rows.flatMap(({ selector }) => told.get(selector)?.mark ?? []);
  const seen = (['fail', 'known', 'inconclusive', 'pass'] as const).filter((mark) => marks.includes(mark));
  return h`<span class="status" id="${rows[0]!.kind}-${section}" data-live>${seen.map((mark) => badge(mark, `${MARK_SYMBOL[mark]} ${marks.filter((one) => one === mark).length}`, MARK_WORDS[mark]))}</span>`;
}

function statusOf(row: Row, runs: Runs): Markup {
  const stage = runs.isBusy ? (runs.run?.stageOf(row) ?? null) : null;
  return h`<span class="status" id="of-${row.selector}" data-live>${stage === null ? foundOf(row, runs) : badge(...STAGES[stage])}</span>`;
}

function foundOf({ selector }: Row, { told }: Runs): Markup {
  const found = told.get(selector);
  if (found === undefined) return h`<span class="meta">not run</span>`;
  const { mark, anchor, why, report } = found;
  if (why !== undefined) return h`<span class="meta why">${why}</span>`;
  const shown = badge(mark, `${MARK_SYMBOL[mark]} ${MARK_WORDS[mark]}`);
  return anchor === null ? shown : h`<a href="/report/${report}#${anchor}" target="report">${shown}</a>`;
}

const badge = (look: Mark | 'none' | 'running', words: string, title: string | null = null): Markup =>
  h`<span class="badge ${look}"${title === null ? null : h` title="${title}"`}>${words}</span> `;

const runOf = (runs: Runs): Markup => h`${progressOf(runs)}${resultOf(runs)}${planOf(runs)}`;

function progressOf({ run, isBusy }: Runs): Markup {
  if (run === null || (!isBusy && run.plan.length === 0))
    return h`<div id="progress" data-live><p class="meta">Progress, verdict and failures will appear here. Click a failure to see its steps, requests and replies.</p></div>`;
  const { share, what, took, more } = run.course.state();
  const { running } = run;
  const bar =
    share === null ? null : h`<progress value="${share}" max="1" aria-label="Scripts played"></progress>`;
  const now = h`${bar}<p>${[what, took, ...more].join(' · ')}</p>
<p class="meta">${running.length === 0 ? '' : `running: ${running.slice(0, 4).join(', ')}${running.length > 4 ? ` and ${running.length - 4} more` : ''}`}</p>`;
  return h`<div id="progress" data-live>${isBusy ? now : null}
${lines(run.messages)}</div>`;
}

const lines = (texts: readonly string[]): Markup => h`${texts.map((text) => h`<p class="meta">${text}</p>`)}`;

const planOf = ({ run }: Runs): Markup =>
  h`<div id="plan" data-live>${run === null || run.plan.length === 0 ? null : h`<details id="planned"><summary>The plan</summary>${lines(run.plan)}</details>`}</div>`;

/** What failed, each with its sentence and the way to the report. */
function resultOf({ run, isBusy }: Runs): Markup {
  if (isBusy || run === null || run.result === null || run.report === null)
    return h`<div id="result" data-live></div>`;
  const { report } = run.result;
  const at = `/report/${run.report}`;
  const byId = new Map(report.requirements.map((row) => [row.id, row]));
  const titles = headlines(report);
  const anchors = anchorsOf(report);
  const failure = (id: string): Markup => {
    const row = byId.get(id)!;
    return failureOf(row, titles.get(id)?.[0] ?? row.text, `${at}#${anchors.get(id) ?? id}`);
  };
  const more = (ids: readonly string[], words: string): Markup | null =>
    ids.length === 0
      ? null
      : h`<details><summary>${ids.length} more ${words}</summary><ul>${ids.map(failure)}</ul></details>`;
  const causes = causesIn(report).map(
    ({ requirement, sameAnswer, consequences }) =>
      h`${failure(requirement)}<li class="more">${more(sameAnswer, 'failed in this way')}${more(consequences, 'failed because of it')}</li>`,
  );
  const others = report.requirements.filter((row) => ['known', 'advice'].includes(markOf(row)));
  return h`<div id="result" data-live><p><a href="${at}" target="report">Open the report</a> with every step, request and reply, in a tab of its own.</p>
<p>${marksIn(asked(report)).map(({ mark, count }) => badge(mark, `${MARK_SYMBOL[mark]} ${count} ${MARK_WORDS[mark]}`))}</p>
${causes.length === 0 ? null : h`<h3>${pluralize(causes.length, 'cause')} of failures</h3><ul class="failed">${causes}</ul>`}
${others.length === 0 ? null : h`<h3>Known, or advice</h3><ul class="failed">${others.map(({ id }) => failure(id))}</ul>`}</div>`;
}

/** What the verdict counts: a required rule outside the selection that failed, too. */
const asked = ({ requirements }: Report): readonly ReportRequirement[] =>
  requirements.filter((row) => row.level === 'must' && !isUnasked(row));

function failureOf(row: ReportRequirement, title: string, href: string): Markup {
  const mark = markOf(row);
  const { id, level, text } = row;
  return h`<li class="card ${mark}"><a href="${href}" target="report">${prose(title)}</a>
<p class="meta"><span class="id">${id}</span> · ${LEVEL_WORDS[level]} · ${formatFailed(row)}</p>
${title.includes(text.slice(0, -1)) ? null : h`<p class="sentence">${prose(text)}</p>`}</li>`;
}
