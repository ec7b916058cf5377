/** A stage for the player's stories: plays a script against answers written by hand, in virtual time. */
import type { CallOutcome, OutgoingCall, ScriptRunnerContext } from '../../src/runner/api.js';
import type { Json } from '../../src/history/events.js';
import { createScriptRunner } from '../../src/runner/script-runner.js';
import type { Script, Step } from '../../src/scenario/script.js';

export interface Answer {
  readonly status: number;
  readonly body?: Json;
  /** How long the reply takes; 0 unless told otherwise. */
  readonly afterMs?: number;
}

export interface Played {
  readonly atMs: number;
  readonly call: OutgoingCall;
}

export const context: ScriptRunnerContext = {
  endpoint: 'e',
  startMs: 0,
  auth: 'bare',
  webhookUrl: (token) => `http://hooks/${token}`,
  sampleInput: null,
};

export function scriptOf(...steps: readonly Step[]): Script {
  return {
    schema: 'runproof-script/1',
    scenario: 'spec',
    title: 'spec',
    seed: 0,
    needs: [],
    workers: 1,
    exclusive: false,
    expectedMs: 0,
    steps,
  };
}

/** Plays until nothing is left to do; `answer` says what each call gets, null for a reply that never comes. */
export function play(
  steps: readonly Step[],
  answer: (call: OutgoingCall, atMs: number) => Answer | null,
  over: Partial<ScriptRunnerContext> = {},
) {
  const runner = createScriptRunner(scriptOf(...steps), { ...context, ...over });
  const calls: Played[] = [];
  const others: unknown[] = [];
  const replies: { call: number; outcome: CallOutcome; atMs: number }[] = [];
  let nowMs = over.startMs ?? 0;
  for (let turn = 0; turn < 10_000; turn += 1) {
    for (const action of runner.due(nowMs)) {
      if (action.kind !== 'call') {
        others.push(action);
        if (action.kind === 'workers') runner.workersChanged(action.lane, nowMs);
        continue;
      }
      calls.push({ atMs: nowMs, call: action.call });
      const reply = answer(action.call, nowMs);
      const atMs = nowMs + (reply?.afterMs ?? 0);
      replies.push({ call: action.call.call, atMs, outcome: outcomeOf(reply, nowMs, atMs) });
    }
    const wakeMs = runner.nextWakeMs();
    replies.sort((a, b) => a.atMs - b.atMs || a.call - b.call);
    const next = replies[0];
    if (next !== undefined && (wakeMs === null || next.atMs <= wakeMs)) {
      replies.shift();
      nowMs = Math.max(nowMs, next.atMs);
      runner.replied(next.call, next.outcome);
    } else if (wakeMs !== null) nowMs = Math.max(nowMs, wakeMs);
    else return { runner, calls, others, done: runner.done, endMs: nowMs };
  }
  throw new Error('the player never came to an end');
}

function outcomeOf(reply: Answer | null, sentMs: number, receivedMs: number): CallOutcome {
  if (reply === null) return { sentMs, arrivedByMs: null, receivedMs: null, reply: null, lost: 'timeout' };
  const body =
    reply.body === undefined
      ? ({ as: 'none' } as const)
      : ({ as: 'json', value: reply.body, bytes: JSON.stringify(reply.body).length } as const);
  return {
    sentMs,
    arrivedByMs: null,
    receivedMs,
    reply: { status: reply.status, contentType: 'application/json', headers: {}, body },
    lost: null,
  };
}

/** `op@ms` for every call, in order: what a story expects to read. */
export function told(calls: readonly Played[]): string[] {
  return calls.map(({ call, atMs }) => `${call.op ?? call.method}@${atMs}`);
}
