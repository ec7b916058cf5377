/** Whether a script that violated a rule shows that it does so no more, where its answers alone do not prove the rule. */
import type { CallEvent, HistoryEvent } from '../history/events.js';
import { judge } from '../oracle/index.js';
import type { Edition } from '../spec/types.js';
import { isObject } from '../util/json.js';

const STATES = ['FAILED', 'COMPLETED', 'TIMED_OUT', 'CANCELLED', 'IN_PROGRESS', 'IN_QUEUE'];
/** Of the last reads of jobs: each is judged again with each state. */
const READS_MAX = 12;

/**
 * In this play of a script the rule is kept, as far as it shows: the calls alone prove it; or the script was played to its end, all its
 * calls were answered, and the rule would have been violated then if a read of a job had shown another state.
 */
export function isKeptIn(
  id: string,
  script: number,
  events: readonly HistoryEvent[],
  edition: Edition,
): boolean {
  const own = events.filter((event) => !('script' in event) || event.script === script);
  const verdict = judge(own, { edition, failuresMax: 0 }).requirements.find((one) => one.id === id)?.verdict;
  if (verdict === 'pass' || verdict === 'fail') return verdict === 'pass';
  if (!isAnsweredIn(script, own)) return false;
  const reads = callsOf(script, own)
    .filter(({ op }) => op === 'status')
    .slice(-READS_MAX);
  const until = (call: CallEvent, state: string): readonly HistoryEvent[] => [
    ...own.slice(0, own.indexOf(call)),
    withState(call, state),
    ...own.filter(({ kind }) => kind === 'script-end'),
  ];
  return reads.some((call) => STATES.some((state) => fails(id, until(call, state), edition)));
}

/** It was played to its end. */
export const isPlayedIn = (script: number, events: readonly HistoryEvent[]): boolean =>
  events.some(
    (event) => event.kind === 'script-end' && event.script === script && event.outcome === 'played',
  );

/** It was played to its end, and all its calls were answered. */
export const isAnsweredIn = (script: number, events: readonly HistoryEvent[]): boolean =>
  isPlayedIn(script, events) && callsOf(script, events).every(isAnswered);

const callsOf = (script: number, events: readonly HistoryEvent[]): readonly CallEvent[] =>
  events.flatMap((event) => (event.kind === 'call' && event.script === script ? [event] : []));

const isAnswered = ({ reply }: CallEvent): boolean =>
  reply !== null && reply.status !== 429 && reply.status < 500;

/** The same call where it shows no state. */
function withState(call: CallEvent, state: string): CallEvent {
  const { reply } = call;
  if (reply?.status !== 200 || reply.body.as !== 'json' || !isObject(reply.body.value)) return call;
  const value = { ...reply.body.value, status: state };
  return { ...call, reply: { ...reply, body: { ...reply.body, value } } };
}

export const fails = (id: string, events: readonly HistoryEvent[], edition: Edition): boolean =>
  judge(events, { edition, failuresMax: 0 }).requirements.some(
    (one) => one.id === id && one.verdict === 'fail',
  );
