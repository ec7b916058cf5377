/** Saved scripts, each with the fault that it found: the unbroken endpoint passes them, the faulty one does not. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { FoundFile } from '../../src/exploring/outcome-files.js';
import { parseScript } from '../../src/scenario/index.js';
import { ROOT } from '../project/sources.js';
import { simulatorTestBed } from './test-bed.js';

const FOLDER = join(ROOT, 'scenarios/corpus');
const files = readdirSync(FOLDER)
  .filter((name) => name.endsWith('.json'))
  .map((name) => [name, JSON.parse(readFileSync(join(FOLDER, name), 'utf8')) as FoundFile] as const);

const judgedBy = (file: FoundFile, mutant: string | null) => {
  const testBed = simulatorTestBed(mutant);
  const { world } = file.found;
  const { violations, decided } = testBed.judge(testBed.run([parseScript(file.script)], world), world);
  const must = violations.filter(({ level }) => level === 'must');
  return {
    broken: must.map(({ requirement }) => requirement),
    told: violations.map(({ requirement }) => requirement),
    decided,
  };
};
const ofFaults = files.filter(([, { found }]) => found.mutant !== null);

describe('the corpus', () => {
  it('holds scripts', () => {
    expect(files.length).toBeGreaterThanOrEqual(12);
  });

  it.each(files)('%s violates nothing on the correct endpoint', (_name, file) => {
    expect(judgedBy(file, null).broken).toEqual([]);
  });

  it.each(ofFaults)('%s decides its requirement on the correct endpoint', (_name, file) => {
    expect(judgedBy(file, null).decided).toContain(file.failures[0]!.requirement);
  });

  it.each(ofFaults)('%s still finds its fault', (_name, file) => {
    expect(judgedBy(file, file.found.mutant).told).toContain(file.failures[0]!.requirement);
  });
});
