import { Buffer } from 'node:buffer';

/** Larger bodies pass, and are not judged: no call of the API needs them, and a thousand at once must fit. */
export const KEPT_BYTES_MAX = 1 << 20;

/** What passes of a body, without a copy. */
export class KeptBody {
  #pieces: Uint8Array[] | null = [];
  #bytes = 0;

  add(piece: Uint8Array): void {
    this.#bytes += piece.byteLength;
    if (this.#bytes > KEPT_BYTES_MAX) this.#pieces = null;
    else this.#pieces?.push(piece);
  }

  /** Null: it was too large. */
  get whole(): Uint8Array | null {
    return this.#pieces === null ? null : Buffer.concat(this.#pieces);
  }
}
