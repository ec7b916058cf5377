/** What `judge` is given: the history of a run, or files of traffic that others have recorded. */
import type { Edition } from '../../spec/index.js';
import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Capture } from '../../history/capture.js';
import type { HistoryEvent, RunEvent } from '../../history/events.js';
import { packageVersion } from '../../package-files.js';
import { pluralize } from '../../report/formatting.js';
import { GRACE_MS, REAL_EARLY_MS } from '../../target/http/limits.js';
import type { TrafficFile } from '../../traffic/reading/files.js';
import { Traffic, type TrafficSummary } from '../../traffic/reading/read-traffic.js';
import { OF_ANOTHER_CLOCK } from '../../traffic/another-clock.js';
import { Parts } from '../../traffic/index.js';
import { UsageError } from '../../util/errors.js';
import type { RecordedHistory } from './judge-history.js';
import { readHistory } from '../../files/history-file.js';
import { whyUnusable } from '../../files/user-file.js';

/** What the user says of a recording; absent: nothing. */
export interface GivenCapture {
  readonly others?: boolean | undefined;
  readonly complete?: boolean | undefined;
  readonly crashes?: boolean | undefined;
  /** The clocks of the files differ by no more, ms. */
  readonly clockSkewMs?: number | undefined;
  /** Addresses of endpoints, whatever they answer. */
  readonly endpoints?: readonly string[] | undefined;
  /** The default of the endpoint; absent: that of the recording, which is not known of traffic. */
  readonly executionTimeoutDefaultMs?: number | undefined;
}

const PIECE_BYTES = 1 << 20;

/**
 * Traffic is read twice, piece by piece: now, and when its parts are asked for.
 *
 * @param onRead called now and then with the share of the reading that is done, 0 to 1
 * @throws {UsageError} if a file cannot be read, or no call of the API is in them
 */
export function readRecorded(
  names: readonly string[],
  given: GivenCapture,
  cwd: string,
  onRead: (share: number) => void = () => undefined,
  edition: Edition = 'document',
): RecordedHistory {
  const toReadBytes = 2 * names.reduce((sum, name) => sum + bytesOf(name, cwd), 0);
  let readBytes = 0;
  const files = names.map((name) =>
    fileOf(name, cwd, (bytes) => onRead(Math.min(1, (readBytes += bytes) / toReadBytes))),
  );
  const histories = files.filter(isHistory);
  if (histories.length > 0 && files.length > 1)
    throw new UsageError(`${histories[0]!.name} is the history of a run: judge it alone`);
  if (histories.length > 0) return wholeHistory(readHistory(names[0]!, cwd), given);
  readBytes = 0;
  const traffic = new Traffic(files, edition, given);
  const { summary } = traffic;
  const absent = given.endpoints?.find((base) => !summary.endpoints.has(base));
  if (absent !== undefined)
    throw new UsageError(
      `--endpoint ${absent}: ${names.join(', ')} has no call of it, such as POST ${absent}/run; there are calls of ${listed([...summary.endpoints.keys(), ...summary.unanswered.keys()])}`,
    );
  if (summary.endpoints.size === 0) throw new UsageError(nothingFound(names, summary));
  if (summary.movesClock) throw new UsageError(`${names.join(', ')}: ${OF_ANOTHER_CLOCK}`);
  if (summary.digests.size > 1)
    throw new UsageError(
      `${names.join(', ')}: payloads are replaced by digests of several keys, or only in part, so that they cannot be compared: judge what is of one key by itself`,
    );
  const { isWhole } = traffic;
  const areDigests = !summary.digests.has(null);
  const recorded: Capture = { others: true, complete: isWhole, ...(areDigests && { digests: true }) };
  const { clockSkewMs, widenedMs } = summary;
  const assumed = { ...captureOf(given, recorded), ...(widenedMs > 0 && { clockSkewMs }) };
  const run: RunEvent = {
    kind: 'run',
    schema: 'runproof-history/1',
    runproof: packageVersion(),
    seed: 0,
    edition,
    target: { kind: 'http', name: [...summary.endpoints.keys()].join(', ') },
    capabilities: summary.webhooks ? ['webhook-reachable'] : [],
    clock: 'real',
    graceMs: GRACE_MS + widenedMs,
    earlyMs: REAL_EARLY_MS,
    executionTimeoutDefaultMs: given.executionTimeoutDefaultMs ?? null,
    capture: assumed,
  };
  return {
    run,
    parts: (onEvent) => new Parts(run, undefined, traffic.gaps).of(watched(traffic.events(run), onEvent)),
    exchanges: () => traffic.calls(),
    clientCalls: () => traffic.clientCalls(),
    isOneClock: files.length === 1 || given.clockSkewMs === 0,
    missing: traffic.missing,
    notes: [...notesOf(summary), ...clockNotes(summary, names)],
    isWhole,
    widenedMs,
  };
}

/** What the user says; what else is known of the recording is no stronger. */
function captureOf({ others, complete, crashes }: GivenCapture, recorded: Capture): Capture {
  const mayCrash = crashes ?? recorded.crashes !== false;
  return {
    ...(recorded.digests === true && { digests: true }),
    others: others ?? recorded.others,
    complete: recorded.complete && complete !== false,
    ...(!mayCrash && { crashes: false }),
    ...(recorded.clockSkewMs !== undefined && { clockSkewMs: recorded.clockSkewMs }),
  };
}

function wholeHistory(recorded: readonly HistoryEvent[], given: GivenCapture): RecordedHistory {
  const [begin, ...rest] = recorded as readonly [RunEvent, ...HistoryEvent[]];
  const { capture } = begin;
  const { executionTimeoutDefaultMs = begin.executionTimeoutDefaultMs } = given;
  const stated = executionTimeoutDefaultMs === undefined ? begin : { ...begin, executionTimeoutDefaultMs };
  const run = capture === undefined ? stated : { ...stated, capture: captureOf(given, capture) };
  const events = [run, ...rest];
  const parts: RecordedHistory['parts'] = (onEvent) => {
    for (const event of events) onEvent(event);
    return [events];
  };
  return { run, parts, notes: [], isWhole: capture?.complete !== false };
}

function* watched(
  events: Iterable<HistoryEvent>,
  onEvent: (event: HistoryEvent) => void,
): Generator<HistoryEvent> {
  for (const event of events) {
    onEvent(event);
    yield event;
  }
}

/** 0 for a file that cannot be read: reading says why. */
const bytesOf = (name: string, cwd: string): number =>
  statSync(resolve(cwd, name), { throwIfNoEntry: false })?.size ?? 0;

function fileOf(name: string, cwd: string, onBytes: (bytes: number) => void): TrafficFile {
  // What a recorder adds after the first reading would be no part of what was found in it.
  let endBytes = Infinity;
  function* pieces(): Generator<Uint8Array> {
    let file: number;
    try {
      file = openSync(resolve(cwd, name), 'r');
    } catch (error) {
      throw new UsageError(`${name} ${whyUnusable(error)}`);
    }
    try {
      for (let at = 0; at < endBytes;) {
        const piece = Buffer.allocUnsafe(PIECE_BYTES);
        const bytes = readSync(file, piece, 0, Math.min(PIECE_BYTES, endBytes - at), null);
        if (bytes === 0) endBytes = at;
        else {
          at += bytes;
          onBytes(bytes);
          yield piece.subarray(0, bytes);
        }
      }
    } catch (error) {
      const hint =
        (error as NodeJS.ErrnoException).code === 'EISDIR' ? ': name the history.ndjson in it' : '';
      throw new UsageError(`${name} ${whyUnusable(error)}${hint}`);
    } finally {
      closeSync(file);
    }
  }
  return { name, pieces };
}

/** Its first line is an event of a history. */
function isHistory(file: TrafficFile): boolean {
  for (const piece of file.pieces())
    return /^\s*\{\s*"kind"\s*:/u.test(Buffer.from(piece).toString('utf8', 0, 200));
  throw new UsageError(`${file.name} is empty`);
}

function nothingFound(names: readonly string[], summary: TrafficSummary): string {
  const { unreadable, unanswered, refused, foreign } = summary;
  const files = names.join(', ');
  const [broken] = unreadable;
  const [other] = [...unanswered.keys()];
  if (other !== undefined && refused.has(other))
    return `${files}: all calls of ${other} were answered with 401 or 403, so nothing can be judged: record calls with a valid key`;
  if (other !== undefined)
    return `${files}: no call of an endpoint in it was answered as one answers, with "id" and "status"; ${other} was not. Does the recording have the bodies of replies? If it has, and this is an endpoint, add --endpoint ${other}`;
  if (broken !== undefined && foreign === 0)
    return `${files} is not recorded traffic: ${broken.where}: ${broken.why.replace(/^it /, 'the line ')}. judge reads HAR 1.2, NDJSON with one call on each line (docs/recorded-traffic.md), or the history.ndjson of a report`;
  if (foreign === 0) return `${files}: it contains no request; was it saved before the recorder had stopped?`;
  return `${files}: ${pluralize(foreign, 'request')}, and none of them is a call such as POST …/run or GET …/status/<id>`;
}

const listed = (bases: readonly string[]): string => (bases.length === 0 ? 'none' : bases.join(', '));

function notesOf(summary: TrafficSummary): readonly string[] {
  const { endpoints, foreign, unanswered, unauthorized, bodiless, repeated, unreadable, unreadableMore } =
    summary;
  const { cutBodies, endless, presumed, joined, hasOtherCalls } = summary;
  const notes: string[] = [];
  const note = (count: number, what: string, why: string): void => {
    if (count > 0) notes.push(`left out: ${pluralize(count, what)} ${why}`);
  };
  const count = new Set(endpoints.values()).size;
  if (count > 1) notes.push(`${count} endpoints: ${[...endpoints.keys()].join(', ')}`);
  for (const base of presumed)
    notes.push(
      `${base} never answered as an endpoint does, and is taken for one by its address and operations`,
    );
  for (const bases of joined)
    notes.push(`one endpoint at ${bases.length} addresses, where the same jobs answer: ${bases.join(', ')}`);
  if (hasOtherCalls)
    notes.push('calls at other addresses may concern the same jobs: they count as calls that are missing');
  note(foreign, 'request', 'of something else');
  for (const [base, count] of unanswered)
    note(count, 'request', `to ${base}, which never answered as an endpoint does (--endpoint, if it is one)`);
  note(unauthorized, 'call', 'answered with 401 or 403: the key may have been wrong');
  note(bodiless, 'submission', 'without a recorded body');
  note(cutBodies, 'message', 'whose body the recorder has cut off');
  note(endless, 'answer', 'without a recorded time (`end` or `ms`, in a HAR `time`)');
  note(repeated, 'exchange', 'recorded more than once');
  for (const { where, why } of unreadable) notes.push(`left out: ${where}: ${why}`);
  note(unreadableMore, 'line', 'more that cannot be read');
  if (!summary.digests.has(null))
    notes.push('payloads are digests: only their equality, type and size can be judged');
  return notes;
}

/** Clocks that certainly differ. */
function clockNotes({ skews }: TrafficSummary, names: readonly string[]): readonly string[] {
  return skews.flatMap(({ files: [first, second], fromMs, byMs }) => {
    if (fromMs <= 0 && byMs >= 0) return [];
    const by = [fromMs, byMs].map((ms) => (Math.abs(ms) / 1000).toFixed(1)).sort();
    const side = fromMs > 0 ? 'behind' : 'ahead of';
    return [
      `the clock of ${names[second]!} is ${by.join(' to ')} s ${side} that of ${names[first]!}, as their calls on the same jobs show`,
    ];
  });
}
