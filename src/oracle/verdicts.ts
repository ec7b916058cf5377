/** From what was counted to a verdict for every requirement of the catalogue. */
import { QUESTIONS, REQUIREMENTS, type Requirement, type RequirementId } from '../spec/index.js';
import type { RunEvent } from '../history/events.js';
import type { Edition } from '../spec/types.js';
import { notAppliedIn } from './editions.js';
import type { Findings, QuestionFinding, RequirementFinding } from './findings.js';
import type { Ledger, Entry } from './ledger.js';

const UNTOUCHED: Entry = { decided: 0, failed: 0, failures: [], doubts: new Map() };

export function findingsOf(ledger: Ledger, run: RunEvent, edition: Edition): Findings {
  const requirements = REQUIREMENTS.map((requirement) =>
    verdictOn(requirement, ledger.entries.get(requirement.id as RequirementId) ?? UNTOUCHED, run, edition),
  );
  const lateness = [...ledger.lateness].sort(([left], [right]) => (left < right ? -1 : 1));
  return {
    schema: 'runproof-findings/1',
    edition,
    requirements,
    openQuestions: QUESTIONS.map((question) => readingsOf(question, ledger.readings.get(question.id))),
    lateness: Object.fromEntries(lateness),
    warnings: [...ledger.warnings].map(([text, times]) => (times === 1 ? text : `${text} (${times} times)`)),
  };
}

function verdictOn(
  requirement: Requirement,
  entry: Entry,
  run: RunEvent,
  edition: Edition,
): RequirementFinding {
  const { id, section, level, text } = requirement;
  const { decided, failed, failures } = entry;
  const base = { id, section, level, text, decided, failed, failures };
  const replaced = notAppliedIn(edition, id);
  if (replaced !== null)
    return { ...base, verdict: 'not-applicable', decided: 0, failed: 0, failures: [], reason: replaced };
  if (failed > 0) return { ...base, verdict: 'fail', reason: null };
  if (decided > 0) return { ...base, verdict: 'pass', reason: null };
  if (requirement.untestable !== undefined)
    return { ...base, verdict: 'untestable', reason: requirement.untestable };
  const missing = requirement.needs.filter((need) => !run.capabilities.includes(need));
  if (missing.length > 0) return { ...base, verdict: 'untestable', reason: `needs ${missing.join(', ')}` };
  const doubts = [...entry.doubts].sort(([, left], [, right]) => right - left);
  const doubt = doubts[0];
  if (doubt !== undefined) return { ...base, verdict: 'inconclusive', reason: doubt[0] };
  return { ...base, verdict: 'not-exercised', reason: 'no scenario of this run brought the situation about' };
}

function readingsOf(
  question: (typeof QUESTIONS)[number],
  counts: ReadonlyMap<string, number> | undefined,
): QuestionFinding {
  const seen = [...(counts ?? [])].sort(
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
