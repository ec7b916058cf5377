/** A failure as a test, or as a text that contradicts it. */
import type { HistoryEvent } from '../../../history/events.js';
import { readingsOf } from '../../../judging/missed-musts.js';
import { program } from '../../../program-name.js';
import type { ShowContext } from '../../../report/calls/show-text.js';
import { quoteForShell } from '../../../report/escape.js';
import type { Report, ReportFailure, ReportRequirement } from '../../../report/report.js';
import type { Dialect } from '../../../spec/index.js';
import { LOCAL_API_KEY } from '../../../spec/local-key.js';
import { isLoopbackUrl } from '../../../util/address.js';
import { UsageError } from '../../../util/errors.js';
import { disputeText } from './dispute.js';
import { expectationOf, type Expected } from './expectation.js';
import { GO } from './go.js';
import { planOf, type TestPlan } from './plan.js';
import { PYTEST } from './pytest.js';
import { recordedOf, type Evidence } from './recorded.js';
import { rightRun } from './right-run.js';
import { hasOf, linesOf, type About, type Tongue } from './tongue.js';
import { VITEST } from './vitest.js';

/** A language of tests, or a text that contradicts the failure. */
export type ShownAs = 'vitest' | 'pytest' | 'go' | 'dispute';

type Language = Exclude<ShownAs, 'dispute'>;

const TONGUES: { readonly [language in Language]: Tongue } = {
  vitest: VITEST,
  pytest: PYTEST,
  go: GO,
};

/** Longer ones are no help to a reader; blank lines do not count. */
const LINES_MAX = 42;
const LINES_WITH_RECEIVER_MAX = 62;
/** The requirement, and what was seen; a warning beyond does not count as a line. */
const NOTES = 2;

/** Above a test from a run in real time, and said beside it. */
export const REAL_TIME =
  'from a run in real time, whose instants no other run keeps: may pass on the faulty server, or fail on a correct one';

/** @throws {UsageError} if it names no requirement that failed, or the failure cannot be told so, with the reason */
export function failureAs(as: ShownAs, what: string, { report, history, directory }: ShowContext): string {
  const requirement = report.requirements.find(({ id }) => id === what);
  const failure = requirement?.failures[0];
  if (requirement === undefined || failure === undefined)
    throw new UsageError(
      `--as needs a requirement that failed, and ${what} is none: "${program()} show ${quoteForShell(directory)}" lists them`,
    );
  const { shown } = readingsOf(report.openQuestions, report.edition);
  if (as === 'dispute') {
    const expected = expectedOf(history, what, failure, shown);
    return disputeText(
      report,
      requirement,
      failure,
      history,
      typeof expected === 'string' ? null : expected,
      shown,
    );
  }
  const test = testOf(report, requirement, history, shown, as);
  if (typeof test === 'object') return test.text;
  throw new UsageError(
    `this failure of ${what} is no test for ${as}: ${test}. ${failure.replay === null ? '' : `"${failure.replay}" repeats it`}`.trim(),
  );
}

/** What the document allows in the place of what was seen, or why that is not known. */
function expectedOf(
  history: readonly HistoryEvent[],
  requirement: string,
  failure: Evidence & Pick<ReportFailure, 'confirmed'>,
  dialect: Dialect,
  stepsMax?: number,
): Expected | string {
  if (failure.confirmed !== null) return 'it is intermittent, so that a single run proves nothing';
  const recorded = recordedOf(history, requirement, failure, stepsMax);
  if (typeof recorded === 'string') return recorded;
  const right = rightRun(recorded, dialect);
  const check = expectationOf(recorded, right);
  return typeof check === 'string' ? check : { recorded, right, check };
}

/** Calls and waits of a test: of a script with more, those go that are not part of the failure. */
const STEPS_MAX = [13, 8];

/** Failures of a requirement that are tried, as the first may be one of many calls. */
const FAILURES_MAX = 3;

/** The text of a test of this requirement, or why there is none. */
export function testOf(
  report: Report,
  requirement: ReportRequirement,
  history: readonly HistoryEvent[],
  dialect: Dialect,
  language: Language,
): { readonly text: string } | string {
  let why: string | null = null;
  for (const failure of requirement.failures.slice(0, FAILURES_MAX))
    for (const stepsMax of STEPS_MAX) {
      const expected = expectedOf(history, requirement.id, failure, dialect, stepsMax);
      const about = aboutOf(report, requirement, failure);
      const test = typeof expected === 'string' ? expected : testText(expected, language, about);
      if (typeof test === 'object') return test;
      why ??= test;
      if (typeof expected === 'string') break;
    }
  return why ?? 'no failure is listed';
}

function testText(
  { recorded, right, check }: Expected,
  language: Language,
  about: About,
): { readonly text: string } | string {
  const plan: TestPlan | string = planOf(recorded, right, check);
  if (typeof plan === 'string') return plan;
  const refusal = TONGUES[language].refuses?.(plan) ?? null;
  if (refusal !== null) return refusal;
  const lines = linesOf(TONGUES[language], plan, about);
  const count = lines.filter((line) => line !== '').length;
  const most = hasOf(plan).hooks ? LINES_WITH_RECEIVER_MAX : LINES_MAX;
  if (count > most + about.notes.length - NOTES)
    return `it would have ${count} lines, and ${most} are the most`;
  return { text: `${lines.join('\n')}\n` };
}

function aboutOf(
  { target }: Pick<Report, 'target'>,
  { id, text }: Pick<ReportRequirement, 'id' | 'text'>,
  { expected, actual }: Pick<ReportFailure, 'expected' | 'actual'>,
): About {
  const url = target.url ?? 'http://127.0.0.1:8080';
  const hasOwn = target.replayArguments.includes('--control');
  const control = target.replayArguments[target.replayArguments.indexOf('--control') + 1];
  const oneLine = (words: string): string => words.replaceAll(/\s+/gu, ' ');
  return {
    sentence: oneLine(text),
    notes: [
      ...(target.clock === 'real' ? [`Caution: ${REAL_TIME}`] : []),
      ...[`${id}: ${oneLine(expected)}`, `Seen: ${oneLine(actual)}`],
    ],
    url,
    control: hasOwn && control !== `${url}/_control` ? [control!] : [{ at: 'url' }, '/_control'],
    key: isLoopbackUrl(url) ? LOCAL_API_KEY : '',
  };
}
