/** The lines of `serve --log` and `log`. */
import { escapeControls } from '../report/escape.js';
import type { HandlerJob } from '../server/handlers/handler-api.js';
import type { LogEntry } from '../server/logged-call.js';
import type { CallFilter } from '../util/call-filter.js';
import { exactDuration } from '../util/duration.js';
import { jsonIn } from '../util/json.js';
import type { LOGS } from './options/option-values.js';

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

/** What is printed of an entry; empty where the filter leaves it out. */
export function logText(entry: LogEntry, form: (typeof LOGS)[number], isShown: CallFilter): string {
  const time = timeOfDay(typeof entry.time === 'string' ? new Date(entry.time) : entry.time);
  const line = escapeControls([time, ...wordsOf(entry)].join(' '));
  const { status, ...bodies } = 'call' in entry ? entry.call : 'webhook' in entry ? entry.webhook : NOTHING;
  if (!isShown({ status, text: line })) return '';
  if (form === 'json') return jsonOf(entry);
  return `${line}\n${form === 'bodies' ? bodyLines(bodies) : ''}`;
}

const NOTHING = { status: null, request: null };

function wordsOf(entry: LogEntry): readonly string[] {
  if ('call' in entry) {
    const { method, path, status, tookMs, job, fault } = entry.call;
    return [
      ...[method.padEnd(4), path, status === 0 ? 'closed' : String(status), `${tookMs ?? 0} ms`],
      ...(job === null ? [] : [`job ${job}`]),
      ...(fault === null ? [] : [`fault ${fault}`]),
    ];
  }
  if ('fault' in entry) {
    const { on, fault, job, rule } = entry.fault;
    return ['fault', on, `${fault},`, 'job', `${job},`, 'by', rule ?? 'request'];
  }
  const { url, forwardedTo, status, error, tookMs, job, attempt, againInMs } = entry.webhook;
  const isFailed = status === null || status >= 400;
  const then = againInMs === null ? (isFailed ? ', the last' : '') : `, again in ${exactDuration(againInMs)}`;
  const which = attempt === null ? 'sent again on demand' : `attempt ${attempt}${then}`;
  const where = forwardedTo === null ? [url] : ['→', forwardedTo, `(for ${url})`];
  return ['webhook', ...where, String(status ?? `failed (${error})`), `${tookMs} ms`, 'job', job, which];
}

/** What was sent and what was answered, a line each; none without a body. */
const bodyLines = ({ request, reply }: { request: string | null; reply?: string | null }): string =>
  [
    ['>', request],
    ['<', reply],
  ]
    .map(([sign, body]) => (body === null || body === undefined ? '' : `  ${sign} ${escapeControls(body)}\n`))
    .join('');

/** One line of JSON: the time, and the fields of `LoggedCall` or `LoggedWebhook`, bodies as values where they are JSON. */
function jsonOf(entry: LogEntry): string {
  // The call or the webhook has its fault, or shows it.
  if ('fault' in entry) return '';
  const { request, ...of } = 'call' in entry ? entry.call : { kind: 'webhook', ...entry.webhook };
  const reply = 'reply' in of ? { reply: valueOf(of.reply) } : {};
  return `${JSON.stringify({ ...of, time: entry.time, request: valueOf(request), ...reply })}\n`;
}

function valueOf(body: string | null): unknown {
  const value = jsonIn(body);
  return value === undefined ? body : value;
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
