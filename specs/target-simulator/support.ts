import type { CallEvent, HistoryEvent } from '../../src/history/events.js';
import type { Script, Step } from '../../src/scenario/script.js';
import { simulatorTarget } from '../../src/target/simulator/simulator-target.js';
import type { SimulatorOptions } from '../../src/target/simulator/simulator-target.js';

export function script(steps: readonly Step[], more: Partial<Script> = {}): Script {
  return {
    schema: 'runproof-script/1',
    scenario: 'spec',
    title: 'a script of the specs',
    seed: 1,
    needs: [],
    workers: 1,
    exclusive: false,
    expectedMs: 0,
    steps,
    ...more,
  };
}

/** Plays the scripts on a new simulator. */
export function play(scripts: readonly Script[], options: Partial<SimulatorOptions> = {}) {
  const target = simulatorTarget({ seed: 1, ...options });
  const events: HistoryEvent[] = [];
  const summary = target.runSynchronously(scripts, { append: (event) => events.push(event) });
  return { target, events, summary, calls: callsOf(events) };
}

export function callsOf(events: readonly HistoryEvent[]): readonly CallEvent[] {
  return events.filter((event) => event.kind === 'call');
}

/** What a call was answered in its body's `status`, or the HTTP status where the body has none. */
export function answerOf(call: CallEvent | undefined): unknown {
  const body = call?.reply?.body;
  const value = body?.as === 'json' ? (body.value as { readonly status?: unknown }) : {};
  return typeof value.status === 'string' ? value.status : call?.reply?.status;
}
