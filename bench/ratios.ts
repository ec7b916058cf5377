/** Speed beside peers: each ratio is taken in one run on one machine, as an absolute figure says little elsewhere. */
import { costOf } from './costs.js';
import { pageText, tableLine, writeTable } from './page.js';
import { ROWS, type Row } from './rows.js';

/** Ours and the peer take turns this often; the median of the ratios counts. */
const TURNS = 3;
const SLOW_TIMEOUT_MS = 3_600_000;

export interface Ratio {
  readonly row: Row;
  /** Null: one of the two is not installed. */
  readonly ratio: number | null;
}

const median = (numbers: readonly number[]): number =>
  numbers.toSorted((a, b) => a - b)[numbers.length >> 1]!;

/** @param turns how often the program runs, and its peer after it */
function measure(row: Row, turns: number): Ratio {
  const ratios: number[] = [];
  for (let turn = 0; turn < turns; turn++) {
    const cost = costOf(row.program, row.slow === true ? SLOW_TIMEOUT_MS : undefined);
    const peerCost = row.beside === null ? 1_000 : costOf(row.beside.program);
    if (cost === null || peerCost === null) return { row, ratio: null };
    const inMs = row.beside === null ? cost : cost / peerCost;
    ratios.push(row.as === 'cost' ? inMs : peerCost / cost);
  }
  return { row, ratio: median(ratios) };
}

/** Measures the rows, one after the other, and calls back with each. */
export function measureRatios(
  rows: readonly Row[],
  onRatio: (ratio: Ratio) => void,
  turns = TURNS,
): readonly Ratio[] {
  return rows.map((row) => {
    const ratio = measure(row, row.slow === true ? 1 : turns);
    onRatio(ratio);
    return ratio;
  });
}

/** How far from its aim a guarded row may be: on a busy machine even ratios vary. */
const TOLERANCE = 3;

/** Whether a ratio is so far from its aim that something must have become slow. */
export function isFarOff({ row: { aim, as }, ratio }: Ratio): boolean {
  if (aim === null || ratio === null) return false;
  return as === 'cost' ? ratio > aim * TOLERANCE : ratio < aim / TOLERANCE;
}

const figure = (value: number, unit: string = ''): string => {
  const text =
    value >= 100
      ? Math.round(value).toLocaleString('en')
      : String(Number(value < 0.01 ? value.toPrecision(1) : value.toFixed(2)));
  return unit.startsWith('/') ? `${text}${unit}` : `${text} ${unit}`.trim();
};

const cellsOf = ({ row: { what, beside, unit }, ratio }: Ratio): readonly string[] => [
  what,
  beside?.name ?? '',
  ratio === null ? 'not installed here' : figure(ratio, unit),
];

export const ratioText = (ratio: Ratio): string => {
  const [what = '', peer = '', found = ''] = cellsOf(ratio);
  const { aim, as, unit } = ratio.row;
  const wanted = aim === null ? '' : ` (aim ${as === 'cost' ? '≤' : '≥'} ${figure(aim, unit)})`;
  return `${what}${peer === '' ? '' : ` ÷ ${peer}`}: ${found}${wanted}`;
};

/** A figure as it stands in the table. */
const valueOf = (cell: string): number => Number(cell.replaceAll(',', '').replace(/\/s.*| .*/, ''));

/** What the best column says after a measurement: the better of the two. */
const better = (row: Row, best: string, measured: string, commit: string): string => {
  const [before, now] = [valueOf(best), valueOf(measured)];
  const isBetter = Number.isNaN(before) || (row.as === 'cost' ? now < before : now > before);
  return Number.isNaN(now) || !isBetter ? best : `${measured} at ${commit}`;
};

/**
 * Puts the table into docs/performance.md; rows that were not measured now stay as they are.
 *
 * @param commit that was measured
 */
export function writeRatios(ratios: readonly Ratio[], commit: string): void {
  const before = pageText().split('\n');
  const rows = ROWS.map((row) => {
    const start = cellsOf({ row, ratio: null }).slice(0, 2);
    const line = before.find((each) => each.startsWith(tableLine(start).slice(0, -1)));
    const [, , was = '', best = ''] = line === undefined ? [] : line.slice(2, -2).split(' | ');
    const measured = ratios.find((ratio) => ratio.row === row);
    const now = measured === undefined ? was : cellsOf(measured)[2]!;
    return [...start, now, better(row, best, now, commit)];
  });
  writeTable('ratios', [['what', '÷', 'measured', 'best so far'], ...rows]);
}
