/** The working tree: its sources, its commit, the ledger in it, and the histories kept beside it. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { PACKAGE_ROOT } from '../../src/package-files.js';
import type { FaultToPlay } from '../trials/fault-run.js';
import { HISTORY_ENDING } from '../history-files.js';
import type { VariantTask } from '../trials/variant-trial.js';
import { CaseCode } from './case-code.js';
import { Code } from './code.js';
import { ledgerText, readLedger, type Entry, type Ledger } from './entry.js';

export const LEDGER = 'proof/ledger.txt';
/** Git ignores it. */
const HISTORIES = 'reports/histories';
const FOLDERS = ['src', 'scenarios', 'proof', 'specs/naive', 'specs/variants'];

/** Of everything that a proof may depend on, by path. */
export function sources(): ReadonlyMap<string, string> {
  const paths = FOLDERS.flatMap((folder) =>
    readdirSync(join(PACKAGE_ROOT, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => relative(PACKAGE_ROOT, join(entry.parentPath, entry.name)).replaceAll('\\', '/')),
  );
  return new Map(paths.map((path) => [path, readFileSync(join(PACKAGE_ROOT, path), 'utf8')]));
}

export const caseCode = (): CaseCode => new CaseCode(new Code(sources()));

/** Where a history is kept, named by the digest of what plays it. */
export function faultHistory({ server, fault, mode, profile }: FaultToPlay, play: string): string {
  return historyPath(mode === 'real' ? `real-${profile}` : mode, `${server}-${fault ?? 'none'}`, play);
}

export function variantHistory({ clock, name }: Pick<VariantTask, 'clock' | 'name'>, play: string): string {
  return historyPath(`variants-${clock}`, name, play);
}

function historyPath(folder: string, name: string, digest: string): string {
  const file = `${name.replaceAll(/[^A-Za-z0-9.=-]+/g, '-')}.${digest}${HISTORY_ENDING}`;
  return join(PACKAGE_ROOT, HISTORIES, folder, file);
}

/** Removes histories of the same folders that other code has played, or another fault: none of these is judged again. */
export function removeOldHistories(current: readonly string[]): void {
  const kept = new Set(current);
  for (const folder of new Set(current.map(dirname)))
    for (const name of existsSync(folder) ? readdirSync(folder) : [])
      if (!kept.has(join(folder, name))) rmSync(join(folder, name));
}

export function ledgerIn(path: string): Ledger {
  const file = resolve(PACKAGE_ROOT, path);
  return existsSync(file) ? readLedger(readFileSync(file, 'utf8')) : new Map();
}

/** Whole or not at all: what is broken off leaves the file as it was. */
export function saveLedger(path: string, ledger: Ledger): void {
  const file = resolve(PACKAGE_ROOT, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(`${file}.unfinished`, ledgerText(ledger));
  renameSync(`${file}.unfinished`, file);
}

/** Another run may have written into it meanwhile. */
export function addToLedger(path: string, entry: Entry): void {
  saveLedger(path, new Map([...ledgerIn(path), [entry.id, entry]]));
}

const COMMIT_CHARS = 8;
/** What the proofs themselves write. */
const WRITTEN = [LEDGER, 'README.md'];

/** The commit of the tree, with `+` where there are changes; `unknown` outside of a repository. */
export function commitNow(): string {
  const head = git('rev-parse', `--short=${COMMIT_CHARS}`, 'HEAD');
  if (head === null) return 'unknown';
  const changed = (git('status', '--porcelain') ?? '').split('\n').map((line) => line.slice(3));
  return changed.some((path) => path !== '' && !WRITTEN.includes(path)) ? `${head}+` : head;
}

/** How many commits there are from this one to the tree; null: it is not known here. */
export function commitsSince(commit: string): number | null {
  const count = git('rev-list', '--count', `${commit.replace('+', '')}..HEAD`);
  return count === null ? null : Number(count);
}

function git(...args: readonly string[]): string | null {
  try {
    return execFileSync('git', args, {
      cwd: PACKAGE_ROOT,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trimEnd();
  } catch {
    return null;
  }
}

/** YYYY-MM-DD */
export const today = (): string => new Date().toISOString().slice(0, 10);
