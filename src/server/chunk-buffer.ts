/**
 * Bytes that come in pieces. Each piece is copied: one byte that came alone would otherwise cost some three hundred, and
 * a piece of a larger buffer would keep all of that.
 */
export class ChunkBuffer {
  /** How many there are. */
  bytes = 0;
  /** What they take in memory. */
  heldBytes = 0;
  readonly #blocks: Buffer[] = [];
  #room = 0;

  add(piece: Uint8Array): void {
    for (let from = 0; from < piece.length;) {
      if (this.#room === 0) this.#open();
      const block = this.#blocks.at(-1)!;
      const part = piece.subarray(from, from + this.#room);
      block.set(part, block.length - this.#room);
      this.#room -= part.length;
      from += part.length;
    }
    this.bytes += piece.length;
  }

  toBuffer(): Buffer {
    return Buffer.concat(this.#blocks, this.bytes);
  }

  /** The more there is, the larger: so that few bytes take little, and many not much more than they are. */
  #open(): void {
    const size = Math.min(Math.max(this.heldBytes, BLOCK_MIN_BYTES), BLOCK_MAX_BYTES);
    this.#blocks.push(Buffer.allocUnsafeSlow(size));
    this.heldBytes += size;
    this.#room = size;
  }
}

const BLOCK_MIN_BYTES = 512;
const BLOCK_MAX_BYTES = 64 * 1024;
