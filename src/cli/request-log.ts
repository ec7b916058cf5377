/** The lines of `serve --log`. */
import { escapeControls } from '../report/escape.js';
import type { InjectedFault } from '../server/faults/faults.js';
import type { HandlerJob } from '../server/handlers/handler-api.js';
import type { LoggedCall } from '../server/logged-call.js';
import { jsonIn } from '../util/json.js';

/** `14:03:22.123`: of the day in local time, or since the start of a controlled clock. */
export function timeOfDay(atMs: number | Date): string {
  const date = typeof atMs === 'number' ? null : atMs;
  const ms =
    date === null
      ? Number(atMs)
      : ((date.getHours() * 60 + date.getMinutes()) * 60 + date.getSeconds()) * 1000 + date.getMilliseconds();
  const two = (value: number): string => String(Math.floor(value)).padStart(2, '0');
  return `${two(ms / 3_600_000)}:${two((ms / 60_000) % 60)}:${two((ms / 1000) % 60)}.${String(ms % 1000).padStart(3, '0')}`;
}

/** One line for a call, without a line break. */
export function callLine(time: string, { method, path, status, tookMs, job, fault }: LoggedCall): string {
  const columns = [
    time,
    method.padEnd(4),
    path,
    status === 0 ? 'closed' : String(status),
    `${tookMs ?? 0} ms`,
    ...(job === null ? [] : [`job ${job}`]),
    ...(fault === null ? [] : [`fault ${fault}`]),
  ];
  return escapeControls(columns.join(' '));
}

/** What was sent and what was answered, a line each; none without a body. */
export const bodyLines = ({ request, reply }: LoggedCall): string =>
  [
    ['>', request],
    ['<', reply],
  ]
    .map(([sign, body]) => (body === null || body === undefined ? '' : `  ${sign} ${escapeControls(body)}\n`))
    .join('');

/** One line of JSON for a call: the fields of `LoggedCall`, bodies as values where they are JSON. */
export const callJson = (call: LoggedCall): string =>
  JSON.stringify({ ...call, request: valueOf(call.request), reply: valueOf(call.reply) });

function valueOf(body: string | null): unknown {
  const value = jsonIn(body);
  return value === undefined ? body : value;
}

/** One line for a fault of a worker or of a webhook. */
export function faultLine(time: string, { on, fault, rule }: InjectedFault, job: string): string {
  return escapeControls(`${time} fault ${on} ${fault}, job ${job}, by ${rule ?? 'request'}`);
}

/** What a handler has thrown, with its stack down to where `serve` called the handler. */
export function handlerErrorText(time: string, error: unknown, job: HandlerJob): string {
  const stack = error instanceof Error ? (error.stack ?? String(error)) : describe(error);
  const frames = stack.split('\n');
  const own = frames.findIndex((line) => /^ +at .*\bFunctionRunner\./.test(line));
  const lines = (own < 0 ? frames : frames.slice(0, own)).map((line) => `  ${escapeControls(line)}\n`);
  return `${escapeControls(`${time} the handler has failed job ${job.id}, on ${job.workerId}:`)}\n${lines.join('')}`;
}

function describe(thrown: unknown): string {
  try {
    return `thrown, not an Error: ${String(thrown)}`;
  } catch {
    return 'thrown, not an Error, and not shown as text';
  }
}
