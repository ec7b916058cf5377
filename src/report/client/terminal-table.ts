/** The table condition × rule for a terminal: a character for each. */
import { escapeControls } from '../escape.js';
import { formatDuration, pluralize } from '../formatting.js';
import type { Report, ReportRequirement } from '../report.js';
import type { Colours } from '../terminal/terminal-colours.js';
import { cellOf, ENDING, type Cell, type Condition } from './condition.js';
import { cut, endWords } from './words.js';

export const CELL_SYMBOL: { readonly [cell in Cell]: string } = {
  kept: '✓',
  violated: '✗',
  open: '·',
  wrong: '!',
};

/** How it ended, and when. */
const END_COLUMNS_MIN = 12;
const CONDITION_COLUMNS_MIN = 14;
/** With less room, the time is left out. */
const HOW_COLUMNS_MIN = 6;
const COLUMNS_MAX = 110;
/** A narrower terminal breaks lines itself. */
const COLUMNS_MIN = 60;

interface TableOptions {
  readonly verbose: boolean;
  readonly columns?: number | undefined;
}

/** The conditions with a violation by the rules that are violated, with `verbose` all by all, and what the columns are. */
export function conditionTable(
  { conditions, requirements }: Report,
  { verbose, columns = COLUMNS_MAX }: TableOptions,
  colours: Colours,
): readonly (readonly string[])[] {
  if (conditions === undefined) return [];
  const width = Math.max(COLUMNS_MIN, Math.min(COLUMNS_MAX, columns));
  const rules = requirements.filter((one) => one.verdict === 'fail' || (verbose && one.verdict === 'pass'));
  const shown = conditions.filter(
    (one) => verbose || one.selfCheck.length > 0 || rules.some(({ id }) => cellOf(one, id) === 'violated'),
  );
  const left = conditions.length - shown.length;
  return [
    [
      ...table(shown, rules, width, colours),
      ...(left === 0
        ? []
        : [colours.dim(`${pluralize(left, 'condition')} without a violation (-v shows them)`)]),
    ],
    legend(rules, width, colours),
  ];
}

function table(
  conditions: readonly Condition[],
  rules: readonly ReportRequirement[],
  columns: number,
  colours: Colours,
): readonly string[] {
  if (conditions.length === 0) return [];
  const longest = Math.max(...conditions.map(({ weather }) => weather.id.length));
  const first = Math.max(
    CONDITION_COLUMNS_MIN,
    Math.min(longest, columns - rules.length - END_COLUMNS_MIN - 4),
  );
  const rest = columns - first - rules.length - 4;
  const row = (condition: Condition): string => {
    const cells = rules.map(({ id }) => cellOf(condition, id));
    const name = cut(escapeControls(condition.weather.id), first).padEnd(first);
    return [
      cells.includes('violated') ? colours.red(name) : name,
      cells.map((cell) => colourOf(cell, colours)(CELL_SYMBOL[cell])).join(''),
      colours.dim(endOf(condition, rest)),
    ].join('  ');
  };
  const heads = (rules.length === 0 ? [] : [0, 1])
    .map((at) => `${' '.repeat(first + 2)}${rules.map((rule, i) => headOf(rule, i)[at]).join('')}`.trimEnd())
    .filter((line) => line !== '');
  return [...heads.map(colours.dim), ...conditions.map(row)];
}

/** The number of the column, one digit below the other. */
function headOf({ id }: ReportRequirement, index: number): string {
  return id === ENDING ? ' E' : String(index + 1).padStart(2);
}

function endOf({ end }: Condition, columns: number): string {
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
function legend(rules: readonly ReportRequirement[], columns: number, colours: Colours): readonly string[] {
  const entries = rules.map((rule, index) => ({
    text: `${headOf(rule, index)} ${escapeControls(rule.id)}`,
    colour: rule.verdict === 'fail' ? colours.red : colours.dim,
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
