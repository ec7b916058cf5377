/** Whether a target answers a script as a correct one does, where the answers alone do not decide what the script is about. */
import type { HistoryEvent, RunEvent } from '../history/events.js';
import { MUTANTS, type Mutant } from '../mutants/index.js';
import type { Findings } from '../oracle/index.js';
import { formatReply } from '../report/curl.js';
import type { Script } from '../scenario/index.js';
import type { Edition } from '../spec/index.js';
import { readingsOf } from '../judging/missed-musts.js';
import { fails } from './kept-in-play.js';
import { decidedBy, simulated } from '../judging/simulated-run.js';

/** Plays the script on the simulator: with this fault, or on a correct service. */
export type PlayWith = (fault: Mutant | null) => readonly HistoryEvent[];

/** A simulator with the readings that the target has shown in this run of the scripts. */
export function onSimulator(
  events: readonly HistoryEvent[],
  scripts: readonly Script[],
  openQuestions: Findings['openQuestions'],
  edition: Edition,
): PlayWith {
  const { shown } = readingsOf(openQuestions, edition);
  const played = scripts.map((script, number) => ({ number, script, exercises: [] }));
  return (fault) => simulated(events[0] as RunEvent, played, shown, edition, fault?.rules);
}

/**
 * Whether the script shows by itself that these requirements are broken, as a fault does, and its calls were answered as by a
 * correct target, which does not decide them either: then no server can show more by this script.
 */
export function isAsRight(
  events: readonly HistoryEvent[],
  playWith: PlayWith,
  undecided: readonly { readonly id: string }[],
  edition: Edition,
): boolean {
  const rightly = playWith(null);
  const answers = answersIn(events);
  if (answers.length === 0 || answers.join() !== answersIn(rightly).join()) return false;
  const decided = decidedBy(rightly, edition);
  return undecided.every(
    ({ id }) =>
      !decided.has(id) &&
      MUTANTS.some(
        (fault) => fault.breaks.some((broken) => broken === id) && fails(id, playWith(fault), edition),
      ),
  );
}

/** Of each call of each play, in the order in which they were sent: the code, and the state of the job. */
const answersIn = (events: readonly HistoryEvent[]): readonly string[] =>
  events
    .flatMap((event) => (event.kind === 'call' && event.script >= 0 ? [event] : []))
    .toSorted((left, right) => left.script - right.script || left.call - right.call)
    .map((call) => `${call.op} ${formatReply(call)}`);
