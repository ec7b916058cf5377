/** `check --last-failed`: what failed on a target and has not passed since, whatever folders its reports are in. */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { Ending, Report } from '../../report/index.js';
import { jsonText } from '../../report/escape.js';
import { runsToBeSure } from '../../report/formatting.js';
import { parseScript, type NamedScenario, type Script } from '../../scenario/index.js';
import { REQUIREMENTS } from '../../spec/index.js';
import type { OpenedTarget } from '../../cli/open-target.js';
import type { Selection } from '../../checking/selectors.js';
import { isSelected } from '../../history/selection.js';
import { changeFile, replaceFile } from '../../files/user-file.js';
import { readReport } from '../../files/report-files.js';
import { readSavedFailure } from '../../files/saved-failure.js';
import { makeFolder } from '../../make-folder.js';
import { UsageError } from '../../util/errors.js';

/** A script with the requirements that failed in it. */
interface FailedScript {
  readonly requirements: readonly string[];
  readonly script: Script;
  /** Of an intermittent failure: in how many runs one after the other it is to pass, and in how many more. Absent: one. */
  readonly runs?: number;
  readonly runsLeft?: number;
}

export interface LastFailed {
  /** Of the newest report in which something failed, or of one that was named. */
  readonly folder: string;
  /** False: it was interrupted, or its target was lost. */
  readonly hasFinished: boolean;
  /** The seed of that run. */
  readonly seed: number;
  /** Empty: nothing failed. */
  readonly requirements: readonly string[];
  /** The scripts in which they failed, as far as reports have them. */
  readonly scripts: readonly FailedScript[];
}

/** Of what ended by itself or by its limits: an interrupted run, or one of a lost target, has not seen everything. */
const FINISHED: readonly unknown[] = [0, 1, 5, 6];

const SCHEMA = 'runproof-last-failed/1';

/** Where reports of the target are; the seed follows. @param url without the endpoint; null: the embedded one */
export function folderName({ url, endpoint }: Pick<OpenedTarget, 'url' | 'endpoint'>): string {
  if (url === null) return 'reports/embedded';
  const { host, pathname } = new URL(url);
  const name = [host, ...pathname.split('/').filter(Boolean), endpoint ?? []].flat().join('-');
  return `reports/${name.replace(/[^A-Za-z0-9.]+/g, '-')}`;
}

/** The file that keeps it. @param name where reports of the target are, without the seed */
const fileOf = (name: string, cwd: string): string => resolve(cwd, `${name}.last-failed.json`);

/**
 * The failures that are kept of a target; those of the report in `out` if it is a newer one, or none are kept. Null: there are
 * neither.
 *
 * @throws {UsageError} if what is there cannot be read
 */
export async function lastFailedOn(
  name: string,
  out: string | undefined,
  cwd: string,
): Promise<LastFailed | null> {
  const kept = keptOf(name, cwd);
  const report = out === undefined ? null : resolve(cwd, out, 'report.json');
  const named = report !== null && existsSync(report) ? await lastFailed(out!, cwd) : null;
  if (named === null) return kept;
  const isNewer = (): boolean => statSync(report!).mtimeMs > statSync(fileOf(name, cwd)).mtimeMs;
  const isFailure = named.hasFinished && named.requirements.length > 0;
  return kept === null || (isFailure && isNewer()) ? named : kept;
}

/**
 * What failed in the report of a folder.
 *
 * @throws {UsageError} without a report of `check` there
 */
export function lastFailed(folder: string, cwd: string): Promise<LastFailed> {
  const written = readReport(folder, cwd);
  if (written.kind === 'check' && written.report.subject !== 'client')
    return failedIn(written.report, folder, cwd);
  const command = written.kind === 'check' ? 'client' : written.kind;
  throw new UsageError(`--last-failed: ${folder} has a report of ${command}, not of check`);
}

/** What the play of kept scripts has shown. */
export interface PlayedAgain {
  /** Whether a kept script violates the rule no more, though that does not prove the rule. */
  readonly isKept: (requirement: string, script: Script) => boolean;
  /** Whether a kept script was played to its end. */
  readonly isPlayed: (script: Script) => boolean;
  /** Whether all its calls were answered, too. */
  readonly isAnswered: (script: Script) => boolean;
}

interface KeptFrom extends Partial<PlayedAgain> {
  readonly folder: string;
  readonly ending: Ending | null;
  readonly cwd: string;
  /** The kept scripts that this run played. */
  readonly played?: readonly FailedScript[];
}

/** Whether all of it is fixed: what was cut or not answered does not say, and what is intermittent has yet to pass. */
export const isFixedIn = (
  { requirements, scripts }: LastFailed,
  passed: readonly string[],
  { isKept, isPlayed, isAnswered }: PlayedAgain,
): boolean =>
  requirements.length > 0 &&
  requirements.every((id) => {
    const own = scripts.filter((one) => one.requirements.includes(id));
    const isFixed = ({ script, runsLeft = 1 }: FailedScript): boolean =>
      runsLeft <= 1 &&
      ((passed.includes(id) && isAnswered(script)) || (isPlayed(script) && isKept(id, script)));
    return (own.length > 0 || passed.includes(id)) && own.every(isFixed);
  });

/**
 * What is kept though it did not fail, or no longer. `unsure`: it passed, but was intermittent, and has yet to pass in so many runs; 0: it
 * has passed in enough. `anew`: the scripts in which it failed no longer decide it, so new ones are drawn for it. `mended`: they violate it
 * no more, which is all that they can show.
 */
interface Kept {
  readonly unsure: ReadonlyMap<string, number>;
  readonly anew: readonly string[];
  readonly mended: readonly string[];
}

/**
 * Keeps what fails now, and of what failed before all that a run to its end has not seen pass.
 *
 * @param before what was asked about, besides what is kept of the target
 * @param folder that of the report
 * @throws the system's error, if the file cannot be written
 */
export async function keepFailed(
  name: string,
  before: LastFailed | null,
  report: Report,
  { folder, ending, cwd, played = [], isKept = () => false, isPlayed = () => false }: KeptFrom,
): Promise<Kept> {
  const now = await failedIn(report, folder, cwd);
  if (!now.hasFinished) return { unsure: new Map(), anew: [], mended: [] };
  const passed = report.requirements.filter(
    ({ verdict, selected }) => verdict === 'pass' && selected !== false,
  );
  const decided = [...now.requirements, ...passed.map(({ id }) => id)];
  const scriptsOf = (id: string): readonly Script[] =>
    played.flatMap(({ requirements, script }) => (requirements.includes(id) ? [script] : []));
  // A run that was cut short drops only what it has played in whole, script by script.
  const isCut = ending !== 'finished' && played.length > 0;
  const isDone = (id: string, script: Script): boolean => isCut && isPlayed(script) && isKept(id, script);
  const isReached = (id: string): boolean =>
    ending === 'finished' ||
    (scriptsOf(id).length > 0 && scriptsOf(id).every((script) => isDone(id, script)));
  const mended = [...new Set(played.flatMap((one) => one.requirements))].filter(
    (id) => !decided.includes(id) && isReached(id) && scriptsOf(id).every((script) => isKept(id, script)),
  );
  const dropped = [...passed.map(({ id }) => id).filter(isReached), ...mended];
  decided.push(...mended);
  const again = ending === 'finished' ? played : [];
  const shown = again.filter(({ runsLeft }) => runsLeft === undefined).flatMap((one) => one.requirements);
  const anew = [...new Set(shown)].filter((id) => !decided.includes(id));
  const file = fileOf(name, cwd);
  makeFolder(dirname(file));
  const { old, scripts } = changeFile(file, () => {
    const known = keptOf(name, cwd);
    const old = before === null ? known : joined(before, known);
    const kept = joined(
      now,
      old === null ? null : withoutScripts(old, (id, script) => anew.includes(id) || isDone(id, script)),
      dropped,
    );
    const { folder, seed, requirements, scripts } = kept;
    replaceFile(file, `${jsonText({ schema: SCHEMA, folder, seed, requirements, scripts })}\n`);
    return { old, scripts };
  });
  const leftBefore = runsLeftIn(old?.scripts ?? []);
  const left = runsLeftIn(scripts);
  const unsure = dropped.filter((id) => leftBefore.has(id)).map((id) => [id, left.get(id) ?? 0] as const);
  return { unsure: new Map(unsure), anew, mended };
}

/** Of each intermittent failure the most runs in which it has yet to pass. */
function runsLeftIn(scripts: readonly FailedScript[]): ReadonlyMap<string, number> {
  const most = new Map<string, number>();
  for (const { requirements, runsLeft } of scripts)
    for (const id of runsLeft === undefined ? [] : requirements)
      most.set(id, Math.max(runsLeft ?? 0, most.get(id) ?? 0));
  return most;
}

const withoutScripts = (last: LastFailed, isGone: (id: string, script: Script) => boolean): LastFailed => ({
  ...last,
  scripts: last.scripts
    .map((one) =>
      one.runsLeft === undefined
        ? { ...one, requirements: one.requirements.filter((id) => !isGone(id, one.script)) }
        : one,
    )
    .filter(({ requirements }) => requirements.length > 0),
});

/** What the first has, and of the second what that does not have and has not passed. */
function joined(first: LastFailed, second: LastFailed | null, passed: readonly string[] = []): LastFailed {
  if (second === null) return first;
  const hasPassed = (one: FailedScript): boolean => sharesFailure(one, { requirements: passed });
  const unsure = second.scripts.filter(({ runsLeft = 1 }) => runsLeft > 1).flatMap((one) => one.requirements);
  const gone = [...first.requirements, ...passed.filter((id) => !unsure.includes(id))];
  const scripts = second.scripts.map((one) =>
    one.runsLeft === undefined || !hasPassed(one) ? one : { ...one, runsLeft: one.runsLeft - 1 },
  );
  const left = among({ ...second, scripts }, (id) => !gone.includes(id));
  // What is known to be intermittent, and was not measured again, has to pass as often as it had at first.
  const again = first.scripts.map((one) => {
    const known = second.scripts.find((other) => other.runsLeft && sharesFailure(one, other));
    const { runsLeft, runs = runsLeft } = known ?? {};
    return one.runsLeft !== undefined || runs === undefined ? one : { ...one, runs, runsLeft: runs };
  });
  return {
    ...(first.requirements.length > 0 ? first : second),
    requirements: [...first.requirements, ...left.requirements],
    scripts: [...again, ...left.scripts],
  };
}

type OfRequirements = Pick<FailedScript, 'requirements'>;
const sharesFailure = (one: OfRequirements, other: OfRequirements): boolean =>
  one.requirements.some((id) => other.requirements.includes(id));

/** What a selection leaves of it. */
export const selectedOf = (
  last: LastFailed,
  { asked, scenarios, beside = [] }: Selection,
  all: readonly NamedScenario[],
): LastFailed => {
  const played = [...scenarios, ...beside];
  const unplayed = all.filter((one) => !played.includes(one)).map(({ name }) => name);
  return among(
    last,
    (id) => isSelected(asked, id),
    (scenario) => !unplayed.includes(scenario),
  );
};

/** What of it is wanted: requirements, and scripts by the name of their scenario. */
function among(
  { requirements, scripts, ...last }: LastFailed,
  isWanted: (id: string) => boolean,
  isPlayed: (scenario: string) => boolean = () => true,
): LastFailed {
  const left = scripts
    .filter(({ script }) => isPlayed(script.scenario))
    .map((one) => ({ ...one, requirements: one.requirements.filter(isWanted) }))
    .filter(({ requirements: all }) => all.length > 0);
  const shows = (all: readonly FailedScript[], id: string): boolean =>
    all.some((one) => one.requirements.includes(id));
  return {
    ...last,
    requirements: requirements.filter((id) => isWanted(id) && (shows(left, id) || !shows(scripts, id))),
    scripts: left,
  };
}

/** Null: no run on the target has finished. @throws {UsageError} if the file has been damaged */
function keptOf(name: string, cwd: string): LastFailed | null {
  const file = fileOf(name, cwd);
  if (!existsSync(file)) return null;
  try {
    const kept = JSON.parse(readFileSync(file, 'utf8')) as LastFailed & { readonly schema: unknown };
    const { folder, seed, requirements, scripts } = kept;
    if (kept.schema === SCHEMA)
      return among(
        {
          ...{ folder, seed, requirements, hasFinished: true },
          scripts: scripts.map((one) => ({ ...one, script: parseScript(one.script) })),
        },
        // Another version may have named others.
        (id) => REQUIREMENTS.some((one) => one.id === id),
      );
  } catch {
    // Told below.
  }
  throw new UsageError(`${name}.last-failed.json is damaged: remove it`);
}

async function failedIn(report: Report, folder: string, cwd: string): Promise<LastFailed> {
  const { seed, requirements, exitCode } = report;
  const failed = requirements.filter(({ verdict }) => verdict === 'fail');
  const files = failed.flatMap(({ failures }) => failures.map(({ script }) => script));
  const named = [...new Set(files)].filter((file) => file !== null && existsSync(resolve(cwd, folder, file)));
  const saved = await Promise.all(named.map((file) => readSavedFailure(join(folder, file!), cwd)));
  const ids = failed.map(({ id }) => id);
  return {
    folder,
    hasFinished: FINISHED.includes(exitCode),
    seed,
    requirements: ids,
    scripts: saved.map(({ script, requirements: all, confirmed }) => {
      const runs = confirmed && runsToBeSure(confirmed);
      const own = all.filter((id) => ids.includes(id));
      return { script, requirements: own, ...(runs && { runs, runsLeft: runs }) };
    }),
  };
}
