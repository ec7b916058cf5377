/** `--mutant ID` of `check`, `serve` and `demo`. The faults are loaded only when one is named. */
import { UsageError } from '../util/errors.js';
import { didYouMean } from '../util/suggest.js';
import type { Mutant } from '../mutants/index.js';
import { program } from '../program-name.js';

/** @throws {UsageError} */
export async function knownFault(id: string): Promise<Mutant> {
  const { MUTANTS } = await import('../mutants/index.js');
  const found = MUTANTS.find((mutant) => mutant.id === id);
  if (found !== undefined) return found;
  throw noSuchFault(
    id,
    MUTANTS.map((mutant) => mutant.id),
  );
}

export const noSuchFault = (id: string, ids: readonly string[]): UsageError =>
  new UsageError(
    `there is no planted bug "${id}".${didYouMean(id, ids)} "${program()} list mutants" lists them`,
  );
