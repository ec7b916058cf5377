/**
 * Which failures are causes, and which only follow from them. A requirement is a cause the more surely, the
 * greater the share of its decisions that failed. Nothing is left out: every failing
 * requirement belongs to exactly one cause.
 */
import type { CallEvent } from '../history/events.js';
import type { MissingOperation, RequirementFinding } from '../oracle/ledger/findings.js';
import type { Contradiction } from '../oracle/proof/contradiction.js';
import { isRequirementId, requirement } from '../spec/index.js';
import { PREREQUISITES, PRESUPPOSED } from '../spec/prerequisites.js';
import { idsFor } from '../spec/ids.js';
import { JOB_OPERATIONS, MAIN_OPERATIONS, RECORD_OPERATIONS } from '../spec/operations.js';
import { isJobStatus } from '../spec/states.js';
import { isObject } from '../util/json.js';
import { truncated } from './escape.js';
import { isBinding, isUnasked, MARKS, markOf } from './formatting.js';
import type { Report, ReportFailure, ReportRequirement } from './report.js';

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

type Failing = Pick<RequirementFinding, 'id' | 'section' | 'decided' | 'failed'> & {
  readonly selected?: false;
  readonly failures: readonly (Pick<ReportFailure, 'calls'> & {
    readonly contradiction?: Contradiction | null;
    readonly or?: readonly string[];
  })[];
};

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
  failing: readonly Failing[],
  calls: ReadonlyMap<number, CallEvent>,
  missing: readonly MissingOperation[] = [],
): readonly Cause[] {
  const inTurn = [...failing].sort(bySureness);
  // An operation that is not there comes first: nothing that rests on its answers says more.
  const absent = missing.filter(({ requirement }) => failing.some(({ id }) => id === requirement));
  const roots = new Set(absent.map(({ requirement }) => requirement));
  const because = (one: Failing): MissingOperation | undefined =>
    roots.has(one.id) ? undefined : operationMissed(one, absent, calls);
  const ofMissing = absent.map((one): Cause => ({
    requirement: one.requirement,
    answer: `/${one.operation} ${howMissing(one)}: all ${one.calls} calls with a valid key were answered with ${one.codes.join(' or ')}`,
    sameAnswer: [],
    consequences: inTurn.filter((other) => because(other) === one).map(({ id }) => id),
  }));
  const others = inTurn.filter((one) => !roots.has(one.id) && because(one) === undefined);
  return [...ofMissing, ...causesByAnswer(others, calls)];
}

/** The missing operation whose effect the requirement is about, or by whose answers it failed each time. */
function operationMissed(
  { id, failures }: Failing,
  absent: readonly MissingOperation[],
  calls: ReadonlyMap<number, CallEvent>,
): MissingOperation | undefined {
  const about = PREREQUISITES.filter(({ dependents }) => dependents.has(id));
  const own = absent.find(({ requirement }) => about.some(({ root }) => root === requirement));
  if (own !== undefined) return own;
  const by = failures.map((failure) =>
    absent.find(({ operation, codes }) =>
      failure.calls.some((number) => {
        const call = calls.get(number);
        return call?.op === operation && codes.includes(call.reply?.status ?? 0);
      }),
    ),
  );
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
function causesByAnswer(
  failing: readonly Failing[],
  calls: ReadonlyMap<number, CallEvent>,
): readonly Cause[] {
  const groups = new Map<string, Group>();
  for (const requirement of failing) {
    const { key, answer, word } = symptomOf(requirement, calls);
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
      .find((other) => !followsFrom.has(other) && group.members.every((one) => restsOn(one, other, calls)));
    if (cause !== undefined) followsFrom.set(group, cause);
  }
  for (const group of inOrder) {
    const root = inOrder.find(
      (other) => other !== group && group.members.every((one) => presupposes(one, other, calls)),
    );
    if (root !== undefined && !followsFrom.has(group))
      follows(group, followsFrom.get(root) ?? root, followsFrom);
  }
  return inOrder
    .filter((group) => !followsFrom.has(group))
    .map((group) => {
      const [first, ...others] = plainestFirst(group.members);
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

/** Its sentence presupposes one that failed in each of its decisions, or in each script in which it failed. */
function presupposes(one: Failing, { members }: Group, calls: ReadonlyMap<number, CallEvent>): boolean {
  const roots = members.filter(({ id }) =>
    PRESUPPOSED.some(({ root, dependents }) => root === id && dependents.has(one.id)),
  );
  if (roots.some(({ failed, decided }) => failed >= decided)) return true;
  const scripts = roots.flatMap((root) => scriptsOf(root, calls));
  return scripts.length > 0 && scriptsOf(one, calls).every((script) => scripts.includes(script));
}

const scriptsOf = (
  { failures }: Failing,
  calls: ReadonlyMap<number, CallEvent>,
): readonly (number | undefined)[] =>
  failures.map((failure) => calls.get(failure.calls.at(-1) ?? -1)?.script);

/** Those of the report; of an older or a merged one, which has no calls, only their order is known. */
export function causesIn({
  causes,
  requirements,
}: Pick<Report, 'causes' | 'requirements'>): readonly Cause[] {
  return causes ?? causesOf(requirements.filter(isUnknownFailure), new Map());
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

const fewestCalls = ({ failures }: Failing): number => Math.min(...failures.map(({ calls }) => calls.length));

function bySureness(a: Failing, b: Failing): number {
  // What was asked about comes first.
  const byAsked = Number(a.selected === false) - Number(b.selected === false);
  return byAsked || sureness(b) - sureness(a) || fewestCalls(a) - fewestCalls(b);
}

const SECOND_RUN = '1/job-processed-once';

/** What is wrong, in a form that can be compared. */
function symptomOf(
  { id, section, failures }: Failing,
  calls: ReadonlyMap<number, CallEvent>,
): { readonly key: string; readonly answer: string | null; readonly word?: string } {
  const own = { key: sentenceOf(id), answer: null };
  const [first] = failures;
  const ofTwoRuns = failures.filter(({ or }) => or?.includes(SECOND_RUN));
  if (ofTwoRuns.length > 0 && 2 * ofTwoRuns.length >= failures.length)
    return { key: SECOND_RUN, answer: 'as if jobs had run twice' };
  const shown = calls.get(first?.calls.at(-1) ?? -1);
  if (first === undefined || shown === undefined) return own;
  const wrong = unreadable(shown);
  const code = shown.reply?.status ?? null;
  const wanted = isRequirementId(id) ? requirement(id).code : undefined;
  if (code !== null && wanted !== undefined && wanted !== code)
    return { key: `${code} for ${wanted} in ${section}`, answer: `answered ${code} instead of ${wanted}` };
  if (wrong !== null) return wrong;
  if (code !== null && (code < 200 || code >= 300)) {
    // These calls have no body: what they refuse is the job, whichever sentence shows it.
    const where = code === 400 && (shown.op === 'cancel' || shown.op === 'retry') ? `/${shown.op}` : section;
    return { key: `${code} in ${where}`, answer: `answered ${code}` };
  }
  const timer = timerOf(first.contradiction);
  return timer === null ? own : { key: timer, answer: timer };
}

/** The same for requirements that differ in the operation that they are about. */
const sentenceOf = (id: string): string =>
  isRequirementId(id)
    ? requirement(id).text.replace(/\/[a-z-]+/g, (path) =>
        MAIN_OPERATIONS.some((op) => path === `/${op}`) ? '/*' : path,
      )
    : id;

interface Symptom {
  /** Equal for answers that are wrong in the same way. */
  readonly key: string;
  readonly answer: string;
  readonly word?: string;
}

const WORDS_TOLD_MAX = 3;

function unknownStatus(words: readonly string[]): string {
  const told = words.slice(0, WORDS_TOLD_MAX).map((word) => `“${truncated(word, 30)}”`);
  const more = words.length > told.length ? ` and ${words.length - told.length} more` : '';
  return `answered with the status ${told.join(' or ')}${more}, which section 3 does not list`;
}

/** An answer that is wrong whatever was asked: nothing that rests on it can be right. Null for any other. */
function unreadable({ op, reply }: CallEvent): Symptom | null {
  if (reply === null) return { key: 'lost', answer: 'not answered' };
  const { status, body } = reply;
  if (status >= 500) return { key: `${status}`, answer: `answered ${status}` };
  if (status < 200 || status >= 300) return null;
  if (body.as === 'text') return { key: 'not JSON', answer: 'answered with a body that is not JSON' };
  const word = body.as === 'json' && isObject(body.value) ? body.value['status'] : undefined;
  if (typeof word !== 'string' || op === null || isJobStatus(word)) return null;
  if (!RECORD_OPERATIONS.some((one) => one === op)) return null;
  return { key: 'unknown status', answer: unknownStatus([word]), word };
}

/** `ttl too late`: the timer whose bound is contradicted. */
function timerOf(contradiction: Contradiction | null | undefined): string | null {
  if (contradiction?.kind !== 'time') return null;
  const ruled = contradiction.bounds.filter(({ requirement }) => requirement !== null);
  const [first] = ruled;
  if (first === undefined || ruled.some(({ why, limit }) => why !== first.why || limit !== first.limit))
    return null;
  return `${first.why} too ${first.limit === 'at-most' ? 'late' : 'early'}`;
}

/** Every failure of the requirement rests on a call that was answered as in the group. */
function restsOn({ failures }: Failing, { members }: Group, calls: ReadonlyMap<number, CallEvent>): boolean {
  // By the first failure a requirement belongs to its group: later ones may show another defect.
  const wrong = new Set(
    members.flatMap((member) => {
      const call = calls.get(member.failures[0]?.calls.at(-1) ?? -1);
      return call === undefined ? [] : (unreadable(call)?.key ?? []);
    }),
  );
  return (
    wrong.size > 0 &&
    failures.every((failure) =>
      failure.calls.some((number) => {
        const call = calls.get(number);
        const answer = call === undefined ? null : unreadable(call);
        return answer !== null && wrong.has(answer.key);
      }),
    )
  );
}
