/**
 * SQLite takes its log (`-wal`, which is there after a kill) for finished before the first frame whose checksum is wrong:
 * right for a last write that was broken off, but of damage it says nothing, and drops all writes from there on.
 */
import { existsSync, readFileSync } from 'node:fs';

const HEADER_BYTES = 32;
const FRAME_HEADER_BYTES = 24;
/** The last bit of this number tells the byte order of the checksums. */
const MAGIC = 0x377f0682;

/** The offset of damage in a log; null where nothing says that there is any. */
export function damageInLog(path: string): number | null {
  const log = existsSync(path) ? readFileSync(path) : Buffer.alloc(0);
  if (log.every((byte) => byte === 0)) return null;
  if (log.length < HEADER_BYTES || (log.readUInt32BE(0) & ~1) >>> 0 !== MAGIC) return 0;
  const sum = createSum(log);
  sum.add(0, 24);
  if (!sum.isAt(24)) return 0;
  const salt = log.subarray(16, 24);
  const frameBytes = FRAME_HEADER_BYTES + log.readUInt32BE(8);
  let damage: number | null = null;
  let commitsBehind = 0;
  for (let at = HEADER_BYTES; at + frameBytes <= log.length; at += frameBytes) {
    const isOfThisRound = log.subarray(at + 8, at + 16).equals(salt);
    sum.add(at, at + 8);
    sum.add(at + FRAME_HEADER_BYTES, at + frameBytes);
    if (damage === null && !(isOfThisRound && sum.isAt(at + 16))) damage = at;
    const isCommit = log.readUInt32BE(at + 4) > 0;
    if (damage !== null && isOfThisRound && isCommit) commitsBehind++;
  }
  // One may be a last write of which a power cut has lost a part. A second one began when the first was synced.
  return commitsBehind > 1 ? damage : null;
}

/** The checksum of all that was added. */
function createSum(log: Buffer): { add(from: number, to: number): void; isAt(at: number): boolean } {
  const read = log[3]! & 1 ? log.readUInt32BE.bind(log) : log.readUInt32LE.bind(log);
  let one = 0;
  let two = 0;
  return {
    add(from, to) {
      for (let at = from; at < to; at += 8) {
        one = (one + read(at) + two) >>> 0;
        two = (two + read(at + 4) + one) >>> 0;
      }
    },
    isAt: (at) => log.readUInt32BE(at) === one && log.readUInt32BE(at + 4) === two,
  };
}
