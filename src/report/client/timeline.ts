/** What happened under a condition, moment by moment, and the part of it that shows a violation. */
import { escapeControls } from '../escape.js';
import type { Condition } from './condition.js';
import { callWords, cut, endWords, gapWords, instant, receivedWords } from './words.js';

type Happened = Pick<Condition, 'calls' | 'webhooks' | 'end'>;

export interface Moment {
  readonly kind: 'call' | 'webhook' | 'end';
  /** Real ms since the weather began. */
  readonly atMs: number;
  /** The number of the call; null: it is none. */
  readonly call: number | null;
  readonly what: string;
  readonly told: string;
  /** Since the moment before; null: there was none. */
  readonly gapMs: number | null;
  /** What the weather did to it; null: nothing. */
  readonly fault: string | null;
}

/** A line of an excerpt. `more`: so many moments are left out, all of them like those around. */
export type ExcerptLine =
  | { readonly kind: 'moment'; readonly moment: Moment; readonly named: boolean }
  | { readonly kind: 'more'; readonly count: number; readonly alike: boolean };

/** All of them, in the order in which they began. The last one is the end of the client. */
export function momentsOf({ calls, webhooks, end }: Happened): readonly Moment[] {
  const all: readonly Omit<Moment, 'gapMs'>[] = [
    ...calls.map((call) => ({
      ...{ kind: 'call' as const, atMs: call.startedMs, call: call.number },
      ...{ what: callWords(call), told: call.told },
      fault: call.fault === null ? null : escapeControls(call.fault),
    })),
    ...webhooks.map((webhook) => ({
      ...{ kind: 'webhook' as const, atMs: webhook.startedMs, call: null, fault: null },
      what: `webhook${webhook.state === null ? '' : ` ${webhook.state}`}`,
      told: receivedWords(webhook),
    })),
  ].sort((a, b) => a.atMs - b.atMs);
  // A call that was on its way when the client ended is taken in after that.
  const atMs = Math.max(end.atMs, all.at(-1)?.atMs ?? 0);
  const last = { kind: 'end' as const, atMs, call: null, what: 'the end', told: endWords(end) };
  return [...all, { ...last, fault: null }].map((moment, index, moments) => {
    const before = moments[index - 1];
    return { ...moment, gapMs: before === undefined ? null : moment.atMs - before.atMs };
  });
}

/** Of each run of moments that are alike. */
const FIRST_SHOWN = 2;
const LAST_SHOWN = 1;
/** Where a violation names no call, its end is shown. */
const AT_THE_END = 5;

/** The named calls with what was right around them, in at most `linesMax` lines. */
export function excerptOf(
  happened: Happened,
  calls: readonly number[],
  linesMax: number,
): readonly ExcerptLine[] {
  const moments = momentsOf(happened);
  const named = new Set(calls);
  const picked = new Set(
    moments.flatMap(({ call }, at) => (call !== null && named.has(call) ? [at - 1, at, at + 1] : [])),
  );
  const shown =
    picked.size > 0
      ? moments.map((_, at) => at).filter((at) => picked.has(at))
      : moments.map((_, at) => at).slice(-AT_THE_END);
  return shortened(runsOf(shown, moments, named).flatMap(folded), linesMax);
}

type Line = Extract<ExcerptLine, { kind: 'moment' }>;

/** Lines that follow each other directly and are alike; what is left out between them stands alone. */
function runsOf(
  shown: readonly number[],
  moments: readonly Moment[],
  named: ReadonlySet<number>,
): readonly (readonly ExcerptLine[])[] {
  const runs: ExcerptLine[][] = [];
  let before: { readonly at: number; readonly line: Line } | null = null;
  for (const at of shown) {
    const moment = moments[at]!;
    const line: Line = { kind: 'moment', moment, named: moment.call !== null && named.has(moment.call) };
    const left: number = before === null ? 0 : at - before.at - 1;
    if (left > 0) runs.push([{ kind: 'more', count: left, alike: false }]);
    if (before !== null && left === 0 && alike(before.line, line)) runs.at(-1)!.push(line);
    else runs.push([line]);
    before = { at, line };
  }
  return runs;
}

const alike = (a: Line, b: Line): boolean =>
  a.moment.what === b.moment.what && a.moment.told === b.moment.told && a.named === b.named;

function folded(run: readonly ExcerptLine[]): readonly ExcerptLine[] {
  const count = run.length - FIRST_SHOWN - LAST_SHOWN;
  if (count <= 1) return run;
  return [...run.slice(0, FIRST_SHOWN), { kind: 'more', count, alike: true }, ...run.slice(-LAST_SHOWN)];
}

function shortened(lines: readonly ExcerptLine[], linesMax: number): readonly ExcerptLine[] {
  if (lines.length <= linesMax) return lines;
  const first = Math.ceil((linesMax - 1) / 2);
  const last = linesMax - 1 - first;
  const left = lines.slice(first, lines.length - last);
  const count = left.reduce((sum, line) => sum + (line.kind === 'more' ? line.count : 1), 0);
  return [...lines.slice(0, first), { kind: 'more', count, alike: false }, ...lines.slice(-last)];
}

const TIME_COLUMNS = 9;
const WHAT_COLUMNS_MAX = 44;
const TOLD_COLUMNS_MAX = 34;

/** Lines of text, with `>` before the named calls. */
export function excerptText(lines: readonly ExcerptLine[]): readonly string[] {
  const shown = lines.flatMap((line) => (line.kind === 'moment' ? [line.moment] : []));
  const widest = (texts: readonly string[], max: number): number =>
    Math.min(max, Math.max(0, ...texts.map((text) => text.length)));
  const what = widest(
    shown.map((moment) => moment.what),
    WHAT_COLUMNS_MAX,
  );
  const told = widest(
    shown.map((moment) => moment.told),
    TOLD_COLUMNS_MAX,
  );
  return lines.map((line) => {
    if (line.kind === 'more') return `${' '.repeat(TIME_COLUMNS + 3)}${moreWords(line)}`;
    const { moment, named } = line;
    const gap = moment.gapMs === null ? '' : `(${gapWords(moment.gapMs)})`;
    const text = [fitted(moment.what, what), fitted(moment.told, told), gap].join('  ');
    return `${named ? '>' : ' '} ${instant(moment.atMs).padStart(TIME_COLUMNS)}  ${text}`.trimEnd();
  });
}

const moreWords = ({ count, alike: same }: { readonly count: number; readonly alike: boolean }) =>
  `… ${count} more${same ? ' like these' : ''}`;

const fitted = (text: string, columns: number): string => cut(text, columns).padEnd(columns);
