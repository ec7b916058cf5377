/** The table weather × rule for a terminal: a character for each. */
import type { WeatherResult } from '../../client/report.js';
import { escapeControls } from '../escape.js';
import { formatDuration } from '../formatting.js';
import type { Colours } from '../terminal-colours.js';
import { cellOf, ENDING, type Cell, type RuleSummary } from './summary.js';
import { cut, endWords } from './words.js';

export const CELL_SYMBOL: { readonly [cell in Cell]: string } = {
  kept: '✓',
  violated: '✗',
  open: '·',
  wrong: '!',
};

/** How it ended, and when. */
const END_COLUMNS_MIN = 12;
const WEATHER_COLUMNS_MIN = 14;
/** With less room, the time is left out. */
const HOW_COLUMNS_MIN = 6;

export function weatherTable(
  results: readonly WeatherResult[],
  decided: readonly RuleSummary[],
  columns: number,
  colours: Colours,
): readonly string[] {
  const ids = results.map(({ session }) => escapeControls(session.weather.id));
  const longest = Math.max(0, ...ids.map((id) => id.length));
  const weather = Math.max(
    WEATHER_COLUMNS_MIN,
    Math.min(longest, columns - decided.length - END_COLUMNS_MIN - 4),
  );
  const rest = columns - weather - decided.length - 4;
  const blank = ' '.repeat(weather + 2);
  const row = (result: WeatherResult, index: number): string => {
    const cells = decided.map(({ id }) => cellOf(result, id));
    const name = fitted(ids[index] ?? '', weather);
    return [
      cells.includes('violated') ? colours.red(name) : name,
      cells.map((cell) => colourOf(cell, colours)(CELL_SYMBOL[cell])).join(''),
      colours.dim(endOf(result, rest)),
    ].join('  ');
  };
  const heads = (decided.length === 0 ? [] : [0, 1]).map(
    (at) => `${blank}${decided.map((rule, i) => headOf(rule, i)[at]).join('')}`,
  );
  if (results.length === 0) return [];
  return [...heads.map((line) => colours.dim(line.trimEnd())), ...results.map(row)];
}

/** The number of the column, one digit below the other. */
function headOf({ id }: RuleSummary, index: number): string {
  return id === ENDING ? ' E' : String(index + 1).padStart(2);
}

const fitted = (text: string, columns: number): string => cut(text, columns).padEnd(columns);

function endOf({ session: { end } }: WeatherResult, columns: number): string {
  const took =
    end.kind === 'stopped' ? ` (${formatDuration(end.atMs)})` : ` after ${formatDuration(end.atMs)}`;
  const how = endWords(end);
  const room = columns - took.length;
  return room < HOW_COLUMNS_MIN ? cut(how, columns) : `${cut(how, room)}${took}`;
}

function colourOf(cell: Cell, { red, green, dim, yellow }: Colours): (text: string) => string {
  return { kept: green, violated: red, open: dim, wrong: yellow }[cell];
}

/** What the columns mean, in as many columns as fit. */
export function legend(
  decided: readonly RuleSummary[],
  columns: number,
  colours: Colours,
): readonly string[] {
  const entries = decided.map((rule, index) => ({
    text: `${headOf(rule, index)} ${escapeControls(rule.id)}`,
    colour: rule.violatedIn.length > 0 ? colours.red : colours.dim,
  }));
  const width = Math.max(0, ...entries.map(({ text }) => text.length)) + 2;
  const across = Math.max(1, Math.floor((columns + 2) / width));
  const down = Math.ceil(entries.length / across);
  return Array.from({ length: down }, (_, line) =>
    entries
      .filter((_entry, index) => index % down === line)
      .map(({ text, colour }, index, all) => colour(index === all.length - 1 ? text : text.padEnd(width)))
      .join(''),
  );
}
