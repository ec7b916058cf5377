/** Section 4: the eight operations are served. A proper call of one is not refused, and not answered with an error of the server. */
import type { CallEvent } from '../../history/events.js';
import { idsFor, MAIN_OPERATIONS, requirement, type MainOperation } from '../../spec/index.js';
import type { Asked } from '../cast/roll.js';
import { isWaitingOrRunning, precedes, sightingsOf } from '../cast/sightings.js';
import type { Ledger } from '../ledger/ledger.js';
import { foresee } from '../observed/plan.js';
import {
  answerOf,
  describeCall,
  isJobRecord,
  isObject,
  policyFieldOf,
  submissionOf,
} from '../observed/reading.js';
import { isBehindNetwork } from '../observed/session.js';
import { mayBeBeyondLimits } from '../observed/windows-before.js';
import { wasThere } from '../scene/left-alone.js';
import type { Scene } from '../scene/scene.js';
import { flawsOf, type Flaw } from './flaws.js';

export const OPERATION = idsFor('4/operation-*', MAIN_OPERATIONS);

/**
 * Which refusals of a proper call tell that the operation is not served. What else a job's operations are refused with may be
 * of the job; why submissions are is found out of what they hold (`refusals.ts`), and what `/status` is told of by its job's life.
 */
const NOT_SERVED: { readonly [Op in MainOperation]?: 'any code' | 405 } = {
  health: 'any code',
  'purge-queue': 'any code',
  stream: 405,
  cancel: 405,
  retry: 405,
};

/** The call was refused, by a code that is not about its key, the rate, or that endpoint or job are not there. */
export function refused(scene: Scene, call: CallEvent, asked: Asked | null): void {
  const op = call.op as MainOperation;
  const by = NOT_SERVED[op];
  if (by === undefined || (by !== 'any code' && call.reply!.status !== by)) return;
  if (call.request.illegal !== null || Object.keys(call.request.query).length > 0) return;
  if ((op === 'cancel' || op === 'retry') && mayBeOfState(call, asked)) return;
  scene.check(OPERATION[op], false, call);
}

/** The job was not last seen in a state for which the operation is: it may be refused by any code. */
function mayBeOfState(call: CallEvent, asked: Asked | null): boolean {
  const job = asked?.job ?? null;
  if (job === null) return true;
  const last = sightingsOf(job).findLast((one) => precedes(one.call, call));
  // Another call of the kind, since that look or beside this one, may have moved it on.
  const movedOn = job.calls.some(
    (one) =>
      one !== call &&
      one.op === call.op &&
      answerOf(one) !== 'refused' &&
      !precedes(call, one) &&
      (last === undefined || !precedes(one, last.call)),
  );
  if (movedOn || last === undefined) return true;
  const { shows } = last;
  return call.op === 'retry' ? shows !== 'FAILED' && shows !== 'TIMED_OUT' : !isWaitingOrRunning(shows);
}

/**
 * The call was answered with an error of the server. On a network a gateway may fail now and then. With nothing in between, an
 * operation that answers a proper call so is not performed. Not so where a refusal was due and only its code is wrong: beyond a
 * limit, for a job that is not there or whose state the operation is not for, or for a request that may be taken for malformed.
 * Nor of a job whose worker crashed, which may be told so.
 */
export function notPerformed(scene: Scene, call: CallEvent, asked: Asked | null): void {
  const { op } = call;
  if (isBehindNetwork(scene.session)) return;
  if (op === null || op === 'runsync' || op === 'openai' || op === 'requests') return;
  if (op === 'run' ? flawsOf(call).length > 0 : Object.keys(call.request.query).length > 0) return;
  if (op === 'status' || op === 'stream' || op === 'cancel' || op === 'retry') {
    const job = asked?.job ?? null;
    if (job === null || [0, 1].some((runs) => job.foreseen(runs).outcome === 'crash')) return;
    if (!wasThere(scene, job, call)) return;
    if ((op === 'cancel' || op === 'retry') && mayBeOfState(call, asked)) return;
  }
  if (!mayBeBeyondLimits(scene, call)) scene.check(OPERATION[op], false, call);
}

/** Which code tells a waiting call that its job has failed is open; so it is wherever the job need not succeed. */
export function mayHaveFailed(scene: Scene, call: CallEvent): boolean {
  if (isJobRecord(call)) return true;
  if (!scene.has('scripted-worker'))
    return call.receivedMs! > call.sentMs + scene.graceAt(call.sentMs, call.receivedMs!);
  const body = submissionOf(call)!;
  const { outcome, lastsMs, output } = foresee(body['input']!, body['s3Config'] ?? null, false);
  if (scene.session.run.edition === 'runpod' && isObject(output) && 'error' in output) return true;
  const executionMs = policyFieldOf(body, 'executionTimeout');
  return outcome !== 'success' || (typeof executionMs === 'number' && lastsMs! >= executionMs);
}

const TALLIED = ['run', 'runsync', 'status', 'cancel', 'purge-queue', 'health'] as const;
type Tallied = (typeof TALLIED)[number];

/** So many proper calls without one success are no coincidence. */
const CALLS_MIN = 3;

/** Counts the call where a success is the ordinary answer to it; `flaws`: what is out of the ordinary in a submission. */
export function tallyServed(
  scene: Scene,
  call: CallEvent,
  flaws: readonly Flaw[],
  asked: Asked | null,
): void {
  const op = call.op as Tallied;
  if (!TALLIED.includes(op) || !scene.session.exists || call.request.illegal !== null) return;
  // A job that failed may be told by any code, and whether there was one, nobody may know.
  const ok = answerOf(call) === 'ok' || (op === 'runsync' && isJobRecord(call));
  if (isOrdinary(scene, call, flaws, asked, ok)) scene.ledger.tally(op, ok, call, scene.session);
}

function isOrdinary(
  scene: Scene,
  call: CallEvent,
  flaws: readonly Flaw[],
  asked: Asked | null,
  ok: boolean,
): boolean {
  const { op, request, reply } = call;
  const job = asked?.job ?? null;
  // What is open about a submission may be refused, but it is no reason for an error of the server.
  if (flaws.length > 0) return reply!.status >= 500;
  if (op === 'runsync') return ok || !mayHaveFailed(scene, call);
  if (op === 'cancel') return ok || isStillThere(call, asked);
  if (op !== 'status') return true;
  if (job === null || request.query['ttl'] !== undefined) return false;
  return reply!.status !== 404 || !!wasThere(scene, job, call);
}

/** In another state than those that `/cancel` is for it may refuse by any code: the job waited or ran before and after it. */
function isStillThere(call: CallEvent, asked: Asked | null): boolean {
  if (asked === null || asked.job === null) return false;
  const seen = sightingsOf(asked.job);
  const before = seen.findLast((one) => precedes(one.call, call));
  if (before !== undefined && !isWaitingOrRunning(before.shows)) return false;
  // A retry since then may have brought it back from an end that this call met.
  const mayHaveEnded = asked.job.calls.some(
    (one) =>
      one.op === 'retry' &&
      answerOf(one) !== 'refused' &&
      (before === undefined || !precedes(one, before.call)),
  );
  if (mayHaveEnded) return false;
  return seen.some((one) => precedes(call, one.call) && isWaitingOrRunning(one.shows));
}

/** An operation that answers not one proper call with success does not exist. Told once for the whole run: each call by itself may have had its reason. */
export function neverServed(ledger: Ledger): void {
  for (const op of TALLIED) {
    const tally = ledger.served.get(op);
    if (tally === undefined || tally.ok > 0 || tally.all < CALLS_MIN) continue;
    const id = OPERATION[op];
    if (ledger.hasFailed(id)) continue;
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
