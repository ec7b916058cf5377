/** Reads a log whole and says what in it is as it was written: nothing of it is believed before. */
import { fstatSync, readSync } from 'node:fs';
import { firstLine, guess, isLineBegin, lineBegins, readLine, type Line } from './line.js';
import { hasUnwritten, rawLinesIn, endOfText, type RawLine } from './raw-lines.js';

export interface Checked {
  /** Where the latest line of each row stands, by its key; in their order in the file. */
  readonly rows: ReadonlyMap<string, LineRange>;
  /** What those lines take. */
  readonly rowBytes: number;
  /** Where the next write goes. */
  readonly end: number;
  /** The last line has lost its end: the next write begins with one. */
  readonly open: boolean;
  /** Behind the end stands a part of a write that was broken off, so that nobody was told of it. */
  readonly torn: boolean;
  /** The last write's number. */
  readonly seq: number;
  /** The file has at least so many bytes, by its own word. */
  readonly saidBytes: number;
  readonly fileBytes: number;
  /** Null when all is as it was written. */
  readonly damage: Damage | null;
}

/** Of a line, bytes from the begin of the file; its line end is one of them. */
export interface LineRange {
  readonly at: number;
  readonly bytes: number;
}

export interface Damage {
  /** So many bytes were cut off. */
  readonly shortBytes: number;
  /** Where lines begin that are not as they were written. */
  readonly places: readonly number[];
  /** Keys of rows whose latest line is among them. */
  readonly lost: ReadonlySet<string>;
  /** Damaged lines of which cannot be said which rows they held. */
  readonly unknown: number;
}

interface Change extends LineRange {
  readonly kind: 'row' | 'gone';
  readonly key: string;
}
/** A damaged line. */
interface DamagedLine extends RawLine {
  readonly kind: 'bad';
}
type End = Line & { readonly kind: 'end' };

/** @param to checks only what stands before this place. Default: the whole file */
export function checkLog(fd: number, to?: number): Checked {
  const fileBytes = fstatSync(fd).size;
  const until = to ?? endOfText(fd, fileBytes);
  const checker = createChecker(fd, fileBytes);
  for (const rawLine of rawLinesIn(fd, 0, until)) checker.take(rawLine);
  return checker.finish(until);
}

export interface Checker {
  take(rawLine: RawLine): void;
  /** @param textEnd where the last piece has ended */
  finish(textEnd: number): Checked;
}

export function createChecker(fd: number, fileBytes: number): Checker {
  const rows = new Map<string, LineRange>();
  const places: number[] = [];
  const lost = new Set<string>();
  let unknown = 0;
  let rowBytes = 0;
  let end = 0;
  let seq: number | null = null;
  let saidBytes = 0;
  let open = false;
  /** What stands since the last write's end. */
  let write: (Change | DamagedLine)[] = [];
  /** Its own end, where it seems not to have come to the disk whole: when nothing follows, nobody was told of it. */
  let doubtful: { readonly line: End; readonly endAt: number } | null = null;

  function drop(key: string): void {
    rowBytes -= rows.get(key)?.bytes ?? 0;
    // So that a row stands where its latest line does.
    rows.delete(key);
    lost.delete(key);
  }

  function apply({ kind, key, at, bytes }: Change): void {
    drop(key);
    if (kind === 'gone') return;
    rows.set(key, { at, bytes });
    rowBytes += bytes;
  }

  /** It is not known which rows were written: a damaged line has held what it looks like. */
  function applyGuessing(changes: readonly (Change | DamagedLine)[]): void {
    for (const change of changes) {
      if (change.kind !== 'bad') {
        apply(change);
        continue;
      }
      const { keys, more } = guess(change.bytes);
      for (const key of keys) lost.add(key);
      if (more) unknown++;
    }
  }

  function close(line: End, endAt: number): void {
    doubtful = null;
    const bad = write.filter((change) => change.kind === 'bad');
    // Before the first write that is whole others may have been.
    const isNext = seq === null ? bad.length === 0 : line.seq === seq + 1;
    applyGuessing(isNext ? write.filter((change) => change.kind !== 'bad') : write);
    if (!isNext || write.length !== line.rows.length + line.gone.length || bad.length > 0) {
      const found = new Set(write.map((change) => (change.kind === 'bad' ? '' : change.key)));
      for (const key of line.rows) if (!found.has(key)) lost.add(key);
      for (const key of line.gone) if (!found.has(key)) drop(key);
      places.push(...(bad.length > 0 ? bad.map(({ at }) => at) : [endAt]));
    }
    write = [];
    seq = line.seq;
    end = endAt;
  }

  /** Something follows, or all is known. */
  function settle(): void {
    if (doubtful !== null) close(doubtful.line, doubtful.endAt);
  }

  function take(rawLine: RawLine): void {
    const line = readLine(rawLine.bytes);
    if (line !== null) add(line, rawLine);
    else {
      const found = linesIn(rawLine);
      if (found.some(({ line }) => line !== null)) places.push(rawLine.at);
      for (const { line, ...part } of found) add(line, part);
    }
    // What follows begins with the missing line end.
    open = !rawLine.ended && write.length === 0;
  }

  function add(line: Line | null, rawLine: RawLine): void {
    settle();
    const { at, bytes, ended } = rawLine;
    const after = at + bytes.length + (ended ? 1 : 0);
    if (line === null) write.push({ kind: 'bad', ...rawLine });
    else if (line.kind === 'size') saidBytes = Math.max(saidBytes, line.bytes);
    else if (line.kind !== 'end') write.push({ kind: line.kind, key: line.key, at, bytes: after - at });
    else if (write.some(({ kind }) => kind === 'bad') && hasUnwritten(fd, end, after))
      doubtful = { line, endAt: after };
    else close(line, after);
  }

  /** What stands after the last write's end. True when it is a part of a write that was broken off. */
  function takeRest(untilAt: number): boolean {
    const isShort = saidBytes > fileBytes;
    if (isShort) settle();
    const bad = write.filter((change) => change.kind === 'bad');
    const isBrokenOff = bad.every(({ ended, bytes }) => !ended && isLineBegin(bytes));
    // The first write came into being with the file.
    if (!isShort && seq !== null && (isBrokenOff || hasUnwritten(fd, end, untilAt))) return true;
    // The last line of a file that was cut off is no other damage.
    places.push(...bad.filter(({ ended }) => ended || !isShort).map(({ at }) => at));
    const isWhole = bad.some(({ bytes }) => guess(bytes).end);
    applyGuessing(isWhole ? write : wholeChanges(write));
    return false;
  }

  return {
    take,
    finish(untilAt) {
      const torn = end < untilAt && takeRest(untilAt);
      const shortBytes = Math.max(0, saidBytes - fileBytes);
      // Whatever is damaged, the file began with a write.
      if (seq === null && places.length === 0 && shortBytes === 0) places.push(0);
      const isDamaged = places.length > 0 || shortBytes > 0;
      return {
        rows,
        rowBytes,
        end,
        open,
        torn,
        seq: seq ?? 0,
        saidBytes,
        fileBytes,
        damage: isDamaged ? { shortBytes, places, lost, unknown } : null,
      };
    },
  };
}

/** What a row says. Undefined when its line is not as it was written. */
export function textAt(fd: number, { at, bytes }: LineRange): string | undefined {
  const line = Buffer.allocUnsafe(bytes);
  const read = readSync(fd, line, 0, bytes, at);
  const found = firstLine(line.subarray(0, read))?.line ?? firstLine(line.subarray(0, read - 1))?.line;
  return found?.kind === 'row' ? found.text() : undefined;
}

const REST_OF_JOB = /^\["job",(\d+),"rest"\]$/;
const PART_OF_JOB = /^\["job",(\d+),/;

/** Of a write whose end is missing: of each job all or nothing. The row `rest` is the last that is written of it. */
function wholeChanges(write: readonly (Change | DamagedLine)[]): (Change | DamagedLine)[] {
  const numbers = new Set(
    write.map((change) => (change.kind === 'bad' ? undefined : REST_OF_JOB.exec(change.key)?.[1])),
  );
  return write.filter((change) => {
    if (change.kind === 'bad') return change.ended || !isLineBegin(change.bytes);
    const number = PART_OF_JOB.exec(change.key)?.[1];
    return number === undefined || numbers.has(number);
  });
}

/** The lines of a damaged piece: where it is a line end that was damaged, those around it are whole. */
function linesIn({ at, bytes, ended }: RawLine): (RawLine & { readonly line: Line | null })[] {
  const begins = lineBegins(bytes);
  return begins.flatMap((begin, n) => {
    const end = begins[n + 1] ?? bytes.length;
    const isEnded = ended || end < bytes.length;
    const part = bytes.subarray(begin, end);
    const first = firstLine(part);
    const length = first?.length ?? 0;
    // Behind a whole line another byte stands in the place of its end.
    const rest = part.subarray(length === 0 ? 0 : length + 1);
    return [
      ...(first === null
        ? []
        : [
            {
              at: at + begin,
              bytes: part.subarray(0, length),
              ended: isEnded || length < part.length,
              line: first.line,
            },
          ]),
      ...(rest.length === 0
        ? []
        : [{ at: at + begin + part.length - rest.length, bytes: rest, ended: isEnded, line: null }]),
    ];
  });
}
