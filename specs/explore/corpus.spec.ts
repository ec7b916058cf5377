/** Saved scripts, each with the fault that it found: the unbroken endpoint passes them, the faulty one does not. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { FoundFile } from '../../src/cli/explore-report.js';
import { parseScript } from '../../src/scenario/index.js';
import { ROOT } from '../project/sources.js';
import { laboratory } from './laboratory.js';

const FOLDER = join(ROOT, 'scenarios/corpus');
const files = readdirSync(FOLDER)
  .filter((name) => name.endsWith('.json'))
  .map((name) => [name, JSON.parse(readFileSync(join(FOLDER, name), 'utf8')) as FoundFile] as const);

const brokenBy = (file: FoundFile, mutant: string | null): readonly string[] => {
  const lab = laboratory(mutant);
  const { world } = file.found;
  const { breaches } = lab.judge(lab.play([parseScript(file.script)], world), world);
  return breaches.filter(({ level }) => level === 'must').map(({ requirement }) => requirement);
};

describe('the corpus', () => {
  it('holds scripts', () => {
    expect(files.length).toBeGreaterThanOrEqual(12);
  });

  it.each(files)('%s breaks nothing on the endpoint as it is', (_name, file) => {
    expect(brokenBy(file, null)).toEqual([]);
  });

  it.each(files.filter(([, { found }]) => found.mutant !== null))(
    '%s still finds its fault',
    (_name, file) => {
      expect(brokenBy(file, file.found.mutant)).toContain(file.failures[0]!.requirement);
    },
  );
});
