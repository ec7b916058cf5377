/** One weather on the page: what the client did in it, what it was told, and what it wrote. */
import type { ClientReport, ClientOutput, WeatherResult } from '../../client/report.js';
import { pluralize } from '../formatting.js';
import { h, prose, type Markup } from '../html/markup.js';
import type { ClientRenderContext } from './context.js';
import { cellAnchor, weatherAnchor } from './html-matrix.js';
import { cellOf, violationsIn, type ClientSummary } from './summary.js';
import { momentsOf, type Moment } from './timeline.js';
import { basisWords, endSentence, gapWords, instant, lastLines } from './words.js';

const MOMENTS_MAX = 200;
const OUTPUT_LINES_MAX = 30;
/** Of one rule in one weather. */
const VIOLATIONS_MAX = 5;

interface Found {
  readonly id: string;
  readonly calls: readonly number[];
  readonly text: string;
}

export function weatherSection(
  { results }: ClientReport,
  summary: ClientSummary,
  context: ClientRenderContext,
): Markup {
  return h`<section aria-labelledby="weathers-title"><h2 id="weathers-title">The conditions, call by call</h2>
<p>Open a condition to see what the client did and what it was told. Red: the calls that show a violation.</p>
${results.map((result) => weatherDetails(result, summary, context))}</section>`;
}

function weatherDetails(
  result: WeatherResult,
  summary: ClientSummary,
  { repeat }: ClientRenderContext,
): Markup {
  const { session, selfCheck, output, ending } = result;
  const { weather, calls, end } = session;
  const rules = summary.decided.filter(({ id }) => cellOf(result, id) === 'violated');
  const isCalm = rules.length === 0 && selfCheck.length === 0;
  const found = rules.map(({ id, text }) => ({ id, text, violations: violationsIn(result, id) }));
  const named = found.flatMap(({ id, violations }) => violations.map((one) => ({ ...one, id })));
  return h`<details class="script weather${isCalm ? ' calm' : ''}" id="${weatherAnchor(weather.id)}"${isCalm ? h`` : h` open`}>
<summary><strong>${weather.id}</strong> <span class="meta">${pluralize(calls.length, 'call')} · ${endSentence(end)}</span>${rules.map(({ id }) => h`<span class="badge fail">✗ ${id}</span>`)}</summary>
<p>${prose(weather.text)} <span class="meta">(${basisWords(weather)}; expected end: ${weather.leads === 'either' ? 'either' : weather.leads})</span></p>
${selfCheck.length === 0 ? h`` : h`<div class="card advice"><p>Runproof itself was wrong: please report it</p><ul>${selfCheck.map((line) => h`<li>${line}</li>`)}</ul></div>`}
${found.map(
  ({
    id,
    text,
    violations,
  }) => h`<div class="violation" id="${cellAnchor(weather.id, id)}"><p><b>✗ ${id}</b> ${prose(text)}</p>
<ul>${violations.slice(0, VIOLATIONS_MAX).map(violationItem(weather.id))}${violations.length > VIOLATIONS_MAX ? h`<li class="meta">${violations.length - VIOLATIONS_MAX} more</li>` : h``}</ul></div>`,
)}
${ending.kind === 'not-judged' ? h`<p class="meta">Its ending is not judged: ${ending.why}</p>` : h``}
${timeline(result, named)}
${outputs(output)}
<p class="command"><span>To repeat it</span> <code>${repeat(weather.id)}</code></p></details>`;
}

const callAnchor = (weather: string, call: number): string => `${weatherAnchor(weather)}-call-${call}`;
const CALLS_NAMED = 8;

function violationItem(weather: string): (violation: Omit<Found, 'id'>) => Markup {
  return ({ calls, text }) => {
    const links = calls
      .slice(0, CALLS_NAMED)
      .map((call) =>
        call <= MOMENTS_MAX ? h` <a href="#${callAnchor(weather, call)}">#${call}</a>` : h` #${call}`,
      );
    return h`<li>${prose(text)}${links}${calls.length > CALLS_NAMED ? ` and ${calls.length - CALLS_NAMED} more` : ''}</li>`;
  };
}

function timeline({ session }: WeatherResult, found: readonly Found[]): Markup {
  const all = momentsOf(session);
  const named = new Map<number, Set<string>>();
  for (const { id, calls } of found)
    for (const call of calls) named.set(call, (named.get(call) ?? new Set()).add(id));
  // Calls by their numbers, so that each link to one of the first finds it.
  const isShown = ({ call, kind }: Moment, index: number): boolean =>
    kind === 'end' || (call ?? index) <= MOMENTS_MAX;
  const shown = all.filter(isShown);
  const left = all.length - shown.length;
  const more = h`<tr><td colspan="3"></td><td colspan="3" class="meta">… ${left} more; the JSON report has them all</td></tr>`;
  return h`<div class="scroll" tabindex="0" role="region" aria-label="Calls in ${session.weather.id}"><table class="moments"><tbody>${shown.map(
    (moment) =>
      h`${moment.kind === 'end' && left > 0 ? more : h``}${momentRow(moment, session.weather.id, named)}`,
  )}</tbody></table></div>`;
}

function momentRow(
  { kind, atMs, call, what, told, gapMs, fault }: Moment,
  weather: string,
  named: ReadonlyMap<number, ReadonlySet<string>>,
): Markup {
  const rules = call === null ? [] : [...(named.get(call) ?? [])];
  return h`<tr class="${kind}${rules.length > 0 ? ' named' : ''}"${call === null ? h`` : h` id="${callAnchor(weather, call)}"`}>
<td class="time">${call === null ? '' : `#${call}`}</td><td class="time">${instant(atMs)}</td><td class="time">${gapMs === null ? '' : gapWords(gapMs)}</td><td class="what">${what}</td><td class="what">${told}</td><td>${fault === null ? h`` : h`<span class="badge advice">${fault}</span> `}${rules.map((id) => h`<span class="badge fail">✗ ${id}</span> `)}</td></tr>`;
}

function outputs({ stdout, stderr, leftOutBytes }: ClientOutput): Markup {
  const parts = [
    ['stderr', stderr],
    ['stdout', stdout],
  ] as const;
  return h`${parts.map(([name, text]) => {
    const lines = lastLines(text, OUTPUT_LINES_MAX);
    if (lines.length === 0) return h``;
    return h`<p class="message-title">Its ${name}</p><div class="message">${lines.map((line) => h`${line}<br />`)}</div>`;
  })}${leftOutBytes === 0 ? h`` : h`<p class="meta">${pluralize(leftOutBytes, 'byte')} of its output left out</p>`}`;
}
