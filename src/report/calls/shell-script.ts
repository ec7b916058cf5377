/**
 * A failing script as a shell script: it sends the same calls at the same times, with the ids that the server
 * returns this time, and shows the answers of then and now. It needs bash, curl and sed.
 */
import { exactDuration } from '../../util/duration.js';
import { segmentOf } from '../../history/job-path.js';
import type { BasePath } from '../../history/served-path.js';
import type { CallEvent, ScriptEvent, WorkersEvent } from '../../history/events.js';
import { decodedSegment, jobSegmentIn } from '../../spec/operation-of.js';
import { isObject } from '../../util/json.js';
import { curlWords } from '../curl.js';
import { quoteForShell, safeJson } from '../escape.js';
import { comment, head, ifDiffering, type ShellScriptInput } from './shell-prelude.js';
import { scriptSteps } from './script-steps.js';

/** Longer scripts are replayed by `runproof replay` only. */
const CALLS_MAX = 80;
/** Other ids cannot be put into a path without encoding them. */
export const PLAIN_ID = /^[A-Za-z0-9._~-]+$/;
const PLAIN_ADDRESS = /^[A-Za-z0-9._~%:@/-]*$/;

type Done = CallEvent | WorkersEvent;

/**
 * Null if it cannot be told as a list of `curl` commands: too many calls, a webhook or storage that only the
 * harness can receive, a body that the history has in part, a call whose last byte was held back.
 */
export function shellScript(input: ShellScriptInput): string | null {
  const { history, script, failures, control } = input;
  const own = history.filter((event) => 'script' in event && event.script === script);
  const begin = own.find((event): event is ScriptEvent => event.kind === 'script');
  const last = Math.max(...failures.flatMap(({ calls }) => calls));
  const calls = own
    .filter((event) => event.kind === 'call')
    .filter(({ call }) => call <= last)
    .sort((a, b) => a.sentTick - b.sentTick);
  if (begin === undefined || calls.length === 0 || calls.length > CALLS_MAX) return null;
  if (own.some(({ kind }) => kind === 'webhook' || kind === 'storage') || !calls.every(isPlain)) return null;
  const idOf = new Map<string, number>();
  for (const call of calls) {
    const id = returnedId(call);
    if (id === null || idOf.has(id)) continue;
    if (!PLAIN_ID.test(id)) return null;
    idOf.set(id, call.call);
  }
  const changes = own.filter((event): event is WorkersEvent => event.kind === 'workers');
  const done: readonly Done[] = [...calls, ...changes].sort(
    (a, b) => a.sentMs - b.sentMs || startOf(a) - startOf(b),
  );
  return [
    ...head(input, begin, calls),
    ...(control === null ? [] : fresh(begin)),
    ...timeline(done, begin, input, idOf),
    ...tail(input, calls, idOf),
    '',
  ].join('\n');
}

/** A body that the history has in part is not sent: the answer would tell nothing. */
export function isPlain({ request, held }: CallEvent): boolean {
  const { body, path, query, auth } = request;
  const address = `${path}${Object.entries(query).flat().join('')}`;
  if (held !== undefined || auth === 'in-query' || !PLAIN_ADDRESS.test(address)) return false;
  if (body.as === 'none') return true;
  if (body.as === 'text') return Buffer.byteLength(body.text) === body.bytes;
  const submission = isObject(body.value) ? body.value : {};
  return (
    !('webhook' in submission) &&
    !('s3Config' in submission) &&
    JSON.stringify(body.value).length >= body.bytes * 0.9
  );
}

export function returnedId({ op, reply }: CallEvent): string | null {
  if (op !== 'run' && op !== 'runsync') return null;
  const value = reply?.body.as === 'json' ? reply.body.value : null;
  return isObject(value) && typeof value['id'] === 'string' ? value['id'] : null;
}

function fresh({ workers, secondEndpoint }: ScriptEvent): readonly string[] {
  const names = ['ENDPOINT', ...(secondEndpoint === undefined ? [] : ['ENDPOINT_2'])];
  // An endpoint that the user names is left there.
  const removed = names.map(
    (name) => `case $${name} in runproof-*) control DELETE "/endpoints/$${name}" || true ;; esac`,
  );
  return [
    '# A fresh endpoint, which is removed at the end.',
    ...names.map((name) => `control PUT "/endpoints/$${name}" '{"workers":${workers ?? 1}}' >/dev/null`),
    `trap '${removed.join('; ')}; rm -rf "$replies"' EXIT`,
    '',
  ];
}

function timeline(
  done: readonly Done[],
  begin: ScriptEvent,
  { history, script, control, basePath }: ShellScriptInput,
  idOf: ReadonlyMap<string, number>,
): readonly string[] {
  const words = new Map((scriptSteps(history, script)?.steps ?? []).map(({ call, text }) => [call, text]));
  const lines: string[] = [];
  const waiting: CallEvent[] = [];
  let nowMs = begin.atMs;
  let sent = 0;
  const moveTo = (ms: number): void => {
    if (ms > nowMs)
      lines.push(control === null ? `sleep ${((ms - nowMs) / 1_000).toFixed(3)}` : `advance ${ms - nowMs}`);
    nowMs = Math.max(nowMs, ms);
  };
  const finish = (call: CallEvent): void => {
    if (control !== null) moveTo(call.receivedMs ?? nowMs);
    lines.push(`wait "$pid_${call.call}"`, ...keepId(call, idOf));
  };
  done.forEach((event, index) => {
    while (waiting[0] !== undefined && isOver(waiting[0], event)) finish(waiting.shift()!);
    moveTo(event.sentMs);
    if (event.kind === 'workers') {
      lines.push(`control PATCH "/endpoints/$ENDPOINT" '{"workers":${event.workers}}' >/dev/null`);
      return;
    }
    lines.push('', comment(`${exactDuration(event.sentMs - begin.atMs)}: ${words.get(event.call) ?? ''}`));
    if (event.endpoint === begin.endpoint) sent += 1;
    const line = callLine(event, begin, basePath, idOf);
    const next = done.slice(index + 1).find((one) => one.kind === 'call');
    const overlaps = next !== undefined && !isOver(event, next);
    const takesTime = control !== null && (event.receivedMs ?? event.sentMs) > event.sentMs;
    if (!overlaps && !takesTime) {
      lines.push(line, ...keepId(event, idOf));
      return;
    }
    lines.push(`${line} &`, `pid_${event.call}=$!`);
    if (control !== null && event.endpoint === begin.endpoint) lines.push(`arrived ${sent}`);
    waiting.push(event);
    waiting.sort((a, b) => (a.endedTick ?? Infinity) - (b.endedTick ?? Infinity));
  });
  for (const call of waiting) finish(call);
  return lines;
}

/** Changes of workers have no tick; of what happens at one instant they come first. */
const startOf = (event: Done): number => (event.kind === 'call' ? event.sentTick : -1);

/**
 * Whether a call had ended before what came next: by their ticks, as times are rounded and the end may seem the later one. A call
 * that uses the id of a job is after the answer that gave it.
 */
export function isOver(call: CallEvent, next: Done): boolean {
  if (next.kind !== 'call') return (call.receivedMs ?? Infinity) <= next.sentMs;
  const id = returnedId(call);
  const used = jobSegmentIn(next.request.path);
  return (
    (call.endedTick ?? Infinity) < next.sentTick ||
    (id !== null && used !== null && decodedSegment(used) === id)
  );
}

function keepId(call: CallEvent, idOf: ReadonlyMap<string, number>): readonly string[] {
  const id = returnedId(call);
  return id !== null && idOf.get(id) === call.call
    ? [`job_${call.call}=$(id_of ${call.call}) || no_id ${call.call}`]
    : [];
}

function callLine(
  call: CallEvent,
  begin: ScriptEvent,
  basePath: BasePath | null,
  idOf: ReadonlyMap<string, number>,
): string {
  const [, ...words] = curlWords(call, null, basePath).filter((word) => word !== '-sS' && word !== '-i');
  const replaced = addressed(words, '$BASE_URL', (address) => {
    let path = address;
    for (const [endpoint, name] of [
      [begin.endpoint, 'ENDPOINT'],
      [begin.secondEndpoint, 'ENDPOINT_2'],
    ] as const)
      if (endpoint !== undefined) path = path.replace(`/v2/${segmentOf(endpoint)}/`, `/v2/$${name}/`);
    const id = jobSegmentIn(path);
    const from = id === null ? undefined : idOf.get(id);
    if (from !== undefined && from < call.call) path = path.replace(`/${id}`, `/$job_${from}`);
    return path;
  });
  return `call ${call.call} ${replaced}`;
}

/** The words with their address as one word: the base, then the path in which ids and endpoint are those of this run. */
export const addressed = (
  words: readonly string[],
  base: string,
  renamed: (path: string) => string,
): string =>
  words
    .join(' ')
    .replace(
      /"\$BASE_URL"(\S+)/,
      (_, address: string) => `"${base}${renamed(inQuotes(address.replace(/^'|'$/g, '')))}"`,
    );

export const inQuotes = (text: string): string => text.replace(/[\\"$`]/g, '\\$&');

function tail(
  { failures, rate }: ShellScriptInput,
  calls: readonly CallEvent[],
  idOf: ReadonlyMap<string, number>,
): readonly string[] {
  const shown = [...new Set(failures.map(({ calls: evidence }) => evidence.at(-1)))];
  const compared = calls.filter(({ call }) => shown.includes(call));
  return [
    '',
    '# compare NUMBER CODE STATUS BODY: the answer of now with the one recorded.',
    'same=0',
    'compare() {',
    '  local code status',
    '  code=$(cat "$replies/$1.code")',
    `  status=$(grep -o '"status" *: *"[^"]*"' "$replies/$1" 2>/dev/null | head -n 1 | sed 's/.*: *"\\(.*\\)"/\\1/') || true`,
    `  printf '\\n#%s recorded: %s %s\\n' "$1" "$2" "$4"`,
    `  printf '#%s now:      %s %s\\n' "$1" "$code" "$(head -c 300 "$replies/$1" 2>/dev/null)"`,
    '  if [ "$code" = "$2" ] && [ "$status" = "$3" ]; then same=1; fi',
    '}',
    ...compared.map((call) => {
      const { code, status, body } = recorded(call, idOf);
      return `compare ${call.call} ${code} ${quoteForShell(status)} ${quoteForShell(body)}`;
    }),
    `if [ "$same" = 1 ]; then printf '\\nThe same code and status as in the recorded failure.\\n'; exit 1; fi`,
    `printf '\\nThe answers differ from the recorded failure; %s.\\n' ${quoteForShell(ifDiffering({ rate }))}`,
  ];
}

const BODY_CHARACTERS_MAX = 300;

function recorded(
  { reply }: CallEvent,
  idOf: ReadonlyMap<string, number>,
): { readonly code: string; readonly status: string; readonly body: string } {
  if (reply === null) return { code: 'lost', status: '', body: '' };
  const { body } = reply;
  const value = body.as === 'json' ? body.value : null;
  const status = isObject(value) && typeof value['status'] === 'string' ? value['status'] : '';
  let text = body.as === 'json' ? safeJson(JSON.stringify(body.value)) : body.as === 'text' ? body.text : '';
  for (const id of idOf.keys()) text = text.replaceAll(id, '<id>');
  return { code: `${reply.status}`, status, body: text.slice(0, BODY_CHARACTERS_MAX) };
}
