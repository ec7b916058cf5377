/** Why a `/runsync` call was held for too long, or not for long enough, as a sum of bounds. */
import type { CallEvent } from '../../history/events.js';
import type { RequirementId } from '../../spec/index.js';
import { WAIT_MAX_MS, WAIT_MIN_MS } from '../../spec/limits.js';
import type { Contradiction } from '../proof/contradiction.js';
import { tooEarly, tooLate, type Instant } from '../proof/in-time.js';
import { idIn } from '../observed/reading.js';
import { allowedOnTheWay } from '../scene/on-the-way.js';
import type { Wait } from './wait-questions.js';
import type { Scene } from '../scene/scene.js';

/** Which promise an answer before the end of its `wait` breaks. */
export function earlyId(wait: Wait): RequirementId {
  if (wait.given === null) return '4.1/wait-default-not-early';
  if (wait.given < WAIT_MIN_MS) return '4.1/wait-min-enforced';
  return wait.given === WAIT_MAX_MS ? '4.1/wait-max-honoured' : '4.1/wait-not-early';
}

/** And one after it. */
export function lateId(wait: Wait): RequirementId {
  if (wait.given === null) return '4.1/wait-default-answers';
  if (wait.given > WAIT_MAX_MS) return '4.1/wait-max-enforced';
  return wait.given === WAIT_MAX_MS ? '4.1/wait-max-honoured' : '4.1/wait-answers-when-elapsed';
}

export function heldTooLong(scene: Scene, call: CallEvent, wait: Wait, heldMs: number): Contradiction | null {
  const sentMs = call.arrivedByMs ?? call.sentMs;
  const terms = [
    { ms: wait.mostMs, why: 'wait', requirement: lateId(wait) },
    ...allowedOnTheWay(scene, scene.graceAt(call.sentMs + wait.mostMs, heldMs), call),
  ];
  return tooLate(idIn(call), sent(call, sentMs), terms, answered(call, heldMs));
}

export function heldTooShort(call: CallEvent, wait: Wait): Contradiction | null {
  const terms = [{ ms: wait.leastMs, why: 'wait', requirement: earlyId(wait) }];
  return tooEarly(idIn(call), sent(call, call.sentMs), terms, answered(call, call.receivedMs!));
}

/** The answer has to follow the job's end. */
export function answeredTooLate(
  scene: Scene,
  call: CallEvent,
  id: RequirementId,
  endedByMs: number,
): Contradiction | null {
  const ended = { name: 'ended', ms: endedByMs, why: 'the job had ended by then', call: null };
  const terms = [
    { ms: 0, why: 'answered at once', requirement: id },
    ...allowedOnTheWay(scene, scene.graceAt(endedByMs, call.receivedMs!), call),
  ];
  return tooLate(idIn(call), ended, terms, answered(call, call.receivedMs!));
}

const sent = (call: CallEvent, ms: number): Instant => ({
  name: 'sent',
  ms,
  why: `runsync #${call.call} was sent`,
  call: call.call,
});

const answered = (call: CallEvent, ms: number): Instant => ({
  name: `#${call.call}`,
  ms,
  why: call.reply === null ? `runsync #${call.call} was given up` : `runsync #${call.call} was answered`,
  call: call.call,
});
