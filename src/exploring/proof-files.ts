/** Which known faults the explorer found, as text and as files to replay. */
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { MUTANTS } from '../mutants/index.js';
import { jsonText } from '../report/escape.js';
import { foundFile } from './outcome-files.js';
import type { TestBedSettings } from '../test-bed/test-bed.js';
import type { Proof } from '../test-bed/worker.js';
import { makeFolder } from '../make-folder.js';

/** Every known fault. */
export const ALL_MUTANTS = 'all';

/** The faults that `A,B` or `all` names; null for a single one and for none. */
export function severalMutants(mutant: string | null): readonly string[] | null {
  const wanted = mutant?.split(',') ?? [];
  const isAll = wanted.includes(ALL_MUTANTS);
  if (wanted.length < 2 && !isAll) return null;
  return MUTANTS.map(({ id }) => id).filter((id) => isAll || wanted.includes(id));
}

export function proofText({ mutant, runs, found, shrunk }: Proof): string {
  if (found === null) return `not found  ${mutant}`;
  const steps = shrunk?.script.steps.length ?? found.script.steps.length;
  return `found      ${mutant}  after ${runs} runs, ${steps} steps (${shrunk?.script.title ?? ''}): ${found.requirement}`;
}

/** Writes a file for each fault that was found, and sums up. */
export function writeProofs(
  proofs: readonly Proof[],
  {
    seed,
    runs,
    testBed,
  }: { readonly seed: number; readonly runs: number; readonly testBed: TestBedSettings },
  folder: string,
  cwd: string,
): string {
  const path = resolve(cwd, folder);
  makeFolder(path);
  for (const { mutant, found, shrunk } of proofs) {
    if (found === null) continue;
    const file = foundFile(seed, { ...testBed, mutant }, { found, shrunk, runs: 1 });
    writeFileSync(join(path, `${mutant}.json`), `${jsonText(file, 2)}\n`);
  }
  const lengths = proofs.flatMap(({ shrunk }) => (shrunk === null ? [] : [shrunk.script.steps.length]));
  const found = proofs.filter((proof) => proof.found !== null).length;
  return `found ${found} of ${proofs.length} planted bugs in at most ${runs} runs each; median script ${median(lengths)} steps\n`;
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[sorted.length >> 1] ?? 0;
}
