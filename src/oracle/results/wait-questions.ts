/** How a `/runsync` call is answered whose `wait` is out of the ordinary, or over. */
import type { CallEvent } from '../../history/events.js';
import { TTL_MAX_MS, TTL_MIN_MS, WAIT_DEFAULT_MS, WAIT_MAX_MS, WAIT_MIN_MS } from '../../spec/limits.js';
import { earlyFor } from '../observed/earliness.js';
import { onTheWayMs } from '../scene/on-the-way.js';
import { foresee } from '../observed/plan.js';
import {
  isObject,
  mayStrikeDuring,
  policyFieldOf,
  recordOf,
  statusIn,
  submissionOf,
} from '../observed/reading.js';
import type { Scene } from '../scene/scene.js';

export interface Wait {
  readonly leastMs: number;
  readonly mostMs: number;
  readonly given: number | null;
}

/** A `wait` with a fraction: taken as a number, or as if it were not there. */
export function fraction(scene: Scene, call: CallEvent): void {
  const text = call.request.query['wait'] ?? '';
  if (!/^[0-9]+\.[0-9]*[1-9]$/.test(text) || call.receivedMs === null || call.reply!.status === 400) return;
  const heldMs = call.receivedMs - call.sentMs;
  const near = (ms: number): boolean => heldMs >= ms - 1 && heldMs <= ms + scene.graceMax + onTheWayMs(scene);
  if (near(Number(text)) && !near(WAIT_DEFAULT_MS)) scene.ledger.observe('4.1/wait-fraction', 'rounded');
  else if (near(WAIT_DEFAULT_MS)) scene.ledger.observe('4.1/wait-fraction', 'ignored');
}

/** How a call is answered whose wait is certainly over, and whose job has certainly not ended. */
export function atItsEnd(scene: Scene, call: CallEvent, wait: Wait, ended: boolean): void {
  const { earlyMs } = scene.session.run;
  const heldMs = call.receivedMs === null ? 0 : call.receivedMs - call.sentMs;
  if (
    wait.leastMs !== wait.mostMs ||
    ended ||
    call.reply === null ||
    heldMs < wait.leastMs - earlyFor(earlyMs, wait.leastMs)
  )
    return;
  const input = submissionOf(call)?.['input'];
  if (input === undefined || !scene.has('scripted-worker')) return;
  const { lastsMs } = foresee(input, null, false);
  const policy = submissionOf(call)?.['policy'];
  if (
    lastsMs === null ||
    lastsMs <= wait.mostMs ||
    (isObject(policy) && policy['ttl'] !== undefined && ttlOf(call)! <= wait.mostMs)
  )
    return;
  const purged = scene.session.calls.some((one) => one.op === 'purge-queue' && mayStrikeDuring(one, call));
  if (purged) return;
  const code = call.reply.status;
  const known = code === 200 || code === 202 || code === 408 || code === 504;
  scene.ledger.observe('4.1/wait-elapsed-code', known ? `${code}` : 'other');
  const record = recordOf(call) ?? {};
  const shown = statusIn(call);
  const bare = Object.keys(record).every((name) => name === 'id' || name === 'status');
  if (shown === null) scene.ledger.observe('4.1/wait-elapsed-body', 'error');
  else if (!bare) scene.ledger.observe('4.1/wait-elapsed-body', 'record-as-it-stands');
  // The record of a waiting job may hold no more than that.
  else if (shown === 'IN_PROGRESS') scene.ledger.observe('4.1/wait-elapsed-body', 'id-and-status');
}

/** A `wait` beyond its bounds was accepted. */
export function outOfRange(scene: Scene, call: CallEvent, { given }: Wait): void {
  const { ledger } = scene;
  const heldMs = call.receivedMs! - call.sentMs;
  const near = (ms: number): boolean => Math.abs(heldMs - ms) <= scene.graceMax + onTheWayMs(scene);
  if (given! < WAIT_MIN_MS) {
    if (near(WAIT_DEFAULT_MS)) ledger.observe('4.1/wait-below-min', 'default-instead');
    else if (near(WAIT_MIN_MS)) ledger.observe('4.1/wait-below-min', 'raised');
  } else if (near(WAIT_DEFAULT_MS)) ledger.observe('4.1/wait-above-max', 'default-instead');
  else if (near(WAIT_MAX_MS)) ledger.observe('4.1/wait-above-max', 'lowered');
}

/** The lifespan that the submission gives its job; null where it gives none, or none within bounds. */
export function ttlOf(call: CallEvent): number | null {
  const ttl = policyFieldOf(submissionOf(call), 'ttl');
  return typeof ttl === 'number' && ttl >= TTL_MIN_MS && ttl <= TTL_MAX_MS ? ttl : null;
}
