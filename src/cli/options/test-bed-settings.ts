/** What `explore` and `campaign` explore on: our own endpoint, with faults and readings of open questions. */
import { MUTANTS } from '../../mutants/index.js';
import { ALL_MUTANTS } from '../../exploring/proof-files.js';
import type { Edition } from '../../spec/types.js';
import type { TestBedSettings } from '../../test-bed/test-bed.js';
import { dialectSettings } from './dialect-option.js';
import type { Io } from '../io.js';
import { noSuchFault } from '../known-fault.js';

interface GivenTestBed {
  readonly edition: Edition | undefined;
  readonly dialect: string | undefined;
  readonly mutant: string | undefined;
}

/** @throws {UsageError} */
export function testBedSettings(given: GivenTestBed, { cwd }: Pick<Io, 'cwd'>): TestBedSettings {
  const { edition = 'document' } = given;
  const mutant = mutantOf(given.mutant);
  const { held } = dialectSettings(given, cwd, edition);
  return { edition, mutant, ...(held !== null && { dialect: held.dialect }) };
}

export function mutantOf(id: string | undefined): string | null {
  if (id === undefined) return null;
  const ids = [...MUTANTS.map((mutant) => mutant.id), ALL_MUTANTS];
  if (!id.split(',').every((each) => ids.includes(each))) throw noSuchFault(id, ids);
  return id;
}
