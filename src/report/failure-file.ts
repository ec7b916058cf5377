import type { Json } from '../history/events.js';
import type { Failure, Findings } from '../oracle/ledger/findings.js';
import type { Edition } from '../spec/types.js';

export const FAILURE_SCHEMA = 'runproof-failure/1';

/** In the page of every failure, by which it is known as one of ours. */
export const FAILURE_PAGE_MARK = '<main class="wide beliefs">';

/** Of the runs of a script with the failure that was run again, and that decided the rule, how many failed. */
export interface FailureRate {
  readonly failed: number;
  readonly plays: number;
}

/** A script that showed a failure, in the format of `runproof replay`. */
export interface FailureFile {
  readonly schema: typeof FAILURE_SCHEMA;
  readonly runproof: string;
  readonly edition: Edition;
  readonly target: string;
  /** Of the run in which it failed: with it, `check` plays the same scripts together again. */
  readonly runSeed?: number;
  /** Words of `check` that chose what was played in that run, besides the seed. */
  readonly choiceWords?: readonly string[];
  /** Of an intermittent failure; absent: it failed each time, or was not run again. */
  readonly confirmed?: FailureRate;
  /** The exit code of `replay` until the target is fixed. */
  readonly expectedExit: 1;
  readonly failures: readonly {
    readonly requirement: string;
    readonly expected: string;
    readonly actual: string;
    readonly proof: readonly string[];
  }[];
  /** A script as `src/scenario/script.ts` describes it. */
  readonly script: Json;
}

/** @param failures those that the script shows, the first of them foremost */
export const failureFile = (
  about: Pick<FailureFile, 'runproof' | 'edition' | 'target' | 'runSeed' | 'choiceWords' | 'confirmed'>,
  failures: FailureFile['failures'],
  script: Json,
): FailureFile => ({
  schema: FAILURE_SCHEMA,
  ...about,
  expectedExit: 1,
  failures: failures.map(({ requirement, expected, actual, proof }) => ({
    requirement,
    expected,
    actual,
    proof,
  })),
  script,
});

export interface FailingScript {
  readonly scenario: string;
  readonly failures: Failure[];
}

/** Every script that showed a failure, with one failure of each requirement, by the script's number. */
export function failingScripts(findings: Findings): ReadonlyMap<number, FailingScript> {
  const byScript = new Map<number, FailingScript>();
  for (const failure of findings.requirements.flatMap(({ failures }) => failures)) {
    const known = byScript.get(failure.script) ?? { scenario: failure.scenario, failures: [] };
    if (!known.failures.some(({ requirement }) => requirement === failure.requirement)) {
      known.failures.push(failure);
    }
    byScript.set(failure.script, known);
  }
  return byScript;
}

/**
 * A file for each script that showed a failure, by the script's number in the history, with a name relative to the
 * report's folder. `scripts` are the scripts that were run, and `rates` those of intermittent failures, by the same number.
 */
export function failureFiles(
  findings: Findings,
  scripts: ReadonlyMap<number, Json>,
  about: Pick<FailureFile, 'runproof' | 'target' | 'runSeed' | 'choiceWords'>,
  rates: ReadonlyMap<number, FailureRate> = new Map(),
): ReadonlyMap<number, { readonly name: string; readonly file: FailureFile }> {
  const files = new Map<number, { name: string; file: FailureFile }>();
  for (const [number, { scenario, failures }] of failingScripts(findings)) {
    const script = scripts.get(number);
    if (script === undefined) continue;
    const confirmed = rates.get(number);
    const slug = scenario.replace(/[^A-Za-z0-9.]+/g, '-');
    files.set(number, {
      name: `failures/${slug}-${number}.json`,
      file: failureFile(
        { ...about, edition: findings.edition, ...(confirmed && { confirmed }) },
        failures.map(({ proof, later, ...failure }) => ({
          ...failure,
          proof: [...proof, ...(later === undefined ? [] : [later.text])],
        })),
        script,
      ),
    });
  }
  return files;
}
