/** JUnit XML of a report on a client: a suite for each weather, a case for each rule that was decided in it, the gravest first. */
import type { ClientReport, WeatherResult } from '../../client/report.js';
import { escapeMarkup } from '../escape.js';
import type { ClientRenderContext } from './context.js';
import { excerptOf, excerptText } from './timeline.js';
import { cellOf, ENDING, summarize, violationsIn } from './summary.js';
import { sourceWords } from './words.js';

interface Case {
  readonly name: string;
  /** Absent: it passed. */
  readonly outcome?: { readonly kind: 'failure' | 'error' | 'skipped'; readonly xml: string };
}

const LINES_MAX = 12;
/** Of one rule in one weather; the others are like them. */
const VIOLATIONS_MAX = 3;

export function renderClientJunit(report: ClientReport, context: ClientRenderContext): string {
  const gravest = summarize(report).violated.map(({ id }) => id);
  const rank = (result: WeatherResult): number => {
    const at = gravest.findIndex((id) => cellOf(result, id) === 'violated');
    return at === -1 ? gravest.length : at;
  };
  const suites = report.results
    .toSorted((a, b) => rank(a) - rank(b))
    .map((result) => ({ result, cases: casesOf(result, gravest, context) }));
  const all = suites.flatMap(({ cases }) => cases);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="runproof client" ${counts(all)} time="${seconds(report.wallMs)}">`,
    ...suites.flatMap(({ result, cases }) => suite(result, cases)),
    '</testsuites>',
    '',
  ].join('\n');
}

function suite({ session: { weather, end } }: WeatherResult, cases: readonly Case[]): readonly string[] {
  const name = escapeMarkup(weather.id);
  return [
    `  <testsuite name="${name}" ${counts(cases)} time="${seconds(end.atMs)}">`,
    ...cases.map(({ name: of, outcome }) => {
      const open = `    <testcase classname="runproof.client.${name}" name="${escapeMarkup(of)}"`;
      return outcome === undefined ? `${open} />` : `${open}>\n      ${outcome.xml}\n    </testcase>`;
    }),
    '  </testsuite>',
  ];
}

const seconds = (ms: number): string => (ms / 1_000).toFixed(3);

function counts(cases: readonly Case[]): string {
  const of = (kind: string): number => cases.filter(({ outcome }) => outcome?.kind === kind).length;
  return `tests="${cases.length}" failures="${of('failure')}" errors="${of('error')}" skipped="${of('skipped')}"`;
}

function casesOf(
  result: WeatherResult,
  gravest: readonly string[],
  context: ClientRenderContext,
): readonly Case[] {
  const { selfCheck, verdicts, session } = result;
  if (selfCheck.length > 0) {
    const text = escapeLines(selfCheck);
    const xml = `<error message="Runproof itself was wrong: please report it" type="self-check">${text}</error>`;
    return [{ name: 'self-check', outcome: { kind: 'error', xml } }];
  }
  const rankOf = ({ rule, state }: (typeof verdicts)[number]): number =>
    state === 'violated' ? gravest.indexOf(rule.id) : gravest.length;
  const decided = verdicts.filter(({ state }) => state !== 'open').toSorted((a, b) => rankOf(a) - rankOf(b));
  return [
    ...decided.map(({ rule }) =>
      caseOf(result, rule.id, rule.level, [rule.text, sourceWords(rule)], context),
    ),
    {
      ...caseOf(result, ENDING, 'ending', [`Under ${session.weather.id}: ${session.weather.text}`], context),
      name: 'ending',
    },
  ];
}

function caseOf(
  result: WeatherResult,
  name: string,
  type: string,
  about: readonly string[],
  { repeat }: ClientRenderContext,
): Case {
  if (name === ENDING && result.ending.kind === 'not-judged')
    return {
      name,
      outcome: { kind: 'skipped', xml: `<skipped message="${escapeMarkup(result.ending.why)}" />` },
    };
  if (cellOf(result, name) !== 'violated') return { name };
  const violations = violationsIn(result, name);
  const lines = violations
    .slice(0, VIOLATIONS_MAX)
    .flatMap(({ calls, text }) => ['', text, ...excerptText(excerptOf(result.session, calls, LINES_MAX))]);
  const left = violations.length - VIOLATIONS_MAX;
  const more = left > 0 ? ['', `${left} more`] : [];
  const body = escapeLines([...about, ...lines, ...more, '', repeat(result.session.weather.id)]);
  const message = escapeMarkup(violations[0]?.text ?? '');
  return {
    name,
    outcome: { kind: 'failure', xml: `<failure message="${message}" type="${type}">${body}</failure>` },
  };
}

const escapeLines = (lines: readonly string[]): string => lines.map(escapeMarkup).join('\n');
