/** Merges reports of parts of one check: a requirement decided in any part is decided, and failed if any part failed. */
import { causesIn } from '../causes.js';
import type { LatenessFinding, MissingOperation, Verdict } from '../../oracle/ledger/findings.js';
import { QUESTIONS } from '../../spec/index.js';
import { NO_BASELINE, toEdit, type BaselineMatch, type KnownFailure } from './baseline.js';
import { FAILURES_LISTED_MAX } from '../build.js';
import type { FailureSign } from '../calls/failure-sign.js';
import { conclude, missingText, type ConcludeOptions, type Ending } from '../conclusion.js';
import type { DialectComparison } from '../dialect.js';
import { reportOnClient } from '../client/build.js';
import { someOf } from '../formatting.js';
import type {
  Report,
  ReportFailure,
  ReportQuestion,
  ReportRequirement,
  Selectors,
  Shards,
} from '../report.js';
import { sumTransitions } from '../seen-transitions.js';
import { verdictTotals } from '../totals.js';

/** The verdicts that prevail first. */
const WEIGHT: readonly Verdict[] = [
  'fail',
  'pass',
  'inconclusive',
  'not-exercised',
  'untestable',
  'not-applicable',
];

export interface MergeOptions extends Pick<ConcludeOptions, 'minDecided'> {
  /** The new path of a failure file of the n-th report; null if it no longer exists. */
  readonly scriptOf: (report: number, script: string) => string | null;
}

export class MergeError extends Error {
  override readonly name = 'MergeError';
}

/**
 * Deterministic; the order of the reports only determines which failures are listed first.
 *
 * @throws {MergeError} for reports of different targets, editions or versions, and for shards of different checks
 */
export function mergeReports(reports: readonly Report[], options: MergeOptions): Report {
  const [first] = reports;
  if (first === undefined) throw new MergeError('no reports to merge');
  for (const other of reports) assertSameCheck(first, other);
  const seeds = [...new Set(reports.flatMap((report) => report.seeds ?? report.seed))];
  const several = seeds.length > 1 ? { seeds } : {};
  if (first.subject === 'client') return { ...mergedClients(first, reports), ...several };
  const requirements = first.requirements.map((requirement, index) =>
    mergedRequirement(requirement, reports, index, options),
  );
  const baseline = baselineOf(reports, requirements);
  const sum = (of: (report: Report) => number): number =>
    reports.reduce((total, report) => total + of(report), 0);
  const most = (of: (report: Report) => number): number => Math.max(...reports.map(of));
  const openQuestions = first.openQuestions.map((question) => mergedQuestion(question, reports));
  const hints = reports.flatMap((report) => report.hints ?? []);
  // Percentiles of the parts do not give those of the whole.
  const { answerTimes: _, selectors: __, missing: ___, shards: ____, ...rest } = first;
  const selectors = mergedSelectors(reports);
  const missing = mergedMissing(reports);
  const shards = mergedShards(reports);
  const dialect = mergedDialect(reports, openQuestions);
  return {
    ...rest,
    ...conclude(requirements, endingOf(reports), { ...options, ...first, baseline, dialect, shards }),
    at: earliest(reports),
    ...several,
    causes: causesIn({ requirements, missing }),
    ...(missing.length > 0 && { missing }),
    ...(selectors && { selectors }),
    ...(shards && { shards }),
    requirements,
    openQuestions,
    dialect,
    lateness: mergedLateness(reports),
    transitions: sumTransitions(reports.flatMap(({ transitions = [] }) => transitions)),
    ...(hints.length > 0 && { hints }),
    warnings: [
      ...new Set([
        ...missingShards(shards),
        ...unlikeSelections(reports),
        ...reports.flatMap(({ warnings }) => warnings),
      ]),
    ],
    baseline: reports.every((report) => report.baseline === null) ? null : toEdit(baseline),
    totals: {
      ...verdictTotals(requirements),
      scripts: sum(({ totals }) => totals.scripts),
      calls: sum(({ totals }) => totals.calls),
      callsForeseen: null,
      webhooks: sum(({ totals }) => totals.webhooks),
    },
    time: {
      wallMs: most(({ time }) => time.wallMs),
      longestWaitMs: most(({ time }) => time.longestWaitMs),
      foreseenMs: null,
    },
  };
}

/** What any part selected; undefined: everything. */
function mergedSelectors(reports: readonly Report[]): Selectors | undefined {
  const all = reports.map(({ selectors }) => selectors ?? { only: [], skip: [] });
  const only = all.some((one) => one.only.length === 0) ? [] : [...new Set(all.flatMap((one) => one.only))];
  const skip = (all[0]?.skip ?? []).filter((name) => all.every((one) => one.skip.includes(name)));
  return only.length + skip.length === 0 ? undefined : { only, skip };
}

/** A line where parts selected different things. */
function unlikeSelections(reports: readonly Report[]): readonly string[] {
  const runs = new Map<string, number[]>();
  for (const [at, { selectors }] of reports.entries()) {
    const words = Object.entries(selectors ?? {}).flatMap(([option, names]) =>
      names.length === 0 ? [] : [`--${option} ${someOf(names)}`],
    );
    const said = words.length === 0 ? 'everything' : words.join(' ');
    runs.set(said, [...(runs.get(said) ?? []), at + 1]);
  }
  const told = [...runs].map(([said, numbers]) => `${said} (run ${numbers.join(', ')})`);
  return runs.size < 2
    ? []
    : [
        `the merged runs did not select the same: ${told.join('; ')}. This report has what any of them selected`,
      ];
}

/** Which shards are there, and which are not; undefined: all are, or there never were any. @throws {MergeError} */
function mergedShards(reports: readonly Report[]): Shards | undefined {
  const of = reports[0]?.shards?.of ?? 0;
  const played = reports.flatMap(({ shards }) => shards?.played ?? []).sort((a, b) => a - b);
  const twice = played.find((shard, at) => shard === played[at + 1]);
  if (twice !== undefined)
    throw new MergeError(`shard ${twice} of ${of} is there twice: leave out the report of one run`);
  const missing = Array.from({ length: of }, (_, at) => at + 1).filter((shard) => !played.includes(shard));
  return missing.length === 0 ? undefined : { of, played, missing };
}

const missingShards = (shards: Shards | undefined): readonly string[] =>
  shards === undefined
    ? []
    : [`${missingText(shards)}: what its scenarios check is open, and what they break is not seen`];

/** A reading differs if it does in the readings of all parts together. */
function mergedDialect(
  reports: readonly Report[],
  questions: readonly ReportQuestion[],
): DialectComparison | null {
  const all = reports.flatMap(({ dialect }) => dialect ?? []);
  const [first] = all;
  if (first === undefined) return null;
  const observed = (id: string): readonly string[] => questions.find((one) => one.id === id)?.readings ?? [];
  const drifted = new Map(all.flatMap(({ drift }) => drift.map((one) => [one.question, one])));
  const drift = [...drifted.values()]
    .map((one) => ({ ...one, observed: observed(one.question) }))
    .filter(
      ({ question, expected, observed: readings }) => isSticky(question) || !readings.includes(expected),
    );
  return { ...first, drift, unobserved: first.unobserved.filter((id) => observed(id).length === 0) };
}

const isSticky = (id: string): boolean => QUESTIONS.find((one) => one.id === id)?.sticky === true;

const earliest = (reports: readonly Report[]): string | null =>
  reports.map(({ at }) => at).reduce((a, b) => (a === null || b === null ? null : a < b ? a : b));

/** What a rule comes to under the conditions of all parts is concluded anew. */
function mergedClients({ runproof, seed, edition, target }: Report, reports: readonly Report[]): Report {
  const conditions = reports.flatMap((report) => report.conditions ?? []);
  const tried = conditions.map(({ weather }) => weather.id);
  const all = reports.flatMap(({ requirements }) => requirements);
  const known = ({ id }: ReportRequirement): string | null => {
    const failing = all.filter((one) => one.id === id && one.verdict === 'fail');
    return failing.some((one) => one.known === null) ? null : (failing[0]?.known ?? null);
  };
  return reportOnClient(
    {
      ...{ runproof, seed, edition, client: target.name, speed: target.speed ?? 1 },
      startedAt: earliest(reports),
      wallMs: Math.max(...reports.map(({ time }) => time.wallMs)),
      untried: union(reports, ({ untried }) => untried).filter((id) => !tried.includes(id)),
    },
    // A part that was interrupted at once has no rules.
    [...new Map(all.map(({ id, level, text, rule }) => [id, { id, level, text, ...rule }])).values()],
    conditions,
    reports.every(({ baseline }) => baseline === null)
      ? undefined
      : (rows) =>
          baselineOf(
            reports,
            rows.map((row) => ({ ...row, known: known(row) })),
          ),
  );
}

/** What no part has, and did not find elsewhere. */
function mergedMissing(reports: readonly Report[]): readonly MissingOperation[] {
  const all = reports.flatMap(({ missing = [] }) => missing);
  return [...new Set(all.map(({ operation }) => operation))].map((operation) => {
    const same = all.filter((one) => one.operation === operation);
    const codes = [...new Set(same.flatMap((one) => one.codes))].sort((a, b) => a - b);
    return { ...same[0]!, codes, calls: same.reduce((sum, { calls }) => sum + calls, 0) };
  });
}

function assertSameCheck(first: Report, other: Report): void {
  const identity = (report: Report): readonly (readonly [string, string])[] => [
    ['version', report.runproof],
    ['edition', report.edition],
    [report.subject ?? 'target', report.target.url ?? report.target.name],
    ['shards', String(report.shards?.of ?? 'none')],
    ...(report.shards === undefined
      ? []
      : ([
          ['seed', String(report.seed)],
          ['clock', report.target.clock],
          ['selection', JSON.stringify(report.selectors ?? {})],
        ] as const)),
  ];
  for (const [index, [what, value]] of identity(first).entries()) {
    const another = identity(other)[index]?.[1];
    if (another !== value)
      throw new MergeError(
        `the reports are not parts of one check: ${what} ${value}, and ${what} ${another ?? ''}`,
      );
  }
}

function mergedRequirement(
  requirement: ReportRequirement,
  reports: readonly Report[],
  index: number,
  { scriptOf }: MergeOptions,
): ReportRequirement {
  const parts = reports.map((report) => report.requirements[index] ?? requirement);
  const { selected: first, missed: _, sharpest: __, openBecause: ___, latest: ____, ...most } = requirement;
  const { openByReading: _____, casesLeft: ______, ...anyhow } = most;
  const isAsked = first !== false || parts.some(({ selected }) => selected !== false);
  const best = WEIGHT.find((each) => parts.some((part) => part.verdict === each)) ?? 'not-exercised';
  const telling = parts.filter((part) => part.verdict === best);
  const casesLeft = best === 'inconclusive' ? casesLeftIn(telling) : undefined;
  // It ranges over cases, and each of them was decided in some part.
  const verdict = casesLeft?.length === 0 ? 'pass' : best;
  const tests = telling.flatMap(({ sharpest }) => sharpest ?? []);
  const sharpest = tests.toSorted((left, right) => left.ms - right.ms)[0];
  const [latest] = telling
    .flatMap((part) => part.latest ?? [])
    .toSorted((left, right) => right.lateMs - left.lateMs);
  const missed = telling.find((part) => part.missed === 'unexplained') ?? telling.find((part) => part.missed);
  const open = verdict === 'pass' ? undefined : missed;
  // What occurs in one part occurs in the whole.
  const why = open ?? telling.find(({ openBecause }) => openBecause !== 'never-occurs') ?? telling[0];
  const failures = parts.flatMap((part, report) =>
    part.failures.map((failure): ReportFailure => {
      const script = failure.script === null ? null : scriptOf(report, failure.script);
      const sign = failure.sign && inPart(failure.sign, report, reports.length);
      // Call numbers refer to the separate histories, and shell scripts stay in the folders of their reports.
      return { ...failure, script, calls: [], shrunk: null, shell: null, ...(sign && { sign }) };
    }),
  );
  return {
    ...anyhow,
    verdict,
    decided: parts.reduce((total, { decided }) => total + decided, 0),
    failed: parts.reduce((total, { failed }) => total + failed, 0),
    reason: verdict === 'pass' ? null : reasonOf(why, casesLeft, parts.length),
    ...(casesLeft && casesLeft.length > 0 && { casesLeft }),
    ...(why?.openBecause === undefined ? {} : { openBecause: why.openBecause }),
    ...(open?.missed === undefined ? {} : { missed: open.missed }),
    ...(verdict !== 'pass' && telling.some(({ openByReading }) => openByReading) && { openByReading: true }),
    ...(sharpest === undefined ? {} : { sharpest }),
    ...(latest === undefined ? {} : { latest }),
    ...(isAsked ? {} : { selected: false }),
    known: telling.every(({ known }) => known !== null) ? (telling[0]?.known ?? null) : null,
    failures: failures.slice(0, FAILURES_LISTED_MAX),
  };
}

/** Undefined: no part decided some of its cases. */
function casesLeftIn(parts: readonly ReportRequirement[]): readonly string[] | undefined {
  const lists = parts.flatMap(({ casesLeft }) => (casesLeft === undefined ? [] : [casesLeft]));
  return lists[0]?.filter((one) => lists.every((list) => list.includes(one)));
}

/** What one part tells of its cases, another may have decided. */
const reasonOf = (
  part: ReportRequirement | undefined,
  casesLeft: readonly string[] | undefined,
  parts: number,
): string | null =>
  parts > 1 && casesLeft !== undefined && part?.casesLeft !== undefined
    ? `not decided in any part: ${someOf(casesLeft)}`
    : (part?.reason ?? null);

/** Scripts of different parts have different numbers. */
const inPart = (sign: FailureSign, part: number, parts: number): FailureSign =>
  sign.script === undefined ? sign : { ...sign, script: sign.script * parts + part };

function mergedQuestion(question: ReportQuestion, reports: readonly Report[]): ReportQuestion {
  const same = reports.flatMap(({ openQuestions }) => openQuestions.filter(({ id }) => id === question.id));
  const counts = new Map<string, number>();
  for (const [reading, count] of same.flatMap((each) => Object.entries(each.counts)))
    counts.set(reading, (counts.get(reading) ?? 0) + count);
  const sorted = [...counts].sort(([a, left], [b, right]) => right - left || (a < b ? -1 : 1));
  return {
    ...question,
    readings: sorted.map(([reading]) => reading),
    counts: Object.fromEntries(sorted),
    stable: same.every(({ stable }) => stable) && !(isSticky(question.id) && sorted.length > 1),
  };
}

function mergedLateness(reports: readonly Report[]): { readonly [timer: string]: LatenessFinding } {
  const merged: { [timer: string]: LatenessFinding } = {};
  for (const [timer, seen] of reports.flatMap(({ lateness }) => Object.entries(lateness))) {
    const { maxMs = 0, samples = 0, strikes = 0, usualMs = null, spread = [] } = merged[timer] ?? {};
    merged[timer] = {
      maxMs: Math.max(maxMs, seen.maxMs),
      samples: samples + seen.samples,
      strikes: strikes + (seen.strikes ?? 0),
      // An upper bound for the parts together.
      usualMs: usualMs === null ? (seen.usualMs ?? null) : Math.max(usualMs, seen.usualMs ?? 0),
      spread: mergedSpread([...spread, ...(seen.spread ?? [])]),
    };
  }
  return merged;
}

/** In the order of the bounds. */
function mergedSpread(parts: NonNullable<LatenessFinding['spread']>): NonNullable<LatenessFinding['spread']> {
  const times = new Map<number, number>();
  for (const [ms, count] of parts) times.set(ms ?? Infinity, (times.get(ms ?? Infinity) ?? 0) + count);
  return [...times]
    .sort(([left], [right]) => left - right)
    .map(([ms, count]) => [ms === Infinity ? null : ms, count] as const);
}

function endingOf(reports: readonly Report[]): Ending {
  if (reports.some(({ exitCode }) => exitCode === 130)) return 'interrupted';
  if (reports.some(({ exitCode }) => exitCode === 3)) return 'target-gone';
  return reports.some(({ exitCode }) => exitCode === 7) ? 'budget' : 'finished';
}

function baselineOf(reports: readonly Report[], requirements: readonly ReportRequirement[]): BaselineMatch {
  if (reports.every(({ baseline }) => baseline === null)) return NO_BASELINE;
  const entry = (requirement: string, reason = ''): KnownFailure => ({ requirement, reason });
  return {
    known: new Map(requirements.flatMap(({ id, known }) => (known === null ? [] : [[id, entry(id, known)]]))),
    stale: staleOf(reports, requirements).map((id) => entry(id)),
    expired: union(reports, ({ baseline }) => baseline?.expired).map((id) => entry(id)),
  };
}

/** Entries that passed in one part and failed in another are not stale. */
function staleOf(reports: readonly Report[], requirements: readonly ReportRequirement[]): readonly string[] {
  const failing = requirements.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id);
  return union(reports, ({ baseline }) => baseline?.stale).filter((id) => !failing.includes(id));
}

function union(
  reports: readonly Report[],
  member: (report: Report) => readonly string[] | undefined,
): readonly string[] {
  return [...new Set(reports.flatMap((report) => member(report) ?? []))];
}
