/** Reads a whole log and finds which lines are intact. Nothing in the file is trusted before this check. */
import { fstatSync, readSync } from 'node:fs';
import {
  firstLine,
  guessContent,
  isLineBegin,
  keyLists,
  keysOf,
  lineBegins,
  readLine,
  type EndLine,
  type Line,
} from './line.js';
import { hasUnwritten, rawLinesIn, endOfText, type RawLine } from './raw-lines.js';

export interface Checked {
  /** The latest line of each row, by key, in file order. */
  readonly rows: ReadonlyMap<string, LineRange>;
  /** Total size of those lines. */
  readonly rowBytes: number;
  /** The offset of the next write. */
  readonly end: number;
  /** The last line has lost its line end: the next write begins with one. */
  readonly open: boolean;
  /** An interrupted write follows the end; it was never acknowledged. */
  readonly torn: boolean;
  /** The number of the last write. */
  readonly seq: number;
  /** The least size of the file, as recorded in the file itself. */
  readonly recordedBytes: number;
  readonly fileBytes: number;
  /** Null when the file is intact. */
  readonly damage: Damage | null;
}

/** A line's byte offset in the file, and its length with the line end. */
export interface LineRange {
  readonly at: number;
  readonly bytes: number;
}

export interface Damage {
  /** Bytes missing at the end. */
  readonly shortBytes: number;
  /** Offsets of damaged lines. */
  readonly places: readonly number[];
  /** Keys of rows whose latest line is damaged. */
  readonly lost: ReadonlySet<string>;
  /** Number of damaged lines whose rows cannot be determined. */
  readonly unknown: number;
}

interface Change extends LineRange {
  readonly kind: 'row' | 'gone';
  readonly key: string;
}
interface DamagedLine extends RawLine {
  readonly kind: 'bad';
}

/**
 * Checks a log.
 * @param to checks only what precedes this offset. Default: the whole file
 */
export function checkLog(fd: number, to?: number): Checked {
  const fileBytes = fstatSync(fd).size;
  const until = to ?? endOfText(fd, fileBytes);
  const checker = createChecker(fd, fileBytes);
  for (const rawLine of rawLinesIn(fd, 0, until)) checker.take(rawLine);
  return checker.finish(until);
}

export interface Checker {
  take(rawLine: RawLine): void;
  /** @param textEnd offset of the end of the last line */
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
  let recordedBytes = 0;
  let open = false;
  /** Lines since the end of the last write. */
  let write: (Change | DamagedLine)[] = [];
  /**
   * The end line of the current write, where the write seems incomplete on disk: if nothing follows, it was
   * never acknowledged.
   */
  let doubtful: { readonly line: EndLine; readonly endAt: number } | null = null;

  function drop(key: string): void {
    rowBytes -= rows.get(key)?.bytes ?? 0;
    // Deleted first, so that the map keeps the order of the latest lines.
    rows.delete(key);
    lost.delete(key);
  }

  function apply({ kind, key, at, bytes }: Change): void {
    drop(key);
    if (kind === 'gone') return;
    rows.set(key, { at, bytes });
    rowBytes += bytes;
  }

  /** Applies a write whose rows are not all known: a damaged line is taken for what it resembles. */
  function applyGuessing(changes: readonly (Change | DamagedLine)[]): void {
    for (const change of changes) {
      if (change.kind !== 'bad') {
        apply(change);
        continue;
      }
      const { keys, more } = guessContent(change.bytes);
      for (const key of keys) lost.add(key);
      if (more) unknown++;
    }
  }

  function close(line: EndLine, endAt: number): void {
    doubtful = null;
    const damagedLines = write.filter((change) => change.kind === 'bad');
    // Other writes may have preceded the first intact one.
    const isNext = seq === null ? damagedLines.length === 0 : line.seq === seq + 1;
    applyGuessing(isNext ? write.filter((change) => change.kind !== 'bad') : write);
    if (!isNext || damagedLines.length > 0 || keysIn(write) !== line.keys) {
      const found = new Set(write.map((change) => (change.kind === 'bad' ? '' : change.key)));
      const { rows: there, gone } = keysOf(line);
      for (const key of there) if (!found.has(key)) lost.add(key);
      for (const key of gone) if (!found.has(key)) drop(key);
      places.push(...(damagedLines.length > 0 ? damagedLines.map(({ at }) => at) : [endAt]));
    }
    write = [];
    seq = line.seq;
    end = endAt;
  }

  /** Accepts a doubtful end once something follows it or the file ends. */
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
    // The next write begins with the missing line end.
    open = !rawLine.ended && write.length === 0;
  }

  function add(line: Line | null, rawLine: RawLine): void {
    settle();
    const { at, bytes, ended } = rawLine;
    const after = at + bytes.length + (ended ? 1 : 0);
    if (line === null) write.push({ kind: 'bad', ...rawLine });
    else if (line.kind === 'size') recordedBytes = Math.max(recordedBytes, line.bytes);
    else if (line.kind !== 'end') write.push({ kind: line.kind, key: line.key, at, bytes: after - at });
    else if (write.some(({ kind }) => kind === 'bad') && hasUnwritten(fd, end, after))
      doubtful = { line, endAt: after };
    else close(line, after);
  }

  /** Judges what follows the last write. True when it is an interrupted write. */
  function takeRest(untilAt: number): boolean {
    const isShort = recordedBytes > fileBytes;
    if (isShort) settle();
    const damagedLines = write.filter((change) => change.kind === 'bad');
    const isBrokenOff = damagedLines.every(({ ended, bytes }) => !ended && isLineBegin(bytes));
    // The first write was created together with the file.
    if (!isShort && seq !== null && (isBrokenOff || hasUnwritten(fd, end, untilAt))) return true;
    // In a truncated file the last line counts as truncated, not as damaged.
    places.push(...damagedLines.filter(({ ended }) => ended || !isShort).map(({ at }) => at));
    const hasEnd = damagedLines.some(({ bytes }) => guessContent(bytes).end);
    applyGuessing(hasEnd ? write : wholeChanges(write));
    return false;
  }

  return {
    take,
    finish(untilAt) {
      const torn = end < untilAt && takeRest(untilAt);
      const shortBytes = Math.max(0, recordedBytes - fileBytes);
      // Every file begins with a write.
      if (seq === null && places.length === 0 && shortBytes === 0) places.push(0);
      const isDamaged = places.length > 0 || shortBytes > 0;
      return {
        rows,
        rowBytes,
        end,
        open,
        torn,
        seq: seq ?? 0,
        recordedBytes,
        fileBytes,
        damage: isDamaged ? { shortBytes, places, lost, unknown } : null,
      };
    },
  };
}

/** As an end line lists them. */
function keysIn(write: readonly (Change | DamagedLine)[]): string {
  const there: string[] = [];
  const gone: string[] = [];
  for (const change of write)
    if (change.kind !== 'bad') (change.kind === 'row' ? there : gone).push(change.key);
  return keyLists(there, gone);
}

/** The text of a row. Undefined when its line is damaged. */
export function textAt(fd: number, { at, bytes }: LineRange): string | undefined {
  const line = Buffer.allocUnsafe(bytes);
  const read = readSync(fd, line, 0, bytes, at);
  const found = firstLine(line.subarray(0, read))?.line ?? firstLine(line.subarray(0, read - 1))?.line;
  return found?.kind === 'row' ? found.text() : undefined;
}

const REST_OF_JOB = /^\["job",(\d+),"rest"\]$/;
const PART_OF_JOB = /^\["job",(\d+),/;

/** Keeps complete jobs of a write without an end line. The row `rest` is written last for each job. */
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

/** Splits damaged bytes into lines: where a line end was damaged, the lines around it are intact. */
function linesIn({ at, bytes, ended }: RawLine): (RawLine & { readonly line: Line | null })[] {
  const begins = lineBegins(bytes);
  return begins.flatMap((begin, n) => {
    const end = begins[n + 1] ?? bytes.length;
    const isEnded = ended || end < bytes.length;
    const part = bytes.subarray(begin, end);
    const first = firstLine(part);
    const length = first?.length ?? 0;
    // Another byte stands in place of the line end.
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
