/** What is wrong in the calls of a failure, in a form that tells which failures have one cause, also without the calls. */
import type { CallEvent } from '../../history/events.js';
import type { MissingOperation } from '../../oracle/ledger/findings.js';
import type { Contradiction } from '../../oracle/proof/contradiction.js';
import { isRequirementId, requirement } from '../../spec/index.js';
import { RECORD_OPERATIONS } from '../../spec/operations.js';
import { PRESUPPOSED } from '../../spec/prerequisites.js';
import { jobSegmentIn } from '../../spec/operation-of.js';
import { ENDED_STATUSES, isJobStatus } from '../../spec/states.js';
import { segmentOf } from '../../history/job-path.js';
import { isObject } from '../../util/json.js';

/** @internal */
export interface FailureSign {
  /** Equal for failures that are wrong in the same way; null: nothing but their requirement tells. */
  readonly key: string | null;
  /** The wrong answer in words; null: no answer is wrong by itself, or it is the status `word`. */
  readonly answer: string | null;
  /** A status that is none of the document. */
  readonly word?: string;
  /** The call that showed it was answered with an error, or with what cannot be read: how. */
  readonly unreadable?: string;
  /** Each way in which one of its calls was answered so. */
  readonly restsOn?: readonly string[];
  /** The state in the last answer. */
  readonly state?: string;
  /** The state in which its calls had last shown the job, if that is an end and the last answer shows none. */
  readonly endedAs?: string;
  /** The requirement of the missing operation by whose answers it failed. */
  readonly missing?: string;
  /** The job of the last call had been retried. */
  readonly isOfRetried?: true;
  /** A second run of the job would explain it. */
  readonly ranTwice?: true;
  /** Equal for failures of one script. */
  readonly script?: number;
  /** How many calls prove it. */
  readonly calls: number;
}

/** What is said of a failure. */
export interface Told {
  readonly calls: readonly number[];
  readonly contradiction?: Contradiction | null;
  readonly or?: readonly string[];
}

const SECOND_RUN = '1/job-processed-once';

/** `calls`: those of the history, by number. */
export function signOf(
  { id, section }: { readonly id: string; readonly section: string },
  { calls: numbers, contradiction, or }: Told,
  calls: ReadonlyMap<number, CallEvent>,
  absent: readonly MissingOperation[] = [],
): FailureSign {
  const made = numbers.flatMap((number) => calls.get(number) ?? []);
  const shown = calls.get(numbers.at(-1) ?? -1);
  const rests = [...new Set(made.flatMap((call) => unreadable(call)?.key ?? []))];
  const by = absent.find(({ operation, codes }) =>
    made.some(({ op, reply }) => op === operation && codes.includes(reply?.status ?? 0)),
  );
  return {
    ...(shown === undefined
      ? OWN
      : { ...symptomOf(id, section, shown, contradiction), ...seenIn(shown, made) }),
    ...(rests.length > 0 && { restsOn: rests }),
    ...(by !== undefined && { missing: by.requirement }),
    ...(shown !== undefined && MATTERS.has(id) && isOfRetried(shown, calls) && { isOfRetried: true }),
    ...(or?.includes(SECOND_RUN) === true && { ranTwice: true }),
    calls: numbers.length,
  };
}

interface Symptom extends Pick<FailureSign, 'answer' | 'word'> {
  readonly key: string | null;
}

const OWN: Symptom = { key: null, answer: null };

function symptomOf(
  id: string,
  section: string,
  shown: CallEvent,
  contradiction: Contradiction | null | undefined,
): Symptom {
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
  const timer = timerOf(contradiction);
  return timer === null ? OWN : { key: timer, answer: timer };
}

function seenIn(
  shown: CallEvent,
  made: readonly CallEvent[],
): Pick<FailureSign, 'unreadable' | 'state' | 'endedAs' | 'script'> {
  const how = unreadable(shown)?.key;
  const state = statusIn(shown);
  const job = jobSegmentIn(shown.request.path);
  const last = made
    .filter((one) => one !== shown && jobIn(one) === job)
    .map(statusIn)
    .findLast(isJobStatus);
  const endedAs = isJobStatus(state) ? undefined : ENDED_STATUSES.find((ended) => ended === last);
  return {
    ...(how !== undefined && { unreadable: how }),
    ...(isJobStatus(state) && { state }),
    ...(endedAs !== undefined && { endedAs }),
    script: shown.script,
  };
}

/** For these it is asked whether the job had been retried. */
const MATTERS = new Set(
  PRESUPPOSED.flatMap(({ ofRetried, dependents }) => (ofRetried ? [...dependents] : [])),
);

function isOfRetried(
  { script, request, sentTick }: CallEvent,
  calls: ReadonlyMap<number, CallEvent>,
): boolean {
  const job = jobSegmentIn(request.path);
  return [...calls.values()].some(
    (one) =>
      one.op === 'retry' &&
      one.script === script &&
      one.sentTick < sentTick &&
      one.reply?.status === 200 &&
      jobSegmentIn(one.request.path) === job,
  );
}

/** By the path, or by the answer to a submission. */
function jobIn({ request, reply }: CallEvent): string | null {
  const value = reply?.body.as === 'json' && isObject(reply.body.value) ? reply.body.value['id'] : null;
  return jobSegmentIn(request.path) ?? (typeof value === 'string' ? segmentOf(value) : null);
}

const statusIn = ({ reply }: CallEvent): unknown =>
  reply?.body.as === 'json' && isObject(reply.body.value) ? reply.body.value['status'] : undefined;

/** An answer that is wrong whatever was asked: nothing that rests on it can be right. Null for any other. */
function unreadable(call: CallEvent): (Symptom & { readonly key: string }) | null {
  const { op, reply } = call;
  if (reply === null) return { key: 'lost', answer: 'not answered' };
  const { status, body } = reply;
  if (status >= 500) return { key: `${status}`, answer: `answered ${status}` };
  if (status < 200 || status >= 300) return null;
  if (body.as === 'text') return { key: 'not JSON', answer: 'answered with a body that is not JSON' };
  const word = statusIn(call);
  if (typeof word !== 'string' || op === null || isJobStatus(word)) return null;
  if (!RECORD_OPERATIONS.some((one) => one === op)) return null;
  return { key: 'unknown status', answer: null, word };
}

/** `ttl too late`: the timer whose bound is contradicted. */
function timerOf(contradiction: Contradiction | null | undefined): string | null {
  if (contradiction?.kind !== 'time') return null;
  const ruled = contradiction.bounds.filter(({ requirement }) => requirement !== null);
  const [first] = ruled;
  if (first === undefined || ruled.some(({ why, limit }) => why !== first.why || limit !== first.limit))
    return null;
  const isLate = first.limit === 'at-most';
  if (first.why === 'the worker needs')
    return isLate ? 'not ended although its worker was done' : 'ended before its worker was done';
  return `${first.why} too ${isLate ? 'late' : 'early'}`;
}
