import type { BasePath } from '../../history/served-path.js';
import type { CallEvent, HistoryEvent } from '../../history/events.js';
import { jobSegmentIn } from '../../spec/operation-of.js';
import { curlLine, curlWords } from '../curl.js';
import type { ReportFailure } from '../report.js';
import { escapeControls } from '../escape.js';
import { BUSY, idIn } from './shell-prelude.js';
import { addressed, inQuotes, isPlain, PLAIN_ID, returnedId } from './shell-script.js';

/** Calls with longer bodies are no part of a line. */
const BODY_BYTES_MAX = 2_000;
/** Shorter waits are left out: the call before takes as long. */
const PAUSE_MS = 50;
/** How a line begins that submits a job. */
const SUBMITS = 'job=$(';

/**
 * A call as a line for a shell. The job of the run is gone by now: where the same script submitted it, the line submits one
 * alike, waits as long, makes the other calls that may have changed it, and calls with its id.
 */
export function callAgain(
  call: CallEvent,
  history: readonly HistoryEvent[],
  url: string,
  basePath: BasePath | null,
): string {
  const alone = curlLine(call, url, basePath);
  const [begin] = history;
  const id = jobSegmentIn(call.request.path);
  if (id === null || !PLAIN_ID.test(id) || begin?.kind !== 'run' || begin.clock !== 'real') return alone;
  // A job of recorded traffic may still be there.
  const done = begin.capture === undefined ? doneTo(id, call, history) : [];
  if (done.length === 0 || ![...done, call].every(isShort)) return alone;
  const parts = [...done, call].map((one, nth) => {
    const words = curlWords(one, null, basePath).filter((word) => nth > 0 || word !== '-i');
    const line = addressed(words, inQuotes(escapeControls(url)), (path) => path.replace(`/${id}`, '/$job'));
    const before = done[nth - 1];
    const waitedMs = before === undefined ? 0 : one.sentMs - (before.receivedMs ?? before.sentMs);
    const seconds = (waitedMs / 1_000 / (begin.speed ?? 1)).toFixed(1);
    // The answer before has no end of line.
    const apart = nth > 1 ? String.raw`printf '\n\n' && ` : '';
    return `${apart}${waitedMs < PAUSE_MS ? '' : `sleep ${seconds} && `}${nth === 0 ? `${SUBMITS}${line} | ${idIn()})` : line}`;
  });
  return parts.join(' && ');
}

/** What to know before sending such a line; null: nothing. */
export const beforeSending = (line: string | null): string | null =>
  line?.includes(SUBMITS) === true ? BUSY : null;

/** Its submission by the script of the call, and what changed it until then; empty: another script submitted it. */
function doneTo(
  id: string,
  { script, sentTick }: CallEvent,
  history: readonly HistoryEvent[],
): readonly CallEvent[] {
  const calls = history
    .filter((event): event is CallEvent => event.kind === 'call' && event.script === script)
    .filter((one) => one.sentTick < sentTick)
    .sort((a, b) => a.sentTick - b.sentTick);
  const submission = calls.find((one) => returnedId(one) === id);
  if (submission === undefined) return [];
  const later = calls.slice(calls.indexOf(submission) + 1);
  return [submission, ...later.filter((one) => one.endpoint === submission.endpoint && mayChange(one, id))];
}

/** A `ttl` sets how long the job lives, even that of a GET; a purge is of all jobs that wait. */
const mayChange = ({ op, request: { method, path, query } }: CallEvent, id: string): boolean =>
  op === 'purge-queue' || (jobSegmentIn(path) === id && (method !== 'GET' || 'ttl' in query));

const isShort = (call: CallEvent): boolean => {
  const { body } = call.request;
  return isPlain(call) && (body.as === 'none' || body.bytes <= BODY_BYTES_MAX);
};

/** One call shows the failure, whatever was called before. `path`: what its last call names, in a path or a `curl` line. */
export function isShownByOneCall(
  { calls, shrunk, sign }: Pick<ReportFailure, 'calls' | 'shrunk' | 'sign'>,
  path: string,
): boolean {
  const needed = sign?.missing === undefined ? (shrunk?.calls ?? calls) : calls;
  return needed.length === 1 && jobSegmentIn(path) === null;
}
