/**
 * Collects bytes that arrive in chunks. Each chunk is copied: a Buffer of one byte takes some three hundred,
 * and a slice of a larger buffer keeps all of it alive.
 */
export class ChunkBuffer {
  /** Bytes added. */
  bytes = 0;
  /** Bytes allocated. */
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

  /**
   * Block sizes grow with the content, so that little content takes little memory and much content has little
   * overhead.
   */
  #open(): void {
    const size = Math.min(Math.max(this.heldBytes, BLOCK_MIN_BYTES), BLOCK_MAX_BYTES);
    this.#blocks.push(Buffer.allocUnsafeSlow(size));
    this.heldBytes += size;
    this.#room = size;
  }
}

const BLOCK_MIN_BYTES = 512;
const BLOCK_MAX_BYTES = 64 * 1024;
