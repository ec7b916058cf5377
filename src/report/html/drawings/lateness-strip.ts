/** How late each timer was: a strip of dots for each, with the allowed lateness as a line. */
import { truncated } from '../../escape.js';
import { formatDuration, formatLateness, pluralize } from '../../formatting.js';
import type { Report } from '../../report.js';
import { at, figure } from './figure.js';
import { h, type Markup } from '../markup.js';
import { AXIS_HEIGHT, ticks } from './scale.js';

const WIDTH = 860;
const LEFT = 140;
const RIGHT = 30;
const ROW_HEIGHT = 34;
const DOT_MAX = 12;
const LABELLED_MS = [0, 10, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000] as const;

type Timers = readonly (readonly [timer: string, seen: Report['lateness'][string]])[];

export function latenessCard(report: Report): Markup {
  const timers = Object.entries(report.lateness).filter(([, { samples }]) => samples > 0);
  if (timers.length === 0) return h``;
  const { graceMs } = report;
  const allowed =
    graceMs === undefined ? '' : `A timer later than ${formatDuration(graceMs)} (--grace) fails.`;
  return h`<section id="lateness" aria-labelledby="lateness-title"><h2 id="lateness-title">Lateness of timers</h2><p>${allowed}</p>
${strips(timers, graceMs)}
<div class="scroll"><table><thead><tr><th scope="col">Timer</th><th scope="col" class="number">Once late by at least</th><th scope="col" class="number">Observations</th><th scope="col" class="number">Upper bounds known</th><th scope="col" class="number">90 % of these late by at most</th></tr></thead><tbody>${timers.map(
    ([timer, { maxMs, samples, strikes, usualMs }]) =>
      h`<tr><td>${timer}</td><td class="number">${formatDuration(maxMs)}</td><td class="number">${samples}</td><td class="number">${strikes ?? 0}</td><td class="number">${(usualMs ?? null) === null ? '–' : formatDuration(usualMs!)}</td></tr>`,
  )}</tbody></table></div></section>`;
}

function strips(timers: Timers, graceMs: number | undefined): Markup {
  const drawn = timers.flatMap(([, { maxMs, spread = [] }]) => [maxMs, ...spread.map(([most]) => most ?? 0)]);
  const longestMs = Math.max(1_000, 2 * (graceMs ?? 0), ...drawn);
  // Most are late by less than a millisecond, some by seconds: the scale is logarithmic.
  const x = (ms: number): number =>
    LEFT + (Math.log1p(Math.max(0, ms)) / Math.log1p(longestMs)) * (WIDTH - LEFT - RIGHT);
  const bottom = AXIS_HEIGHT + timers.length * ROW_HEIGHT;
  const labelled = LABELLED_MS.filter((ms) => ms <= longestMs);
  return figure(
    {
      ...{ kind: 'strips', width: WIDTH, height: bottom + 18 },
      text: timers.map(([timer, seen]) => `${timer}: ${formatLateness(seen)}`).join('; '),
      caption:
        'A dot: late by at most this, because the next read came then. A larger dot: more often. A dot right of the line is an upper bound, not a failure. A diamond: one was late by at least this; right of the line it failed. The scale is logarithmic.',
    },
    ticks(labelled, x, { width: WIDTH, bottom }),
    graceMs === undefined
      ? h``
      : h`<path class="limit" d="M${at(x(graceMs))} ${AXIS_HEIGHT - 4}V${bottom}" /><text class="limit" x="${at(x(graceMs))}" y="${bottom + 13}" text-anchor="middle">${formatDuration(graceMs)} allowed</text>`,
    timers.map(([timer, seen], index) => strip(timer, seen, AXIS_HEIGHT + (index + 0.5) * ROW_HEIGHT, x)),
  );
}

function strip(
  timer: string,
  { maxMs, spread = [] }: Timers[number][1],
  y: number,
  x: (ms: number) => number,
): Markup {
  const dots = spread.map(([mostMs, times]) => {
    const place = mostMs === null ? WIDTH - RIGHT / 2 : x(mostMs);
    const words = mostMs === null ? 'later' : `at most ${formatDuration(mostMs)}`;
    return h`<circle cx="${at(place)}" cy="${at(y)}" r="${at(Math.min(DOT_MAX, 2.5 + Math.log2(times)))}"><title>${words}: ${pluralize(times, 'time')}</title></circle>`;
  });
  const least =
    maxMs === 0
      ? h``
      : h`<path class="least" d="M${at(x(maxMs))} ${at(y - 7)}l6 7l-6 7l-6 -7z"><title>at least ${formatDuration(maxMs)}, once</title></path>`;
  return h`<g><text class="name" x="6" y="${at(y + 4)}">${truncated(timer, 17)}</text><path class="row" d="M${LEFT} ${at(y)}H${WIDTH - RIGHT}" />${dots}${least}</g>`;
}
