/** Section 4: an operation that answers not one proper call with success does not exist. */
import { describeCall } from '../observed/describe-call.js';
import type { CallEvent } from '../../history/events.js';
import { requirement } from '../../spec/index.js';
import type { Job } from '../cast/cases.js';
import type { Ledger } from '../ledger/ledger.js';
import { answerOf, isJobRecord } from '../observed/reading.js';
import type { Asked } from '../cast/roll.js';
import type { Scene } from '../scene/scene.js';
import { mayBeGone } from '../scene/may-be-gone.js';
import { isWaitingOrRunning, precedes, sightingsOf } from '../cast/sightings.js';
import type { Flaw } from './one-flaw.js';
import { mayHaveFailed } from './submissions.js';

const TALLIED = ['run', 'runsync', 'status', 'cancel', 'purge-queue', 'health'] as const;
export type Tallied = (typeof TALLIED)[number];

function isTallied(op: CallEvent['op']): op is Tallied {
  return (TALLIED as readonly (string | null)[]).includes(op);
}

/** So many proper calls without one success are no coincidence. */
const CALLS_MIN = 3;

/** Counts the call where a success is the ordinary answer to it; `flaws`: what is out of the ordinary in a submission. */
export function tallyServed(
  scene: Scene,
  call: CallEvent,
  flaws: readonly Flaw[],
  asked: Asked | null,
): void {
  const { op } = call;
  if (!isTallied(op) || !scene.session.exists || call.request.illegal !== null || call.reply!.status === 429)
    return;
  // What is open about a submission may be refused, but it is no reason for an error of the server.
  if (call.reply!.status < 500 && flaws.length > 0) return;
  if (op === 'status' && (asked === null || asked.job === null)) return;
  if (op === 'status' && (call.request.query['ttl'] !== undefined || mayBeUnknown(scene, asked!.job!, call)))
    return;
  if (op === 'cancel' && answerOf(call) !== 'ok' && !isStillThere(asked, call)) return;
  // A job that failed may be told by any code, and whether there was one, nobody may know.
  const ok = answerOf(call) === 'ok' || (op === 'runsync' && isJobRecord(call));
  if (!ok && op === 'runsync' && flaws.length === 0 && mayHaveFailed(scene, call)) return;
  scene.ledger.tally(op, ok, call, scene.session);
}

/** Its lifespan or retention may be over by then, or a cancel or a purge have taken it away. */
function mayBeUnknown({ cast }: Scene, job: Job, call: CallEvent): boolean {
  if (call.reply!.status !== 404) return false;
  const meanwhile = (other: CallEvent): boolean =>
    other.sentMs <= call.receivedMs! && (other.receivedMs ?? Infinity) >= job.submitted.sentMs;
  const cancelled = job.calls.some((other) => other.op === 'cancel' && meanwhile(other));
  return mayBeGone(job, call) || cancelled || cast.roll.purges.some(meanwhile);
}

/** In another state than those that `/cancel` is for it may refuse by any code: the job waited or ran before and after it. */
function isStillThere(asked: Asked | null, call: CallEvent): boolean {
  if (asked === null || asked.job === null) return false;
  const seen = sightingsOf(asked.job);
  const before = seen.findLast((one) => precedes(one.call, call));
  if (before !== undefined && !isWaitingOrRunning(before.shows)) return false;
  return seen.some((one) => precedes(call, one.call) && isWaitingOrRunning(one.shows));
}

/** Told once for the whole run: each call by itself may have had its reason. */
export function neverServed(ledger: Ledger): void {
  for (const op of TALLIED) {
    const tally = ledger.served.get(op);
    if (tally === undefined || tally.ok > 0 || tally.all < CALLS_MIN) continue;
    const id = `4/operation-${op}` as const;
    if ((ledger.entries.get(id)?.failed ?? 0) > 0) continue;
    // Why its submissions were refused has been told.
    if ([...ledger.refusals.values()].some(({ features }) => features.includes(id))) continue;
    ledger.fail({
      requirement: id,
      script: tally.first.script,
      scenario: tally.scenario,
      expected: requirement(id).text,
      actual: `none of ${tally.all} proper calls of /${op} was answered with success; the first: ${describeCall(tally.first)}`,
      proof: [],
      calls: [tally.first.call],
      originMs: tally.originMs,
    });
  }
}
