/** How long spec files took when that was last recorded: those that take longest begin first, and parts take equally long. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import type { FileReport } from './report.js';
import type { Took } from './measured.js';

const RECORDED = new URL('../durations.json', import.meta.url);
/** What takes less is not recorded. */
const RECORDED_MIN_S = 1;

/** Seconds of processor time and of waiting, by file. */
export type Durations = { readonly [file: string]: readonly [busyS: number, waitedS: number] };

export const recordedDurations = (): Durations =>
  existsSync(RECORDED) ? (JSON.parse(readFileSync(RECORDED, 'utf8')) as Durations) : {};

export const tookS = ({ busyS, waitedS }: Took): number => busyS + waitedS;

/** Spec files with those first that take longest; those without a record keep their order, behind the others. */
export function slowestFirst<F>(files: readonly F[], fileOf: (file: F) => string, recorded: Durations): F[] {
  const secondsOf = (file: F): number => {
    const [busyS, waitedS] = recorded[fileOf(file)] ?? [0, 0];
    return busyS + waitedS;
  };
  return [...files].sort((left, right) => secondsOf(right) - secondsOf(left));
}

/** What processors are kept from by a second of waiting. */
const WAITING_SHARE = 0.2;
const UNKNOWN_S = 5;

/** Parts that take about equally long, always the same for the same record. */
export function partsOf(files: readonly string[], count: number, recorded: Durations): readonly string[][] {
  const loadOf = (file: string): number => {
    const [busyS, waitedS] = recorded[file] ?? [UNKNOWN_S, 0];
    return busyS + WAITING_SHARE * waitedS;
  };
  const parts = Array.from({ length: count }, () => ({ files: [] as string[], load: 0 }));
  const heaviest = [...files].sort((left, right) => loadOf(right) - loadOf(left) || (left < right ? -1 : 1));
  for (const file of heaviest) {
    const lightest = parts.reduce((one, other) => (other.load < one.load ? other : one));
    lightest.files.push(file);
    lightest.load += loadOf(file);
  }
  return parts.map((part) => part.files);
}

/** Files that did not run keep what was recorded of them. */
export function record(files: readonly FileReport[], exists: (file: string) => boolean): void {
  const rounded = (seconds: number): number => Math.max(0, Math.round(seconds * 10) / 10);
  const merged = new Map<string, readonly [number, number]>(Object.entries(recordedDurations()));
  for (const { file, took } of files)
    if (took !== null) merged.set(file, [rounded(took.busyS), rounded(took.waitedS)]);
  const kept = [...merged]
    .filter(([file, [busyS, waitedS]]) => exists(file) && busyS + waitedS >= RECORDED_MIN_S)
    .sort(([left], [right]) => (left < right ? -1 : 1));
  const lines = kept.map(([file, seconds]) => `  ${JSON.stringify(file)}: ${JSON.stringify(seconds)}`);
  writeFileSync(RECORDED, `{\n${lines.join(',\n')}\n}\n`);
}
