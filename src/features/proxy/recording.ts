/**
 * Writes what passes to files, which `judge` reads. Each call is written when it is over, so that a kill loses only those
 * under way; when that happened, or calls were not told, the files say so, and an absence in them proves nothing.
 */
import { closeSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { Exchange } from '../../history/exchange.js';
import { Digester } from '../../traffic/digest.js';
import { lineOf, missingLine } from '../../traffic/index.js';
import { filesIn, OWNER_ONLY, RECORDING_END, type RecordSettings } from '../../judging/live/record-folder.js';

const FILE_BYTES_MAX = 64_000_000;
/** After a failure, calls are lost for so long before writing is tried again. */
const REST_MS = 10_000;

export class Recording {
  readonly #settings: RecordSettings;
  readonly #fileBytesMax: number;
  readonly #digester: Digester | null;
  readonly #told: (reason: string) => void;
  /** That nothing was recorded between the end of the last recorder and the begin of this one; empty: that is said. */
  #pauseLine: string;
  #file: { readonly fd: number; bytes: number } | null = null;
  #lines: string[] = [];
  /** When these began, the earliest, ms since 1970. */
  #linesFromMs = Infinity;
  #missing = 0;
  /** When the missing calls were made, as far as that is known. */
  #missingFromMs = Infinity;
  #missingByMs = -Infinity;
  #failedMs = -Infinity;

  /**
   * @param told called when calls are not recorded, with the reason, once until recording goes on
   */
  constructor(settings: RecordSettings, told: (reason: string) => void, fileBytesMax = FILE_BYTES_MAX) {
    this.#settings = settings;
    this.#told = told;
    this.#fileBytesMax = fileBytesMax;
    const { pause } = settings;
    this.#pauseLine = pause === null ? '' : missingLine(true, pause);
    this.#digester =
      settings.digestKey === null ? null : new Digester(Buffer.from(settings.digestKey, 'hex'));
  }

  add(exchange: Exchange): void {
    try {
      // What test control has answered is no payload.
      const digester = exchange.names === null && exchange.webhook === undefined ? null : this.#digester;
      this.#lines.push(lineOf(exchange, digester));
      this.#linesFromMs = Math.min(this.#linesFromMs, exchange.fromMs);
    } catch {
      // The line may be longer than a text can be.
      this.miss(1, exchange.fromMs, exchange.byMs!);
    }
  }

  /** So many calls have passed between these instants, ms since 1970, and were not told. */
  miss(calls: number, fromMs: number, byMs: number): void {
    this.#missing += calls;
    this.#missingFromMs = Math.min(this.#missingFromMs, fromMs);
    this.#missingByMs = Math.max(this.#missingByMs, byMs);
  }

  /** Writes what was added since. */
  write(nowMs: number): void {
    if (this.#lines.length === 0 && this.#missing === 0) return;
    const [lines, fromMs] = [this.#lines, this.#linesFromMs];
    this.#lines = [];
    this.#linesFromMs = Infinity;
    const hasFailed = this.#failedMs !== -Infinity;
    if (hasFailed && nowMs < this.#failedMs + REST_MS) return this.miss(lines.length, fromMs, nowMs);
    try {
      const during = { fromMs: this.#missingFromMs, byMs: this.#missingByMs };
      const missing = this.#pauseLine + (this.#missing === 0 ? '' : missingLine(this.#missing, during));
      // A line may have been written in part.
      this.#append(`${hasFailed ? '\n' : ''}${missing}${lines.join('')}`, nowMs);
      this.#pauseLine = '';
      this.#missing = 0;
      this.#missingFromMs = Infinity;
      this.#missingByMs = -Infinity;
      this.#failedMs = -Infinity;
    } catch (error) {
      this.miss(lines.length, fromMs, nowMs);
      this.#failedMs = nowMs;
      if (!hasFailed) this.#told((error as Error).message);
    }
  }

  /** @param underWay when the calls began that are not over, ms since 1970 */
  close(nowMs: number, underWay: readonly number[]): void {
    if (underWay.length > 0) this.miss(underWay.length, Math.min(...underWay), nowMs);
    this.write(Math.max(nowMs, this.#failedMs + REST_MS));
    if (this.#file === null) return;
    try {
      if (this.#missing === 0) writeSync(this.#file.fd, RECORDING_END);
      closeSync(this.#file.fd);
    } catch (error) {
      this.#told((error as Error).message);
    }
    this.#file = null;
  }

  #append(text: string, nowMs: number): void {
    if (this.#file !== null && this.#file.bytes > this.#fileBytesMax) {
      const { fd } = this.#file;
      this.#file = null;
      writeSync(fd, RECORDING_END);
      closeSync(fd);
    }
    this.#file ??= this.#next(nowMs);
    const bytes = Buffer.from(text);
    for (let at = 0; at < bytes.length;) at += writeSync(this.#file.fd, bytes, at);
    this.#file.bytes += bytes.length;
  }

  #next(nowMs: number): { readonly fd: number; bytes: number } {
    const { folder, filesMax } = this.#settings;
    const files = filesIn(folder);
    for (const old of files.slice(0, Math.max(0, files.length - filesMax + 1))) rmSync(join(folder, old));
    const stamp = new Date(nowMs).toISOString().replaceAll(/[:.]/gu, '-');
    return { fd: openSync(join(folder, `calls-${stamp}.ndjson`), 'ax', OWNER_ONLY), bytes: 0 };
  }
}
