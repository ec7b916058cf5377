/** Scheduled checks as Prometheus metrics, as a page with the trend, and as text. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createMetrics } from '../../wire/metrics.js';
import { listen, type Address, type Listening } from '../../wire/listen.js';
import { originForm } from '../../util/path.js';
import { program } from '../../program-name.js';
import { htmlDocument } from '../../util/html-document.js';
import { h, trusted, type Markup } from '../../report/html/markup.js';
import type { CheckPoint, CheckState } from './checks.js';

const PASSING = 'good';
const FAILING = 'bad';
const UNKNOWN = 'unknown';

/** The target's address is the only label; the user who schedules a check chooses it. */
async function metricsText(states: readonly CheckState[]): Promise<string> {
  const metrics = await createMetrics();
  const gauge = (name: string, help: string, value: (point: CheckPoint) => number): void => {
    const metric = metrics.gauge(name, help, 'target');
    for (const { check, points } of states) {
      const last = points.at(-1);
      if (last !== undefined) metric.set({ target: check.target }, value(last));
    }
  };
  gauge(
    'runproof_check_exit_code',
    'Exit code of the last check; 0: it conforms',
    ({ exitCode }) => exitCode,
  );
  gauge('runproof_check_passed', 'Requirements that passed in the last check', ({ passed }) => passed);
  gauge('runproof_check_failed', 'Requirements that failed in the last check', ({ failed }) => failed);
  gauge(
    'runproof_check_undecided',
    'Requirements that the last check left undecided',
    (each) => each.undecided,
  );
  gauge('runproof_check_duration_seconds', 'How long the last check took', ({ seconds }) => seconds);
  gauge('runproof_check_changes', 'What newly differed in the last check', ({ drift }) => drift.length);
  gauge(
    'runproof_check_timestamp_seconds',
    'When the last check began, since 1970',
    ({ at }) => Date.parse(at) / 1_000,
  );
  const lateness = metrics.gauge(
    'runproof_check_lateness_seconds',
    'Greatest lateness of a timer in the last check that knew one',
    ...['target', 'timer'],
  );
  for (const { check, facts } of states)
    for (const [timer, values] of Object.entries(facts?.latenessMs ?? {}))
      lateness.set({ target: check.target, timer }, values.at(-1)! / 1_000);
  return metrics.text();
}

export function checkText({ check, points }: CheckState): string {
  const last = points.at(-1);
  const state =
    last === undefined
      ? 'not checked yet'
      : `exit ${last.exitCode}, ${last.problem ?? `${last.failed} failed, ${last.passed} passed, ${last.undecided} undecided`}, at ${last.at}`;
  const changes = points.filter(({ drift }) => drift.length > 0).at(-1);
  return [
    `${check.target}  every ${check.everyMs / 1_000} s  ${state}`,
    ...(changes === undefined ? [] : [`  last changed at ${changes.at}: ${changes.drift.join('; ')}`]),
  ].join('\n');
}

/** The trend of all targets; one file without scripts. */
function checksPage(states: readonly CheckState[]): string {
  const page = h`<head><meta charset="utf-8"><title>Runproof: scheduled checks</title>
<meta name="viewport" content="width=device-width"><meta http-equiv="refresh" content="60">
<style>${trusted(STYLE)}</style></head><body>
<h1>Scheduled checks</h1>
${states.length === 0 ? h`<p>None. <code>${program()} campaign schedule SERVER --target URL --every 10m</code> adds one.</p>` : null}
${states.map(targetSection)}
</body>`;
  return htmlDocument(page.markup);
}

function targetSection({ check, points, facts }: CheckState): Markup {
  const last = points.at(-1);
  const changes = points.filter(({ drift }) => drift.length > 0).reverse();
  return h`<section><h2>${check.target}</h2>
<p>${last === undefined ? 'Not checked yet.' : `${sentence(last)} Last checked ${last.at}, in ${last.seconds} s.`}
Every ${check.everyMs / 1_000} s${check.options.length === 0 ? '' : `, with ${check.options.join(' ')}`}.</p>
${trend(points)}
${latenessTable(facts?.latenessMs ?? {})}
<h3>Changes</h3>
${changes.length === 0 ? h`<p>None in the last ${points.length} checks.</p>` : h`<ul>${changes.map(({ at, drift }) => h`<li><time>${at}</time><ul>${drift.map((text) => h`<li>${text}</li>`)}</ul></li>`)}</ul>`}
</section>
`;
}

const sentence = ({ exitCode, failed, passed, undecided, problem }: CheckPoint): string =>
  problem !== null
    ? `The check could not be made: ${problem} (exit code ${exitCode}).`
    : `${failed} requirements fail, ${passed} pass, ${undecided} are undecided (exit code ${exitCode}).`;

const BAR_PX = 6;
const HEIGHT_PX = 60;

/** A bar for each check: failed requirements above passed ones. A triangle marks a change. */
function trend(points: readonly CheckPoint[]): Markup | null {
  if (points.length === 0) return null;
  const most = Math.max(1, ...points.map(({ passed, failed }) => passed + failed));
  const bars = points.map(({ at, passed, failed, exitCode, drift }, index) => {
    const x = index * BAR_PX;
    const height = (count: number): number => (count === 0 ? 0 : Math.max(2, (count / most) * HEIGHT_PX));
    const top = HEIGHT_PX + 10 - height(passed) - height(failed);
    const unreached = passed + failed === 0;
    return h`<g><title>${at}: ${failed} failed, ${passed} passed, exit code ${exitCode}</title>
<rect class="${unreached ? UNKNOWN : FAILING}" x="${x}" width="${BAR_PX - 1}" y="${unreached ? 10 : top}" height="${unreached ? HEIGHT_PX : height(failed)}"></rect>
<rect class="${PASSING}" x="${x}" width="${BAR_PX - 1}" y="${top + height(failed)}" height="${height(passed)}"></rect>
${drift.length === 0 ? null : h`<path class="change" d="M${x} 0h${BAR_PX - 1}l${-(BAR_PX - 1) / 2} 7z"></path>`}</g>`;
  });
  return h`<svg role="img" aria-label="Requirements that passed and failed in each check" width="${points.length * BAR_PX}" height="${HEIGHT_PX + 12}">${bars}</svg>
<p class="legend"><span class="${PASSING}"></span> passed <span class="${FAILING}"></span> failed <span class="${UNKNOWN}"></span> not reached, or nothing decided; a triangle: something changed</p>`;
}

function latenessTable(latenessMs: { readonly [timer: string]: readonly number[] }): Markup | null {
  const timers = Object.entries(latenessMs);
  if (timers.length === 0) return null;
  return h`<table><caption>Greatest lateness of each timer, ms</caption><thead><tr><th>timer</th><th>last check</th><th>ten checks</th></tr></thead>
<tbody>${timers.map(([timer, values]) => h`<tr><td>${timer}</td><td>${values.at(-1) ?? 0}</td><td>${Math.max(...values)}</td></tr>`)}</tbody></table>`;
}

const STYLE = `
:root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif; }
body { max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
section { border-top: 1px solid #8884; padding-top: .5rem; margin-top: 1.5rem; }
h2 { overflow-wrap: anywhere; font-size: 1.1rem; }
h3 { font-size: 1rem; }
svg { max-width: 100%; }
.good { fill: #2e7d32; background: #2e7d32; } .bad { fill: #c62828; background: #c62828; }
.unknown { fill: #9e9e9e; background: #9e9e9e; } .change { fill: currentColor; }
.legend span { display: inline-block; width: .8em; height: .8em; }
table { border-collapse: collapse; } caption { text-align: left; } td, th { padding: .1rem .8rem .1rem 0; text-align: left; }
td + td, th + th { text-align: right; font-variant-numeric: tabular-nums; }
`;

/** Serves `/` and `/metrics`. @throws {Error} with a code such as `EADDRINUSE` */
export function serveChecks(
  address: Address,
  states: () => Promise<readonly CheckState[]>,
): Promise<Listening> {
  const answer = async ({ url = '/' }: IncomingMessage, response: ServerResponse): Promise<void> => {
    const path = originForm(url).replace(/\?.*$/su, '');
    const isMetrics = path === '/metrics';
    if (!isMetrics && path !== '/') return void response.writeHead(404).end('not found\n');
    const body = isMetrics ? await metricsText(await states()) : checksPage(await states());
    const type = isMetrics ? 'text/plain; version=0.0.4; charset=utf-8' : 'text/html; charset=utf-8';
    response.writeHead(200, { 'content-type': type }).end(body);
  };
  return listen(address, {
    answer(request, response) {
      answer(request, response).catch(() =>
        response.writeHead(503).end('the server of the campaign does not answer\n'),
      );
    },
  });
}
