/**
 * A call that was held until its wait had passed and then answered with an error: its job was accepted and goes on,
 * though nobody learned its id. It still counts as waiting or running.
 */
import type { CallEvent } from '../../history/events.js';
import { EXECUTION_TIMEOUT_MIN_MS, TTL_DEFAULT_MS, WAIT_DEFAULT_MS } from '../../spec/limits.js';
import { earlyFor } from '../observed/tolerance.js';
import { flawsOf } from '../calls/submissions.js';
import { foresee } from '../observed/plan.js';
import { countedSinceMs } from '../observed/session.js';
import { answerOf, isObject, jsonOf, overBefore, type JsonObject } from '../observed/reading.js';
import type { Scene } from '../scene/scene.js';

/** How many such jobs certainly wait or run while they are counted. */
export function namelessDuring(scene: Scene, count: CallEvent): number {
  if (!scene.has('scripted-worker')) return 0;
  return scene.cast.roll.ghosts.filter(({ submitted }) => outlives(scene, submitted, count)).length;
}

function outlives(scene: Scene, call: CallEvent, count: CallEvent): boolean {
  if (call.op !== 'runsync' || call.receivedMs === null || answerOf(call) !== 'refused') return false;
  const { earlyMs } = scene.session.run;
  const waitMs = Number(call.request.query['wait'] ?? WAIT_DEFAULT_MS);
  const held = call.receivedMs - call.sentMs >= waitMs - earlyMs && call.endedTick! < count.sentTick;
  // The figures may be older than the call that shows them.
  if (call.receivedMs > countedSinceMs(scene.session, count)) return false;
  if (!held || flawsOf(call).length > 0 || count.receivedMs === null) return false;
  const purged = scene.session.calls.some((one) => one.op === 'purge-queue' && !overBefore(one, call));
  const body = jsonOf(call.request.body) as JsonObject;
  const { outcome, lastsMs } = foresee(body['input']!, body['s3Config'] ?? null, false);
  if (purged || lastsMs === null || (outcome !== 'success' && outcome !== 'never')) return false;
  const policy = isObject(body['policy']) ? body['policy'] : {};
  const livesMs = Math.min(
    lastsMs,
    Number(policy['ttl'] ?? TTL_DEFAULT_MS),
    Number(
      policy['executionTimeout'] ?? scene.session.run.executionTimeoutDefaultMs ?? EXECUTION_TIMEOUT_MIN_MS,
    ),
  );
  return count.receivedMs < call.sentMs + livesMs - earlyFor(earlyMs, livesMs);
}
