/** `explore --mutant all`: how many of the known faults the explorer finds, and with how short a script. */
import { MUTANTS } from '../mutants/index.js';
import { jsonText } from '../report/escape.js';
import type { ExitCode } from '../report/index.js';
import type { ExplorePool } from '../app/explore/pool.js';
import type { ExploreSettings } from './explore-settings.js';
import type { Proof } from '../app/explore/worker.js';
import type { Io } from './io.js';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { foundFile } from '../app/explore/outcome-files.js';

export async function proveMutants(
  { seed, runs, testBed, out }: ExploreSettings,
  pool: ExplorePool,
  interrupted: AbortSignal,
  io: Io,
): Promise<ExitCode> {
  const wanted = testBed.mutant?.split(',') ?? [];
  const mutants = MUTANTS.filter(({ id }) => wanted.includes(id) || wanted.includes('all'));
  const proofs = await Promise.all(
    mutants.map(async ({ id }) => {
      const settings = { ...testBed, mutant: id };
      const proof = await pool.run({ kind: 'prove', settings, seed, runs }, interrupted);
      if (proof !== null) io.out(`${lineOf(proof)}\n`);
      return proof;
    }),
  );
  const done = proofs.filter((proof) => proof !== null);
  const folder = resolve(io.cwd, out);
  mkdirSync(folder, { recursive: true });
  for (const { mutant, found, shrunk } of done) {
    if (found === null) continue;
    const file = foundFile(seed, { ...testBed, mutant }, { found, shrunk, runs: 1 });
    writeFileSync(join(folder, `${mutant}.json`), `${jsonText(file, 2)}\n`);
  }
  const lengths = done.flatMap(({ shrunk }) => (shrunk === null ? [] : [shrunk.script.steps.length]));
  const found = done.filter((proof) => proof.found !== null).length;
  io.out(
    `found ${found} of ${done.length} faults in at most ${runs} runs each; median script ${median(lengths)} steps\n`,
  );
  return interrupted.aborted ? 130 : 0;
}

function lineOf({ mutant, runs, found, shrunk }: Proof): string {
  if (found === null) return `not found  ${mutant}`;
  const steps = shrunk?.script.steps.length ?? found.script.steps.length;
  return `found      ${mutant}  after ${runs} runs, ${steps} steps (${shrunk?.script.title ?? ''}): ${found.requirement}`;
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[sorted.length >> 1] ?? 0;
}
