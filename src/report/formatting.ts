import type { LatenessFinding, Verdict } from '../oracle/ledger/findings.js';
import type { Sharpness } from '../oracle/observed/tolerance.js';
import { exactDuration } from '../util/duration.js';
import type { ConfirmedScript, Report, ReportFailure, ReportRequirement } from './report.js';

/** The verdict as shown: a failed `should` is advice, and a failure of the baseline is a known failure. */
export type Mark = Verdict | 'advice' | 'known';

export function markOf({
  verdict,
  known,
  ...row
}: Pick<ReportRequirement, 'verdict' | 'level' | 'known' | 'rule'>): Mark {
  if (known !== null) return 'known';
  return verdict === 'fail' && !isBinding(row) ? 'advice' : verdict;
}

/** It fails what is judged: a must, and every rule for clients. */
export const isBinding = ({ level, rule }: Pick<ReportRequirement, 'level' | 'rule'>): boolean =>
  level === 'must' || rule !== undefined;

const OF_SERVER = {
  scenario: 'scenario',
  requirement: 'requirement',
  theCause: 'The cause',
  causes: 'causes, the clearest first',
};
const OF_CLIENT: typeof OF_SERVER = {
  scenario: 'condition',
  requirement: 'rule',
  theCause: 'The broken rule',
  causes: 'broken rules, the worst first',
};

/** What the parts of a report are called. */
export const wordsOf = ({ subject }: Pick<Report, 'subject'>): typeof OF_SERVER =>
  subject === 'client' ? OF_CLIENT : OF_SERVER;

/** `Scenario`. */
export const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** How a reader takes it: `good` only if it conforms, `open` if nothing failed as far as it was checked. */
export function moodOf({
  exitCode,
  conforms,
}: Pick<Report, 'exitCode' | 'conforms'>): 'good' | 'open' | 'bad' {
  if (exitCode !== 0) return exitCode === 1 ? 'bad' : 'open';
  return conforms === false ? 'open' : 'good';
}

/** The run was not asked about it, and saw no violation either: there is nothing to say. */
export function isUnasked({ selected, verdict }: Pick<ReportRequirement, 'selected' | 'verdict'>): boolean {
  return selected === false && verdict !== 'fail';
}

/** How people read the level of a rule; `must` and `should` are for programs. */
export const LEVEL_WORDS: { readonly [level in ReportRequirement['level']]: string } = {
  must: 'required',
  should: 'advice',
  may: 'optional',
};

/** The marks that need most attention first. */
export const MARKS: readonly Mark[] = [
  'fail',
  'known',
  'advice',
  'inconclusive',
  'pass',
  'not-exercised',
  'untestable',
  'not-applicable',
];

/** The marks of these requirements, those that need most attention first, each with how many have it. */
export const marksIn = (
  requirements: readonly ReportRequirement[],
): readonly { readonly mark: Mark; readonly count: number }[] =>
  MARKS.map((mark) => ({ mark, count: requirements.filter((one) => markOf(one) === mark).length })).filter(
    ({ count }) => count > 0,
  );

export const MARK_SYMBOL: { readonly [mark in Mark]: string } = {
  fail: '✘',
  known: '≈',
  advice: '▲',
  inconclusive: '?',
  pass: '✔',
  'not-exercised': '·',
  untestable: '~',
  'not-applicable': '-',
};

export const MARK_WORDS: { readonly [mark in Mark]: string } = {
  fail: 'failed',
  known: 'known failure',
  advice: 'advice not followed',
  inconclusive: 'inconclusive',
  pass: 'passed',
  'not-exercised': 'not exercised',
  untestable: 'untestable here',
  'not-applicable': 'not applicable',
};

/** The reason for a mark other than pass and fail. */
export function reasonOf({ reason, known }: Pick<ReportRequirement, 'reason' | 'known'>): string | null {
  return known ?? reason;
}

/** `1 call`, `2 calls`. */
export function pluralize(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

const NAMED_MAX = 3;

/** `4.1/x, 4.2/y, 4.3/z and 2 more`. */
export const someOf = (ids: readonly string[]): string =>
  ids.length <= NAMED_MAX
    ? ids.join(', ')
    : `${ids.slice(0, NAMED_MAX).join(', ')} and ${ids.length - NAMED_MAX} more`;

/**
 * `failed 3 of 40 decisions`; intermittent, if the same script did not fail in each of its further runs. That a
 * requirement failed in some cases only does not say so: they may be of different kinds.
 */
export function formatFailed({ failed, decided, failures }: ReportRequirement): string {
  const more = isIntermittent({ failures }) ? ': intermittent' : '';
  return `failed ${failed} of ${pluralize(decided, 'decision')}${more}`;
}

export const isIntermittent = (requirement: Pick<ReportRequirement, 'failures'>): boolean =>
  rateIn(requirement) !== undefined;

const rateIn = ({ failures }: Pick<ReportRequirement, 'failures'>): ConfirmedScript | undefined =>
  failures.flatMap(({ confirmed }) => confirmed ?? []).find(({ failed, plays }) => failed < plays);

/** `intermittent: the same script failed in 1 of 2 more runs`, or why that is not known; null: it failed each time, or nothing asked. */
export function intermittentLine(requirement: Pick<ReportRequirement, 'failures'>): string | null {
  const rate = rateIn(requirement);
  if (rate !== undefined) return rateText(rate);
  const [first] = requirement.failures;
  return first?.notRunAgain === undefined ? null : runsAgain(first);
}

/** Of a script that does not always fail. */
export const rateText = ({ failed, plays }: Pick<ConfirmedScript, 'failed' | 'plays'>): string =>
  `intermittent: the same script failed in ${failed} of ${pluralize(plays, 'more run')}`;

/** How sure a run of passes is to be that an intermittent failure is fixed, in percent. */
const SURE_PERCENT = 95;

/** So many runs without it would be unlikely if it still failed as often, by the rule of succession; 1 if it failed each time. */
export function runsToBeSure({ failed, plays }: Pick<ConfirmedScript, 'failed' | 'plays'>): number {
  const passes = (plays - failed + 1) / (plays + 2);
  return failed >= plays ? 1 : Math.ceil(Math.log(1 - SURE_PERCENT / 100) / Math.log(passes));
}

/** `it failed in 1 of 3 more runs; 6 runs without it are needed to be 95 % sure that it is fixed`. Null: it failed each time. */
export function runsNeeded(rate: Pick<ConfirmedScript, 'failed' | 'plays'>): string | null {
  const { failed, plays } = rate;
  if (failed >= plays) return null;
  const runs = runsToBeSure(rate);
  return `it failed in ${failed} of ${pluralize(plays, 'more run')}; ${runs} runs without it are needed to be ${SURE_PERCENT} % sure that it is fixed`;
}

/** The scenario of a failing script: `2.2/ttl`, or `2.2/ttl, shrunk from 9 steps`; a condition with its sentence. */
export function scenarioOf({ scenario, about, stepsBefore }: ReportFailure): string {
  if (about !== undefined) return `${scenario}: ${about}`;
  return stepsBefore === undefined ? scenario : `${scenario}, shrunk from ${pluralize(stepsBefore, 'step')}`;
}

/**
 * `shrunk to 3 of 9 steps against the known fault x; failed in 3 of 3 more runs`, or `not run again, so it may be intermittent: its
 * script takes 16 s`; null: nothing is known of further runs.
 */
export function runsAgain({ confirmed, notRunAgain }: ReportFailure): string | null {
  if (confirmed !== null) return formatConfirmed(confirmed);
  return notRunAgain === undefined ? null : `not run again, so it may be intermittent: ${notRunAgain}`;
}

function formatConfirmed({ steps, of, fault, failed, plays }: ConfirmedScript): string {
  const small =
    fault === null ? '' : `shrunk to ${steps} of ${pluralize(of, 'step')} against the planted bug ${fault}; `;
  return `${small}failed in ${failed} of ${pluralize(plays, 'more run')}`;
}

/**
 * `once late by at least 12 ms (46 observations); 90 % late by at most 40 ms (9 measured)`: how late a timer was lies between
 * the last read before and the first one after, so that the second figure may be the greater one.
 */
export function formatLateness({ maxMs, samples, strikes, usualMs }: LatenessFinding): string {
  const usual =
    (usualMs ?? null) === null
      ? ''
      : `; 90 % late by at most ${formatDuration(usualMs!)} (${strikes} measured)`;
  if (maxMs > 0)
    return `once late by at least ${formatDuration(maxMs)} (${pluralize(samples, 'observation')})${usual}`;
  const cases = samples === 1 ? 'the only case' : `all ${samples} cases`;
  return `on time in ${cases}${usualMs === 0 ? '' : usual}`;
}

/** A duration in at most two units: `45 ms`, `1.5 s`, `2 min 5 s`, `24 h`, `7 d`. */
export function formatDuration(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${Math.round(ms / 100) / 10} s`;
  const units: readonly (readonly [string, number])[] = [
    ['d', 86_400_000],
    ['h', 3_600_000],
    ['min', 60_000],
    ['s', 1_000],
  ];
  const parts: string[] = [];
  let rest = Math.round(ms / 1_000) * 1_000;
  for (const [name, size] of units) {
    const amount = Math.floor(rest / size);
    if (amount > 0) parts.push(`${amount} ${name}`);
    rest -= amount * size;
  }
  return parts.slice(0, 2).join(' ');
}

/** How small a violation of a bound in time would have shown. */
export function formatSharpness({ bound, ms }: Sharpness): string {
  return `sharpest test: more than ${exactDuration(ms)} ${bound} would have failed`;
}

/** As data: `seed`, and of a merged report `seeds`. */
export const seedsOf = ({ seed, seeds }: Pick<Report, 'seed' | 'seeds'>): Pick<Report, 'seed' | 'seeds'> => ({
  seed,
  ...(seeds && { seeds }),
});

/** `seed 3`, or of a merged report `seeds 3, 4`. */
export const seedWords = ({ seed, seeds }: Pick<Report, 'seed' | 'seeds'>): string =>
  seeds === undefined ? `seed ${seed}` : `seeds ${someOf(seeds.map(String))}`;

/** `real clock at speed 60`. */
export const clockInWords = ({
  clock,
  speed = 1,
}: {
  readonly clock: string;
  readonly speed?: number | undefined;
}): string => `${clock} clock${speed === 1 ? '' : ` at speed ${speed}`}`;
