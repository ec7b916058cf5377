/** Files of recorded traffic: HAR or one exchange for each line, as their beginning shows. */
import type { Exchange } from '../../history/exchange.js';
import type { Edition } from '../../spec/index.js';
import { unitOf } from '../instants.js';
import { HarReader } from './read-har.js';
import { durationIn, exchangeOfLine } from './read-ndjson.js';
import { Unreadable } from './unreadable.js';

/** A file, or something else that can be read more than once. */
export interface TrafficFile {
  /** For messages. */
  readonly name: string;
  /** Its bytes from the beginning, in pieces. */
  pieces(): Iterable<Uint8Array>;
}

/** The exchanges of one file, in its order. */
export function* exchangesOf(file: TrafficFile, edition: Edition): Generator<Exchange | Unreadable> {
  let reader: HarReader | LineReader | null = null;
  for (const piece of file.pieces()) {
    reader ??= looksLikeHar(piece) ? new HarReader(file.name, edition) : new LineReader(file.name, edition);
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

/** So many lines, or characters, tell in which unit a recorder counts. */
const SAMPLE_LINES = 200;
const SAMPLE_CHARACTERS = 8_000_000;

class LineReader {
  readonly isDamaged = false;
  readonly #decoder = new TextDecoder();
  readonly #name: string;
  readonly #edition: Edition;
  /** Of the line that has not ended; they are joined once, when it ends. */
  #pieces: Uint8Array[] = [];
  #bytes = 0;
  #line = 1;
  /** The first lines, as long as the unit of the durations is not known. */
  #sample: { readonly line: string; readonly where: string }[] | null = [];
  #sampleCharacters = 0;
  #unitMs = 0;

  constructor(name: string, edition: Edition) {
    this.#name = name;
    this.#edition = edition;
  }

  *read(piece: Uint8Array): Generator<Exchange | Unreadable> {
    let from = 0;
    for (let to = piece.indexOf(NEWLINE); to >= 0; to = piece.indexOf(NEWLINE, from)) {
      this.#add(piece.subarray(from, to));
      yield* this.#endLine();
      from = to + 1;
    }
    this.#add(piece.subarray(from));
  }

  #add(piece: Uint8Array): void {
    this.#bytes += piece.byteLength;
    if (this.#bytes > LINE_BYTES_MAX) this.#pieces = [];
    else this.#pieces.push(piece);
  }

  *end(): Generator<Exchange | Unreadable> {
    yield* this.#endLine();
    yield* this.#endSample();
  }

  *#endLine(): Generator<Exchange | Unreadable> {
    const where = `${this.#name}:${this.#line}`;
    const isTooLong = this.#bytes > LINE_BYTES_MAX;
    const line = this.#decoder.decode(Buffer.concat(this.#pieces));
    this.#pieces = [];
    this.#bytes = 0;
    this.#line += 1;
    if (isTooLong) yield new Unreadable(where, `the line is longer than ${LINE_BYTES_MAX / 1e6} MB`);
    if (line.trim() === '') return;
    if (this.#sample === null) {
      yield* this.#exchange(line, where);
      return;
    }
    this.#sample.push({ line, where });
    this.#sampleCharacters += line.length;
    if (this.#sample.length >= SAMPLE_LINES || this.#sampleCharacters >= SAMPLE_CHARACTERS)
      yield* this.#endSample();
  }

  *#endSample(): Generator<Exchange | Unreadable> {
    const sample = this.#sample ?? [];
    this.#sample = null;
    this.#unitMs = unitOf(sample.flatMap(({ line }) => durationIn(line) ?? []));
    for (const { line, where } of sample) yield* this.#exchange(line, where);
  }

  *#exchange(line: string, where: string): Generator<Exchange | Unreadable> {
    const exchange = exchangeOfLine(line, where, this.#edition, this.#unitMs);
    if (exchange !== null) yield exchange;
  }
}
