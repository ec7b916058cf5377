/** What happened in one script, in words and in order: calls, webhooks, changes of workers. */
import type { CallEvent, HistoryEvent, Json, ScriptEvent } from '../../history/events.js';
import { isObject } from '../../util/json.js';
import { formatReply } from '../curl.js';
import { escapeControls, truncated } from '../escape.js';
import { formatDuration } from '../formatting.js';

export interface StepLine {
  /** From the beginning of the script, ms on the clock of the history. */
  readonly atMs: number;
  /** When it was over. */
  readonly endMs: number;
  /** One line: what was done, and what came back. */
  readonly text: string;
  /** The number of the call; null for a step that is not a call. */
  readonly call: number | null;
}

export interface ScriptSteps {
  readonly script: ScriptEvent;
  readonly steps: readonly StepLine[];
}

/** Null if the history has no such script. */
export function scriptSteps(history: readonly HistoryEvent[], script: number): ScriptSteps | null {
  const own = history.filter((event) => 'script' in event && event.script === script);
  const begin = own.find((event) => event.kind === 'script');
  if (begin?.kind !== 'script') return null;
  const steps = own.flatMap((event) => {
    const step = stepOf(event);
    if (step === null) return [];
    const { atMs, endMs, ...told } = step;
    return [{ ...told, atMs: atMs - begin.atMs, endMs: (endMs ?? atMs) - begin.atMs }];
  });
  // Calls are recorded in the order of their ends.
  const inOrder = steps.sort((a, b) => a.atMs - b.atMs || (a.call ?? Infinity) - (b.call ?? Infinity));
  return { script: begin, steps: inOrder };
}

/** By the clock of the history; without an end, it takes no time. */
function stepOf(event: HistoryEvent): (Omit<StepLine, 'endMs'> & { readonly endMs?: number | null }) | null {
  switch (event.kind) {
    case 'call':
      return {
        atMs: event.sentMs,
        endMs: event.receivedMs ?? event.gaveUpMs ?? null,
        text: `${doneBy(event)} → ${formatReply(event)}`,
        call: event.call,
      };
    case 'webhook': {
      const answered = event.answered === null ? 'not answered' : `answered with ${event.answered}`;
      return {
        atMs: event.arrivedMs,
        text: `webhook call arrives${shownIn(event.body)}, ${answered}`,
        call: null,
      };
    }
    case 'workers':
      return { atMs: event.sentMs, text: `the endpoint is given ${event.workers} workers`, call: null };
    case 'storage':
      return {
        atMs: event.arrivedMs,
        text: truncated(`storage call arrives: ${event.method} ${event.path}`, 120),
        call: null,
      };
    default:
      return null;
  }
}

const VERBS: { readonly [operation: string]: string } = {
  run: 'submit by /run',
  runsync: 'submit by /runsync',
  status: 'read the status of',
  stream: 'read the stream of',
  cancel: 'cancel',
  retry: 'retry',
  'purge-queue': 'purge the queue',
  health: 'read /health',
};

function doneBy(call: CallEvent): string {
  const { op, label, request } = call;
  const verb = op === null ? undefined : VERBS[op];
  if (verb === undefined) return truncated(`${request.method} ${request.path}`, 80);
  const job = op === 'purge-queue' || op === 'health' ? '' : ` ${escapeControls(label ?? 'a job')}`;
  const notes = [
    ...(request.illegal === null ? [] : [`malformed on purpose: ${request.illegal}`]),
    ...(['bare', 'bearer', 'none-needed'].includes(request.auth) ? [] : [`key: ${request.auth}`]),
    ...Object.entries(request.query).map(([name, value]) => `${name}=${duration(value)}`),
    ...(request.body.as === 'json' ? submissionNotes(request.body.value) : []),
  ];
  return `${verb}${job}${notes.length === 0 ? '' : ` (${truncated(notes.join(', '), 160)})`}`;
}

/** The policy and the input of a submission. */
function submissionNotes(body: Json): readonly string[] {
  if (!isObject(body)) return [];
  const policy = isObject(body['policy']) ? body['policy'] : {};
  return [
    ...Object.entries(policy).map(([name, value]) => `${name} ${duration(value)}`),
    ...('webhook' in body ? ['with a webhook'] : []),
    ...('input' in body ? [`input ${truncated(JSON.stringify(body['input']), 60)}`] : []),
  ];
}

/** Times of the API are in ms. */
function duration(value: Json): string {
  const ms = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value;
  if (typeof ms !== 'number') return truncated(typeof value === 'string' ? value : JSON.stringify(value), 40);
  return Number.isInteger(ms) && ms >= 1_000 && ms % 100 === 0 ? formatDuration(ms) : `${ms} ms`;
}

function shownIn(body: CallEvent['request']['body']): string {
  const status = body.as === 'json' && isObject(body.value) ? body.value['status'] : undefined;
  return typeof status === 'string' ? ` with ${truncated(status, 30)}` : '';
}
