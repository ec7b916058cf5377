/**
 * Far away, a stop of the clock takes longer than all that happens there. Scripts that share it therefore act only at
 * instants that they have in common: up to a slot later than they say, as in real time, where a call is late as well.
 */
import type { CreateScriptRunner } from '../port.js';

/** The instants at which scripts far away act are multiples of it. Less than what real time grants to a call. */
export const SLOT_MS = 500;

/** The first instant at which they act, from this one on. */
export const slotFrom = (atMs: number): number => Math.ceil(atMs / SLOT_MS) * SLOT_MS;

/** Runners that sleep until the slot in which they would wake. */
export function inSlots(createRunner: CreateScriptRunner): CreateScriptRunner {
  return (script, context) => {
    const runner = createRunner(script, context);
    return {
      due: (nowMs) => runner.due(nowMs),
      nextWakeMs: () => {
        const wakeMs = runner.nextWakeMs();
        return wakeMs === null ? null : slotFrom(wakeMs);
      },
      arrived: (call, byMs) => runner.arrived(call, byMs),
      replied: (call, outcome) => runner.replied(call, outcome),
      workersChanged: (lane, nowMs) => runner.workersChanged(lane, nowMs),
      get done() {
        return runner.done;
      },
      openJobs: () => runner.openJobs(),
    };
  };
}
