/** One condition on the page: what the client did under it, what it was told, and what it wrote. */
import type { ClientOutput } from '../../client/report.js';
import { pluralize } from '../formatting.js';
import { copied, h, prose, type Markup } from '../html/markup.js';
import type { ReportRequirement } from '../report.js';
import { cellOf, violationsIn, type Condition } from './condition.js';
import { cellAnchor, type Placed } from './html-matrix.js';
import { momentsOf, type Moment } from './timeline.js';
import { basisWords, endSentence, gapWords, instant, lastLines } from './words.js';

const MOMENTS_MAX = 200;
const OUTPUT_LINES_MAX = 30;
/** Of one rule under one condition. */
const VIOLATIONS_MAX = 5;

interface Found {
  readonly id: string;
  readonly calls: readonly number[];
  readonly text: string;
}

export function conditionSection(all: readonly Placed[], requirements: readonly ReportRequirement[]): Markup {
  return h`<section id="conditions" aria-labelledby="conditions-title"><h2 id="conditions-title">The conditions, call by call</h2>
<p>Open a condition to see what the client did and what it was told. Red: the calls that show a violation.</p>
${all.map((one) => conditionDetails(one, requirements))}</section>`;
}

function conditionDetails({ condition, anchor }: Placed, requirements: readonly ReportRequirement[]): Markup {
  const { weather, calls, end, selfCheck, output, ending, repeat } = condition;
  const rules = requirements.filter(({ id }) => cellOf(condition, id) === 'violated');
  const isCalm = rules.length === 0 && selfCheck.length === 0;
  const found = rules.map(({ id, text }) => ({ id, text, violations: violationsIn(condition, id) }));
  const named = found.flatMap(({ id, violations }) => violations.map((one) => ({ ...one, id })));
  return h`<details class="script weather${isCalm ? ' calm' : ''}" id="${anchor}"${isCalm ? h`` : h` open`}>
<summary><strong>${weather.id}</strong> <span class="meta">${pluralize(calls.length, 'call')} · ${endSentence(end)}</span>${rules.map(({ id }) => h`<span class="badge fail">✗ ${id}</span>`)}</summary>
<p>${prose(weather.text)} <span class="meta">(${basisWords(weather)}; expected end: ${weather.leads === 'either' ? 'either' : weather.leads})</span></p>
${selfCheck.length === 0 ? h`` : h`<div class="card advice"><p>Runproof itself was wrong: please report it</p><ul>${selfCheck.map((line) => h`<li>${line}</li>`)}</ul></div>`}
${found.map(
  ({
    id,
    text,
    violations,
  }) => h`<div class="violation" id="${cellAnchor(anchor, id)}"><p><b>✗ ${id}</b> ${prose(text)}</p>
<ul>${violations.slice(0, VIOLATIONS_MAX).map(violationItem(anchor))}${violations.length > VIOLATIONS_MAX ? h`<li class="meta">${violations.length - VIOLATIONS_MAX} more</li>` : h``}</ul></div>`,
)}
${ending.kind === 'not-judged' ? h`<p class="meta">Its ending is not judged: ${ending.why}</p>` : h``}
${timeline(condition, anchor, named)}
${outputs(output)}
${repeat === null ? h`` : copied('To repeat it', repeat)}</details>`;
}

const callAnchor = (condition: string, call: number): string => `${condition}-call-${call}`;
const CALLS_NAMED = 8;

function violationItem(condition: string): (violation: Omit<Found, 'id'>) => Markup {
  return ({ calls, text }) => {
    const links = calls
      .slice(0, CALLS_NAMED)
      .map((call) =>
        call <= MOMENTS_MAX ? h` <a href="#${callAnchor(condition, call)}">#${call}</a>` : h` #${call}`,
      );
    return h`<li>${prose(text)}${links}${calls.length > CALLS_NAMED ? ` and ${calls.length - CALLS_NAMED} more` : ''}</li>`;
  };
}

function timeline(condition: Condition, anchor: string, found: readonly Found[]): Markup {
  const all = momentsOf(condition);
  const named = new Map<number, Set<string>>();
  for (const { id, calls } of found)
    for (const call of calls) named.set(call, (named.get(call) ?? new Set()).add(id));
  // Calls by their numbers, so that each link to one of the first finds it.
  const isShown = ({ call, kind }: Moment, index: number): boolean =>
    kind === 'end' || (call ?? index) <= MOMENTS_MAX;
  const shown = all.filter(isShown);
  const left = all.length - shown.length;
  const more = h`<tr><td colspan="3"></td><td colspan="3" class="meta">… ${left} more; the JSON report has them all</td></tr>`;
  return h`<div class="scroll" tabindex="0" role="region" aria-label="Calls under ${condition.weather.id}"><table class="moments"><tbody>${shown.map(
    (moment) => h`${moment.kind === 'end' && left > 0 ? more : h``}${momentRow(moment, anchor, named)}`,
  )}</tbody></table></div>`;
}

function momentRow(
  { kind, atMs, call, what, told, gapMs, fault }: Moment,
  condition: string,
  named: ReadonlyMap<number, ReadonlySet<string>>,
): Markup {
  const rules = call === null ? [] : [...(named.get(call) ?? [])];
  return h`<tr class="${kind}${rules.length > 0 ? ' named' : ''}"${call === null ? h`` : h` id="${callAnchor(condition, call)}"`}>
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
