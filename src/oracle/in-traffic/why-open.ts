/** Why recorded traffic leaves a requirement open that nothing in it touched. */
import { idsFor, MAIN_OPERATIONS, requirement, SUBMISSIONS, type RequirementId } from '../../spec/index.js';
import type { RunEvent } from '../../history/events.js';
import { situationOf, situationWords, type Occurring } from './situations.js';

interface WhyOpen {
  readonly openBecause: 'never-occurs' | 'not-judged' | 'otherwise';
  readonly reason: string;
}

const COUNTS =
  'counts include the jobs of others, so they are not judged in recorded traffic: check decides it';

/** What no recording decides, by the section. */
const NOT_JUDGED_SECTIONS: { readonly [section: string]: string } = {
  '4.8': COUNTS,
  '6': 'webhook calls are judged only by check, and by `proxy --rewrite-webhooks` if they pass through it',
  '8': 'limits need bursts of calls, so they are not judged in recorded traffic: check decides it',
};

const WORKER =
  'not judged in recorded traffic, which does not show what workers get and do: check decides it with a worker that follows plans';
const WORKERS =
  'not judged in recorded traffic, which does not show how many workers there are: check decides it';
const STATE =
  'not judged in recorded traffic, which does not show whether the job waited or ran at that instant: check decides it';
const ENDPOINTS =
  'not judged in recorded traffic, which does not show which endpoints there are: check decides it';
const KEYS =
  'not judged in recorded traffic, which does not show which keys are valid; calls that were answered with 401 are left out: check decides it';
const NO_KEY =
  'calls without a key are judged only by check, and by `proxy` at an endpoint that has answered 20 calls with a key';

const all = (ids: { readonly [word: string]: RequirementId }, why: string) =>
  Object.values(ids).map((id) => [id, why] as const);
const some = (why: string, ...ids: readonly RequirementId[]) => ids.map((id) => [id, why] as const);

const NOT_JUDGED: ReadonlyMap<RequirementId, string> = new Map<RequirementId, string>([
  ...some(
    WORKERS,
    '1/waits-when-no-worker-free',
    '1/free-worker-takes-job',
    '1/freed-worker-takes-waiting-job',
    '1/every-job-is-processed',
    '2.2/low-priority-default',
    '2.2/low-priority-job-runs',
    '2.2/low-priority-no-scaling',
  ),
  ...some(
    COUNTS,
    '2.6/removed-counts-queued',
    '3/invalid-submission-creates-nothing',
    '4.7/second-purge-removes-nothing',
    '4.7/empty-queue-removes-nothing',
  ),
  ...all(
    idsFor('1/endpoints-isolated-*', ['status', 'stream', 'cancel', 'retry', 'purge', 'health', 'workers']),
    ENDPOINTS,
  ),
  ...all(idsFor('7/unknown-endpoint-*', MAIN_OPERATIONS), ENDPOINTS),
  ...all(idsFor('2.1/input-reaches-worker-*', SUBMISSIONS), WORKER),
  ...all(idsFor('2.3/passed-along-*', SUBMISSIONS), WORKER),
  ...all(
    idsFor('2.3/*-reaches-worker', ['access-id', 'access-secret', 'bucket-name', 'endpoint-url']),
    WORKER,
  ),
  ...all(idsFor('2.4/output-*-unchanged', ['object', 'array', 'unicode']), WORKER),
  ...all(idsFor('2.4/output-in-*', ['runsync', 'status']), WORKER),
  ...all(idsFor('3/success-completes-*', SUBMISSIONS), WORKER),
  ...all(idsFor('3/handler-error-fails-*', SUBMISSIONS), WORKER),
  ...all(
    idsFor('4.4/chunks-*', [
      'in-order',
      'not-lost',
      'not-duplicated',
      'not-invented',
      'while-running',
      'after-end',
    ]),
    WORKER,
  ),
  ...all(idsFor('4.4/large-output-*', ['split', 'rejoins']), WORKER),
  ...some(
    WORKER,
    '2.1/input-not-mixed-between-jobs',
    '2.1/input-nested-unchanged',
    '2.1/input-unicode-unchanged',
    '2.3/service-does-not-use-it',
    '2.3/not-mixed-between-jobs',
    '2.4/output-of-this-job',
    '2.5/chunk-output-unchanged',
    '2.5/metrics-unchanged',
    '3/not-completed-before-handler-ends',
    '3/worker-crash-fails',
    '3/crash-leaves-other-jobs-alone',
    '3/cancelled-stops-streaming',
    '4.6/keeps-input',
    '4.6/retried-job-runs',
  ),
  ...all(
    idsFor('2.2/ttl-*', [
      'starts-at-submission',
      'removes-queued',
      'removes-running',
      'expired-leaves-queue',
      'wins-over-completion',
      'ends-before-execution-timeout',
      'seven-days-two-queued',
    ]),
    STATE,
  ),
  ...all(idsFor('3/cancel-*', ['queued', 'running']), STATE),
  ...all(idsFor('3/cancelled-*', ['never-starts', 'leaves-queue', 'never-completes']), STATE),
  ...all(idsFor('4.5/status-cancelled-*', ['queued', 'running']), STATE),
  ...some(STATE, '4/operation-cancel', '4.5/cancels-retried-job', '4.5/returns-at-once'),
  ...all(idsFor('5/missing-key-*', MAIN_OPERATIONS), NO_KEY),
  ...all(idsFor('5/wrong-key-*', MAIN_OPERATIONS), KEYS),
  ...all(idsFor('5/unauthorized-submission-creates-nothing-*', SUBMISSIONS), KEYS),
  ...all(idsFor('5/unauthorized-*-has-no-effect', ['cancel', 'retry', 'purge']), KEYS),
  ...some(
    KEYS,
    '1/json-error-body-401',
    '1/json-error-content-type-401',
    '5/empty-key',
    '5/key-compared-whole',
    '5/unauthorized-reveals-nothing',
    '5/key-without-permission',
  ),
]);

export function whyOpenInTraffic(
  id: RequirementId,
  { capabilities }: RunEvent,
  occurring: Occurring,
): WhyOpen {
  const { section } = requirement(id);
  const isShown = section === '6' && capabilities.includes('webhook-reachable');
  const situation = situationOf(id);
  const ofSection = situation !== null || isShown ? undefined : NOT_JUDGED_SECTIONS[section];
  const notJudged = NOT_JUDGED.get(id) ?? ofSection;
  if (notJudged !== undefined) return { openBecause: 'not-judged', reason: notJudged };
  const what = situation === null ? null : situationWords(situation);
  if (situation !== null && !occurring.has(situation))
    return { openBecause: 'never-occurs', reason: `no ${what} in this recording` };
  return {
    openBecause: 'otherwise',
    reason: `no ${what ?? 'call'} in this recording shows enough to judge this`,
  };
}
