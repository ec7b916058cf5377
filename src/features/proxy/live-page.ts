/** The page of the proxy: what fails, and the calls that pass. Its script brings what is new without loading it again. */
import { formatDuration, pluralize } from '../../report/formatting.js';
import { program } from '../../program-name.js';
import { clientLine, violationLine } from '../../report/client/seen.js';
import { HINTS_TITLE, hintText } from '../../report/hints.js';
import { h, prose, trusted, type Markup } from '../../report/html/markup.js';
import { contentPolicy } from '../../report/html/page.js';
import { STYLE } from '../../report/html/style.js';
import { htmlDocument } from '../../util/html-document.js';
import { replayCommand } from '../../report/index.js';
import { decodedSegment, jobSegmentIn } from '../../spec/operation-of.js';
import { scriptPath, type Failing, type FailingCalls } from '../../judging/live/failing-calls.js';
import type { Finding } from '../../judging/live/findings-life.js';
import type { JudgingLag } from './judge-thread.js';
import type { LiveState } from '../../judging/live/live-judge.js';
import { linesOf, type Drift } from '../../judging/live/live-readings.js';
import type { ProxyState } from './own-pages.js';
import { PAGE_SCRIPT } from './page-script.js';
import type { RecentCall } from './recent-calls.js';

const OWN_STYLE = `.resolved{border-left-color:var(--pass)!important}.counts{grid-template-columns:minmax(8em,max-content) 1fr}
.calls{width:100%}.calls td:first-child{white-space:nowrap}.calls th:not(:nth-child(2)){width:6em}.calls td{vertical-align:top;overflow-wrap:anywhere}.calls .bad td{background:var(--fail-bg)}.trouble{color:var(--fail);font-weight:600}
@media (max-width:640px){.calls thead{display:none}.calls tr{display:grid;grid-template-columns:1fr auto auto;border-bottom:1px solid var(--line)}.calls tr[hidden]{display:none}.calls td{border:0;padding:2px 6px}.calls td:nth-child(2){grid-row:2;grid-column:1/-1}}`;

/** Its icon, and what is new. */
const LOADS = " img-src data:; connect-src 'self';";

export function pageOf(state: ProxyState, failing: Failing): string {
  const { upstream, trouble, live, nowMs } = state;
  const findings = live?.findings ?? [];
  const broken = findings.filter((one) => one.state !== 'resolved' && one.level === 'must').length;
  const nothing = trouble === null ? 'Nothing has failed.' : 'Nothing that was judged has failed.';
  const title =
    broken > 0 ? `${pluralize(broken, 'rule')} broken` : trouble === null ? nothing : 'Nothing is judged';
  const mood = broken > 0 ? 'bad' : trouble === null ? 'good' : 'open';
  const page = h`<head><meta charset="utf-8"><title>${broken === 0 ? '' : `(${broken}) `}Runproof: ${upstream}</title>
<meta http-equiv="Content-Security-Policy" content="${contentPolicy(PAGE_SCRIPT, LOADS)}">
<meta name="viewport" content="width=device-width, initial-scale=1"><link rel="icon" href="data:,">
<style>${trusted(STYLE + OWN_STYLE)}</style></head><body>
<header class="verdict ${mood}"><div class="wide" id="headline" data-live><p class="target">${upstream}</p><h1>${title}</h1>
${trouble === null ? null : h`<p class="trouble">${trouble}</p>`}</div></header>
<main class="wide">
<p id="away" class="trouble" role="status" hidden>The proxy does not answer: this page may be out of date.</p>
<nav class="contents" aria-label="Contents"><ul><li><a href="#failures">Failures</a></li><li><a href="#calls">Calls</a></li><li><a href="#counts">Counts</a></li><li><a href="/state">State</a></li><li><a href="/metrics">Metrics</a></li></ul></nav>
<section id="failures" aria-labelledby="failures-title"><h2 id="failures-title">Failures</h2><div id="findings" data-live>
${findings.length === 0 ? h`<p>${nothing}</p>` : findings.map((finding) => sectionOf(finding, nowMs, failing.get(finding.requirement)))}
${(live?.drifts ?? []).map(changeOf)}
${hintsOf(live)}</div></section>
${clientsOf(live)}
${callsOf(state, findings)}
<section id="counts" aria-labelledby="counts-title"><h2 id="counts-title">Counts</h2>${countsOf(state)}</section>
</main><script>${trusted(PAGE_SCRIPT)}</script></body>`;
  return htmlDocument(page.markup);
}

function countsOf({ beganMs, nowMs, passed, lag, live }: ProxyState): Markup {
  const row = (name: string, value: string | number): Markup => h`<dt>${name}</dt><dd>${String(value)}</dd>`;
  return h`<dl class="counts" id="count-list" data-live>${row('up for', formatDuration(Math.max(0, Math.round(nowMs - beganMs))))}
${row('requests passed', passed)}
${row('calls judged', live?.judged ?? 0)}
${row('waiting to be judged', waitingText(lag))}
${row('not judged', notJudged(live, lag))}
${row('webhook calls passed', webhooksPassed(live))}
${row('jobs not over', live?.open ?? 0)}
${row('required rules decided', live?.decided ?? 0)}</dl>`;
}

/** The calls of the last minutes; those on a job of a failure lead to it. */
function callsOf({ calls }: ProxyState, findings: readonly Finding[]): Markup {
  const kinds = [
    ['', 'all'],
    ['failing', 'on jobs of a failure'],
    ['refused', 'answered with an error, or not'],
    ['webhook', 'webhooks'],
  ] as const;
  return h`<section id="calls" aria-labelledby="calls-title"><h2 id="calls-title">Calls, latest first</h2>
<form class="filters" role="search" aria-label="Filter the calls"><label>Show <select name="kind">${kinds.map(([value, words]) => h`<option value="${value}">${words}</option>`)}</select></label>
<label>Text <input type="search" name="text" placeholder="/run 5xx -/health ( / )" aria-keyshortcuts="/"></label> <output aria-live="polite"></output></form>
<table class="calls"><thead><tr><th scope="col">At</th><th scope="col">Call</th><th scope="col" class="number">Answer</th><th scope="col" class="number">After</th></tr></thead><tbody id="calls-seen" data-live>${calls.map((call) => rowOf(call, findings))}</tbody></table></section>`;
}

function rowOf({ atMs, method, path, isWebhook, end }: RecentCall, findings: readonly Finding[]): Markup {
  const isRefused = end !== null && (end.status === null || end.status >= 400);
  const failed = findings.find((finding) => isAbout(finding, path));
  const kinds = [
    ...(failed === undefined ? [] : ['failing']),
    ...(isRefused ? ['refused'] : []),
    ...(isWebhook ? ['webhook'] : []),
  ].join(' ');
  const answer = end === null ? 'under way' : end.status === null ? 'none' : String(end.status);
  const proof =
    failed === undefined
      ? null
      : h` <a href="#${anchorOf(failed.requirement)}">proof: ${failed.requirement}</a>`;
  return h`<tr data-kinds="${kinds}"${failed === undefined ? null : h` class="bad"`}><td>${new Date(atMs).toISOString().slice(11, 23)}</td><td>${isWebhook ? 'webhook ' : ''}${method} ${path}${proof}</td><td class="number">${answer}</td><td class="number">${end === null ? '' : formatDuration(end.tookMs)}</td></tr>`;
}

/** The path names its job. */
function isAbout({ job }: Finding, path: string): boolean {
  const named = jobSegmentIn(path);
  return named !== null && job === decodedSegment(named);
}

const anchorOf = (requirement: string): string => `finding-${requirement}`;

function sectionOf(finding: Finding, nowMs: number, calls: FailingCalls | undefined): Markup {
  const { requirement, level, text, state, firstMs, lastMs, times, expected, actual, proof } = finding;
  const ago = (ms: number): string => `${formatDuration(Math.max(0, Math.round(nowMs - ms)))} ago`;
  return h`<article class="card ${level === 'must' ? 'fail' : 'advice'} ${state}" id="${anchorOf(requirement)}"><h3>${state === 'resolved' ? 'Resolved' : level === 'must' ? 'Rule broken' : 'Advice not followed'}: ${prose(text)}</h3>
<p class="meta"><span class="id">${requirement}</span> · ${level === 'must' ? 'required' : 'advice'} · ${state} · ${String(times)} × since ${ago(firstMs)}, last ${ago(lastMs)}</p>
<ul class="proof">${(expected === text ? [] : [`expected: ${expected}`]).concat(`actual:   ${actual}`, proof).map((line) => h`<li>${line}</li>`)}</ul>
${calls === undefined ? null : scriptOf(requirement, calls)}</article>`;
}

function changeOf(drift: Drift): Markup {
  const { question, expected, observed } = drift;
  return h`<article class="card advice"><h3>changed <code>${question}</code></h3>
<p>${observed} instead of ${expected}</p><ul class="proof">${linesOf(drift).map((line) => h`<li>${line}</li>`)}</ul></article>`;
}

function hintsOf(live: LiveState | null): Markup | null {
  const hints = live?.hints ?? [];
  if (hints.length === 0) return null;
  return h`<h3>${HINTS_TITLE}</h3><ul>${hints.map((hint) => h`<li>${hintText(hint)}</li>`)}</ul>`;
}

/** Where clients are judged. */
function clientsOf(live: LiveState | null): Markup | null {
  if (live?.clients === undefined) return null;
  const rows = live.clients.map(
    (client) =>
      h`<li>${clientLine(client)}${client.violated.length === 0 ? null : h`<ul class="proof">${client.violated.map((rule) => h`<li>${violationLine(rule).trim()}</li>`)}</ul>`}</li>`,
  );
  return h`<section id="clients" aria-labelledby="clients-title"><h2 id="clients-title">Clients</h2><ul id="client-list" data-live>${rows.length === 0 ? h`<li>None has called an endpoint.</li>` : rows}</ul></section>`;
}

/** Of calls before the proxy was started again, there is none. */
function scriptOf(requirement: string, calls: FailingCalls): Markup {
  if (calls.file === null) return h`<p>No script: ${calls.whyNone}</p>`;
  const name = `${requirement.replace('/', '-')}.json`;
  return h`<p><a href="${scriptPath(requirement)}" download="${name}">Script of its calls</a>, to make them again:
<code>${replayCommand(program(), name, [calls.address])}</code></p>`;
}

function webhooksPassed(live: LiveState | null): string {
  const told = Object.entries(live?.webhooks ?? {}).map(([answer, count]) =>
    answer === 'none' ? `${count} not answered` : `${count} answered ${answer}`,
  );
  return told.length === 0 ? '0' : told.join(', ');
}

const waitingText = ({ waiting, behindMs }: JudgingLag): string =>
  waiting === 0
    ? '0'
    : `${waiting} starts and ends of calls, the oldest for ${formatDuration(Math.round(behindMs))}`;

function notJudged(live: LiveState | null, { missed }: JudgingLag): string {
  const { lost = 0, unauthorized = 0, bodiless = 0, unanswered = 0 } = live?.unjudged ?? {};
  const parts = [
    [lost, 'not answered'],
    [unauthorized, 'answered with 401 or 403'],
    [bodiless, 'with an incomplete body'],
    [unanswered, 'to addresses that never answered as an endpoint does'],
    [missed, 'because judging was too far behind; the verdicts on jobs of that time allow for missing calls'],
  ] as const;
  const told = parts.filter(([count]) => count > 0).map(([count, why]) => `${count} ${why}`);
  return told.length === 0 ? '0' : told.join(', ');
}
