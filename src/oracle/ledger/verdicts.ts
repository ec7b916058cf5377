/** Turns the counts of the ledger into a verdict for every requirement of the catalogue. */
import {
  JOB_OPERATIONS,
  PREREQUISITES,
  QUESTIONS,
  REQUIREMENTS,
  idsFor,
  requirementsOf,
  type QuestionId,
  type Requirement,
  type RequirementId,
  type Section,
} from '../../spec/index.js';
import type { RunEvent } from '../../history/events.js';
import { CAPABILITY_WORDS, missingOf } from '../../spec/capability-words.js';
import type { Edition } from '../../spec/types.js';
import type { Findings, QuestionFinding, RequirementFinding, Verdict } from './findings.js';
import { getOrMake } from '../../util/maps.js';
import { instancesOf } from '../observed/instances.js';
import type { Occurring } from '../in-traffic/situations.js';
import { whyOpenInTraffic } from '../in-traffic/why-open.js';
import { newEntry, type Entry } from './entry.js';
import type { Ledger } from './ledger.js';

const NOT_REACHED = 'no scenario of this run reached this situation';
const UNTOUCHED = newEntry();
/** What an edition requires, by id. Made once: short histories are judged by the thousand. */
const HELD = new Map<Edition, ReadonlyMap<string, Requirement>>();

/** @param occurring what is in recorded traffic; null: a run brought about what it wanted */
export function findingsOf(
  ledger: Ledger,
  run: RunEvent,
  edition: Edition,
  occurring: Occurring | null,
): Findings {
  const held = getOrMake(HELD, edition, () => new Map(requirementsOf(edition).map((one) => [one.id, one])));
  const requirements = REQUIREMENTS.map((requirement): RequirementFinding => {
    const amended = held.get(requirement.id);
    if (amended === undefined) return setAside(requirement, `the edition ${edition} does not include it`);
    const entry = ledger.entries.get(requirement.id) ?? UNTOUCHED;
    const waiver = entry.failed === 0 || entry.isNotWaivable ? null : waiverOf(amended, ledger, run);
    if (waiver !== null) return setAside(amended, waiver);
    return verdictOn(amended, instancesOf(requirement.id), entry, run, ledger, occurring);
  });
  const openQuestions = QUESTIONS.map((question) => readingsOf(question, ledger.readings.get(question.id)));
  const lateness = [...ledger.lateness].sort(([left], [right]) => (left < right ? -1 : 1));
  return {
    schema: 'runproof-findings/1',
    edition,
    requirements: afterPrerequisites(requirements),
    ...(ledger.missing.length === 0 ? {} : { missing: ledger.missing }),
    openQuestions,
    readFirstBy: Object.fromEntries(ledger.readFirstBy),
    lateness: Object.fromEntries(lateness.map(([timer, seen]) => [timer, seen.finding()])),
    transitions: ledger.transitions.findings(),
    graceMs: run.graceMs,
    warnings: [
      ...[...ledger.warnings].map(([text, times]) => {
        const job = ledger.warnedOf.get(text);
        const of = job === undefined ? '' : `, first job ${job} ("show REPORT job:${job}")`;
        return `${text}${times === 1 ? '' : ` (${times} times)`}${of}`;
      }),
      ...lateness.flatMap(([timer, seen]) => seen.outlierWarning(timer, run.graceMs) ?? []),
      ...openQuestions.filter(({ stable }) => !stable).map((question) => severalAnswers(question, ledger)),
    ],
  };
}

/**
 * The document leaves the answer open and does not require one answer, so this is not a violation. But
 * clients that rely on one answer will fail, and two are rarely intended.
 */
function severalAnswers({ id, readings }: QuestionFinding, { readFirstIn }: Ledger): string {
  const answers = readings.map((reading) => {
    const first = readFirstIn.get(`${id}=${reading}`);
    return first === undefined || first === '' ? reading : `${reading} (first in ${first})`;
  });
  return `the open question ${id} was answered in ${readings.length} ways: ${answers.join(', ')}`;
}

/** An edition may drop a requirement of the document, and a reading may leave nothing to advise. */
function setAside({ id, section, level, text }: Requirement, reason: string): RequirementFinding {
  return { id, section, level, text, verdict: 'not-applicable', decided: 0, failed: 0, reason, failures: [] };
}

/**
 * Why no advice is given: on an open question the target follows a reading by which the requirement is
 * waived, or none of the known readings.
 */
function waiverOf(
  { level, waivedBy: yieldsTo = [], onceShown }: Requirement,
  { readings }: Ledger,
  { capture }: RunEvent,
): string | null {
  if (level === 'must') return null;
  if (onceShown !== undefined && !readings.has(onceShown as QuestionId))
    return `not reported, because it depends on an open question: ${onceShown}`;
  const questions = QUESTIONS.filter((question) =>
    question.readings.some(({ id }) => yieldsTo.includes(`${question.id}=${id}`)),
  ).map(({ id }) => id);
  const observed = questions.map((question) =>
    [...(readings.get(question)?.keys() ?? [])].map((reading) => `${question}=${reading}`),
  );
  const kept = observed.find(
    (seen) => seen.length > 0 && seen.every((reading) => yieldsTo.includes(reading)),
  );
  if (kept !== undefined) return `not reported, because it depends on an open question: ${kept.join(', ')}`;
  const isOpen = (seen: readonly string[]): boolean => seen.length === 0;
  // Traffic shows some situations by chance: the one that would show the reading may be missing.
  const open =
    questions.length > 0 && (capture === undefined ? observed.every(isOpen) : observed.some(isOpen));
  return open ? `not reported, because it depends on an open question: ${questions.join(', ')}` : null;
}

function verdictOn(
  requirement: Requirement,
  cases: readonly string[],
  entry: Entry,
  run: RunEvent,
  { targetGone, goneBecause, jobsNotJudgedFurther }: Ledger,
  occurring: Occurring | null,
): RequirementFinding {
  const { id, section, level, text, needs, untestable, undecided } = requirement;
  const { decided, failed, failures, decidedIn, sharpest, latest } = entry;
  const finding = (verdict: Verdict, reason: string | null): RequirementFinding =>
    decidedIn.length > 0
      ? { id, section, level, text, decided, failed, failures, decidedIn, verdict, reason }
      : { id, section, level, text, decided, failed, failures, verdict, reason };
  if (failed > 0) return { ...finding('fail', null), ...(latest === null ? {} : { latest }) };
  const left = cases.filter((one) => entry.instances?.has(one) !== true);
  if (decided > 0 && left.length === 0)
    return { ...finding('pass', null), ...(sharpest === null ? {} : { sharpest }) };
  if (decided > 0) return { ...finding('inconclusive', partly(cases, left)), casesLeft: left };
  if (untestable !== undefined) return finding('untestable', untestable);
  const missing = missingOf(needs, run.capabilities);
  if (missing.length > 0 && run.capture === undefined)
    return finding('untestable', `needs ${missing.map((need) => CAPABILITY_WORDS[need]).join(', ')}`);
  if (targetGone) return finding('inconclusive', goneBecause);
  if (entry.inconclusiveReasons.size > 0) {
    const [[reason]] = [...entry.inconclusiveReasons].sort(([, left], [, right]) => right - left) as [
      [string, number],
    ];
    return finding('inconclusive', reason);
  }
  if (occurring !== null) {
    const { openBecause, reason } = whyOpenInTraffic(id as RequirementId, run, occurring);
    return { ...finding('not-exercised', reason), openBecause };
  }
  return finding('not-exercised', undecided ?? notReached(requirement, jobsNotJudgedFurther));
}

/** A requirement ranges over cases, and not all of them were decided. */
function partly(all: readonly string[], left: readonly string[]): string {
  const named = left.slice(0, INSTANCES_TOLD_MAX).join(', ');
  const more = left.length > INSTANCES_TOLD_MAX ? ` and ${left.length - INSTANCES_TOLD_MAX} more` : '';
  return `${all.length - left.length} of ${all.length} cases were decided; not: ${named}${more}`;
}
const INSTANCES_TOLD_MAX = 4;

/** The sections about single calls (keys, errors, rates, paths): whatever is known of jobs does not decide them. */
const ABOUT_CALLS: readonly string[] = ['5', '7', '8', '9'] satisfies readonly Section[];
/** The requirements of these sections that need a job all the same. */
const NEED_A_JOB: ReadonlySet<string> = new Set([
  ...Object.values(idsFor('5/unauthorized-*-has-no-effect', ['cancel', 'retry', 'purge'])),
  ...Object.values(idsFor('7/ttl-expired-*', JOB_OPERATIONS)),
  '8/refused-call-has-no-effect' satisfies RequirementId,
]);

/** A scenario may have reached the situation with a job about which nothing was certain any more. */
function notReached({ id, section }: Requirement, jobsNotJudgedFurther: number): string {
  const isAboutCallsOnly = ABOUT_CALLS.includes(section) && !NEED_A_JOB.has(id);
  if (jobsNotJudgedFurther === 0 || isAboutCallsOnly) return NOT_REACHED;
  const jobs = jobsNotJudgedFurther === 1 ? 'one job was' : `${jobsNotJudgedFurther} jobs were`;
  return `${NOT_REACHED} with a job that could be judged to its end: ${jobs} judged only up to a violation`;
}

function readingsOf(
  question: (typeof QUESTIONS)[number],
  counts: ReadonlyMap<string, number> = new Map(),
): QuestionFinding {
  const seen = [...counts].sort(
    ([leftId, left], [rightId, right]) => right - left || (leftId < rightId ? -1 : 1),
  );
  return {
    id: question.id,
    section: question.section,
    question: question.question,
    readings: seen.map(([reading]) => reading),
    counts: Object.fromEntries(seen),
    stable: !question.sticky || seen.length <= 1,
  };
}

/**
 * Reports each cause once: if a requirement failed at every decision, those that depend on it are not judged
 * by the same calls again.
 */
export function afterPrerequisites(findings: readonly RequirementFinding[]): readonly RequirementFinding[] {
  const failed = findings.filter(({ verdict, failed, decided }) => verdict === 'fail' && failed >= decided);
  const roots = new Set(failed.map(({ id }) => id));
  const unmet = PREREQUISITES.filter(({ root }) => roots.has(root));
  return findings.map((finding) => {
    const first = unmet.find(({ dependents }) => dependents.has(finding.id));
    return first === undefined ? finding : because(finding, first.root);
  });
}

/** A requirement that passed stays passed; one that cannot be tested on this target stays untestable. */
function because(finding: RequirementFinding, root: RequirementId): RequirementFinding {
  const { verdict } = finding;
  if (verdict !== 'fail' && verdict !== 'not-exercised' && verdict !== 'inconclusive') return finding;
  const { openBecause: _, ...others } = finding;
  return {
    ...others,
    verdict: 'inconclusive',
    decided: 0,
    failed: 0,
    failures: [],
    reason: `because ${root} failed`,
  };
}
