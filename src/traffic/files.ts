/** Files of recorded traffic: HAR or one exchange for each line, as their beginning shows. */
import { Unreadable, type Exchange } from './exchange.js';
import { HarReader } from './read-har.js';
import { exchangeOfLine } from './read-ndjson.js';

/** A file, or something else that can be read more than once. */
export interface TrafficFile {
  /** For messages. */
  readonly name: string;
  /** Its bytes from the beginning, in pieces. */
  pieces(): Iterable<Uint8Array>;
}

/** The exchanges of one file, in its order. */
export function* exchangesOf(file: TrafficFile): Generator<Exchange | Unreadable> {
  let reader: HarReader | LineReader | null = null;
  for (const piece of file.pieces()) {
    reader ??= looksLikeHar(piece) ? new HarReader(file.name) : new LineReader(file.name);
    yield* reader.read(piece);
    if (reader.isDamaged) return;
  }
  if (reader !== null) yield* reader.end();
}

/** A HAR is one object, whose first member is `log`; nothing else that is read here begins so. */
const looksLikeHar = (piece: Uint8Array): boolean =>
  /^\uFEFF?\s*\{\s*"log"\s*:/u.test(new TextDecoder().decode(piece.subarray(0, 1_000)));

const NEWLINE = 0x0a;
/** A line has two bodies at most, of 20 MB each, which escapes or base64 make longer. */
const LINE_BYTES_MAX = 100_000_000;

class LineReader {
  readonly isDamaged = false;
  readonly #decoder = new TextDecoder();
  readonly #name: string;
  /** Of the line that has not ended; they are joined once, when it ends. */
  #pieces: Uint8Array[] = [];
  #bytes = 0;
  #line = 1;

  constructor(name: string) {
    this.#name = name;
  }

  *read(piece: Uint8Array): Generator<Exchange | Unreadable> {
    let from = 0;
    for (let to = piece.indexOf(NEWLINE); to >= 0; to = piece.indexOf(NEWLINE, from)) {
      this.#add(piece.subarray(from, to));
      yield* this.end();
      from = to + 1;
    }
    this.#add(piece.subarray(from));
  }

  #add(piece: Uint8Array): void {
    this.#bytes += piece.byteLength;
    if (this.#bytes > LINE_BYTES_MAX) this.#pieces = [];
    else this.#pieces.push(piece);
  }

  /** The line has ended. */
  *end(): Generator<Exchange | Unreadable> {
    const where = `${this.#name}:${this.#line}`;
    const isTooLong = this.#bytes > LINE_BYTES_MAX;
    const line = this.#decoder.decode(Buffer.concat(this.#pieces));
    this.#pieces = [];
    this.#bytes = 0;
    this.#line += 1;
    if (isTooLong) yield new Unreadable(where, `the line is longer than ${LINE_BYTES_MAX / 1e6} MB`);
    if (line.trim() === '') return;
    const exchange = exchangeOfLine(line, where);
    if (exchange !== null) yield exchange;
  }
}
