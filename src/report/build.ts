import type { BasePath } from '../history/served-path.js';
import type { CallEvent, HistoryEvent, RunEvent } from '../history/events.js';
import { isLeftOut, isSelected, whatCounts, WHOLE, type RunSelection } from '../history/selection.js';
import type { Failure, Findings, RequirementFinding, ShrunkHistory } from '../oracle/ledger/findings.js';
import { QUESTIONS, type Dialect } from '../spec/index.js';
import {
  formatKnownFailure,
  matchBaseline,
  NO_BASELINE,
  toEdit,
  type Baseline,
  type BaselineMatch,
} from './compare/baseline.js';
import { answerTimes, countAnswers, sumOfAnswers, type AnswerCounts } from './answer-times.js';
import { shortScript } from './calls/short-script.js';
import { callsAtLosses } from './calls/calls-at-losses.js';
import { causesOf, type Cause } from './causes.js';
import { conclude, type ConcludeOptions, type Ending } from './conclusion.js';
import { callAgain, isShownByOneCall } from './calls/call-again.js';
import { signOf } from './calls/failure-sign.js';
import { withKey } from './curl.js';
import { compareDialect } from './dialect.js';
import { replayCommand } from './replay-line.js';
import type { Report, ReportFailure, ReportRequirement, ReportTotals, Selectors, Shards } from './report.js';
import { verdictTotals } from './totals.js';

/** Failures listed per requirement: a thousand wrong replies of one burst are one finding to a reader. */
export const FAILURES_LISTED_MAX = 10;

export interface ReportInput extends Pick<ConcludeOptions, 'minDecided' | 'assumptions' | 'isFixed'> {
  readonly findings: Findings;
  /** Already redacted. */
  readonly history: readonly HistoryEvent[];
  /** Of a history of which only what the report shows is given. */
  readonly whole?: HistoryTotals | undefined;
  /** `{base_url}`; null for a target without an address. */
  readonly url: string | null;
  readonly basePath?: BasePath | null | undefined;
  /** Further arguments of `runproof replay FILE` to reach the target again; never the key. */
  readonly replayArguments?: readonly string[] | undefined;
  /** Version of the program. */
  readonly runproof: string;
  /** How the user starts the program. */
  readonly program: string;
  /** When the run began, ISO 8601; null leaves it out. */
  readonly at: string | null;
  readonly wallMs: number;
  /** The estimate of the plan. */
  readonly estimate?: { readonly calls: number; readonly wallMs: number } | undefined;
  readonly ending: Ending;
  /** Known failures, and today as `YYYY-MM-DD`. */
  readonly baseline?: { readonly entries: Baseline; readonly today: string } | undefined;
  /** The file to replay, by number of the script in the history. */
  readonly scriptFiles: ReadonlyMap<number, string>;
  /** The shell script with the same calls, by the same number. */
  readonly shellFiles?: ReadonlyMap<number, string> | undefined;
  /** The token that `runproof replay` takes instead of that file, by the same number. */
  readonly replayTokens?: ReadonlyMap<number, string> | undefined;
  /** Scripts shrunk after the run, by number: how many steps they had before. */
  readonly stepsBefore?: ReadonlyMap<number, number> | undefined;
  /** The smallest histories of failures, redacted, and the file that holds each. */
  readonly shrunk?: ReadonlyMap<Failure, { found: ShrunkHistory; file: string | null }> | undefined;
  /** The requirements that the run is asked about; default: all. Of the others only a failed must gets a verdict. */
  readonly asked?: RunSelection | undefined;
  /** What named them; default: nothing did. */
  readonly selectors?: Selectors | undefined;
  readonly shards?: Shards | undefined;
  /** The dialect to compare the target with. */
  readonly dialect?: Dialect | undefined;
  /** Warnings in addition to the oracle's. */
  readonly warnings?: readonly string[] | undefined;
}

/** Joins findings, history and scripts into a report. Deterministic. */
export function buildReport(input: ReportInput): Report {
  const run = firstLine(input.history);
  const calls = callsIn(input.history);
  const { baseline, whole = historyTotals(input.history) } = input;
  const { longestWaitMs, answers, ...counts } = whole;
  const took = run.clock === 'real' ? answerTimes(answers, run.speed) : [];
  const { findings, match } = askedAndKnown(input);
  const dialect = input.dialect
    ? compareDialect(input.dialect, input.findings.openQuestions, QUESTIONS)
    : null;
  return {
    schema: 'runproof-report/1',
    runproof: input.runproof,
    ...conclude(findings, input.ending, {
      ...input,
      ...{ baseline: match, dialect },
      target: { capabilities: run.capabilities, ...(run.capture !== undefined && { isRecorded: true }) },
    }),
    at: input.at,
    target: {
      kind: run.target.kind,
      name: run.target.name,
      url: input.url,
      replayArguments: input.replayArguments ?? [],
      clock: run.clock,
      ...(run.speed !== undefined && { speed: run.speed }),
      capabilities: run.capabilities,
      ...(run.capture !== undefined && { isRecorded: true as const }),
    },
    edition: input.findings.edition,
    seed: run.seed,
    ...(input.selectors && { selectors: input.selectors }),
    ...(input.shards && { shards: input.shards }),
    causes: newCauses(input),
    requirements: findings.map((finding) => reportRequirement(finding, calls, input, match)),
    ...(input.findings.missing === undefined ? {} : { missing: input.findings.missing }),
    openQuestions: input.findings.openQuestions,
    dialect,
    lateness: input.findings.lateness,
    ...(input.findings.transitions === undefined ? {} : { transitions: input.findings.transitions }),
    graceMs: input.findings.graceMs,
    ...(took.length > 0 && { answerTimes: took }),
    warnings: [
      ...input.findings.warnings,
      ...callsAtLosses(input.history, input.url, input.basePath),
      ...(input.warnings ?? []),
    ],
    ...(input.assumptions ? { assumptions: input.assumptions } : {}),
    baseline: baseline === undefined ? null : toEdit(match),
    totals: { ...verdictTotals(findings), ...counts, callsForeseen: input.estimate?.calls ?? null },
    time: {
      wallMs: input.wallMs,
      longestWaitMs,
      foreseenMs: input.estimate?.wallMs ?? null,
    },
  };
}

/** What the run is asked about, and the failures that the baseline knows. */
function askedAndKnown({
  findings: { requirements },
  asked = WHOLE,
  baseline,
}: Pick<ReportInput, 'findings' | 'asked' | 'baseline'>): {
  readonly findings: readonly Asked[];
  readonly match: BaselineMatch;
} {
  const isCounted = whatCounts(asked, requirements);
  const findings = requirements.map((finding) => asAsked(finding, asked, isCounted));
  const match =
    baseline === undefined ? NO_BASELINE : matchBaseline(baseline.entries, findings, baseline.today);
  return { findings, match };
}

/** The causes of the failed musts that no baseline knows, the surest first. */
export function newCauses(
  input: Pick<ReportInput, 'findings' | 'history' | 'asked' | 'baseline'>,
): readonly Cause[] {
  const { findings, match } = askedAndKnown(input);
  const failing = findings.filter(
    ({ id, verdict, level }) => level === 'must' && verdict === 'fail' && !match.known.has(id),
  );
  return failing.length === 0 ? [] : causesOf(failing, callsIn(input.history), input.findings.missing);
}

const callsIn = (history: readonly HistoryEvent[]): ReadonlyMap<number, CallEvent> =>
  new Map(history.filter((event) => event.kind === 'call').map((call) => [call.call, call]));

function firstLine(history: readonly HistoryEvent[]): RunEvent {
  const run = history[0];
  if (run?.kind !== 'run') throw new Error('the first line of a history must be of kind "run"');
  return run;
}

/** A finding as the run was asked for it. */
type Asked = RequirementFinding & Pick<ReportRequirement, 'selected'>;

function asAsked(
  finding: RequirementFinding,
  asked: RunSelection,
  isCounted: (finding: RequirementFinding) => boolean,
): Asked {
  const { id, section, level, text, verdict, decided, failed } = finding;
  if (isSelected(asked, id)) return finding;
  if (isCounted(finding)) return { ...finding, selected: false };
  const unasked = { id, section, level, text, selected: false, verdict: 'not-applicable' } as const;
  return verdict === 'fail' && isLeftOut(asked, id)
    ? { ...unasked, decided, failed, reason: 'left out by --skip, although it failed', failures: [] }
    : { ...unasked, decided: 0, failed: 0, reason: 'not selected', failures: [] };
}

function reportRequirement(
  finding: Asked,
  calls: ReadonlyMap<number, CallEvent>,
  input: ReportInput,
  baseline: BaselineMatch,
): ReportRequirement {
  const { failures: all, ...others } = finding;
  const failures = all.slice(0, FAILURES_LISTED_MAX).map((failure, nth) => {
    const reported = reportFailure(failure, calls, input);
    const sign = finding.level === 'must' && {
      sign: signOf(finding, failure, calls, input.findings.missing),
    };
    const isAlone = isShownByOneCall(
      { ...reported, ...sign },
      calls.get(failure.calls.at(-1) ?? -1)?.request.path ?? '',
    );
    const steps = nth === 0 ? shortScript(input.history, failure.script, failure.calls, isAlone) : null;
    return {
      ...reported,
      ...sign,
      ...(steps !== null && { steps }),
    };
  });
  const entry = baseline.known.get(finding.id);
  const known = entry === undefined ? null : formatKnownFailure(entry);
  return { ...others, known, failures };
}

function reportFailure(
  failure: Failure,
  calls: ReadonlyMap<number, CallEvent>,
  input: ReportInput,
): ReportFailure {
  const { scriptFiles, shellFiles, replayTokens, replayArguments = [], stepsBefore, shrunk } = input;
  const { url, basePath = null, history } = input;
  const smallest = shrunk?.get(failure);
  // The proof from the shrunk history is shorter.
  const { proof, contradiction = null, originMs } = smallest?.found.failure ?? failure;
  const token = replayTokens?.get(failure.script);
  const last = canCallAgain(history, failure) ? calls.get(failure.calls.at(-1) ?? -1) : undefined;
  const shown = last !== undefined && firstLine(history).capture !== undefined ? withKey(last) : last;
  const before = stepsBefore?.get(failure.script);
  return {
    scenario: failure.scenario,
    ...(before === undefined ? {} : { stepsBefore: before }),
    script: scriptFiles.get(failure.script) ?? null,
    expected: failure.expected,
    actual: failure.actual,
    // What was seen later, and what the other jobs leave open, is not in a shrunk history.
    proof: [
      ...proof,
      ...(failure.later === undefined ? [] : [failure.later.text]),
      ...(failure.or === undefined
        ? []
        : [`or ${failure.or.join(' or ')} is violated instead: the calls do not show which`]),
    ],
    replay: token === undefined ? null : replayCommand(input.program, token, replayArguments),
    shell: shellFiles?.get(failure.script) ?? null,
    curl: shown === undefined || url === null ? null : callAgain(shown, history, url, basePath),
    calls: failure.calls,
    originMs,
    contradiction,
    shrunk:
      smallest === undefined
        ? null
        : { calls: smallest.found.operations, of: smallest.found.callsBefore, history: smallest.file },
    confirmed: null,
  };
}

/** Only a target with an address can be called from a shell, and an endpoint that was made for one script is gone after it. */
const canCallAgain = (history: readonly HistoryEvent[], { script }: Failure): boolean =>
  firstLine(history).target.kind === 'http' &&
  !history.some((event) => event.kind === 'script' && event.script === script && event.fresh);

/** How much a history contains. */
export interface HistoryTotals extends Pick<ReportTotals, 'scripts' | 'calls' | 'webhooks'> {
  /** The longest that a lane waited for a call, or until the next, ms. */
  readonly longestWaitMs: number;
  readonly answers: AnswerCounts;
}

/** What is in another part, too, is counted there. */
export function historyTotals(history: readonly HistoryEvent[]): HistoryTotals {
  const elsewhere = new Set(
    history.flatMap((event) =>
      event.kind === 'script' && event.isOfOtherPart === true ? [event.script] : [],
    ),
  );
  const own = history.filter((event) => !('script' in event && elsewhere.has(event.script)));
  const of = (wanted: HistoryEvent['kind']): number => own.filter(({ kind }) => kind === wanted).length;
  return {
    ...{ scripts: of('script'), calls: of('call'), webhooks: of('webhook') },
    longestWaitMs: longestWait(history),
    answers: countAnswers(own),
  };
}

/** Those of a history in parts. */
export const sumOfTotals = (one: HistoryTotals, other: HistoryTotals): HistoryTotals => ({
  scripts: one.scripts + other.scripts,
  calls: one.calls + other.calls,
  webhooks: one.webhooks + other.webhooks,
  longestWaitMs: Math.max(one.longestWaitMs, other.longestWaitMs),
  answers: sumOfAnswers(one.answers, other.answers),
});

function longestWait(history: readonly HistoryEvent[]): number {
  const idleSince = new Map<string, number>();
  const scriptStart = new Map<number, number>();
  let longest = 0;
  for (const event of history) {
    if (event.kind === 'script') scriptStart.set(event.script, event.atMs);
    if (event.kind !== 'call') continue;
    const lane = `${event.script} ${event.lane}`;
    const idle = idleSince.get(lane) ?? scriptStart.get(event.script) ?? event.sentMs;
    const until = event.receivedMs ?? event.sentMs;
    longest = Math.max(longest, event.sentMs - idle, until - event.sentMs);
    idleSince.set(lane, Math.max(idle, until));
  }
  return Math.round(longest);
}
