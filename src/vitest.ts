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
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import { afterAll, beforeAll, describe, it, type TestContext } from 'vitest';
import { named } from '../scenarios/index.js';
import { checkTarget, type CheckResult, type CheckTargetOptions } from './app/check-target.js';
import { select } from './app/selectors.js';
import type { Json } from './history/events.js';
import { isSelected } from './history/selection.js';
import { documentText, packageVersion } from './package-files.js';
import { jsonText, escapeControls } from './report/escape.js';
import { formatFailure } from './report/formats/format-failure.js';
import {
  createRedactor,
  failureFiles,
  sectionTitles,
  type FailureFile,
  type FormatName,
  type ReportRequirement,
} from './report/index.js';
import { parseScript, type Script } from './scenario/index.js';
import { REQUIREMENTS } from './spec/index.js';
import type { Target } from './target/port.js';
import { makeFolder } from './app/files/make-folder.js';

/** What `conformance` runs and how strict its tests are; every option has a default. @public */
export interface ConformanceOptions extends Omit<
  CheckTargetOptions,
  'onPlan' | 'onProgress' | 'onRun' | 'scripts' | 'signal'
> {
  /** Title of the suite. Default `conformance`. */
  readonly name?: string;
  /** A violated `should` fails its test. Default false: the test is skipped and says what was observed. */
  readonly shoulds?: boolean;
  /** Scripts drawn of each scenario. Default 1; more seeds and more runs see more. */
  readonly runs?: number;
  /** Folder for the scripts that showed a failure, to replay them. Default `reports/conformance`. */
  readonly out?: string;
  /** Formats of the report, written to `out` as well. Default: no report. */
  readonly formats?: readonly FormatName[];
  /** Real ms that the whole run may take; must exceed `budgetMs`. Default 5 minutes. */
  readonly timeoutMs?: number;
}

const TIMEOUT_MS = 300_000;
const OUT = 'reports/conformance';
/** Environment variable with the path of a saved failure: only its script is run. */
const REPLAY_VARIABLE = 'RUNPROOF_REPLAY';
const FAILURES_SHOWN_MAX = 3;

interface Outcome {
  readonly result: CheckResult;
  readonly requirements: ReadonlyMap<string, ReportRequirement>;
}

/**
 * Registers a suite that checks the target: sections are `describe` blocks, each requirement is a test whose
 * name begins with its id. A violated `must` fails with the proof, the call and the line that replays it;
 * what could not be decided is skipped with its reason. The target is closed at the end.
 *
 * @param target the target, or a function that creates it when the suite begins
 *
 * @public
 */
export function conformance(
  target: Target | (() => Target | Promise<Target>),
  options: ConformanceOptions = {},
): void {
  const { only = [], skip = [] } = options;
  const { asked } = select(only, skip, REQUIREMENTS, options.scenarios ?? named);
  const titles = sectionTitles(documentText());
  describe(options.name ?? 'conformance', () => {
    let opened: Target | null = null;
    let outcome: Outcome | null = null;

    beforeAll(async () => {
      opened = typeof target === 'function' ? await target() : target;
      outcome = await check(opened, options);
    }, options.timeoutMs ?? TIMEOUT_MS);
    afterAll(() => opened?.close());

    it('decides something, and runs every script to its end', (context) => {
      if (outcome !== null) checkRun(outcome, context);
    });
    const selected = REQUIREMENTS.filter(({ id }) => isSelected(asked, id));
    for (const section of new Set(selected.map((requirement) => requirement.section))) {
      describe(`§${section} ${titles.get(section) ?? ''}`.trimEnd(), () => {
        for (const { id, text } of selected.filter((requirement) => requirement.section === section)) {
          it(`${id} ${text}`, (context) => {
            const found = outcome?.requirements.get(id);
            if (found !== undefined) report(found, options, context);
          });
        }
      });
    }
  });
}

async function check(target: Target, options: ConformanceOptions): Promise<Outcome> {
  const saved = process.env[REPLAY_VARIABLE];
  const folder = options.out ?? OUT;
  const { out: _, formats, ...others } = options;
  const result = await checkTarget(target, {
    runs: 1,
    ...others,
    ...(saved === undefined ? {} : { scripts: [readScript(saved)] }),
    // A replay writes no report: it would replace that of the run which it replays.
    ...(formats === undefined || saved !== undefined ? {} : { out: folder, formats }),
  });
  if (result.problem !== null) throw result.problem;
  if (formats === undefined || saved !== undefined) writeFailures(result, target, folder);
  const requirements = result.report.requirements.map((found) => {
    const failures = found.failures.map(({ script, ...failure }) => ({
      ...failure,
      script: script === null ? null : resolve(folder, script),
    }));
    return [found.id, { ...found, failures }] as const;
  });
  return { result, requirements: new Map(requirements) };
}

/** One file for each script that showed a failure, by the names that the report gives them. */
function writeFailures({ findings, scripts }: CheckResult, target: Target, folder: string): void {
  const redactor = createRedactor(target.keys ?? []);
  const byNumber = new Map(scripts.map((script, number) => [number, script as unknown as Json]));
  const files = failureFiles(findings, byNumber, { runproof: packageVersion(), target: target.name });
  for (const { name, file } of files.values()) {
    const path = resolve(folder, name);
    makeFolder(dirname(path));
    writeFileSync(path, redactor.text(`${jsonText(file, 2)}\n`));
  }
}

/** The script of a saved failure, or a bare one. */
function readScript(file: string): Script {
  const value = JSON.parse(readFileSync(resolve(file), 'utf8')) as Partial<FailureFile>;
  return parseScript(value.script ?? value);
}

function checkRun({ result, requirements }: Outcome, context: TestContext): void {
  if (![...requirements.values()].some(({ verdict }) => verdict === 'pass' || verdict === 'fail')) {
    throw new Error('nothing was decided: does the target answer?');
  }
  const outside = [...requirements.values()].filter(isOutside);
  if (outside.length > 0)
    throw new Violation(
      [
        'outside the selection:',
        ...outside.map((found) => messageOf(found, context.task.file.filepath)),
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

function report(found: ReportRequirement, options: ConformanceOptions, context: TestContext): void {
  const { level, verdict, reason } = found;
  if (verdict === 'pass') return;
  if (verdict !== 'fail') return context.skip(`${verdict}${reason === null ? '' : `: ${reason}`}`);
  const message = messageOf(found, context.task.file.filepath);
  if (level === 'must' || (level === 'should' && options.shoulds === true)) throw new Violation(message);
  context.skip(`violated ${level}: ${message}`);
}

/** A violated requirement. Its stack would only show this file. */
class Violation extends Error {
  override readonly name = 'Violation';
  override readonly stack = '';
}

function messageOf({ id, text, failed, failures }: ReportRequirement, file: string): string {
  const shown = failures
    .slice(0, FAILURES_SHOWN_MAX)
    .flatMap((failure) => [
      '',
      ...formatFailure({ ...failure, script: null, replay: null }).map(escapeControls),
      ...(failure.script === null ? [] : [replayLine(failure.script, file)]),
    ]);
  const more = failed - Math.min(failures.length, FAILURES_SHOWN_MAX);
  return [`${id} ${text}`, ...shown, ...(more > 0 ? ['', `and ${more} more`] : [])].join('\n');
}

function replayLine(script: string, file: string): string {
  const here = (path: string): string => relative(process.cwd(), path).replaceAll('\\', '/');
  return `replay: ${REPLAY_VARIABLE}=${here(script)} npx vitest run ${here(file)}`;
}
