import { checkedOf, moreText } from '../checked.js';
import { countRules } from '../client/build.js';
import { compareSections } from '../document-lines.js';
import { openMustsLine } from '../open-musts.js';
import type { Report, ReportRequirement } from '../report.js';
import {
  clockInWords,
  pluralize,
  formatDuration,
  marksIn,
  moodOf,
  MARK_WORDS,
  seedWords,
} from '../formatting.js';
import { h, prose, type Markup } from './markup.js';

export function verdictHeader(report: Report): Markup {
  const { target, edition, at, runproof } = report;
  const [headline, detail] = splitVerdict(report.verdict);
  const facts = [
    `edition ${edition}`,
    seedWords(report),
    clockInWords(target),
    ...(at === null ? [] : [at]),
    `Runproof ${runproof}`,
  ];
  return h`<header class="verdict ${moodOf(report)}"><div class="wide">
<p class="target">${target.name}</p><h1>${headline}</h1><p>${detail}</p>
<p class="facts">${facts.map((fact) => h`<span>${fact}</span>`)}</p></div></header>`;
}

/** The verdict, and what it rests on. */
export function splitVerdict(verdict: string): readonly [string, string] {
  const colon = verdict.indexOf(': ');
  if (colon === -1) return [verdict, ''];
  const headline = verdict.slice(0, colon).toLowerCase();
  return [headline.charAt(0).toUpperCase() + headline.slice(1), verdict.slice(colon + 2)];
}

export function tiles(report: Report): Markup {
  const { totals, time, target } = report;
  const checked = checkedOf(report.requirements, report.target);
  const undecided = totals.must.inconclusive + totals.must['not-exercised'];
  if (report.subject === 'client') return tileList(ofClient(report));
  return tileList([
    ['Required rules failed', `${totals.must.fail}`, `${totals.must.pass} passed, ${undecided} undecided`],
    [
      'Required rules checked',
      `${checked.checked} of ${checked.musts}`,
      (report.verdict.includes(moreText(checked)) ? '' : moreText(checked)) || 'of those that apply',
    ],
    ['Advice not followed', `${totals.should.fail}`, `${totals.should.pass} followed`],
    ...(target.isRecorded === true
      ? [['Calls', `${totals.calls}`, 'recorded'] as const]
      : [
          [
            'Run',
            // A history that is judged again does not say how long its run took.
            time.wallMs === 0 ? '–' : formatDuration(time.wallMs),
            `${pluralize(totals.calls, 'call')}, ${pluralize(totals.scripts, 'script')}`,
          ] as const,
          ['Longest wait', formatDuration(time.longestWaitMs), "of the target's clock"] as const,
        ]),
  ]);
}

type Tile = readonly [name: string, value: string, note: string];

function ofClient({ requirements, totals, time }: Report): readonly Tile[] {
  const { kept, broken, open } = countRules(requirements);
  return [
    ['Rules broken', `${broken}`, `${kept} kept`],
    ['Never put to the test', `${open}`, `of ${requirements.length} rules`],
    ['Conditions', `${totals.scripts}`, pluralize(totals.calls, 'call')],
    ['Run', formatDuration(time.wallMs), ''],
  ];
}

const tileList = (all: readonly Tile[]): Markup =>
  h`<ul class="tiles">${all.map(
    ([name, value, note]) => h`<li><span>${name}</span><strong>${value}</strong><small>${note}</small></li>`,
  )}</ul>`;

export function openMusts(report: Report): Markup {
  const line = openMustsLine(report);
  return line === null ? h`` : h`<p>${line}.</p>`;
}

export function sectionBars(report: Report, titles: ReadonlyMap<string, string>): Markup {
  const sections = [...new Set(report.requirements.map(({ section }) => section))].sort(compareSections);
  return h`<section aria-labelledby="sections-title"><h2 id="sections-title">By section</h2><ol class="sections">${sections.map(
    (section) => {
      const own = report.requirements.filter((requirement) => requirement.section === section);
      return h`<li><a href="#requirements" data-section-link="${section}"><b>${section}</b> ${titles.get(section) ?? ''}</a>${bar(own)}</li>`;
    },
  )}</ol></section>`;
}

function bar(requirements: readonly ReportRequirement[]): Markup {
  const counts = marksIn(requirements);
  const failed = counts.find(({ mark }) => mark === 'fail')?.count ?? 0;
  const words = counts.map(({ mark, count }) => `${count} ${MARK_WORDS[mark]}`).join(', ');
  return h`<span class="bar" role="img" aria-label="${words}" title="${words}">${counts.map(
    ({ mark, count }) => h`<i class="${mark}" style="flex:${count}"></i>`,
  )}</span><span class="count">${failed === 0 ? '' : h`<b>${failed} ✘</b> `}${requirements.length}</span>`;
}

export function questionCard(report: Report, texts: ReadonlyMap<string, string>): Markup {
  const observed = report.openQuestions.filter(({ readings }) => readings.length > 0);
  const silent = report.openQuestions.length - observed.length;
  if (report.openQuestions.length === 0) return h``;
  return h`<section aria-labelledby="questions-title"><h2 id="questions-title">What the document leaves open</h2>
<p>Every answer below is allowed: it shows how this target reads the document. Answers that differ from case to case deserve a look.</p>
<div class="scroll"><table><thead><tr><th scope="col">Question</th><th scope="col">Answer observed</th></tr></thead><tbody>${observed.map(
    ({
      id,
      question,
      readings,
      counts,
      stable,
    }) => h`<tr><td><span class="id">${id}</span><div>${prose(question)}</div></td>
<td>${readings.map((reading) => h`<div><b>${reading}</b> <span class="count">${counts[reading] ?? 0}×</span> ${prose(texts.get(`${id} ${reading}`) ?? '')}</div>`)}${stable ? h`` : h`<span class="badge advice">▲ differs from case to case</span>`}</td></tr>`,
  )}</tbody></table></div>
${silent > 0 ? h`<p class="meta">${pluralize(silent, 'question')} did not arise in this run.</p>` : h``}</section>`;
}

export function dialectCard({ dialect }: Report, texts: ReadonlyMap<string, string>): Markup {
  if (dialect === null) return h``;
  const { held, drift, unobserved } = dialect;
  const words = (question: string, reading: string): Markup =>
    h`<b>${reading}</b> ${prose(texts.get(`${question} ${reading}`) ?? '')}`;
  return h`<section id="dialect" aria-labelledby="dialect-title"><h2 id="dialect-title">Compared with the dialect</h2>
<p>${drift.length === 0 ? h`<span class="badge pass">✔ no drift</span>` : h`<span class="badge fail">✘ ${pluralize(drift.length, 'reading')} drifted</span>`} ${held - drift.length - unobserved.length} of ${held} unchanged, ${unobserved.length} not observed in this run.</p>
${
  drift.length === 0
    ? h``
    : h`<div class="scroll"><table><thead><tr><th scope="col">Question</th><th scope="col">Dialect</th><th scope="col">Observed</th></tr></thead><tbody>${drift.map(
        ({ question, expected, observed }) =>
          h`<tr><td><span class="id">${question}</span></td><td>${words(question, expected)}</td><td>${observed.map((reading) => h`<div>${words(question, reading)}</div>`)}</td></tr>`,
      )}</tbody></table></div>`
}</section>`;
}

/** Lines under a title; nothing where there are none. */
export const noteCard = (id: string, title: string, lines: readonly string[], mark = ''): Markup =>
  lines.length === 0
    ? h``
    : h`<section class="card${mark}" aria-labelledby="${id}-title"><h2 id="${id}-title">${title}</h2><ul>${lines.map((line) => h`<li>${line}</li>`)}</ul></section>`;
