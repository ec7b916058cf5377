/**
 * Runs the specs.
 *
 *   npm test            the pure specs, and the waiting ones that import what was changed since the last commit
 *   npm test -- PATH…   the spec files with such a path
 *   npm cit             the pure and the waiting ones, and a sixth of the long ones, which the commit draws
 *   npm run test:all    all of them; `-- --rest`: those that `npm cit` leaves out
 *
 * `--record` writes how long files took into specs/durations.json; `--part N` takes another sixth.
 */
import { existsSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { record, recordedDurations, partsOf, tookS } from './durations.js';
import { FLAKY_MAX, pastRuns, save, timesFlaky, withRun } from './flaky.js';
import { kindOf } from './kinds.js';
import { shareOfOthers, used } from './machine.js';
import { commit, PARTS, partOfCommit, specFiles } from './parts.js';
import type { FileReport } from './report.js';
import { runVitest, type Outcome, type Run } from './vitest.js';

/** What `npm cit` may take in all, and what of that the installation takes. */
const CIT_MAX_S = 300;
const INSTALLING_S = 40;
/** With more of the processors used by others, a time limit says nothing. */
const OTHERS_MAX = 0.1;
const SLOWEST_TOLD = 10;
/** A long file waits, when it waits for this share of the time that it computes. */
const WAITING_FROM = 0.6;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    all: { type: 'boolean', default: false },
    rest: { type: 'boolean', default: false },
    record: { type: 'boolean', default: false },
    part: { type: 'string' },
  },
});

type Mode = 'some' | 'quick' | 'cit' | 'all' | 'rest';
// npm runs the script `test` in both cases.
const isCit = process.env['npm_command'] === 'install-ci-test';
const mode: Mode =
  positionals.length > 0 ? 'some' : values.rest ? 'rest' : values.all ? 'all' : isCit ? 'cit' : 'quick';
const say = (line: string): void => void process.stdout.write(`${line}\n`);

const part = values.part === undefined ? partOfCommit(PARTS) : Number(values.part) - 1;
const longFiles = specFiles().filter((file) => kindOf(file) === 'long');
const parts = partsOf(longFiles, PARTS, recordedDurations());
const drawn = new Set(parts[part]);

if (mode !== 'quick')
  say(`shares of long specs are drawn by commit ${commit()?.slice(0, 8) ?? 'none'}; all of them: WHOLE=1`);
const startedS = performance.now() / 1e3;
const before = used();
const outcomes = await run();
const tookTotalS = performance.now() / 1e3 - startedS;
const others = shareOfOthers(before, used());
await conclude();

/** What computes uses the processors while the others wait. */
async function run(): Promise<readonly Outcome[]> {
  const pure = { name: 'pure', projects: ['pure*'] };
  const waits = { name: 'waits', projects: ['waits*'] };
  switch (mode) {
    case 'some':
      return [await runVitest({ name: 'some', projects: [], files: positionals })];
    case 'quick':
      return sideBySide([pure], [{ ...waits, changedOnly: true }]);
    case 'cit': {
      const files = `${drawn.size} of ${longFiles.length} files`;
      say(`of the long specs part ${part + 1} of ${PARTS}, ${files}; all of them: npm run test:all`);
      const [computing, waiting] = longRuns([...drawn]);
      return sideBySide([pure, computing], [waiting, waits]);
    }
    case 'all': {
      const [computing, waiting] = longRuns(longFiles);
      return sideBySide([pure, computing], [waiting, waits]);
    }
    case 'rest':
      return sideBySide(...longRuns(longFiles.filter((file) => !drawn.has(file))).map((each) => [each]));
  }
}

/** The long files that mostly compute, one for each processor, and those that wait. Both take equally long. */
function longRuns(files: readonly string[]): readonly [computing: Run, waiting: Run] {
  const recorded = recordedDurations();
  const waiting = files.filter((file) => {
    const [busyS, waitedS] = recorded[file] ?? [1, 0];
    return waitedS > WAITING_FROM * busyS;
  });
  const computing = files.filter((file) => !waiting.includes(file));
  const long = { projects: ['long*'] };
  return [
    { ...long, name: 'long', files: computing },
    { ...long, name: 'long-waits', files: waiting, workers: availableParallelism() + 1 },
  ];
}

async function sideBySide(...lanes: readonly (readonly Run[])[]): Promise<readonly Outcome[]> {
  const inTurn = async (lane: readonly Run[]): Promise<readonly Outcome[]> => {
    const done: Outcome[] = [];
    for (const one of lane) if (one.files?.length !== 0) done.push(await runVitest(one));
    return done;
  };
  return (await Promise.all(lanes.map(inTurn))).flat();
}

/** What failed where real time matters is run again, alone. */
async function conclude(): Promise<void> {
  const files = outcomes.flatMap(({ report }) => report?.files ?? []);
  const again =
    mode === 'some' ? [] : files.filter(({ file, failed }) => failed.length > 0 && kindOf(file) !== 'pure');
  const flaky: string[] = [];
  const final = new Map(files.map((file) => [file.file, file]));
  for (const { file, failed } of again) {
    say(`\n${file} failed and is run again, alone`);
    const { report } = await runVitest({ name: 'again', projects: [], files: [file] });
    const alone = report?.files.find((one) => one.file === file);
    if (alone === undefined) continue;
    final.set(file, alone);
    flaky.push(...failed.filter((name) => !alone.failed.includes(name)).map((name) => `${file}: ${name}`));
  }
  tell([...final.values()], flaky);
}

function tell(files: readonly FileReport[], flaky: readonly string[]): void {
  const sum = (countOf: (file: FileReport) => number): number =>
    files.reduce((total, file) => total + countOf(file), 0);
  const problems = outcomes.flatMap(({ problem }) => (problem === null ? [] : [problem]));
  if (mode !== 'some') problems.push(...flakyProblems(flaky));
  if (mode === 'cit') problems.push(...timeProblems(files));
  if (values.record) record(files, existsSync);
  const passed = sum((file) => file.passed);
  const failed = sum((file) => file.failed.length);
  const skipped = sum((file) => file.skipped);
  for (const { file, failed: names } of files) for (const name of names) say(`FAILED ${file}: ${name}`);
  for (const problem of problems) say(`FAILED ${problem}`);
  const count = { passed, failed: failed + problems.length, skipped };
  writeFileSync('reports/specs.json', `${JSON.stringify({ ...count, files }, null, 1)}\n`);
  const minutes = `${Math.floor(tookTotalS / 60)}:${String(Math.floor(tookTotalS % 60)).padStart(2, '0')}`;
  const beside = others === null ? '' : `, others used ${Math.round(100 * others)} % of the processors`;
  say(`\n${files.length} spec files in ${minutes} min${beside}`);
  say(`${count.passed} passed, ${count.failed} failed, ${count.skipped} skipped`);
  process.exitCode = count.failed > 0 || count.passed === 0 ? 1 : 0;
}

/** Beside other work some failures are to be expected: they are told, not counted. */
function flakyProblems(flaky: readonly string[]): readonly string[] {
  if (others !== null && others > OTHERS_MAX) {
    for (const spec of flaky) say(`FLAKY ${spec}: failed beside others, passed alone, on a busy machine`);
    return [];
  }
  const runs = withRun(pastRuns(), flaky);
  save(runs);
  return [...timesFlaky(runs)].flatMap(([spec, times]) => {
    say(`FLAKY ${spec}: failed beside others, passed alone (${times} times in ${runs.length} runs)`);
    return times < FLAKY_MAX
      ? []
      : [`${spec}: flaky ${times} times in ${runs.length} runs: wait for what it needs`];
  });
}

function timeProblems(files: readonly FileReport[]): readonly string[] {
  const maxS = CIT_MAX_S - INSTALLING_S;
  if (tookTotalS <= maxS) return [];
  say(`\nlonger than ${maxS} s; the slowest files:`);
  const slowest = files
    .filter(({ took }) => took !== null)
    .sort((left, right) => tookS(right.took!) - tookS(left.took!));
  for (const { file, took } of slowest.slice(0, SLOWEST_TOLD))
    say(`  ${file}: busy ${took!.busyS.toFixed(1)} s, waiting ${took!.waitedS.toFixed(1)} s`);
  const isQuiet = others !== null && others <= OTHERS_MAX;
  return isQuiet ? [`npm cit: the specs took ${Math.round(tookTotalS)} s, ${maxS} s are allowed`] : [];
}
