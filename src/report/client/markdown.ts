/** A report on a client as markdown: short enough to paste into an issue. */
import type { ClientReport } from '../../client/report.js';
import { escapeControls, escapeMarkdown } from '../escape.js';
import { formatDuration, LEVEL_WORDS } from '../formatting.js';
import type { ClientRenderContext } from './context.js';
import { detailsOf } from './details.js';
import { summarize, totalsWords, untriedWords, type ClientSummary, type RuleSummary } from './summary.js';

const WEATHERS_NAMED = 4;

export function renderClientMarkdown(report: ClientReport, context: ClientRenderContext): string {
  const summary = summarize(report);
  const { seed, speed, edition, runproof } = report;
  const untried = untriedWords(report);
  return [
    `**${escapeMarkdown(summary.headline)}**`,
    '',
    `Client: ${code(report.client)} · ${totalsWords(report)} in ${formatDuration(report.wallMs)} · seed ${seed} · ` +
      `speed ${speed} · edition ${edition} · Runproof ${escapeMarkdown(runproof)}` +
      (untried === null ? '' : ` · ${untried}`),
    '',
    ...violatedTable(summary),
    ...gravest(summary, context),
    ...wrongList(summary),
  ].join('\n');
}

function violatedTable({ violated }: ClientSummary): readonly string[] {
  if (violated.length === 0) return [];
  return [
    '| Rule | | Violated in | |',
    '|---|---|---:|---|',
    ...violated.map(
      ({ id, level, violatedIn, text }) =>
        `| ${code(id)} | ${level === 'ending' ? '' : LEVEL_WORDS[level]} | ${violatedIn.length} | ` +
        `${prose(text)} (${weathersOf(violatedIn)}) |`,
    ),
    '',
  ];
}

function weathersOf(violatedIn: RuleSummary['violatedIn']): string {
  const ids = violatedIn.map(({ result }) => result.session.weather.id);
  const more = ids.length - WEATHERS_NAMED;
  return `${ids.slice(0, WEATHERS_NAMED).map(code).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

function gravest({ violated: [rule] }: ClientSummary, context: ClientRenderContext): readonly string[] {
  const details = rule === undefined ? null : detailsOf(rule, context);
  if (rule === undefined || details === null) return [];
  const { weather, source, text, timeline, repeat, output } = details;
  return [
    `Under ${code(weather.id)}: ${prose(weather.text)}`,
    '',
    `${code(rule.id)}: ${prose(text)}`,
    '',
    ...(source === null ? [] : [`> ${prose(source)}`, '']),
    // Indented, because foreign text could contain the end of a code fence.
    ...timeline.map((line) => `    ${line}`),
    ...(output === null ? [] : ['', `Its ${output.name}:`, '', ...output.lines.map((line) => `    ${line}`)]),
    '',
    'To repeat it:',
    '',
    `    ${repeat}`,
    '',
  ];
}

function wrongList({ wrong }: ClientSummary): readonly string[] {
  if (wrong.length === 0) return [];
  return [
    'Runproof itself was wrong: please report it',
    '',
    ...wrong.flatMap(({ session, selfCheck }) =>
      selfCheck.map((line) => `- ${code(session.weather.id)}: ${escapeMarkdown(line)}`),
    ),
    '',
  ];
}

/** A sentence with `code` spans. */
const prose = (text: string): string =>
  text
    .split('`')
    .map((part, index, all) =>
      index % 2 === 1 && index < all.length - 1 ? code(part) : escapeMarkdown(part),
    )
    .join('');

/** A code span: with a fence that is longer than any in it. */
function code(text: string): string {
  const safe = escapeControls(text);
  const longest = Math.max(0, ...(safe.match(/`+/g) ?? []).map((run) => run.length));
  if (longest === 0) return `\`${safe}\``;
  const fence = '`'.repeat(longest + 1);
  return `${fence} ${safe} ${fence}`;
}
