/** `explore --mutant all`: how many of the known faults the explorer finds, and with how short a script. */
import type { ExitCode } from '../../report/index.js';
import type { ExplorePool } from '../../exploring/pool.js';
import { proofText, writeProofs } from '../../exploring/proof-files.js';
import type { ExploreSettings } from './explore-command.js';
import type { Io } from '../../cli/io.js';

export async function proveMutants(
  mutants: readonly string[],
  explored: ExploreSettings,
  pool: ExplorePool,
  interrupted: AbortSignal,
  io: Io,
): Promise<ExitCode> {
  const { seed, runs, testBed, out } = explored;
  const proofs = await Promise.all(
    mutants.map(async (mutant) => {
      const settings = { ...testBed, mutant };
      const proof = await pool.run({ kind: 'prove', settings, seed, runs }, interrupted);
      if (proof !== null) io.out(`${proofText(proof)}\n`);
      return proof;
    }),
  );
  const done = proofs.filter((proof) => proof !== null);
  io.out(writeProofs(done, explored, out, io.cwd));
  return interrupted.aborted ? 130 : 0;
}
