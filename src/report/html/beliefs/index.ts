/**
 * `beliefs/` promises a page for each failure in whose script jobs were followed: what each may have been after each call, what
 * ruled the rest out, and by which sentence. It holds what the judge believed as data, and decides nothing.
 */
import type { HistoryEvent } from '../../../history/events.js';
import type { FollowedJob } from '../../../oracle/index.js';
import { causesFirst } from '../../causes.js';
import { FAILURE_PAGE_MARK } from '../../failure-file.js';
import { jsonText, quoteForShell } from '../../escape.js';
import type { RenderContext, RenderedFile } from '../../formats/context.js';
import { markOf, scenarioOf } from '../../formatting.js';
import type { Report, ReportFailure, ReportRequirement } from '../../report.js';
import type { CallIndex } from '../call-list.js';
import { proofDrawing } from '../drawings/proof-drawing.js';
import { foremost, type Clues } from '../../differences/index.js';
import { clueSection } from './clue-section.js';
import { h, prose, trusted, type Markup } from '../markup.js';
import { page } from '../page.js';
import { gather } from './gather.js';
import type { PageData } from './page-data.js';
import { PAGE_SCRIPT } from './page-script.js';
import { BELIEFS_STYLE } from './style.js';

/** One fault breaks many requirements: those that are the likeliest causes have pages. */
const PAGES_MAX = 40;
/** All pages together may follow so many steps of jobs again, which takes a few seconds; a page, half of what is left. */
const FOLLOWED_MAX = 200_000;

/** @param jobs of the scripts of the index; `clues` by requirement */
export function failurePages(
  report: Report,
  context: RenderContext,
  { scriptOf }: CallIndex,
  [jobs, clues]: readonly [jobs: readonly FollowedJob[], clues: ReadonlyMap<string, Clues>],
): ReadonlyMap<ReportFailure, RenderedFile> {
  const pages = new Map<ReportFailure, RenderedFile>();
  const { history, program, directory } = context;
  const [run] = history;
  if (run?.kind !== 'run' || jobs.length === 0) return pages;
  let left = FOLLOWED_MAX;
  for (const requirement of causesFirst(report)) {
    const failure = foremost(requirement);
    const script = scriptOf.get(failure?.calls.at(-1) ?? -1);
    const own = jobs.filter((job) => job.script === script);
    if (failure === undefined || script === undefined || own.length === 0 || pages.size === PAGES_MAX)
      continue;
    const shown = failure.calls.at(-1) ?? 1;
    const command = `${program} show ${quoteForShell(directory ?? '.')} --at call:${shown}`;
    const data = gather({ failure, script, jobs: own, history, run, command, followedMax: left / 2 });
    if (data === null) continue;
    for (const { moments, steps } of data.jobs) left -= moments.length * (steps.length + 1);
    const file = `failures/${requirement.id.replace(/[^A-Za-z0-9.]+/g, '-')}.html`;
    const found = clues.get(requirement.id);
    const panel = found === undefined ? h`` : clueSection(found, failure, context);
    pages.set(failure, { file, content: pageOf(requirement, failure, data, [history, panel]) });
  }
  return pages;
}

function pageOf(
  requirement: ReportRequirement,
  failure: ReportFailure,
  data: PageData,
  [history, clues]: readonly [readonly HistoryEvent[], Markup],
): string {
  const { id, text, section } = requirement;
  return page({
    title: id,
    style: BELIEFS_STYLE,
    script: PAGE_SCRIPT,
    body: h`<a class="skip" href="#now">Skip to the step</a>
<header class="verdict ${markOf(requirement) === 'fail' ? 'bad' : 'open'}"><div class="wide"><h1>${prose(text)}</h1><p class="facts"><span><a href="../report.html#${id}">${id}</a></span><span>§${section}</span><span>${scenarioOf(failure)}</span></p></div></header>
${trusted(FAILURE_PAGE_MARK)}
<dl>${failure.expected === text ? h`` : h`<dt>Expected</dt><dd>${failure.expected}</dd>`}<dt>Actual</dt><dd>${failure.actual}</dd></dl>
<noscript><p>This page is drawn by its script. In a terminal: <code>${data.command}</code></p></noscript>
${STEPS}
${clues}
${failure.proof.length === 0 ? h`` : h`<ul class="proof">${failure.proof.map((line) => h`<li>${line}</li>`)}</ul>`}
${proofDrawing(failure, history)}
<ol id="all" aria-label="All steps"></ol>
${dataOf(data)}
</main>`,
  });
}

const STEPS = h`<section class="steps-view" aria-labelledby="steps-title"><h2 id="steps-title">What the jobs may have been</h2>
<div class="controls"><button type="button" id="previous">← Previous</button> <button type="button" id="next">Next →</button> <span id="step" class="count"></span> <p id="now" tabindex="-1"></p></div>
<dl id="bodies"></dl><details id="headers"><summary>Headers</summary><pre></pre></details>
<p id="told" class="unseen" role="status"></p><p id="answer" class="unseen" role="status"></p>
<div class="three"><nav aria-label="Calls"><ol id="calls" tabindex="0"></ol></nav><div id="lanes"></div><aside aria-labelledby="counts-title"><h3 id="counts-title">Queue and workers</h3><dl id="counts"></dl><p class="meta">By what is known at this step. Counts of <code>/health</code> may be as old as a timer may be late.</p></aside></div>
<p class="meta">Hatched: it may have entered the state then. Solid: it had entered it. Struck through: the call rules it out, by the sentence beside it. Choose a state to see why the job cannot be in it.</p></section>`;

/** No markup is read in it, and it is not executed. */
const dataOf = (data: PageData): Markup =>
  h`<script type="application/json" id="data">${trusted(jsonText(data).replaceAll('<', '\\u003c'))}</script>`;
