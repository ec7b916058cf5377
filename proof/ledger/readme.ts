/** README.md as the ledger has it. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PACKAGE_ROOT } from '../../src/package-files.js';
import { getOrMake } from '../../src/util/maps.js';
import type { Entry, Ledger } from './entry.js';
import { ageOf, figures, oldest, totals, withFigures, type Age } from './figures.js';
import { commitsSince, LEDGER, ledgerIn, today } from './repository.js';

const README = join(PACKAGE_ROOT, 'README.md');

/** @param age what the figures say of their age; default: what is true today */
export function readmeText(age: Age = ageNow()): string {
  const ledger = ledgerIn(LEDGER);
  return withFigures(readFileSync(README, 'utf8'), figures(ledger, totals(), age, lastTried(ledger)));
}

export function writeFigures(): void {
  writeFileSync(README, readmeText());
}

function ageNow(): Age {
  const last = lastTried(ledgerIn(LEDGER));
  return last === null ? null : ageOf(last, today(), commitsSince(last.commit));
}

function lastTried(ledger: Ledger): Entry | null {
  const since = new Map<string, number>();
  return oldest(ledger, (commit) => getOrMake(since, commit, () => commitsSince(commit) ?? 0));
}
