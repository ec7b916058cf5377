import { existsSync, readFileSync } from 'node:fs';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Written by `npm run slowest` from the report of a run of all specs. */
const RECORDED = new URL('../slowest.json', import.meta.url);

/** Spec files in the order in which they begin: the slowest first, so that the end of a run does not wait for one. */
export class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return slowestFirst(await super.sort(files), recordedSeconds());
  }
}

/** Sorts by recorded seconds; files without a record keep their order, behind those with one. */
export function slowestFirst<F extends { readonly moduleId: string }>(
  files: readonly F[],
  seconds: { readonly [path: string]: number },
): F[] {
  const recorded = Object.entries(seconds);
  const secondsOf = ({ moduleId }: F): number =>
    recorded.find(([path]) => moduleId.endsWith(`/${path}`))?.[1] ?? 0;
  return [...files].sort((a, b) => secondsOf(b) - secondsOf(a));
}

const recordedSeconds = (): { readonly [path: string]: number } =>
  existsSync(RECORDED) ? (JSON.parse(readFileSync(RECORDED, 'utf8')) as { [path: string]: number }) : {};
