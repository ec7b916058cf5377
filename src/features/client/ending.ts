/** Whether a client ended as the weather leads to. */
import type { Ending } from '../../client/report.js';
import { isOf, jobOf } from '../../client/rules/calls.js';
import type { ClientCall, Session } from '../../client/session.js';
import { replyIn } from '../../history/exchange.js';
import { endSentence } from '../../report/client/words.js';
import { TTL_DEFAULT_MS } from '../../spec/limits.js';
import { exactDuration } from '../../util/duration.js';
import { isObject } from '../../util/json.js';

/** What the user says that a client ends with: a number is an exit code. */
export type Expected = 'success' | 'failure' | 'either' | number;

/** @param expected what the user says of this weather; absent: nothing */
export function endingOf(session: Session, expected: Expected | undefined, hasMet: boolean): Ending {
  const { end, weather } = session;
  if (end.kind === 'attached') return notJudged('it was not started by this command');
  if (end.kind === 'stopped')
    return notJudged(`it was still running when it was stopped after ${exactDuration(Math.round(end.atMs))}`);
  if (typeof expected === 'number')
    return end.exitCode === expected
      ? AS_EXPECTED
      : { kind: 'unexpected', text: `${endSentence(end)} instead of exit code ${expected}` };
  const leads = expected ?? weather.leads;
  if (leads === 'either') return notJudged('both success and failure are sensible');
  if (end.success === (leads === 'success')) return AS_EXPECTED;
  if (expected === undefined && !hasMet) return notJudged('nothing of this condition met it');
  if (expected === undefined && leads === 'failure' && !hasAsked(session))
    return notJudged('it did not ask what became of its job');
  if (expected === undefined && leads === 'success' && isOfOwnTtl(session))
    return notJudged('the ttl that it gave its job was over');
  if (expected === undefined && leads === 'success' && hasGivenUp(session))
    return notJudged('it gave up waiting, as far as can be seen at a time limit of its own');
  return {
    kind: 'unexpected',
    text:
      leads === 'success'
        ? `${endSentence(end)}, although a client can get through this`
        : `${endSentence(end)}, although its job did not complete`,
  };
}

const AS_EXPECTED: Ending = { kind: 'as-expected' };
const notJudged = (why: string): Ending => ({ kind: 'not-judged', why });

const isRead = (call: ClientCall): boolean => isOf(call, 'status', 'stream', 'runsync');

/** Something but a submission was answered, or a webhook arrived, or nothing was accepted at all. */
const hasAsked = ({ calls, webhooks, jobs }: Session): boolean =>
  jobs.length === 0 ||
  webhooks.length > 0 ||
  calls.some((call) => isRead(call) && call.outcome.kind === 'answer');

/** In the time of the endpoint, which runs faster than the client's own. */
const isOfOwnTtl = ({ jobs }: Session): boolean =>
  jobs.some(({ state, ttlMs }) => state === 'GONE' && ttlMs < TTL_DEFAULT_MS);

/** One of its jobs was going on as it should, by all that it was told of it before it ended, or cancelled the job. */
function hasGivenUp({ calls, jobs }: Session): boolean {
  return jobs.some(({ id, call, state }) => {
    const isCancelled = calls.some((one) => isOf(one, 'cancel') && jobOf(one) === id);
    if (!isCancelled && state !== 'IN_QUEUE' && state !== 'IN_PROGRESS') return false;
    const isTold = (one: ClientCall): boolean =>
      one.id === call || (jobOf(one) === id && !isOf(one, 'cancel'));
    const last = calls.findLast(isTold);
    const body = last && replyIn(last);
    const told = isObject(body) ? body['status'] : null;
    return told === 'IN_QUEUE' || told === 'IN_PROGRESS';
  });
}
