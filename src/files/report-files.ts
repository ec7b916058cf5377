/** Reads the reports of earlier runs. */
import { existsSync, readdirSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import type { ExplorationSummary } from '../explore/index.js';
import type { LeftOut } from '../report/compare/history.js';
import type { HistoryEvent } from '../history/events.js';
import { FIRST_CLIENT_SCHEMA, fromFirstFormat } from '../report/client/first-format.js';
import type { ExitCode, Report } from '../report/index.js';
import { UsageError } from '../util/errors.js';
import { readUserFile } from './user-file.js';
import { readHistory } from './history-file.js';
import { shippedSchema } from '../package-files.js';
import { isObject, jsonIn } from '../util/json.js';
import { violationOf } from '../util/json-schema.js';

/** Of `explore.json`. */
export const EXPLORE_SCHEMA = 'runproof-explore/1';

/** The content of `explore.json`. */
export interface ExploreFile extends Omit<ExplorationSummary, 'violations'> {
  readonly schema: typeof EXPLORE_SCHEMA;
  readonly runproof: string;
  readonly exitCode: ExitCode;
  readonly seed: number;
  readonly shard: { readonly index: number; readonly count: number };
  readonly edition: string;
  readonly mutant: string | null;
}

export type WrittenReport =
  | { readonly kind: 'check'; readonly report: Report; readonly name: string; readonly folder: string }
  | {
      readonly kind: 'explore';
      readonly report: ExploreFile;
      readonly name: string;
      readonly folder: string;
    };

export type CheckReport = Extract<WrittenReport, { readonly kind: 'check' }>;

const KINDS = [
  ['runproof-report/1', 'check'],
  [EXPLORE_SCHEMA, 'explore'],
] as const;

const NAMES = ['report.json', 'explore.json', 'client.json'];

/** @throws {UsageError} if it is not a report, or not one that can be read */
export function readReport(name: string, cwd: string): WrittenReport {
  const path = fileOf(name, cwd);
  const value = asToday(
    jsonIn(readUserFile(path === resolve(cwd, name) ? name : join(name, basename(path)), cwd)),
  );
  if (value === undefined)
    throw new UsageError(`${name} is damaged: it is not JSON. Run the check again, or name another report`);
  const kind = KINDS.find(([schema]) => isObject(value) && value['schema'] === schema)?.[1];
  if (kind === undefined)
    throw new UsageError(
      `${name} is not a report: name a report.json of check or client, or an explore.json`,
    );
  const violation = violationOf(value, shippedSchema(kind === 'check' ? 'report' : 'explore'));
  const command = isObject(value) && value['subject'] === 'client' ? 'client' : kind;
  if (violation !== null)
    throw new UsageError(
      `${name} is damaged: ${violation}. Run the ${command} again, or name another report`,
    );
  return { kind, report: value, name, folder: dirname(path) } as WrittenReport;
}

/** A report on a client that an earlier version has written is read as one of this version. */
function asToday(value: unknown): unknown {
  if (!isObject(value) || value['schema'] !== FIRST_CLIENT_SCHEMA) return value;
  try {
    return fromFirstFormat(value);
  } catch {
    // It lacks something, as its schema then says.
    return { ...value, schema: 'runproof-report/1', subject: 'client' };
  }
}

function fileOf(name: string, cwd: string): string {
  const path = resolve(cwd, name);
  if (!existsSync(path) || !statSync(path).isDirectory()) return path;
  const found = reportIn(path);
  if (found === undefined) throw new UsageError(`the folder ${name} contains no ${NAMES.join(' and no ')}`);
  return found;
}

const reportIn = (folder: string): string | undefined =>
  NAMES.map((name) => join(folder, name)).find((path) => existsSync(path));

/**
 * The reports of check and client in these folders, and in the folders in them.
 *
 * @throws {UsageError} without such a folder
 */
export function reportsIn(
  folders: readonly string[],
  cwd: string,
): { readonly reports: readonly CheckReport[]; readonly leftOut: readonly LeftOut[] } {
  const names = new Map(
    folders.flatMap((folder) => namesIn(folder, cwd)).map((name) => [resolve(cwd, name), name]),
  );
  const all = [...names.values()].map((name) => reportOrWhy(name, cwd));
  return {
    reports: all.filter((each) => 'report' in each),
    leftOut: all.filter((each) => 'why' in each),
  };
}

/** The folder itself if it has a report, and the folders in it. */
function namesIn(folder: string, cwd: string): readonly string[] {
  const path = resolve(cwd, folder);
  if (!existsSync(path)) throw new UsageError(`there is no folder ${folder}: name one that has reports`);
  if (!statSync(path).isDirectory()) return [folder];
  const isOne = reportIn(path) !== undefined;
  const inside = readdirSync(path)
    .filter((name) => statSync(join(path, name), { throwIfNoEntry: false })?.isDirectory())
    .filter((name) => !isOne || reportIn(join(path, name)) !== undefined);
  return [...(isOne ? [folder] : []), ...inside.map((name) => join(folder, name)).sort()];
}

function reportOrWhy(name: string, cwd: string): CheckReport | LeftOut {
  const path = resolve(cwd, name);
  if (statSync(path).isDirectory() && reportIn(path) === undefined)
    return { name, why: existsSync(join(path, 'history.ndjson')) ? 'unfinished' : 'without a report' };
  try {
    const written = readReport(name, cwd);
    return written.kind === 'check' ? written : { name, why: 'of explore' };
  } catch (error) {
    if (error instanceof UsageError) return { name, why: 'damaged or foreign' };
    throw error;
  }
}

/** The history of the run, if it is still in the folder of the report. */
export function historyBeside({ folder }: WrittenReport): readonly HistoryEvent[] {
  const path = join(folder, 'history.ndjson');
  return existsSync(path) ? readHistory(path, folder) : [];
}

/** A file name for a failure that is unique among the merged reports. */
export const apart = (report: number, script: string): string => `failures/${report + 1}-${basename(script)}`;
