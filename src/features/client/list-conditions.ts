/** `client --list`: every weather and every rule, in words. */
import type { ClientRule } from '../../client/rule.js';
import { CLIENT_RULES } from '../../client/rules/index.js';
import { WEATHERS } from '../../client/weather/index.js';
import type { Weather } from '../../client/weather/weather.js';
import { program } from '../../program-name.js';
import { basisWords, sourceWords, wrapped } from '../../report/client/words.js';
import { quoteForShell } from '../../report/escape.js';
import { createColours, type Colours } from '../../report/terminal/terminal-colours.js';

const COLUMNS_MIN = 60;
const INDENT = '  ';

export function clientList(columns: number, colour: boolean): string {
  const colours = createColours(colour);
  const width = Math.max(COLUMNS_MIN, columns) - INDENT.length;
  const lines = [
    colours.bold(`${WEATHERS.length} conditions under which a client runs`),
    ...WEATHERS.flatMap((weather) => ['', ...weatherLines(weather, width, colours)]),
    '',
    colours.bold(`${CLIENT_RULES.length} rules by which a client is judged`),
    ...CLIENT_RULES.flatMap((rule) => ['', ...ruleLines(rule, width, colours)]),
  ];
  return `${lines.join('\n')}\n`;
}

const LEADS: { readonly [leads in Weather['leads']]: string } = {
  success: 'the client succeeds',
  failure: 'the client fails',
  either: 'success or failure',
};

function weatherLines(weather: Weather, width: number, { bold, dim }: Colours): readonly string[] {
  return [
    bold(weather.id),
    ...indented(weather.text, width),
    ...indented(`${basisWords(weather)}; expected: ${LEADS[weather.leads]}`, width).map(dim),
    // Not wrapped: it is to be copied.
    ...(weather.faults === undefined ? [] : [dim(INDENT + serveLine(weather.faults))]),
  ];
}

/** Injects the same faults into the calls of any program. */
const serveLine = (faults: readonly string[]): string =>
  [program(), 'serve', ...faults.map((fault) => `--fault ${quoteForShell(fault)}`)].join(' ');

function ruleLines(rule: ClientRule, width: number, { bold, dim }: Colours): readonly string[] {
  return [
    `${bold(rule.id)}  ${rule.level}`,
    ...indented(rule.text, width),
    ...indented(sourceWords(rule.source), width).map(dim),
    ...indented(`decided by: ${rule.decidedBy}`, width).map(dim),
    ...indented(`conditions: ${rule.weather.join(', ')}`, width).map(dim),
  ];
}

const indented = (text: string, width: number): readonly string[] =>
  wrapped(text, width).map((line) => INDENT + line);
