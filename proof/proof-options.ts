import type { FindingsWish } from './findings.js';
import type { LedgerWish } from './ledger/proofs.js';
import type { PrecisionWish } from './precision.js';
import type { VariantsWish } from './variants.js';

/** What a proof is asked to do: the options of its command. */
export interface Wish {
  readonly seed: number;
  readonly runs: number;
  readonly threads: number | null;
  /** Ids, or beginnings of ids followed by `*`; empty: all. */
  readonly only: readonly string[];
  readonly http: boolean;
  /** Of a mutant, play only what it takes to see it caught by what it breaks; of a reading, what answers its question. */
  readonly brief: boolean;
  readonly real: boolean;
  readonly dedicated: boolean;
  /** Of `traffic` alone: its recordings are judged as if workers may have crashed. */
  readonly mayCrash: boolean;
  readonly calls: number;
  readonly batch: number | null;
  /** Of `precision` alone. */
  readonly precision: PrecisionWish;
  /** Of `variants` alone. */
  readonly variants: VariantsWish;
  /** Of what works off the ledger. */
  readonly ledger: LedgerWish;
  /** Of `findings` alone. */
  readonly findings: FindingsWish;
  /** The folder of reports; of `findings` the file. */
  readonly out: string;
  say(line: string): void;
  /** Writes a file into the folder of reports. */
  write(name: string, text: string): void;
}
