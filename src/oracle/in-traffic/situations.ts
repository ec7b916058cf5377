/** In which situation a requirement can be judged at all: what a job, or a call that names none, has to be like. */
import {
  idsFor,
  JOB_OPERATIONS,
  MAIN_OPERATIONS,
  requirement,
  SUBMISSIONS,
  type RequirementId,
} from '../../spec/index.js';
import type { CallEvent } from '../../history/events.js';
import { getOrMake } from '../../util/maps.js';
import { CODES, featuresOf, featureWords, type Feature } from './features.js';

/** All of these have to be of one job. */
type Situation = readonly Feature[];
type Row = readonly [RequirementId, Situation];

/** Of requirements that have no row of their own, by their section. */
const OF_SECTION: { readonly [section: string]: Situation } = {
  '2.5': ['stream'],
  '2.6': ['purge-queue'],
  '2.7': ['health'],
  '4.1': ['runsync'],
  '4.2': ['run'],
  '4.3': ['status'],
  '4.4': ['stream'],
  '4.5': ['cancel'],
  '4.6': ['retry'],
  '4.7': ['purge-queue'],
};

/** Of a family, by the word in which its ids differ. */
function each<Word extends string>(
  ids: { readonly [W in Word]: RequirementId },
  situationOf: (word: Word) => Situation,
): readonly Row[] {
  return (Object.keys(ids) as Word[]).map((word) => [ids[word], situationOf(word)] as const);
}

const ANSWERING_JOBS = ['runsync', 'run', 'status', 'cancel', 'retry'] as const;

const ROWS: readonly Row[] = [
  ...each(idsFor('1/json-body-*', MAIN_OPERATIONS), (op) => [op]),
  ...each(idsFor('1/json-content-type-*', MAIN_OPERATIONS), (op) => [op]),
  ...each(idsFor('1/json-error-body-*', CODES), (code) => [code]),
  ...each(idsFor('1/json-error-content-type-*', CODES), (code) => [code]),
  ...each(idsFor('2.1/input-missing-refused-*', SUBMISSIONS), (op) => [op, 'input-missing']),
  ...each(idsFor('2.1/input-null-refused-*', SUBMISSIONS), (op) => [op, 'input-null']),
  ...each(idsFor('2.1/input-array-refused-*', SUBMISSIONS), (op) => [op, 'input-array']),
  ...each(idsFor('2.1/input-scalar-refused-*', SUBMISSIONS), (op) => [op, 'input-scalar']),
  ...each(idsFor('2.1/input-object-accepted-*', SUBMISSIONS), (op) => [op, 'input-object']),
  ...each(idsFor('2.1/input-empty-accepted-*', SUBMISSIONS), (op) => [op, 'input-empty']),
  ...each(idsFor('2.1/webhook-accepted-*', SUBMISSIONS), (op) => [op, 'webhook']),
  ...each(idsFor('2.1/policy-accepted-*', SUBMISSIONS), (op) => [op, 'policy']),
  ...each(idsFor('2.1/s3config-accepted-*', SUBMISSIONS), (op) => [op, 's3config']),
  ...each(idsFor('2.1/*-optional', ['webhook', 'policy', 's3config']), () => ['submission']),
  ['2.1/input-content-not-validated', ['input-object']],
  ['2.2/execution-timeout-accepted', ['execution-timeout']],
  ['2.2/execution-timeout-min-accepted', ['execution-timeout-min']],
  ['2.2/execution-timeout-max-accepted', ['execution-timeout-max']],
  ['2.2/execution-timeout-min-enforced', ['execution-timeout-below']],
  ['2.2/execution-timeout-max-enforced', ['execution-timeout-above']],
  ...each(idsFor('2.2/execution-timeout-stops-*', SUBMISSIONS), (op) => [op, 'execution-timeout']),
  ['2.2/execution-timeout-stops-retried', ['execution-timeout', 'retry']],
  ['2.2/execution-timeout-not-early', ['execution-timeout']],
  ['2.2/execution-timeout-long-run', ['execution-timeout-long']],
  ['2.2/execution-timeout-not-in-queue', ['execution-timeout']],
  ['2.2/execution-timeout-full-after-queue', ['execution-timeout']],
  ['2.2/execution-timeout-not-after-end', ['execution-timeout']],
  ['2.2/execution-timeout-this-job-only', ['execution-timeout']],
  ['2.2/low-priority-accepted-true', ['low-priority-true']],
  ['2.2/low-priority-accepted-false', ['low-priority-false']],
  ['2.2/ttl-accepted', ['ttl']],
  ['2.2/ttl-min-accepted', ['ttl-min']],
  ['2.2/ttl-max-accepted', ['ttl-max']],
  ['2.2/ttl-min-enforced', ['ttl-below']],
  ['2.2/ttl-max-enforced', ['ttl-above']],
  // A job without a ttl is deleted, too, after the default.
  ['2.2/ttl-removes-completed', ['COMPLETED']],
  ['2.2/ttl-removes-failed', ['FAILED']],
  ['2.2/ttl-removes-timed-out', ['TIMED_OUT']],
  ['2.2/ttl-removes-cancelled', ['cancel']],
  ['2.2/ttl-removes-runsync', ['runsync']],
  ['2.2/ttl-removes-retried', ['retry']],
  ['2.2/outlives-default', ['execution-timeout-long', 'ttl']],
  ['2.3/any-provider-accepted', ['s3config']],
  ...each(idsFor('2.4/id-in-*', ANSWERING_JOBS), (op) => [op]),
  ...each(idsFor('2.4/id-matches-*', ['status', 'cancel', 'retry']), (op) => [op]),
  ['2.4/id-unique', ['submission']],
  ['2.4/id-assigned-by-service', ['own-id']],
  ['2.4/id-kept-across-retry', ['retry']],
  ...each(idsFor('2.4/status-in-*', ANSWERING_JOBS), (op) => [op]),
  ...each(idsFor('2.4/status-known-*', ANSWERING_JOBS), (op) => [op]),
  ...each(idsFor('2.4/delay-time-in-*', ['runsync', 'status']), (op) => [op, 'COMPLETED']),
  ...each(idsFor('2.4/delay-time-integer-*', ['runsync', 'status']), (op) => [op]),
  ...each(idsFor('2.4/execution-time-in-*', ['runsync', 'status']), (op) => [op, 'COMPLETED']),
  ...each(idsFor('2.4/execution-time-integer-*', ['runsync', 'status']), (op) => [op]),
  ...each(idsFor('2.4/delay-time-*', ['measures-waiting', 'excludes-execution']), () => ['COMPLETED']),
  ...each(idsFor('2.4/execution-time-*', ['measures-run', 'excludes-waiting']), () => ['COMPLETED']),
  ['3/submission-starts-in-queue', ['submission']],
  ...each(idsFor('3/submission-creates-job-*', SUBMISSIONS), (op) => [op]),
  ['3/retry-requeues-failed', ['retry', 'FAILED']],
  ['3/retry-requeues-timed-out', ['retry', 'TIMED_OUT']],
  ['3/completed-stays', ['COMPLETED']],
  ['3/failed-stays', ['FAILED']],
  ['3/timed-out-stays', ['TIMED_OUT']],
  ['3/cancelled-stays', ['cancel']],
  ...each(idsFor('4/operation-*', MAIN_OPERATIONS), (op) => [op]),
  ['4.1/wait-optional', ['no-wait']],
  ['4.1/wait-min-accepted', ['wait-min']],
  ['4.1/wait-max-accepted', ['wait-max']],
  ['4.1/wait-default-answers', ['no-wait']],
  ['4.1/wait-default-not-early', ['no-wait']],
  ['4.1/wait-max-honoured', ['wait-max']],
  ['4.1/wait-min-enforced', ['wait-below']],
  ['4.1/wait-max-enforced', ['wait-above']],
  ['4.1/wait-per-call', ['wait']],
  ['4.1/wait-does-not-shorten-retention', ['wait']],
  ['4.1/retention-with-wait-gone', ['wait']],
  ['4.1/retention-after-retry', ['runsync', 'retry']],
  ['4.1/complete-result-in-one-answer', ['runsync', 'COMPLETED']],
  ['4.1/payload-up-to-limit-accepted', ['runsync-as-large']],
  ['4.1/payload-above-limit-refused', ['runsync-too-large']],
  ['4.2/payload-up-to-limit-accepted', ['run-as-large']],
  ['4.2/payload-above-limit-refused', ['run-too-large']],
  ['4.2/retention-after-retry', ['run', 'retry']],
  ...each(idsFor('4.3/ttl-*', ['accepted', 'shortens-life', 'lengthens-life', 'not-at-once']), () => [
    'status-ttl',
  ]),
  ['4.3/ttl-this-job-only', ['status-ttl']],
  ['4.5/cancels-runsync-job', ['runsync', 'cancel']],
  ['4.6/retries-runsync-job', ['runsync', 'retry']],
  ['4.6/retried-job-not-expired', ['retry']],
  ['4.6/failed-again-can-be-retried', ['FAILED', 'retry']],
  ['4.6/no-effect-on-completed', ['COMPLETED', 'retry']],
  ['4.6/no-effect-on-cancelled', ['cancel', 'retry']],
  ['4.8/reading-changes-nothing', ['health']],
  ...each(idsFor('5/key-accepted-*', MAIN_OPERATIONS), (op) => [op, 'key']),
  ['5/bare-or-bearer', ['key']],
  ...each(idsFor('7/malformed-json-*', SUBMISSIONS), (op) => [op, 'malformed']),
  ...each(idsFor('7/body-not-object-*', SUBMISSIONS), (op) => [op, 'no-object']),
  ...each(idsFor('7/no-body-*', SUBMISSIONS), (op) => [op, 'no-body']),
  ...each(idsFor('7/ttl-expired-*', JOB_OPERATIONS), (op) => [op]),
  ...each(idsFor('7/result-expired-*', JOB_OPERATIONS), (op) => [op]),
  ...each(idsFor('7/result-expired-run-*', JOB_OPERATIONS), (op) => ['run', op]),
  ['8/refused-call-has-no-effect', ['429']],
];

const SITUATIONS: ReadonlyMap<string, Situation> = new Map(ROWS);

/** Null: it takes nothing that calls show one by one. */
export const situationOf = (id: RequirementId): Situation | null =>
  SITUATIONS.get(id) ?? OF_SECTION[requirement(id).section] ?? null;

/**
 * As in "no … in this recording": call of /retry; submission to /run without `input`; job that has a call of /runsync and a call of
 * /cancel.
 */
export function situationWords(situation: Situation): string {
  const [first, second, ...others] = situation;
  const words = situation.map(featureWords);
  const [, kind] = words;
  if (SUBMISSIONS.some((op) => op === first) && others.length === 0 && kind?.startsWith(SUBMISSION))
    return `${SUBMISSION} to /${first}${kind.slice(SUBMISSION.length)}`;
  if (second === undefined) return words[0]!;
  return `job that has ${words.map((one) => `${one.startsWith('answer') ? 'an' : 'a'} ${one}`).join(' and ')}`;
}
const SUBMISSION = featureWords('submission');

/** Which situations occur in a history that has a script for each job. */
export class Occurring {
  readonly #scripts = new Map<number, Set<Feature>>();
  /** What scripts of other parts have, by its text. */
  readonly #earlier = new Map<string, ReadonlySet<Feature>>();

  see(call: CallEvent): void {
    const features = getOrMake(this.#scripts, call.script, () => new Set());
    for (const feature of featuresOf(call)) features.add(feature);
  }

  /** The scripts of another part, which are over: of those that are alike, one is kept. */
  append(part: Occurring): void {
    for (const [key, features] of part.#earlier) this.#earlier.set(key, features);
    for (const features of part.#scripts.values())
      this.#earlier.set(
        [...features]
          .map(String)
          .toSorted((left, right) => (left < right ? -1 : 1))
          .join(' '),
        features,
      );
  }

  has(situation: Situation): boolean {
    for (const all of [this.#scripts, this.#earlier])
      for (const features of all.values()) if (situation.every((one) => features.has(one))) return true;
    return false;
  }
}
