/** A violated rule in full, as lines of text: for the terminal and for markdown. */
import type { WeatherResult } from '../../client/report.js';
import { escapeControls } from '../escape.js';
import type { ClientRenderContext } from './context.js';
import { excerptOf, excerptText } from './timeline.js';
import type { RuleSummary } from './summary.js';
import { lastLines, shortIds, sourceWords } from './words.js';

const EXCERPT_LINES_MAX = 12;
const OUTPUT_LINES_MAX = 5;
const WEATHERS_NAMED = 5;

export interface RuleDetails {
  readonly weather: WeatherResult['session']['weather'];
  /** What the document or HTTP says; null: the ending. */
  readonly source: string | null;
  /** What the client did against it. */
  readonly text: string;
  /** Further violations of the rule: in this weather, and in others. */
  readonly others: string | null;
  readonly timeline: readonly string[];
  readonly repeat: string;
  readonly output: { readonly name: 'stderr' | 'stdout'; readonly lines: readonly string[] } | null;
}

/** Its example: the first violation in the first weather of its list. */
export function detailsOf(rule: RuleSummary, { repeat }: ClientRenderContext): RuleDetails | null {
  const [example, ...elsewhere] = rule.violatedIn;
  const [violation, ...more] = example?.violations ?? [];
  if (example === undefined || violation === undefined) return null;
  const { session, output } = example.result;
  const named = elsewhere.slice(0, WEATHERS_NAMED).map(({ result }) => result.session.weather.id);
  const unnamed = elsewhere.length - named.length;
  const others = [
    ...(more.length === 0 ? [] : [`${more.length} more under this condition`]),
    ...(named.length === 0
      ? []
      : [`also in ${named.join(', ')}${unnamed === 0 ? '' : ` and ${unnamed} more`}`]),
  ];
  return {
    weather: session.weather,
    source: rule.rule === null ? null : escapeControls(sourceWords(rule.rule)),
    text: escapeControls(shortIds(violation.text)),
    others: others.length === 0 ? null : others.join('; '),
    timeline: excerptText(excerptOf(session, violation.calls, EXCERPT_LINES_MAX)),
    repeat: escapeControls(repeat(session.weather.id)),
    output: outputOf(output),
  };
}

/** What it wrote last. Errors say more than results. */
function outputOf({ stderr, stdout }: WeatherResult['output']): RuleDetails['output'] {
  for (const [name, text] of [
    ['stderr', stderr],
    ['stdout', stdout],
  ] as const) {
    const lines = lastLines(text, OUTPUT_LINES_MAX).map((line) => escapeControls(line));
    if (lines.length > 0) return { name, lines };
  }
  return null;
}

/** Text in lines of at most so many columns; a longer word stands alone. */
export function wrapped(text: string, columns: number): readonly string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + word.length + 1 <= columns)
      lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}
