/** Section 4.1: what the `wait` of a `/runsync` call means, and what is open of one out of the ordinary. */
import type { CallEvent } from '../../history/events.js';
import type { RequirementId } from '../../spec/index.js';
import { WAIT_DEFAULT_MS, WAIT_MAX_MS, WAIT_MIN_MS } from '../../spec/limits.js';
import { servedAt } from '../cast/shown.js';
import { earlyFor } from '../observed/tolerance.js';
import type { Instant } from '../proof/contradiction.js';
import { onTheWayMs } from '../scene/on-the-way.js';
import type { Scene } from '../scene/scene.js';

/**
 * For how long a call is held, at least and at most, ms (null: for just its `wait`), and what an answer before the least and
 * one after the most breaks. A `wait` out of range may be clamped, or replaced by the default.
 */
const RANGES = {
  none: [WAIT_DEFAULT_MS, WAIT_DEFAULT_MS, '4.1/wait-default-not-early', '4.1/wait-default-answers'],
  'below-min': [WAIT_MIN_MS, WAIT_DEFAULT_MS, '4.1/wait-min-enforced', '4.1/wait-answers-when-elapsed'],
  within: [null, null, '4.1/wait-not-early', '4.1/wait-answers-when-elapsed'],
  max: [null, null, '4.1/wait-max-honoured', '4.1/wait-max-honoured'],
  'above-max': [WAIT_DEFAULT_MS, WAIT_MAX_MS, '4.1/wait-not-early', '4.1/wait-max-enforced'],
} as const satisfies {
  readonly [range: string]: readonly [number | null, number | null, RequirementId, RequirementId];
};

const ELAPSED = '4.1/wait-answers-when-elapsed';

const CLAMPED = {
  'below-min': {
    id: '4.1/wait-min-enforced',
    question: '4.1/wait-below-min',
    toMs: WAIT_MIN_MS,
    as: 'raised',
  },
  'above-max': {
    id: '4.1/wait-max-enforced',
    question: '4.1/wait-above-max',
    toMs: WAIT_MAX_MS,
    as: 'lowered',
  },
} as const;

export interface Wait {
  readonly range: keyof typeof RANGES;
  readonly leastMs: number;
  readonly mostMs: number;
  /** Broken by an answer before the least, and by one after the most. */
  readonly early: RequirementId;
  readonly late: RequirementId;
  /** Kept by an answer in between. */
  readonly kept: readonly RequirementId[];
}

/** Null when it cannot be told. */
export function waitOf(call: CallEvent): Wait | null {
  const text = call.request.query['wait'];
  if (text !== undefined && !/^-?[0-9]+$/.test(text)) return null;
  const range = text === undefined ? 'none' : rangeOf(Number(text));
  const [leastMs, mostMs, early, late] = RANGES[range];
  return {
    range,
    leastMs: leastMs ?? Number(text),
    mostMs: mostMs ?? Number(text),
    early,
    late,
    kept: [...new Set<RequirementId>([late, ELAPSED])],
  };
}

function rangeOf(given: number): Wait['range'] {
  if (given < WAIT_MIN_MS) return 'below-min';
  if (given > WAIT_MAX_MS) return 'above-max';
  return given === WAIT_MAX_MS ? 'max' : 'within';
}

/** The answer came as long after the call as its `wait` says, as far as clocks can tell. */
export function isWaitOver({ session }: Scene, call: CallEvent, { leastMs }: Wait): boolean {
  return call.receivedMs! >= call.sentMs + leastMs - earlyFor(session.run.earlyMs, leastMs);
}

/** The call was answered with 400. */
export function observeRefused(scene: Scene, { range }: Wait): void {
  if (range !== 'below-min' && range !== 'above-max') return;
  scene.passWhere(servedAt('runsync'), CLAMPED[range].id);
  scene.ledger.observe(CLAMPED[range].question, 'refused');
}

/** The call was held to the end of its `wait`. */
export function observeOutOfRange(scene: Scene, call: CallEvent, { range }: Wait): void {
  if (range !== 'below-min' && range !== 'above-max') return;
  const { question, toMs, as } = CLAMPED[range];
  if (isHeldFor(scene, call, WAIT_DEFAULT_MS)) scene.ledger.observe(question, 'default-instead');
  else if (isHeldFor(scene, call, toMs)) scene.ledger.observe(question, as);
}

/** A `wait` with a fraction: taken as a number, or as if it were not there. */
export function observeFraction(scene: Scene, call: CallEvent): void {
  const text = call.request.query['wait'] ?? '';
  if (!/^[0-9]+\.[0-9]*[1-9]$/.test(text) || call.receivedMs === null || call.reply!.status === 400) return;
  if (isHeldFor(scene, call, WAIT_DEFAULT_MS)) scene.ledger.observe('4.1/wait-fraction', 'ignored');
  else if (isHeldFor(scene, call, Number(text))) scene.ledger.observe('4.1/wait-fraction', 'rounded');
}

/** It was answered after so long, 1 ms for what was rounded. */
function isHeldFor(scene: Scene, call: CallEvent, ms: number): boolean {
  const heldMs = call.receivedMs! - call.sentMs;
  const leastMs = ms - 1 - earlyFor(scene.session.run.earlyMs, ms);
  return heldMs >= leastMs && heldMs <= ms + scene.graceMax + onTheWayMs(scene);
}

/** Instants of a proof. */
export const sent = (call: CallEvent, ms: number): Instant => ({
  name: 'sent',
  ms,
  why: `runsync #${call.call} was sent`,
  call: call.call,
});

export const answered = (call: CallEvent, ms: number): Instant => ({
  name: `#${call.call}`,
  ms,
  why: call.reply === null ? `runsync #${call.call} was given up` : `runsync #${call.call} was answered`,
  call: call.call,
});
