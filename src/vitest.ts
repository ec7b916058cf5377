/**
 * `runproof/vitest` promises one vitest test per requirement of the document: `conformance(target)` plays the
 * scenarios once, and every test tells what came of its requirement. It never judges by itself.
 *
 * @example
 *     import { fetchTarget } from 'runproof';
 *     import { conformance } from 'runproof/vitest';
 *
 *     conformance(fetchTarget({ fresh: createMyApi }, { worker: 'scripted' }), { seed: 1 });
 *
 * @packageDocumentation
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { afterAll, beforeAll, describe, it, type TestContext } from 'vitest';
import { named } from '../scenarios/index.js';
import { checkTarget, type CheckResult, type CheckTargetOptions } from './app/check-target.js';
import { select } from './app/selectors.js';
import type { Json } from './history/events.js';
import { documentText, packageVersion } from './package-files.js';
import { jsonText, escapeControls } from './report/escape.js';
import { formatFailure } from './report/formats/format-failure.js';
import {
  buildReport,
  createRedactor,
  failureFiles,
  sectionTitles,
  type FailureFile,
  type ReportRequirement,
} from './report/index.js';
import { parseScript, type Script } from './scenario/index.js';
import { REQUIREMENTS } from './spec/index.js';
import type { Target } from './target/port.js';

export interface ConformanceOptions extends Omit<CheckTargetOptions, 'onProgress' | 'signal' | 'scripts'> {
  /** Title of the suite. Default `conformance`. */
  readonly name?: string;
  /** Requirement ids, sections (`2.2`) or scenario names: nothing else is played. Default: everything. */
  readonly only?: readonly string[];
  /** The same: all but these. */
  readonly skip?: readonly string[];
  /** A `should` that is not kept fails its test. Default false: the test is skipped and says what was seen. */
  readonly shoulds?: boolean;
  /** Scripts drawn of each scenario. Default 1; more seeds and more runs see more. */
  readonly runs?: number;
  /** Folder for the scripts that showed a failure, to replay them. Default `reports/conformance`. */
  readonly out?: string;
  /** Real ms that the whole run may take. Default 5 minutes. */
  readonly timeoutMs?: number;
}

const TIMEOUT_MS = 300_000;
const OUT = 'reports/conformance';
/** Names a saved failure: only its script is played. */
const REPLAY_VARIABLE = 'RUNPROOF_REPLAY';
const FAILURES_SHOWN_MAX = 3;

interface Outcome {
  readonly result: CheckResult;
  readonly requirements: ReadonlyMap<string, ReportRequirement>;
}

/**
 * Registers a suite that checks the target: sections are `describe` blocks, each requirement is a test whose name
 * begins with its id. A `must` that is not kept fails with the proof, the call and the line that replays it; what
 * could not be decided is skipped with its reason. The target is closed at the end.
 *
 * @param target the target, or what makes it when the suite begins
 */
export function conformance(
  target: Target | (() => Target | Promise<Target>),
  options: ConformanceOptions = {},
): void {
  const { only = [], skip = [] } = options;
  const { scenarios, judges } = select(only, skip, REQUIREMENTS, options.scenarios ?? named);
  const titles = sectionTitles(documentText());
  describe(options.name ?? 'conformance', () => {
    let opened: Target | null = null;
    let outcome: Outcome | null = null;

    beforeAll(async () => {
      opened = typeof target === 'function' ? await target() : target;
      outcome = await play(opened, { ...options, scenarios });
    }, options.timeoutMs ?? TIMEOUT_MS);
    afterAll(() => opened?.close());

    it('decides something, and plays every script to its end', (context) => {
      if (outcome !== null) tellRun(outcome, context);
    });
    const selected = REQUIREMENTS.filter(({ id }) => judges(id));
    for (const section of new Set(selected.map((requirement) => requirement.section))) {
      describe(`§${section} ${titles.get(section) ?? ''}`.trimEnd(), () => {
        for (const { id, text } of selected.filter((requirement) => requirement.section === section)) {
          it(`${id} ${text}`, (context) => {
            const found = outcome?.requirements.get(id);
            if (found !== undefined) tell(found, options, context);
          });
        }
      });
    }
  });
}

async function play(target: Target, options: ConformanceOptions): Promise<Outcome> {
  const saved = process.env[REPLAY_VARIABLE];
  const result = await checkTarget(target, {
    runs: 1,
    ...options,
    ...(saved === undefined ? {} : { scripts: [readScript(saved)] }),
  });
  const redactor = createRedactor(target.keys ?? []);
  const scripts = new Map(result.scripts.map((script, number) => [number, script as unknown as Json]));
  const files = failureFiles(result.findings, scripts, { runproof: packageVersion(), target: target.name });
  const out = resolve(options.out ?? OUT);
  for (const { name, file } of files.values()) {
    mkdirSync(dirname(join(out, name)), { recursive: true });
    writeFileSync(join(out, name), redactor.text(`${jsonText(file, 2)}\n`));
  }
  const report = buildReport({
    findings: result.findings,
    history: result.history,
    url: null,
    runproof: packageVersion(),
    at: null,
    wallMs: 0,
    ending: 'finished',
    scriptFiles: new Map([...files].map(([number, { name }]) => [number, join(out, name)])),
  });
  return { result, requirements: new Map(report.requirements.map((found) => [found.id, found])) };
}

/** The script of a saved failure, or a bare one. */
function readScript(file: string): Script {
  const value = JSON.parse(readFileSync(resolve(file), 'utf8')) as Partial<FailureFile>;
  return parseScript(value.script ?? value);
}

function tellRun({ result, requirements }: Outcome, context: TestContext): void {
  if (![...requirements.values()].some(({ verdict }) => verdict === 'pass' || verdict === 'fail')) {
    throw new Error('nothing at all could be decided: does the target answer?');
  }
  const given = result.history.filter((event) => event.kind === 'script-end' && event.outcome === 'aborted');
  const reasons = new Set(given.map((event) => (event.kind === 'script-end' ? event.reason : '')));
  context.skip(
    given.length > 0,
    `${given.length} scripts were given up: ${[...reasons].map((why) => escapeControls(why ?? '')).join('; ')}`,
  );
}

function tell(found: ReportRequirement, options: ConformanceOptions, context: TestContext): void {
  const { level, verdict, reason } = found;
  if (verdict === 'pass') return;
  if (verdict !== 'fail') return context.skip(`${verdict}${reason === null ? '' : `: ${reason}`}`);
  const message = messageOf(found, context.task.file.filepath);
  if (level === 'must' || (level === 'should' && options.shoulds === true)) throw new Violation(message);
  context.skip(`a ${level} that is not kept: ${message}`);
}

/** A requirement that is not kept. Its stack would only show this file. */
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
