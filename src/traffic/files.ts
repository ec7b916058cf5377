/** Files of recorded traffic: HAR or one exchange for each line, as their beginning shows. */
import type { Exchange, Unreadable } from './exchange.js';
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

class LineReader {
  readonly isDamaged = false;
  readonly #decoder = new TextDecoder();
  readonly #name: string;
  #rest = '';
  #line = 0;

  constructor(name: string) {
    this.#name = name;
  }

  *read(piece: Uint8Array): Generator<Exchange | Unreadable> {
    const lines = (this.#rest + this.#decoder.decode(piece, { stream: true })).split('\n');
    this.#rest = lines.pop()!;
    for (const line of lines) yield* this.#exchange(line);
  }

  *end(): Generator<Exchange | Unreadable> {
    yield* this.#exchange(this.#rest);
  }

  *#exchange(line: string): Generator<Exchange | Unreadable> {
    this.#line += 1;
    if (line.trim() === '') return;
    const exchange = exchangeOfLine(line, `${this.#name}:${this.#line}`);
    if (exchange !== null) yield exchange;
  }
}
