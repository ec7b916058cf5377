/** What the proxy tells of itself, at an address of its own: a page, the same as JSON, and metrics for Prometheus. */
import { formatDuration } from '../../report/formatting.js';
import { HINTS_TITLE, hintText } from '../../report/hints.js';
import { h, trusted, type Markup } from '../../report/html/markup.js';
import type { FailingCalls } from './failing-calls.js';
import type { Finding } from './findings-life.js';
import { linesOf, type Drift } from './live-readings.js';
import type { ProxyMetrics } from './proxy-metrics.js';
import type { JudgingLag } from './judge-thread.js';
import type { LiveState } from './live-judge.js';

export interface ProxyState {
  readonly upstream: string;
  /** ms since 1970. */
  readonly beganMs: number;
  readonly nowMs: number;
  /** Calls that passed, also those that are none of the API. */
  readonly passed: number;
  /** Why nothing is judged; null: it is. */
  readonly trouble: string | null;
  readonly lag: JudgingLag;
  /** Null before anything was judged. */
  readonly live: LiveState | null;
}

/** By requirement, the calls that failed it. */
export type Failing = ReadonlyMap<string, FailingCalls>;

/** Where the page has what makes the calls again that failed the requirement. */
export const scriptPath = (requirement: string): string =>
  `${SCRIPTS}${encodeURIComponent(requirement)}.json`;

const SCRIPTS = '/scripts/';

export async function answerOwn(
  request: Request,
  state: ProxyState,
  failing: Failing,
  metrics: ProxyMetrics,
): Promise<Response> {
  const { pathname } = new URL(request.url);
  const answer = (type: string, text: string): Response =>
    new Response(text, { headers: { 'content-type': type, 'cache-control': 'no-store' } });
  const [, calls] = [...failing].find(([requirement]) => pathname === scriptPath(requirement)) ?? [];
  if (calls !== undefined && calls.file !== null) return answer('application/json', calls.text);
  switch (pathname.replace(/\/$/u, '')) {
    case '':
      return answer('text/html; charset=utf-8', pageOf(state, failing).markup);
    case '/state':
      return answer('application/json', `${JSON.stringify(state)}\n`);
    case '/metrics':
      return answer('text/plain; version=0.0.4; charset=utf-8', await metrics.text(state));
    default:
      return new Response('/, /state and /metrics are here\n', { status: 404 });
  }
}

const STYLE = `:root{color-scheme:light dark;--bad:light-dark(#b3261e,#ff8a80);--good:light-dark(#1b6e3c,#7bd88f)}
body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}
dl{display:grid;grid-template-columns:max-content 1fr;gap:.2rem 1rem}dd{margin:0}
section{border-left:4px solid var(--bad);padding:.2rem 1rem;margin:1rem 0}section.resolved{border-color:var(--good)}
.trouble{color:var(--bad);font-weight:600}pre{white-space:pre-wrap;overflow-wrap:anywhere}h2 code{font-size:1em}`;

function pageOf(state: ProxyState, failing: Failing): Markup {
  const { upstream, beganMs, nowMs, passed, trouble, lag, live } = state;
  const findings = live?.findings ?? [];
  const row = (name: string, value: string | number): Markup => h`<dt>${name}</dt><dd>${String(value)}</dd>`;
  return h`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Runproof: ${upstream}</title>
<meta name="viewport" content="width=device-width"><meta http-equiv="refresh" content="5">
<style>${trusted(STYLE)}</style></head><body>
<h1>${upstream}</h1>
${trouble === null ? null : h`<p class="trouble">${trouble}</p>`}
<dl>${row('up for', formatDuration(Math.max(0, Math.round(nowMs - beganMs))))}
${row('requests passed', passed)}
${row('calls judged', live?.judged ?? 0)}
${row('waiting to be judged', waitingText(lag))}
${row('not judged', notJudged(live, lag))}
${row('webhook calls passed', webhooksPassed(live))}
${row('jobs not over', live?.open ?? 0)}
${row('musts decided', live?.decided ?? 0)}</dl>
${findings.length === 0 ? h`<p>${trouble === null ? 'Nothing has failed.' : 'Of what was judged, nothing has failed.'}</p>` : findings.map((finding) => sectionOf(finding, nowMs, failing.get(finding.requirement)))}
${(live?.drifts ?? []).map(changeOf)}
${hintsOf(live)}
<p><a href="/state">state</a> · <a href="/metrics">metrics</a></p>
</body></html>
`;
}

function sectionOf(finding: Finding, nowMs: number, calls: FailingCalls | undefined): Markup {
  const { requirement, level, text, state, firstMs, lastMs, times, expected, actual, proof } = finding;
  const ago = (ms: number): string => `${formatDuration(Math.max(0, Math.round(nowMs - ms)))} ago`;
  return h`<section class="${state}"><h2>${level} <code>${requirement}</code>: ${state}</h2>
<p>${text}</p><p>${String(times)} × since ${ago(firstMs)}, last ${ago(lastMs)}</p>
<pre>${linesIn([`expected: ${expected}`, `actual:   ${actual}`, ...proof])}</pre>
${calls === undefined ? null : scriptOf(requirement, calls)}</section>`;
}

const linesIn = (lines: readonly string[]): readonly Markup[] => lines.map((line) => h`${line}\n`);

function changeOf(drift: Drift): Markup {
  const { question, expected, observed } = drift;
  return h`<section><h2>changed <code>${question}</code></h2>
<p>${observed} instead of ${expected}</p><pre>${linesIn(linesOf(drift))}</pre></section>`;
}

function hintsOf(live: LiveState | null): Markup | null {
  const hints = live?.hints ?? [];
  if (hints.length === 0) return null;
  return h`<h2>${HINTS_TITLE}</h2><ul>${hints.map((hint) => h`<li>${hintText(hint)}</li>`)}</ul>`;
}

/** Of calls before the proxy was started again, there is none. */
function scriptOf(requirement: string, { file, whyNone }: FailingCalls): Markup {
  if (file === null) return h`<p>No script: ${whyNone}</p>`;
  const name = `${requirement.replace('/', '-')}.json`;
  return h`<p><a href="${scriptPath(requirement)}" download="${name}">Script of its calls</a>, to make them again:
<code>runproof replay ${name} URL</code></p>`;
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
    : `${waiting} begins and ends of calls, the oldest for ${formatDuration(Math.round(behindMs))}`;

function notJudged(live: LiveState | null, { missed }: JudgingLag): string {
  const { lost = 0, unauthorized = 0, bodiless = 0, unanswered = 0 } = live?.unjudged ?? {};
  const parts = [
    [lost, 'not answered'],
    [unauthorized, 'answered 401 or 403'],
    [bodiless, 'with a body that was not all seen'],
    [unanswered, 'to addresses that never answered as an endpoint does'],
    [
      missed,
      'for want of time: calls on the jobs alive then may be missing, and their verdicts allow for it',
    ],
  ] as const;
  const told = parts.filter(([count]) => count > 0).map(([count, why]) => `${count} ${why}`);
  return told.length === 0 ? '0' : told.join(', ');
}
