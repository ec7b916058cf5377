/** `check`: opens the target, checks it, and prints the report. */
import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { checkTarget, type CheckResult } from '../../checking/check-target.js';
import type { CheckTargetOptions } from '../../checking/check-options.js';
import { whyUnusable } from '../../files/user-file.js';
import { UsageError } from '../../util/errors.js';
import { isAnsweredIn, isKeptIn, isPlayedIn } from '../../checking/kept-in-play.js';
import { budgetIn } from '../../checking/plan/time-limit.js';
import { seedOf } from '../../checking/plan/plan-run.js';
import { select, shardOf } from '../../checking/selectors.js';
import { pluralize } from '../../report/formatting.js';
import { createRedactor, type Ending, type ExitCode } from '../../report/index.js';
import type { Script } from '../../scenario/index.js';
import { missingOf } from '../../spec/capability-words.js';
import { REQUIREMENTS } from '../../spec/index.js';
import type { Edition } from '../../spec/types.js';
import { baselineFile } from '../../cli/report/baseline-file.js';
import { camelCase, wordsOf, type Given } from '../../cli/options/option.js';
import { saveDiagram } from '../../cli/report/diagram-file.js';
import { dialectSettings, saveDialect } from '../../cli/options/dialect-option.js';
import type { Io } from '../../cli/io.js';
import {
  folderName,
  isFixedIn,
  keepFailed,
  lastFailedOn,
  selectedOf,
  type LastFailed,
  type PlayedAgain,
} from './last-failed.js';
import { loadAllScenarios } from './load-scenarios.js';
import { stepsAfterCheck } from '../../cli/report/next-steps.js';
import { withTarget, type OpenedTarget } from '../../cli/open-target.js';
import { checkOnRestart } from './watch.js';
import { CheckDisplay, type Onlooker } from './check-display.js';
import { minDecidedIn, printReport } from '../../cli/report/print-report.js';
import { targetSettings, type TargetSettings } from '../../cli/options/settings.js';
import type { CheckSettings } from './index.js';
import { CONFIG_FILES } from '../../cli/options/option-table.js';
import { CHECK_OPTIONS } from './options.js';

export async function check(settings: CheckSettings, io: Io, given: Given): Promise<ExitCode> {
  assertDividable(settings);
  if (settings.ui) {
    const { checkOnPage } = await import('./ui/index.js');
    return checkOnPage(settings, io, (each, own, beside) => checkOnce(each, own, given, beside));
  }
  return settings.watch
    ? checkOnRestart(settings, io, (each) => checkOnce(each, io, given))
    : checkOnce(settings, io, given);
}

/** What a check gets from the page that starts it, where it has a folder of its own unless `--out` names one. */
export interface Beside {
  readonly onlooker?: Onlooker;
  /** What is to be checked again; absent: what the settings say. */
  readonly last?: LastFailed | null;
}

async function checkOnce(
  settings: CheckSettings,
  io: Io,
  given: Given,
  beside: Beside | null = null,
): Promise<ExitCode> {
  const asked = await askedBy(settings, io, given, beside);
  const display = new CheckDisplay(settings, io, asked.startedMs, beside?.onlooker);
  try {
    return await withTarget(
      asked.target,
      io,
      (opened, safeIo) => checkOpened(asked, display, opened, safeIo),
      asked.dialect.held?.dialect,
    );
  } finally {
    display.stop();
  }
}

type Asked = Awaited<ReturnType<typeof askedBy>>;

/** What is checked, as far as it is known before the target is opened. @throws {UsageError} */
async function askedBy(settings: CheckSettings, io: Io, given: Given, beside: Beside | null) {
  const startedMs = io.monotonicMs();
  assertUsable(settings.out, io.cwd);
  const target = targetSettings(settings, io, given);
  const scenarios = await loadAllScenarios(settings.scenarios, io);
  // A selector that matches nothing is an error before the target is opened.
  const selected = shardOf(select(settings.only, settings.skip, REQUIREMENTS, scenarios), settings.shard);
  const before = settings.lastFailed ? await lastFailedOn(nameOf(target), settings.out, io.cwd) : null;
  const last = beside?.last ?? (before === null ? null : selectedOf(before, selected, scenarios));
  const scope = again(settings, last, io);
  const dialect = dialectSettings(settings, io.cwd, target.edition);
  const baseline = baselineFile(settings, io);
  const seed = scope.seed ?? seedOf(settings.shard);
  return {
    settings,
    given,
    target,
    scope,
    before,
    last,
    scenarios,
    dialect,
    baseline,
    seed,
    startedMs,
    isOnPage: beside !== null,
  };
}

/** Before the target is opened, which takes its first jobs. @throws {UsageError} */
function assertUsable(out: string | undefined, cwd: string): void {
  const path = resolve(cwd, out ?? 'reports');
  if (statSync(path, { throwIfNoEntry: false })?.isFile() === true)
    throw new UsageError(`--out ${out} is a file, not a folder: choose another folder`);
  let nearest = path;
  while (!existsSync(nearest)) nearest = dirname(nearest);
  try {
    accessSync(nearest, constants.W_OK);
  } catch (error) {
    throw new UsageError(`${nearest} ${whyUnusable(error)}: choose another folder with --out`);
  }
}

/** What looks back at a whole run knows nothing of one part. @throws {UsageError} */
function assertDividable(settings: CheckSettings): void {
  if (settings.shard === undefined) return;
  const { lastFailed, updateBaseline, watch, ui } = settings;
  const others = { 'last-failed': lastFailed, 'update-baseline': updateBaseline, watch, ui };
  const other = Object.entries(others).find(([, isGiven]) => isGiven)?.[0];
  if (other !== undefined)
    throw new UsageError(`--shard cannot be used with --${other}, which needs a whole check`);
}

async function checkOpened(
  asked: Asked,
  display: CheckDisplay,
  opened: OpenedTarget,
  io: Io,
): Promise<ExitCode> {
  const kept = new Map<string, boolean>();
  const options: CheckTargetOptions = {
    ...optionsOf(asked, opened, io),
    ...display.listeners(opened, io),
    isFixed({ requirements, edition }, run) {
      const passed = requirements.filter(({ verdict }) => verdict === 'pass').map(({ id }) => id);
      return asked.last !== null && isFixedIn(asked.last, passed, playedAgain(run, edition, kept));
    },
  };
  const result = await checkTarget(opened.target, options);
  display.stop();
  const again = playedAgain(result, result.report.edition, kept);
  await keepResult(result, asked, opened, display.ending, again, io);
  return conclude(result, asked, opened, display, io);
}

/** @param kept what was found before, which takes time */
function playedAgain(
  { scripts, history }: Pick<CheckResult, 'scripts' | 'history'>,
  edition: Edition,
  kept: Map<string, boolean>,
): PlayedAgain {
  const numberOf = new Map(scripts.map((script, number) => [JSON.stringify(script), number]));
  const playedAs = (script: Script): number => numberOf.get(JSON.stringify(script)) ?? -1;
  return {
    isKept(id, script) {
      const key = `${playedAs(script)} ${id}`;
      const isKept = kept.get(key) ?? isKeptIn(id, playedAs(script), history, edition);
      kept.set(key, isKept);
      return isKept;
    },
    isPlayed: (script) => isPlayedIn(playedAs(script), history),
    isAnswered: (script) => isAnsweredIn(playedAs(script), history),
  };
}

/** The scripts that are played again there. */
const playedOf = (last: LastFailed | null, { target }: OpenedTarget): LastFailed['scripts'] =>
  (last?.scripts ?? []).filter(({ script }) => missingOf(script.needs, target.capabilities).length === 0);

function optionsOf(asked: Asked, opened: OpenedTarget, io: Io): CheckTargetOptions {
  const { settings, scope, last, scenarios, dialect, baseline, seed, startedMs } = asked;
  const { runs, explored, shard, formats, bail, concurrency, budgetMs } = settings;
  const { edition, basePath, cleanOptions } = asked.target;
  const { target, secrets, url } = opened;
  const scripts = playedOf(last, opened).map(({ script }) => script);
  return {
    ...{ runs, explored, shard, formats, bail, concurrency, budgetMs, edition, scenarios, secrets, seed },
    startedMs,
    ...baseline,
    only: scope.only,
    skip: scope.skip,
    minDecided: minDecidedIn(settings),
    scripts: scripts.length === 0 ? undefined : scripts,
    dialect: dialect.held?.dialect,
    shrink: shrinkSetting(settings),
    out: settings.out ?? folderOf(asked, opened, io.cwd),
    cwd: io.cwd,
    address: { ...opened, choiceWords: choiceWords(asked.given) },
    createdJobs: {
      file: opened.createdJobs,
      where: { url: url ?? '', auth: target.auth, basePath: basePath ?? null },
      cleanOptions,
    },
    signal: opened.interrupted,
    timestamp: io.timestamp,
  };
}

/** A check does not fail because this cannot be kept. */
async function keepResult(
  { report, folder }: CheckResult,
  { before, last }: Asked,
  opened: OpenedTarget,
  ending: Ending | null,
  again: PlayedAgain,
  io: Io,
): Promise<void> {
  // What passed in one shard may have failed in another.
  const about = {
    folder: folder ?? '.',
    ending: report.shards === undefined ? ending : null,
    cwd: io.cwd,
    played: playedOf(last, opened),
    ...again,
  };
  try {
    const { unsure, anew, mended } = await keepFailed(folderName(opened), before, report, about);
    for (const [id, runsLeft] of unsure) {
      const more = `kept for --last-failed until it has passed in ${pluralize(runsLeft, 'more run')}`;
      io.note(
        `${id} was intermittent and passed this time: ${runsLeft === 0 ? 'that was the last run it had to pass' : more}\n`,
      );
    }
    const gone = mended.filter((id) => !unsure.has(id));
    if (gone.length > 0)
      io.note(
        `no longer violated by the scripts that violated it, which prove no more: ${gone.join(', ')}\n`,
      );
    if (anew.length > 0)
      io.note(
        `not decided by the scripts in which it failed, so a later --last-failed draws new ones: ${anew.join(', ')}\n`,
      );
  } catch (error) {
    const why = error instanceof UsageError ? error.message : `reports/ ${whyUnusable(error)}`;
    io.note(`what failed is not kept for --last-failed: ${why}\n`);
  }
}

/** Saves and prints what was found. */
function conclude(
  result: CheckResult,
  { settings, given, target, dialect, last }: Asked,
  { secrets, url, unusedControlUrl: control }: OpenedTarget,
  display: CheckDisplay,
  io: Io,
): ExitCode {
  const { findings, report, folder, problem } = result;
  saveDialect(findings, dialect, io);
  saveDiagram(report, settings.diagram, io);
  const isAgain = last !== null && last.requirements.length > 0;
  const { budgetMs: hadMs } = settings;
  const wants = report.requirements
    .map(({ selected, reason }) => (selected === false ? null : budgetIn(reason)))
    .find((budget) => budget !== null);
  const next = stepsAfterCheck(report, {
    ...{ url, folder, isAgain, control },
    others: otherWords(given, report.target.replayArguments),
    isSetUp: CONFIG_FILES.some((name) => existsSync(resolve(io.cwd, name))),
    budget: hadMs === undefined || wants === undefined ? undefined : { hadMs, wants },
  });
  const redactor = createRedactor(secrets);
  display.concluded(result);
  const spent = display.timeSpent();
  const usedPublishedKey = url !== null && target.apiKey === undefined;
  const printed = { redactor, folder, spent, next, usedPublishedKey };
  const exitCode = printReport(report, printed, settings, io);
  if (problem !== null) throw problem;
  return exitCode;
}

/** Keys are not shown, the endpoint is in the address, and the next check is not of the last failures alone. */
const NOT_AGAIN: readonly string[] = [
  ...['api-key', 'unpermitted-api-key', 'other-api-key'],
  ...['endpoint', 'mutant', 'last-failed'],
];

/** The options that the check had, besides those by which `replay` reaches the target and those of the configuration file. */
const otherWords = (given: Given, replayArguments: readonly string[]): readonly string[] =>
  wordsOf(
    given,
    Object.entries(CHECK_OPTIONS).filter(
      ([name, { replayed }]) =>
        replayed === undefined &&
        !NOT_AGAIN.includes(name) &&
        !replayArguments.includes(`--${name}`) &&
        !given.configured.includes(camelCase(name)),
    ),
  );

/** Of the options that the check had, and that no configuration file gives again, those that choose what is played. */
const choiceWords = (given: Given): readonly string[] =>
  wordsOf(
    given,
    Object.entries(CHECK_OPTIONS).filter(
      ([name]) => CHOICE.includes(name) && !given.configured.includes(camelCase(name)),
    ),
  );
const CHOICE: readonly string[] = [
  'profile',
  'budget',
  'only',
  'skip',
  'scenarios',
  'runs',
  'explore',
  'shard',
];

function shrinkSetting({ shrink, noShrink }: CheckSettings): boolean | undefined {
  if (shrink && noShrink) throw new UsageError('choose one of --shrink and --no-shrink');
  return shrink || noShrink ? shrink : undefined;
}

/** No report is replaced: beside `NAME-SEED` are `NAME-SEED.2`, `NAME-SEED.3` and so on. */
function folderOf(
  { last, seed, isOnPage, settings: { shard } }: Asked,
  opened: OpenedTarget,
  cwd: string,
): string {
  const isAgain = !isOnPage && last !== null && last.requirements.length > 0;
  const part = shard === undefined ? '' : `-${shard.index}-of-${shard.count}`;
  const name = `${folderName(opened)}-${seed}${part}${isAgain ? '.last-failed' : ''}`;
  let folder = name;
  for (let number = 2; existsSync(resolve(cwd, folder)); number += 1) folder = `${name}.${number}`;
  return folder;
}

const nameOf = ({ address, endpoint }: TargetSettings): string =>
  folderName({ url: address?.baseUrl ?? null, endpoint: endpoint ?? null });

type Scope = Pick<CheckSettings, 'only' | 'skip' | 'seed'>;

/** With the question of the last run, where something failed in it. */
function again(
  { only, skip, seed: given, lastFailed, out }: Scope & Pick<CheckSettings, 'lastFailed' | 'out'>,
  last: LastFailed | null,
  io: Io,
): Scope {
  const isWhole = only.length + skip.length === 0;
  if (last === null) {
    const noReport = out === undefined ? '' : `there is no report in ${out}, and `;
    const all = isWhole ? 'everything' : 'everything selected';
    if (lastFailed) io.note(`${noReport}no earlier run on this target has finished: ${all} is checked\n`);
    return { only, skip, seed: given };
  }
  const seed = given ?? last.seed;
  if (last.requirements.length > 0) {
    io.note(`checking again what failed and has not passed since, last in ${last.folder}\n`);
    return { only: last.requirements, skip, seed };
  }
  const [nothing, all] = isWhole ? ['nothing', 'everything'] : ['nothing selected', 'everything selected'];
  const why = last.hasFinished ? 'failed in' : 'had failed when the run ended early, in';
  io.note(`${nothing} ${why} ${last.folder}: ${all} is checked\n`);
  return { only, skip, seed };
}
