/**
 * Which failures are causes, and which only follow from them. A requirement is a cause the more surely, the
 * greater the share of its decisions that failed. Nothing is left out: every failing
 * requirement belongs to exactly one cause.
 */
import type { CallEvent } from '../history/events.js';
import type { MissingOperation, RequirementFinding } from '../oracle/ledger/findings.js';
import { isRequirementId, requirement } from '../spec/index.js';
import { PREREQUISITES, PRESUPPOSED, type Presupposed } from '../spec/prerequisites.js';
import { idsFor } from '../spec/ids.js';
import { JOB_OPERATIONS, MAIN_OPERATIONS } from '../spec/operations.js';
import { signOf, type FailureSign, type Told } from './calls/failure-sign.js';
import { truncated } from './escape.js';
import { isBinding, isUnasked, MARKS, markOf } from './formatting.js';
import type { Report, ReportRequirement } from './report.js';

/** One cause of failures; of the requirements that fail by it, the most frequent first. @public */
export interface Cause {
  /** The requirement that shows the cause most surely. */
  readonly requirement: string;
  /** The wrong answer, where its failures have one in common: `answered 403 instead of 401`. */
  readonly answer: string | null;
  /** Further requirements that failed by the same wrong answer, the most frequent first. */
  readonly sameAnswer: readonly string[];
  /** Requirements whose failures rest on such an answer: they may hold once the cause is removed. */
  readonly consequences: readonly string[];
}

type Row = Pick<RequirementFinding, 'id' | 'section' | 'decided' | 'failed'> & {
  readonly selected?: false;
};
type Failing = Row & { readonly failures: readonly { readonly sign: FailureSign }[] };

interface Group {
  readonly key: string;
  readonly answer: string | null;
  /** Those that are no states, where this is the symptom: a service may have a word for each state. */
  readonly words: Set<string>;
  readonly members: Failing[];
}

/** A 404 may also come from a server that forgets its jobs at once; a 405 says that the path is there. */
function howMissing({ operation, codes }: MissingOperation): string {
  if (codes.every((code) => code === 405)) return 'is there, but not for this method';
  const mayForget = JOB_OPERATIONS.some((op) => op === operation) && codes.includes(404);
  return mayForget ? 'is missing, or knows no job' : 'is missing';
}

/** `failing`: in the order of the catalogue. `calls`: those of the history, by number. */
export function causesOf(
  failing: readonly (Row & { readonly failures: readonly Told[] })[],
  calls: ReadonlyMap<number, CallEvent>,
  missing: readonly MissingOperation[] = [],
): readonly Cause[] {
  const signed = failing.map((one): Failing => ({
    ...one,
    failures: one.failures.map((failure) => ({ sign: signOf(one, failure, calls, missing) })),
  }));
  return causesBySigns(signed, missing);
}

function causesBySigns(
  failing: readonly Failing[],
  missing: readonly MissingOperation[] = [],
): readonly Cause[] {
  const inTurn = [...failing].sort(bySureness);
  // An operation that is not there comes first: nothing that rests on its answers says more.
  const absent = missing.filter(({ requirement }) => failing.some(({ id }) => id === requirement));
  const roots = new Set(absent.map(({ requirement }) => requirement));
  const because = (one: Failing): MissingOperation | undefined =>
    roots.has(one.id) ? undefined : operationMissed(one, absent);
  const ofMissing = absent.map((one): Cause => ({
    requirement: one.requirement,
    answer: `/${one.operation} ${howMissing(one)}: all ${one.calls} calls with a valid key were answered with ${one.codes.join(' or ')}`,
    sameAnswer: [],
    consequences: inTurn.filter((other) => because(other) === one).map(({ id }) => id),
  }));
  const others = inTurn.filter((one) => !roots.has(one.id) && because(one) === undefined);
  return [...ofMissing, ...causesByAnswer(others)];
}

/** The missing operation whose effect the requirement is about, or by whose answers it failed each time. */
function operationMissed(
  { id, failures }: Failing,
  absent: readonly MissingOperation[],
): MissingOperation | undefined {
  const about = PREREQUISITES.filter(({ dependents }) => dependents.has(id));
  const own = absent.find(({ requirement }) => about.some(({ root }) => root === requirement));
  if (own !== undefined) return own;
  const by = failures.map(({ sign }) => absent.find(({ requirement }) => requirement === sign.missing));
  return by.includes(undefined) ? undefined : by[0];
}

/** Where no key is asked for, any other is accepted as well; where no result is kept, neither is one with `wait` or of a retry. */
const plainestFirst = (members: readonly Failing[]): readonly Failing[] =>
  members.toSorted((a, b) => Number(isPlain(b)) - Number(isPlain(a)));
const PLAIN: readonly string[] = [
  ...Object.values(idsFor('5/missing-key-*', MAIN_OPERATIONS)),
  '4.1/retention-kept',
  '4.2/retention-kept',
];
const isPlain = ({ id }: Failing): boolean => PLAIN.includes(id);

/** `failing`: the surest first. */
function causesByAnswer(failing: readonly Failing[]): readonly Cause[] {
  const groups = new Map<string, Group>();
  for (const requirement of failing) {
    const { key, answer, word } = symptomOf(requirement);
    const group = groups.get(key) ?? { key, answer, words: new Set(), members: [] };
    if (word !== undefined) group.words.add(word);
    group.members.push(requirement);
    groups.set(key, group);
  }
  // A map keeps the order of insertion, which is that of each group's surest member.
  const inOrder = [...groups.values()];
  const followsFrom = new Map<Group, Group>();
  for (const [index, group] of inOrder.entries()) {
    const cause = inOrder
      .slice(0, index)
      .find((other) => !followsFrom.has(other) && group.members.every((one) => restsOn(one, other)));
    if (cause !== undefined) followsFrom.set(group, cause);
  }
  for (const group of inOrder) {
    const root = inOrder.find(
      (other) => other !== group && group.members.every((one) => presupposes(one, other)),
    );
    if (root !== undefined && !followsFrom.has(group))
      follows(group, followsFrom.get(root) ?? root, followsFrom);
  }
  return inOrder
    .filter((group) => !followsFrom.has(group))
    .map((group) => ({ group, members: plainestFirst(group.members) }))
    .sort((a, b) => bySureness(a.members[0]!, b.members[0]!))
    .map(({ group, members: [first, ...others] }) => {
      const following = inOrder.filter((other) => followsFrom.get(other) === group);
      return {
        requirement: first!.id,
        answer: group.words.size === 0 ? group.answer : unknownStatus([...group.words]),
        sameAnswer: others.map(({ id }) => id),
        consequences: following.flatMap(({ members }) => members.map(({ id }) => id)),
      };
    });
}

/** What followed from the group now follows from its cause. */
function follows(group: Group, cause: Group, followsFrom: Map<Group, Group>): void {
  if (group === cause) return;
  followsFrom.set(group, cause);
  for (const [other, before] of followsFrom) if (before === group) followsFrom.set(other, cause);
}

/** A root that passes where nothing shows it failed in this share of its decisions. */
const OFTEN = 1 / 4;

/** Its sentence presupposes one that failed in each of its decisions, or in each script in which it failed. */
function presupposes(one: Failing, { members }: Group): boolean {
  const found = members.flatMap((root) =>
    PRESUPPOSED.filter((row) => row.root === root.id && row.dependents.has(one.id)).map((row) => ({
      root,
      row,
    })),
  );
  if (found.some(({ root, row }) => isExplained(one, root, row))) return true;
  const scripts = found.flatMap(({ root }) => scriptsOf(root));
  return scripts.length > 0 && scriptsOf(one).every((script) => scripts.includes(script));
}

function isExplained(one: Failing, root: Failing, { isSeldomShown, ofRetried, state }: Presupposed): boolean {
  if (ofRetried && !one.failures.every(({ sign }) => sign.isOfRetried)) return false;
  const ends = ({ sign }: { readonly sign: FailureSign }): boolean => sign.state === state;
  if (state !== undefined) return one.failures.every(ends) && root.failures.some(ends);
  return root.failed >= root.decided * (isSeldomShown ? OFTEN : 1);
}

const scriptsOf = ({ failures }: Failing): readonly (number | undefined)[] =>
  failures.map(({ sign }) => sign.script);

/** Those of the report; of an older one, only their order is known. */
export function causesIn({
  causes,
  requirements,
  missing,
}: Pick<Report, 'causes' | 'missing' | 'requirements'>): readonly Cause[] {
  if (causes !== undefined) return causes;
  const signed = requirements.filter(isUnknownFailure).map((one) => ({
    ...one,
    failures: one.failures.map((failure) => ({ sign: failure.sign ?? signOf(one, failure, new Map()) })),
  }));
  return causesBySigns(signed, missing);
}

/**
 * The requirements as they are read best: each cause, the surest first; what fails in the same way or because of it; known
 * failures; advice. The others follow in the order of the catalogue, without those that were not selected.
 */
export function causesFirst(report: Pick<Report, 'causes' | 'requirements'>): readonly ReportRequirement[] {
  const causes = causesIn(report);
  const ids = [
    ...causes.map(({ requirement }) => requirement),
    ...causes.flatMap(({ sameAnswer, consequences }) => [...sameAnswer, ...consequences]),
  ];
  const rankOf = new Map(ids.map((id, rank) => [id, rank]));
  const rank = (one: ReportRequirement): number =>
    rankOf.get(one.id) ?? ids.length + (one.verdict === 'fail' ? MARKS.indexOf(markOf(one)) : MARKS.length);
  return report.requirements.filter((one) => !isUnasked(one)).sort((a, b) => rank(a) - rank(b));
}

/** Whether it fails what is judged, and the baseline does not know it. */
function isUnknownFailure(one: ReportRequirement): boolean {
  return isBinding(one) && one.verdict === 'fail' && one.known === null;
}

/**
 * The share of its decisions that failed, lower where there are few (Laplace's rule of succession): 1 of 1
 * counts less than 44 of 55.
 */
const sureness = ({ decided, failed }: Failing): number => failed / (decided + 2);

const fewestCalls = ({ failures }: Failing): number => Math.min(...failures.map(({ sign }) => sign.calls));

function bySureness(a: Failing, b: Failing): number {
  // What was asked about comes first.
  const byAsked = Number(a.selected === false) - Number(b.selected === false);
  return byAsked || sureness(b) - sureness(a) || fewestCalls(a) - fewestCalls(b);
}

const SECOND_RUN = '1/job-processed-once';

/** What is wrong, in a form that can be compared. */
function symptomOf({
  id,
  failures,
}: Failing): Pick<FailureSign, 'answer' | 'word'> & { readonly key: string } {
  const ofTwoRuns = failures.filter(({ sign }) => sign.ranTwice);
  if (ofTwoRuns.length > 0 && 2 * ofTwoRuns.length >= failures.length)
    return { key: SECOND_RUN, answer: 'as if jobs had run twice' };
  const { key = null, answer = null, word } = failures[0]?.sign ?? {};
  return { key: key ?? sentenceOf(id), answer, ...(word === undefined ? {} : { word }) };
}

/** The same for requirements that differ in the operation that they are about. */
const sentenceOf = (id: string): string =>
  isRequirementId(id)
    ? requirement(id).text.replace(/\/[a-z-]+/g, (path) =>
        MAIN_OPERATIONS.some((op) => path === `/${op}`) ? '/*' : path,
      )
    : id;

const WORDS_TOLD_MAX = 3;

function unknownStatus(words: readonly string[]): string {
  const told = words.slice(0, WORDS_TOLD_MAX).map((word) => `“${truncated(word, 30)}”`);
  const more = words.length > told.length ? ` and ${words.length - told.length} more` : '';
  return `answered with the status ${told.join(' or ')}${more}, which section 3 does not list`;
}

/** Every failure of the requirement rests on a call that was answered as in the group. */
function restsOn({ failures }: Failing, { members }: Group): boolean {
  // By the first failure a requirement belongs to its group: later ones may show another defect.
  const wrong = new Set(members.map((member) => member.failures[0]?.sign.unreadable));
  return failures.length > 0 && failures.every(({ sign }) => sign.restsOn?.some((how) => wrong.has(how)));
}
