/** Single runs over time: how each ended, and what changed since the runs before it on the same target. */
import { escapedTexts } from '../escape.js';
import { formatDuration, isBinding, seedsOf, someOf } from '../formatting.js';
import { at } from '../html/drawings/figure.js';
import { h, type Markup } from '../html/markup.js';
import { page } from '../html/page.js';
import type { Report } from '../report.js';
import { driftSince, type TargetFacts } from './drift.js';
import { summaryOf, type ReportSummary } from './matrix.js';

export interface PastRun extends ReportSummary {
  /** Its address with the endpoint, or its name. */
  readonly target: string;
  readonly edition: Report['edition'];
  readonly seed: number;
  /** Of a merged report: the seeds of its parts, where they differ. */
  readonly seeds?: readonly number[];
  /** The verdict as a sentence. */
  readonly verdict: string;
  /** How long it took, ms. */
  readonly wallMs: number;
  /** Required rules that failed, and had passed when they were last decided on this target, or had never been; in its first run none. */
  readonly newlyFailing: readonly string[];
  /** Required rules that passed, and had failed when they were last decided on this target. None in a run that stopped early. */
  readonly fixed: readonly string[];
}

/** A folder or file that shows no run. */
export interface LeftOut {
  readonly name: string;
  readonly why:
    | 'unfinished'
    | 'damaged or foreign'
    | 'of explore'
    | 'without a report'
    | 'without a start time';
}

export interface RunHistory {
  readonly schema: 'runproof-run-history/1';
  /** The oldest first. */
  readonly runs: readonly PastRun[];
  readonly leftOut: readonly LeftOut[];
}

/** A verdict counts until another run decides the rule: a run of a few rules says nothing about the others. */
export function historyOf(
  found: readonly { readonly name: string; readonly report: Report }[],
  leftOut: readonly LeftOut[],
): RunHistory {
  const undated = found.filter(({ report }) => report.at === null);
  const dated = found
    .filter(({ report }) => report.at !== null)
    .toSorted((a, b) => (a.report.at! < b.report.at! ? -1 : a.report.at! > b.report.at! ? 1 : 0));
  const known = new Map<string, TargetFacts>();
  const runs = dated.map(({ name, report: whole }): PastRun => {
    const report = isCut(whole) ? withoutPasses(whole) : whole;
    const { edition, verdict, time } = report;
    const target = addressOf(report);
    const group = groupOf({ target, edition });
    const before = known.get(group);
    known.set(group, driftSince(before ?? null, report, report.exitCode).facts);
    const binding = before === undefined ? [] : report.requirements.filter(isBinding);
    const changed = (to: 'pass' | 'fail', isNew: (was?: string) => boolean): readonly string[] =>
      binding.flatMap(({ id, verdict: is }) => (is === to && isNew(before!.verdicts[id]) ? [id] : []));
    return {
      ...summaryOf(whole, name),
      ...{ target, edition, ...seedsOf(report), verdict, wallMs: time.wallMs },
      newlyFailing: changed('fail', (was) => was !== 'fail'),
      fixed: changed('pass', (was) => was === 'fail'),
    };
  });
  const more = undated.map(({ name }): LeftOut => ({ name, why: 'without a start time' }));
  return { schema: 'runproof-run-history/1', runs, leftOut: [...leftOut, ...more] };
}

/** It says so itself: `--bail`, Ctrl-C or a lost target ended it. */
const isCut = ({ warnings }: Report): boolean =>
  warnings.some((text) => /^(the run )?stopped early/.test(text));

/** What had not failed when a run was cut might have failed in what did not run. */
const withoutPasses = (report: Report): Report => ({
  ...report,
  requirements: report.requirements.filter(({ verdict }) => verdict !== 'pass'),
});

/** With the endpoint, or with the path in place of it: another one at the same host is another target. */
function addressOf({ target: { url, name, replayArguments } }: Report): string {
  if (url === null) return name;
  const [address = name, ...more] = replayArguments;
  const at = more.indexOf('--base-path');
  return at < 0 ? address : `${address}${more[at + 1] ?? ''}`;
}

const groupOf = ({ target, edition }: Pick<PastRun, 'target' | 'edition'>): string =>
  `${target}, edition ${edition}`;

/** The runs of each target; that of the newest run comes last. */
function groups({ runs }: RunHistory): readonly (readonly [string, readonly PastRun[]])[] {
  const targets = [...new Set(runs.toReversed().map(groupOf))].toReversed();
  return targets.map((target) => [target, runs.filter((run) => groupOf(run) === target)]);
}

const HEADS = ['when (UTC)', 'seed', 'verdict', 'required rules', 'ran for', 'report', 'changes'] as const;

/** In the order of `HEADS`. */
const cellsOf = (run: PastRun, all: boolean): readonly string[] => [
  run.at!.slice(0, 16).replace('T', ' '),
  (run.seeds ?? [run.seed]).join(', '),
  // What a verdict says first it says in capitals.
  /^[A-Z]+(?: [A-Z]+(?![a-z]))*/.exec(run.verdict)?.[0] ?? run.verdict,
  `${run.failed} failed, ${run.checked} of ${run.musts} checked`,
  formatDuration(run.wallMs),
  run.name,
  [...named('newly failing', run.newlyFailing, all), ...named('fixed', run.fixed, all)].join('; '),
];

const named = (title: string, ids: readonly string[], all: boolean): readonly string[] =>
  ids.length === 0 ? [] : [`${title}: ${all ? ids.join(', ') : someOf(ids)}`];

/** @param all name every rule, and everything that is left out */
export function historyText(given: RunHistory, all = false): string {
  const history = escapedTexts(given);
  const { leftOut } = history;
  const tables = groups(history).flatMap(([target, runs]) => {
    const rows = [HEADS, ...runs.map((run) => cellsOf(run, all))];
    const widths = HEADS.map((_, at) => Math.max(...rows.map((row) => row[at]!.length)));
    const lines = rows.map((row) => row.map((cell, at) => cell.padEnd(widths[at]!)).join('  '));
    return [target, ...lines.map((line) => `  ${line}`.trimEnd()), ''];
  });
  const counts = [...new Set(leftOut.map(({ why }) => why))].map(
    (each) => `${leftOut.filter(({ why }) => why === each).length} ${each}`,
  );
  const notes = [
    ...(tables.length === 0 ? ['no run'] : []),
    ...(counts.length === 0 ? [] : [`left out: ${counts.join(', ')}${all ? '' : ' (-v names them)'}`]),
    ...(all ? leftOut.map(({ name, why }) => `  ${name}: ${why}`) : []),
  ];
  return `${[...tables, ...notes].join('\n').trimEnd()}\n`;
}

const CHART = { width: 860, left: 60, height: 60, gap: 22 };
const CHART_STYLE = `.trend .checked{fill:var(--run);fill-opacity:.45}.trend .failed{fill:var(--fail)}.trend path{stroke:var(--line)}`;

/** A bar for each run, the oldest first: how many required rules were checked, and below, to a scale of its own, how many failed. */
function trend(runs: readonly PastRun[], id: string): Markup {
  if (runs.length < 2) return h``;
  const { width, left, height, gap } = CHART;
  const of = (run: PastRun): string => `${cellsOf(run, false)[0]}: ${cellsOf(run, false)[3]}`;
  const step = (width - left) / runs.length;
  const bars = (kind: 'checked' | 'failed', bottom: number, most: number): Markup => {
    const label = (y: number, text: string | number): Markup =>
      h`<text x="${left - 6}" y="${at(y)}" text-anchor="end">${text}</text>`;
    return h`${label(bottom - height + 9, most)}${label(bottom - height / 2 + 5, kind)}${label(bottom, 0)}<path d="M${left} ${bottom}H${width}" />
${runs.map((run, index) => {
  const size = most === 0 ? 0 : (run[kind] / most) * height;
  return h`<rect class="${kind}" x="${at(left + index * step)}" y="${at(bottom - size)}" width="${at(Math.min(step * 0.8, 40))}" height="${at(size)}"><title>${of(run)}</title></rect>`;
})}`;
  };
  const [first, last] = [runs[0]!, runs.at(-1)!];
  const musts = Math.max(...runs.map((run) => run.musts));
  const mostFailed = Math.max(...runs.map(({ failed }) => failed));
  const below = 2 * height + gap;
  return h`<figure class="axis trend"><div class="scroll"><svg viewBox="0 0 ${width} ${below + gap}" role="img" aria-labelledby="${id}-title ${id}-desc"><title id="${id}-title">Required rules checked and failed over ${runs.length} runs</title>
<desc id="${id}-desc">First run, ${of(first)}. Last run, ${of(last)}. At most ${mostFailed} failed. The table below has each run.</desc>
${bars('checked', height, musts)}
${bars('failed', below, mostFailed)}
<text x="${left}" y="${below + 16}">${first.at!.slice(0, 10)}</text><text x="${width}" y="${below + 16}" text-anchor="end">${last.at!.slice(0, 10)}</text></svg></div>
<figcaption>Required rules that each run checked, of ${musts}, and those that failed, to a scale of their own.</figcaption></figure>`;
}

/**
 * One page, without a script: a chart and a table for each target.
 *
 * @param linkOf where the page of a run is; null: it has none
 */
export function historyHtml(history: RunHistory, linkOf: (run: PastRun) => string | null): string {
  const cell = (run: PastRun, text: string, head: string): Markup => {
    // Of a run that left rules out, or open, not all is known.
    const passed = /^(?:SELECTION|NOTHING|LEFT OPEN)/u.test(run.verdict) ? 'advice' : 'pass';
    const mark = run.failed > 0 ? 'fail' : run.exitCode === 0 ? passed : 'inconclusive';
    if (head === 'verdict') return h`<span class="badge ${mark}">${text}</span>`;
    const link = head === 'report' ? linkOf(run) : null;
    return link === null ? h`${text}` : h`<a href="${link}">${text}</a>`;
  };
  return page({
    title: 'Runs over time',
    style: CHART_STYLE,
    body: h`<main class="wide"><h1>Runs over time</h1>${groups(history).map(
      ([target, runs], index) => h`<h2>${target}</h2>${trend(runs, `trend-${index}`)}
<div class="scroll"><table><thead><tr>${HEADS.map((head) => h`<th scope="col">${head}</th>`)}</tr></thead><tbody>
${runs.map((run) => h`<tr>${cellsOf(run, true).map((text, at) => h`<td>${cell(run, text, HEADS[at]!)}</td>`)}</tr>`)}</tbody></table></div>`,
    )}</main>`,
  });
}
