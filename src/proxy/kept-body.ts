import { Buffer } from 'node:buffer';
import { PROXIED } from '../history/kept-bodies.js';

/** How much of large bodies may be kept: what passes while there is no room is not judged. */
export class BodyRoom {
  #left: number = PROXIED.largeBytesMax;

  take(bytes: number): boolean {
    if (bytes > this.#left) return false;
    this.#left -= bytes;
    return true;
  }

  give(bytes: number): void {
    this.#left += bytes;
  }
}

/** What passes of a body, without a copy. */
export class KeptBody {
  readonly #room: BodyRoom;
  #pieces: Uint8Array[] | null = [];
  #bytes = 0;
  /** Of the room. */
  #taken = 0;

  constructor(room: BodyRoom) {
    this.#room = room;
  }

  /** False: it is not kept, neither this nor what came before. */
  add(piece: Uint8Array): boolean {
    if (this.#pieces === null) return false;
    this.#bytes += piece.byteLength;
    const toTake = Math.max(0, this.#bytes - PROXIED.smallBytesMax - this.#taken);
    const hasRoom = this.#bytes <= PROXIED.bytesMax && this.#room.take(toTake);
    if (!hasRoom) {
      this.drop();
      return false;
    }
    this.#taken += toTake;
    this.#pieces.push(piece);
    return true;
  }

  /** Undefined: it was too large, or there was no room for it. */
  get whole(): Uint8Array | undefined {
    return this.#pieces === null ? undefined : Buffer.concat(this.#pieces);
  }

  drop(): void {
    this.#pieces = null;
    this.#room.give(this.#taken);
    this.#taken = 0;
  }
}
