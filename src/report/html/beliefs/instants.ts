/** The instants of one script that can be looked at, in order: its calls at their ends, and what else happened. */
import type { CallEvent, HistoryEvent, RunEvent, ScriptEvent } from '../../../history/events.js';
import type { JobStatus } from '../../../spec/types.js';
import { exactDuration } from '../../../util/duration.js';
import { isObject } from '../../../util/json.js';
import { scriptSteps } from '../../calls/script-steps.js';

export interface ScriptInstant {
  /** From the beginning of the script. */
  readonly atMs: number;
  /** Null: no call. */
  readonly call: CallEvent | null;
  readonly text: string;
  readonly marks: readonly string[];
}

export interface ScriptInstants {
  readonly script: ScriptEvent;
  readonly instants: readonly ScriptInstant[];
}

/** Null if the history has no such script. */
export function instantsOf(
  history: readonly HistoryEvent[],
  script: number,
  run: RunEvent,
): ScriptInstants | null {
  const found = scriptSteps(history, script);
  if (found === null) return null;
  const originMs = found.script.atMs;
  const calls = new Map(
    history.flatMap((event) =>
      event.kind === 'call' && event.script === script ? [[event.call, event] as const] : [],
    ),
  );
  const all = found.steps.map(({ atMs, text, call: number }): ScriptInstant => {
    const call = number === null ? null : calls.get(number)!;
    const isCall = call !== null;
    return {
      atMs: isCall ? endOf(call) - originMs : atMs,
      call,
      text: isCall ? text + numbersIn(call) : text,
      marks: [],
    };
  });
  const inOrder = all.sort((one, other) => one.atMs - other.atMs || tickOf(one) - tickOf(other));
  return {
    script: found.script,
    instants: inOrder.map((one, index) => {
      const sinceMs = inOrder[index - 1]?.atMs ?? 0;
      return one.call === null ? one : { ...one, marks: marksOf(one.call, originMs + sinceMs, run) };
    }),
  };
}

/** What an answer counts: the times of an ended job, the jobs and workers of `/health`. */
function numbersIn({ op, reply }: CallEvent): string {
  const value = reply?.body.as === 'json' ? reply.body.value : null;
  if (!isObject(value)) return '';
  const { jobs, workers, status, delayTime, executionTime } = value;
  const told: readonly unknown[] =
    op === 'health' ? [jobs, workers] : ENDED.has(String(status)) ? [{ delayTime, executionTime }] : [];
  const numbers = told
    .flatMap((members) => (isObject(members) ? Object.entries(members) : []))
    .flatMap(([name, one]) => (typeof one === 'number' ? [`${name} ${one}`] : []));
  return numbers.length === 0 ? '' : ` (${numbers.join(', ')})`;
}

const ENDED: ReadonlySet<string> = new Set<JobStatus>(['COMPLETED', 'FAILED', 'CANCELLED', 'TIMED_OUT']);

const endOf = ({ receivedMs, gaveUpMs, sentMs }: CallEvent): number => receivedMs ?? gaveUpMs ?? sentMs;

/** Of a call its end, or of one without an end its begin; what is no call comes last at its instant. */
const tickOf = ({ call }: ScriptInstant): number =>
  call === null ? Number.MAX_SAFE_INTEGER : (call.endedTick ?? call.sentTick);

/** What a reader must not overlook in a call. @param sinceMs when what came before had ended, on the clock of the history */
function marksOf(call: CallEvent, sinceMs: number, { clock }: RunEvent): readonly string[] {
  const { request, reply, lost, sentMs, held, harnessLagMs } = call;
  const waitedMs = sentMs - sinceMs;
  const isKeyWrong = !['bare', 'bearer', 'none-needed'].includes(request.auth);
  return [
    ...(clock !== 'real' && waitedMs > 0 ? [`clock moved by ${exactDuration(waitedMs)}`] : []),
    ...(request.illegal === null ? [] : ['malformed on purpose']),
    ...(isKeyWrong ? [`key: ${request.auth}`] : []),
    ...(held === undefined ? [] : ['body held back']),
    ...(reply === null ? [`reply lost: ${lost ?? 'unknown'}`] : []),
    ...(reply !== null && reply.status >= 400 ? [`${reply.status}`] : []),
    ...(harnessLagMs === undefined ? [] : [`harness late by ${exactDuration(harnessLagMs)}`]),
  ];
}
