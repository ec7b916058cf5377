interface Exception {
  readonly path: string;
  readonly reason: string;
}

/** Files whose functions may be longer than `OWN_LINES_MAX`. */
export const LONG: readonly Exception[] = [
  { path: 'specs/mutants/exercise.ts', reason: 'data: one exercise per fault' },
  {
    path: 'src/traffic/reading/read-traffic.ts',
    reason: 'one pass over the calls, each of which tells several things',
  },
];

/** Folders that may have more than 25 files. */
export const ROOMY: readonly Exception[] = [
  { path: 'scenarios/8', reason: 'one file per scenario' },
  { path: 'src/spec/requirements', reason: 'data: one file per section of the document' },
];
