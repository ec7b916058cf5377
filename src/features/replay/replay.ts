/** Runs a saved failure again: does it still fail? */
import { WHOLE } from '../../history/selection.js';
import { plainEnvironment, type Environment } from '../../explore/index.js';
import { program } from '../../program-name.js';
import { escapeControls, quoteForShell } from '../../report/escape.js';
import { FAILURES_LISTED_MAX } from '../../report/build.js';
import { formatDuration, pluralize, rateText, runsNeeded } from '../../report/formatting.js';
import type { ExitCode, Redactor, Report, ReportRequirement } from '../../report/index.js';
import { CAPABILITY_WORDS, missingOf } from '../../spec/capability-words.js';
import type { Dialect } from '../../spec/index.js';
import { playsToFail } from '../../oracle/index.js';
import type { Script } from '../../scenario/index.js';
import type { Target } from '../../target/port.js';
import { scriptCost } from '../../target/simulator/dry-run.js';
import { isAsRight, onSimulator, type PlayWith } from '../../checking/as-right.js';
import { isKeptIn } from '../../checking/kept-in-play.js';
import type { CheckTargetOptions } from '../../checking/check-options.js';
import { conclude } from '../../judging/conclude.js';
import type { Concluded } from '../../judging/conclude-run.js';
import { UsageError } from '../../util/errors.js';
import { createTestBed } from '../../test-bed/test-bed.js';
import type { SavedFailure } from '../../files/replay-token.js';
import { runWithinLimit } from '../../checking/run-within-limit.js';

/** How often a quick script is played. */
const TIMES = 3;
/** Real ms. */
const QUICK_MS = 15_000;

/** How a failure is played again, and what is written. Every option has a default. */
export interface ReplayOptions extends Pick<
  CheckTargetOptions,
  'edition' | 'budgetMs' | 'out' | 'formats' | 'signal' | 'secrets' | 'address' | 'cwd' | 'timestamp'
> {}

export interface ReplayResult {
  /**
   * PASSED: as FIXED, of a script that showed no failure or an intermittent one; FAILED: it fails, or another must does;
   * ERROR: not decided.
   */
  readonly word: 'FIXED' | 'PASSED' | 'FAILED' | 'ERROR';
  /** Requirements, or why nothing is decided. */
  readonly told: string;
  /** What failed: first what is replayed. */
  readonly failed: readonly ReportRequirement[];
  readonly exitCode: ExitCode;
  readonly report: Report;
  readonly redactor: Redactor;
  /** The folder of the report; null without `out`. */
  readonly folder: string | null;
  /** An error of Runproof itself while judging, otherwise null. */
  readonly problem: Error | null;
}

/** Plays the script on a target. @throws {UsageError} if the script needs what the target does not offer */
export async function replay(
  target: Target,
  { script, requirements, runSeed, choiceWords = [], confirmed, edition: saved }: SavedFailure,
  options: ReplayOptions = {},
): Promise<ReplayResult> {
  const missing = missingOf(script.needs, target.capabilities);
  if (missing.length > 0) {
    const words = missing.map((need) => CAPABILITY_WORDS[need]).join(', and ');
    throw new UsageError(
      `this script needs ${words}; ${target.name} does not offer that, as far as is known`,
    );
  }
  const { budgetMs, address, signal = new AbortController().signal } = options;
  const edition = options.edition ?? saved ?? 'document';
  const replayArguments = address?.replayArguments ?? [];
  const { times, why } = timesOn(target, script);
  const scripts = playsOf(script, requirements, times);
  const concluded = await conclude(
    {
      ...written(options),
      signal,
      endsMs: budgetMs === undefined ? undefined : performance.now() + budgetMs,
    },
    async (folder) => ({
      ...(await runWithinLimit({
        target,
        scripts,
        seed: script.seed,
        edition,
        limitMs: budgetMs,
        limit: 'budget',
        interrupted: signal,
        onEvent: (event) => folder?.append(event),
      })),
      ...whatCountsHere(options),
      scripts,
      url: address?.url ?? null,
      basePath: address?.basePath ?? null,
      replayArguments,
      judgeOptions: { edition },
    }),
  );
  // Among the scripts of its run it may fail where it does not fail alone.
  const whole =
    runSeed === null
      ? null
      : [
          program(),
          'check',
          ...[...replayArguments, ...choiceWords].map(quoteForShell),
          '--seed',
          runSeed,
        ].join(' ');
  const playWith = onSimulator(concluded.played.events, scripts, concluded.report.openQuestions, edition);
  const sureness = why === null ? `passed in each of ${scripts.length} runs` : `one run: ${why}`;
  return {
    ...concluded,
    ...verdictOf(concluded, { requirements, confirmed }, { whole, playWith, sureness }),
  };
}

export interface SimulatorReplay {
  /** Id of the known fault, null: none. Default: the fault with which it was found. */
  readonly mutant?: string | null | undefined;
  readonly dialect?: Dialect | undefined;
  /** Told which environment is simulated. */
  readonly onEnvironment?: ((line: string) => void) | undefined;
}

/** Plays the script in the environment in which the explorer found it. */
export async function replayOnSimulator(
  { script, requirements, found, edition: saved }: SavedFailure,
  options: Omit<ReplayOptions, 'budgetMs' | 'address'> & SimulatorReplay,
): Promise<ReplayResult> {
  const { dialect, mutant = found?.mutant ?? null } = options;
  const edition = options.edition ?? saved ?? 'document';
  const environment = found?.world ?? plainEnvironment(script.seed);
  options.onEnvironment?.(environmentLine(environment, mutant));
  const scripts = playsOf(script, requirements);
  const how = { ...written(options), signal: options.signal ?? new AbortController().signal };
  const concluded = await conclude(how, (folder) => {
    const startMs = performance.now();
    const events = createTestBed({ edition, mutant, dialect }).run(scripts, environment);
    for (const event of events) folder?.append(event);
    return Promise.resolve({
      ...whatCountsHere(options),
      events,
      ending: 'finished' as const,
      wallMs: Math.round(performance.now() - startMs),
      scripts,
      url: null,
      replayArguments: [],
      judgeOptions: { edition },
    });
  });
  const { report } = concluded;
  if (found?.alone !== false || report.exitCode !== 0)
    return {
      ...concluded,
      ...verdictOf(
        concluded,
        { requirements },
        {
          whole: null,
          playWith: (fault) =>
            createTestBed({ edition, mutant: fault?.id ?? null, dialect }).run(scripts, environment),
          sureness: null,
        },
      ),
    };
  const told = `it failed only together with other scripts: ${program()} explore --seed ${found.seed}`;
  return { ...concluded, word: 'ERROR', told, failed: [], exitCode: 6 };
}

/** As often as its calls alone can show the failure, and at least so many times. */
const playsOf = (script: Script, requirements: readonly string[], times = 1): readonly Script[] =>
  Array.from({ length: Math.max(times, playsToFail(requirements)) }, () => script);

/** A failure that does not occur in each run is seldom absent from three; `why` a long script is played only once. */
function timesOn(target: Target, script: Script): { readonly times: number; readonly why: string | null } {
  const lastsMs = target.clock === 'real' ? scriptCost(script).lastsMs : 0;
  return lastsMs > QUICK_MS
    ? { times: 1, why: `its script takes ${formatDuration(lastsMs)}` }
    : { times: TIMES, why: null };
}

/** By itself, a script is judged by all requirements, and one decision is enough. */
const whatCountsHere = ({ timestamp }: ReplayOptions) => ({
  at: timestamp?.() ?? new Date().toISOString(),
  warnings: [],
  asked: WHOLE,
  minDecided: { count: 1 },
});

const written = ({ out, cwd, formats = ['json', 'html'], secrets = [] }: ReplayOptions) => ({
  out,
  cwd,
  formats,
  secrets,
});

function environmentLine({ variant, mishaps, seed }: Environment, mutant: string | null): string {
  const things = [
    ...(mutant === null ? [] : [`fault ${escapeControls(mutant)}`]),
    ...(variant === null ? [] : [`variant ${escapeControls(variant)}`]),
    ...(mishaps.length === 0 ? [] : ['a network that loses calls']),
    `seed ${seed}`,
  ];
  return `on the simulator: ${things.join(', ')}`;
}

/** In how many of the runs just played a requirement failed, as far as its failures are kept. */
function rateNow(requirement: string, { findings, played }: Pick<Concluded, 'findings' | 'played'>) {
  const { failures = [] } = findings.requirements.find(({ id }) => id === requirement) ?? {};
  const plays = played.scripts.length;
  return playsToFail([requirement]) > 1 || failures.length >= FAILURES_LISTED_MAX
    ? undefined
    : { failed: new Set(failures.map(({ script }) => script)).size, plays };
}

/**
 * Every failure counts, those that are replayed first: by itself, a script may show another cause than among other
 * scripts. A requirement that this run could not decide is neither fixed nor failed, unless the target answers as a correct
 * one does.
 *
 * @param more.whole the command that plays the script together with those among which it failed; null: not known
 * @param more.playWith what the simulator answers to the script
 * @param more.sureness in how many runs it has passed; null: it can only pass in all
 */
function verdictOf(
  {
    report: { requirements, exitCode, edition, verdict, warnings },
    findings,
    played,
  }: Pick<Concluded, 'report' | 'findings' | 'played'>,
  { requirements: wanted, confirmed }: Pick<SavedFailure, 'requirements' | 'confirmed'>,
  {
    whole,
    playWith,
    sureness,
  }: { readonly whole: string | null; readonly playWith: PlayWith; readonly sureness: string | null },
): Pick<ReplayResult, 'word' | 'told' | 'failed' | 'exitCode'> {
  const isWanted = ({ id }: { readonly id: string }): boolean => wanted.length === 0 || wanted.includes(id);
  const failing = requirements.filter(({ verdict }) => verdict === 'fail');
  const again = failing.filter(isWanted);
  const failed = [...again, ...failing.filter((one) => !isWanted(one) && one.level === 'must')];
  const error = (told: string, code: ExitCode) =>
    ({ word: 'ERROR', told, failed: [], exitCode: code }) as const;
  if (exitCode === 130 || exitCode === 7) return error('stopped early', exitCode);
  // `TARGET STOPPED ANSWERING`, `STOPPED EARLY`; the first warning says why.
  if (exitCode === 3)
    return error([verdict.split(':')[0]!.toLowerCase(), ...warnings.slice(0, 1)].join(': '), 3);
  if (failed.length > 0) {
    const rates = [confirmed, sureness === null ? undefined : rateNow(failed[0]!.id, { findings, played })];
    const ids = failed.map(({ id }) => id).join(', ');
    const instead = again.length === 0 ? `, and no longer ${wanted.join(', ')}` : '';
    const rate = rates.find((one) => one !== undefined && one.failed < one.plays);
    return {
      word: 'FAILED',
      told: `${ids}${instead}${rate ? ` (${rateText(rate)})` : ''}`,
      failed,
      exitCode: 1,
    };
  }
  const undecided = requirements.filter(({ id, verdict }) => wanted.includes(id) && verdict !== 'pass');
  const passed = { failed: [], exitCode: 0 } as const;
  const fixed = (which: string, how = sureness) => {
    const told = how === null ? which : `${which} (${how})`;
    const more = confirmed === undefined ? null : runsNeeded(confirmed);
    if (more === null) return { word: 'FIXED', told, ...passed } as const;
    return {
      word: 'PASSED',
      told: `${told}. The failure is intermittent: ${more}`,
      ...passed,
    } as const;
  };
  if (undecided.length > 0 && isAsRight(played.events, playWith, undecided, edition))
    return fixed(
      `${wanted.join(', ')}: the target answered every call of the script as a correct server does`,
    );
  const isKept = ({ id }: { readonly id: string }): boolean =>
    played.scripts.every((_, script) => isKeptIn(id, script, played.events, edition));
  if (undecided.length > 0 && undecided.every(isKept)) {
    const plays = pluralize(played.scripts.length, 'play');
    return fixed(
      `${wanted.join(', ')}: no longer violated in ${plays} of the script that violated it`,
      'it would have shown there; that the rule is kept elsewhere these plays do not prove',
    );
  }
  if (undecided.length > 0 || exitCode === 6) {
    const ids = undecided.map(({ id }) => id).join(', ');
    const told = ids === '' ? 'nothing was decided' : `not decided this time: ${ids}`;
    const others =
      whole === null ? '' : `; where that takes the other scripts of its run, play them all: ${whole}`;
    return error(`${told}${others}`, 6);
  }
  if (wanted.length === 0) return { word: 'PASSED', told: 'nothing failed', ...passed };
  return fixed(wanted.join(', '));
}
