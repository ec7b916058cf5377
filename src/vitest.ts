/**
 * `runproof/vitest` promises one vitest test per requirement of the document: `conformance(target)` runs the
 * scenarios once, and every test reports the verdict of its requirement. It never judges by itself.
 *
 * @example
 *     import { fetchTarget } from 'runproof';
 *     import { conformance } from 'runproof/vitest';
 *
 *     conformance(fetchTarget({ fresh: createMyApi }, { worker: 'scripted' }), { seed: 1 });
 *
 * @packageDocumentation
 */
import { readFileSync } from 'node:fs';
import { basename, relative, resolve } from 'node:path';
import { afterAll, beforeAll, describe, it, type RunnerTestSuite, type TestContext } from 'vitest';
import { named } from '../scenarios/index.js';
import { checkTarget, type CheckResult, type CheckTargetOptions } from './checking/check-target.js';
import { select, type Selection } from './checking/selectors.js';
import { slowProgress } from './checking/slow-progress.js';
import { isSelected } from './history/selection.js';
import { documentText } from './package-files.js';
import { escapeControls, truncated } from './report/escape.js';
import { formatFailure } from './report/formats/format-failure.js';
import { sectionTitles, type FailureFile, type FormatName, type ReportRequirement } from './report/index.js';
import { parseScript, type Script } from './scenario/index.js';
import { isRequirementId, REQUIREMENTS } from './spec/index.js';
import { realEvery, realNowMs } from './target/handler/fake-time.js';
import type { Target } from './target/port.js';

/** What `conformance` runs and how strict its tests are; every option has a default. @public */
export interface ConformanceOptions extends Omit<
  CheckTargetOptions,
  'onPlan' | 'onProgress' | 'onRun' | 'onPhase' | 'scripts' | 'signal'
> {
  /** Title of the suite. Default `conformance`. */
  readonly name?: string;
  /** A violated `should` fails its test. Default false: the test is skipped and says what was observed. */
  readonly shoulds?: boolean;
  /** Scripts drawn of each scenario. Default 1; more seeds and more runs see more. */
  readonly runs?: number;
  /**
   * Folder for the report, its history, and the scripts that showed a failure, to replay them; what an earlier run
   * wrote there is replaced. Default: named after the test file, `reports/conformance` for `conformance.test.ts`.
   */
  readonly out?: string;
  /** Formats of the report in that folder. Default `json` and `html`. */
  readonly formats?: readonly FormatName[];
  /** Real ms that the whole run may take; must exceed `budgetMs`. Default 5 minutes. */
  readonly timeoutMs?: number;
  /** Real ms after which the run says how far it is, again and again. Default 10 s; `Infinity`: never. */
  readonly progressMs?: number;
}

const TIMEOUT_MS = 300_000;
const PROGRESS_MS = 10_000;
const FORMATS: readonly FormatName[] = ['json', 'html'];
/** Environment variable with the path of a saved failure: only its script is run. */
const REPLAY_VARIABLE = 'RUNPROOF_REPLAY';
/** A longer message is cut: the report has all of it. */
const LINES_MAX = 25;
const CHARACTERS_MAX = 400;

interface Outcome {
  readonly result: CheckResult;
  readonly requirements: ReadonlyMap<string, ReportRequirement>;
  /** The page of the report; null if none was written. */
  readonly page: string | null;
}

/**
 * Registers a suite that checks the target: sections are `describe` blocks, each requirement is a test whose
 * name begins with its id. A violated `must` fails with the shortest script that shows it, the proof, and the line
 * that replays it; what could not be decided is skipped with its reason. With a filter (`-t`, `.only`), only what the
 * tests that run need is played. The target is closed at the end.
 *
 * @param target the target, or a function that creates it when the suite begins
 *
 * @public
 */
export function conformance(
  target: Target | (() => Target | Promise<Target>),
  options: ConformanceOptions = {},
): void {
  const { only = [], skip = [], name = 'conformance' } = options;
  const { asked, scenarios } = select(only, skip, REQUIREMENTS, options.scenarios ?? named);
  const titles = sectionTitles(documentText());
  const selected = REQUIREMENTS.filter(({ id }) => isSelected(asked, id));
  describe(name, () => {
    let opened: Target | null = null;
    let outcome: Outcome | null = null;

    // oxlint-disable-next-line no-empty-pattern -- vitest reads from the first parameter which fixtures are wanted: none
    beforeAll(async ({}, suite) => {
      opened = typeof target === 'function' ? await target() : target;
      const run = testsThatRun(suite as RunnerTestSuite).flatMap((test) => idOf(test) ?? []);
      const narrowed = run.length === 0 || run.length === selected.length ? null : run;
      outcome = await check(
        opened,
        options,
        narrowed === null ? null : { scenarios, only: narrowed },
        suite.file.filepath,
      );
      const told = summaryOf(outcome).map((line) => `${name}: ${escapeControls(line)}`);
      console.info(told.join('\n'));
    }, options.timeoutMs ?? TIMEOUT_MS);
    afterAll(() => opened?.close());

    it('decides something, and runs every script to its end', (context) => {
      if (outcome !== null) checkRun(outcome, context);
    });
    for (const section of new Set(selected.map((requirement) => requirement.section))) {
      describe(`§${section} ${titles.get(section) ?? ''}`.trimEnd(), () => {
        for (const { id, text } of selected.filter((requirement) => requirement.section === section)) {
          it(`${id} ${text}`, (context) => {
            const found = outcome?.requirements.get(id);
            if (found !== undefined) report(found, outcome!, options, context);
          });
        }
      });
    }
  });
}
/** The tests of the suite that no filter leaves out. */
function testsThatRun({ tasks }: RunnerTestSuite): readonly string[] {
  return tasks.flatMap((task) => {
    if (task.type === 'suite') return testsThatRun(task);
    return task.mode === 'skip' || task.mode === 'todo' ? [] : [task.name];
  });
}

/** The test's name begins with it; none for the test of the run as a whole. */
function idOf(test: string): string | null {
  const word = test.slice(0, test.indexOf(' '));
  return isRequirementId(word) ? word : null;
}

/** @param narrowed the requirements whose tests run; null: all */
async function check(
  target: Target,
  options: ConformanceOptions,
  narrowed: (Pick<Selection, 'scenarios'> & { readonly only: readonly string[] }) | null,
  testFile: string,
): Promise<Outcome> {
  const saved = process.env[REPLAY_VARIABLE];
  const { name = 'conformance', progressMs = PROGRESS_MS } = options;
  const { out = `reports/${basename(testFile).split('.')[0]!}`, formats = FORMATS, ...others } = options;
  const say = (line: string): void => console.info(`${name}: ${line}`);
  const progress = slowProgress(progressMs, { nowMs: realNowMs, every: realEvery }, say);
  const result = await checkTarget(target, {
    runs: 1,
    ...others,
    ...(narrowed === null ? {} : { ...narrowed, skip: [] }),
    onProgress: progress.onProgress,
    onPhase: progress.onPhase,
    // A replay writes no report: it would replace that of the run which it replays.
    ...(saved === undefined ? { out, formats } : { scripts: [readScript(saved)] }),
  }).finally(() => progress.stop());
  if (result.problem !== null) throw result.problem;
  const requirements = result.report.requirements.map((found) => {
    const failures = found.failures.map(({ script, ...failure }) => ({
      ...failure,
      script: script === null || saved !== undefined ? null : resolve(out, script),
    }));
    return [found.id, { ...found, failures }] as const;
  });
  const page = saved === undefined && formats.includes('html') ? resolve(out, 'report.html') : null;
  return { result, requirements: new Map(requirements), page };
}

/** The verdict, the causes, and where to read more. */
function summaryOf({ result, page }: Outcome): readonly string[] {
  const { verdict, causes = [] } = result.report;
  return [
    verdict,
    ...causes.map(({ requirement, sameAnswer, consequences }) => {
      const others = [...sameAnswer, ...consequences];
      return `cause: ${requirement}${others.length === 0 ? '' : `; therefore also ${others.join(', ')}`}`;
    }),
    ...(page === null ? [] : [`report: ${here(page)}`]),
  ];
}

/** The script of a saved failure, or a bare one. */
function readScript(file: string): Script {
  const value = JSON.parse(readFileSync(resolve(file), 'utf8')) as Partial<FailureFile>;
  return parseScript(value.script ?? value);
}

function checkRun(outcome: Outcome, context: TestContext): void {
  const { result, requirements } = outcome;
  if (![...requirements.values()].some(({ verdict }) => verdict === 'pass' || verdict === 'fail')) {
    throw new Error('nothing was decided: does the target answer?');
  }
  const outside = [...requirements.values()].filter(isOutside);
  if (outside.length > 0)
    throw new Violation(
      [
        'outside the selection:',
        ...outside.map((found) => messageOf(found, outcome, context.task.file.filepath)),
      ].join('\n\n'),
    );
  const aborted = result.history.filter(
    (event) => event.kind === 'script-end' && event.outcome === 'aborted',
  );
  const reasons = new Set(aborted.map((event) => (event.kind === 'script-end' ? event.reason : '')));
  context.skip(
    aborted.length > 0,
    `${aborted.length} scripts were aborted: ${[...reasons].map((why) => escapeControls(why ?? '')).join('; ')}`,
  );
}

/** A failed must outside the selection, which `skip` does not leave out and no baseline knows. */
function isOutside({ selected, verdict, known }: ReportRequirement): boolean {
  return selected === false && verdict === 'fail' && known === null;
}

function report(
  found: ReportRequirement,
  outcome: Outcome,
  options: ConformanceOptions,
  context: TestContext,
): void {
  const { level, verdict, reason } = found;
  if (verdict === 'pass') return;
  if (verdict !== 'fail') return context.skip(`${verdict}${reason === null ? '' : `: ${reason}`}`);
  const message = messageOf(found, outcome, context.task.file.filepath);
  if (level === 'must' || (level === 'should' && options.shoulds === true)) throw new Violation(message);
  context.skip(`violated ${level}: ${message}`);
}

/** A violated requirement. Its stack would only show this file. */
class Violation extends Error {
  override readonly name = 'Violation';
  override readonly stack = '';
}

/** The failure of the simplest script, below the cause if that is another requirement. */
function messageOf(found: ReportRequirement, { result, page }: Outcome, file: string): string {
  const { id, text, failed, failures } = found;
  const [failure] = failures;
  const cause = (result.report.causes ?? []).find(({ sameAnswer, consequences }) =>
    [...sameAnswer, ...consequences].includes(id),
  );
  const shown =
    failure === undefined ? [] : formatFailure({ ...failure, script: null, replay: null }).map(shortLine);
  const ending = [
    ...(failed > 1 ? [`and ${failed - 1} more`] : []),
    ...(failure === undefined || failure.script === null ? [] : [replayLine(failure.script, file)]),
    ...(page === null ? [] : [`report: ${here(page)}#${id}`]),
  ];
  const beginning = [
    `${id} ${text}`,
    ...(cause === undefined ? [] : [`same cause as ${cause.requirement}`]),
    '',
  ];
  const room = LINES_MAX - beginning.length - ending.length;
  const cut = shown.length > room ? [...shown.slice(0, room - 1), '…'] : shown;
  return [...beginning, ...cut, ...ending].join('\n');
}

const shortLine = (line: string): string => truncated(escapeControls(line), CHARACTERS_MAX);

const here = (path: string): string => relative(process.cwd(), path).replaceAll('\\', '/');

const replayLine = (script: string, file: string): string =>
  `replay: ${REPLAY_VARIABLE}=${here(script)} npx vitest run ${here(file)}`;
