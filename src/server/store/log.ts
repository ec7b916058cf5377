/**
 * Reads SQLite's log (`-wal`, which is there while a file is open, and after a kill). SQLite takes it for finished before the
 * first frame whose checksum is wrong: right for a last write that was broken off, but of damage it says nothing, and drops
 * all writes from there on.
 */
import { existsSync, readFileSync } from 'node:fs';

const HEADER_BYTES = 32;
const FRAME_HEADER_BYTES = 24;
const SALT_BYTES = 8;
/** The last bit of this number tells the byte order of the checksums. */
const MAGIC = 0x377f0682;
/** Of the files that we create. */
const PAGE_BYTES = 4_096;

/** The image of a page, as a write left it. */
export interface Frame {
  readonly at: number;
  /** The number of the page; the first is 1. */
  readonly page: number;
  readonly isCommit: boolean;
  /** Whether it follows the one before it at once, and its checksum continues that one's. */
  readonly isIntact: boolean;
  /** Shorter than a page where bytes are missing. */
  readonly image: Buffer;
}

export const logOf = (path: string): string => `${path}-wal`;

/** The log of a file; empty where there is none. */
export const readLog = (path: string): Buffer =>
  existsSync(logOf(path)) ? readFileSync(logOf(path)) : Buffer.alloc(0);

/** The offset of damage in a log; null where nothing says that there is any. */
export function damageInLog(log: Buffer): number | null {
  if (log.every((byte) => byte === 0)) return null;
  if (!hasSoundHeader(log)) return 0;
  const frames = framesOf(log);
  const first = frames.findIndex(({ isIntact }) => !isIntact);
  // One may be a last write of which a power cut has lost a part. A second one began when the first was synced.
  if (first < 0 || frames.slice(first).filter(({ isCommit }) => isCommit).length < 2) return null;
  const before = frames[first - 1];
  return before === undefined ? HEADER_BYTES : before.at + FRAME_HEADER_BYTES + before.image.length;
}

const isMagic = (log: Buffer): boolean => (log.readUInt32BE(0) & ~1) >>> 0 === MAGIC;

const hasSoundHeader = (log: Buffer): boolean =>
  log.length >= HEADER_BYTES && isMagic(log) && sumOf(log, [0, 0], [log.subarray(0, 24)]).isAt(24);

/**
 * All frames since the log was begun again, also those behind damage: each has the salt of the log, wherever bytes were inserted
 * or are missing.
 */
export function framesOf(log: Buffer): Frame[] {
  const isHeaderSound = hasSoundHeader(log);
  const saltAt = isHeaderSound ? 16 : HEADER_BYTES + 8;
  const salt = log.subarray(saltAt, saltAt + SALT_BYTES);
  const pageBytes = isHeaderSound ? log.readUInt32BE(8) : PAGE_BYTES;
  const frameBytes = FRAME_HEADER_BYTES + pageBytes;
  const next = (from: number): number => {
    const found = salt.length < SALT_BYTES ? -1 : log.indexOf(salt, from + 8);
    return found < 0 ? log.length : found - 8;
  };
  const frames: Frame[] = [];
  let before = 24 - 16;
  for (let at = next(HEADER_BYTES), due = HEADER_BYTES; at + FRAME_HEADER_BYTES < log.length;) {
    const isFollowed = log.subarray(at + frameBytes + 8, at + frameBytes + 16).equals(salt);
    const following = isFollowed ? at + frameBytes : next(at + SALT_BYTES);
    const image = log.subarray(at + FRAME_HEADER_BYTES, Math.min(at + frameBytes, following));
    const seed = [readSum(log, before + 16), readSum(log, before + 20)] as const;
    frames.push({
      at,
      page: log.readUInt32BE(at),
      isCommit: log.readUInt32BE(at + 4) > 0,
      isIntact:
        at === due &&
        image.length === pageBytes &&
        sumOf(log, seed, [log.subarray(at, at + 8), image]).isAt(at + 16),
      image,
    });
    before = at;
    due = at + frameBytes;
    at = following;
  }
  return frames;
}

const readSum = (log: Buffer, at: number): number => log.readUInt32BE(at);

/** The checksum of these parts, continued from the one before. */
function sumOf(
  log: Buffer,
  [first, second]: readonly [number, number],
  parts: readonly Buffer[],
): { isAt(at: number): boolean } {
  const isBigEndian = (log[3]! & 1) === 1;
  let one = first;
  let two = second;
  for (const part of parts)
    for (let at = 0; at < part.length; at += 8) {
      one = (one + (isBigEndian ? part.readUInt32BE(at) : part.readUInt32LE(at)) + two) >>> 0;
      two = (two + (isBigEndian ? part.readUInt32BE(at + 4) : part.readUInt32LE(at + 4)) + one) >>> 0;
    }
  return { isAt: (at) => log.readUInt32BE(at) === one && log.readUInt32BE(at + 4) === two };
}
