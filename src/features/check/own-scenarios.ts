/** `--scenarios DIR`: the user's scenario files, TypeScript or JavaScript, with any version of Node, and saved scripts. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { scenarioOf } from '../../scenario/scenario-of.js';
import {
  drawOrLeaveOut,
  scenariosOf,
  type Limits,
  type NamedScenario,
  type Scenario,
  type ScenarioFile,
} from '../../scenario/index.js';
import { DAY_MS } from '../../spec/limits.js';
import { isRequirementId, REQUIREMENTS } from '../../spec/index.js';
import { UsageError } from '../../util/errors.js';
import { isSavedFailure, readSavedFailure } from '../../files/saved-failure.js';
import { readUserFile } from '../../files/user-file.js';
import type { Io } from '../../cli/io.js';
import { lineOf, messageOf, moduleLoader } from '../../cli/load-module.js';
import { didYouMean } from '../../util/suggest.js';
import { jsonIn } from '../../util/json.js';

const SCENARIO_FILE = /\.(?:ts|mts|mjs|js|json)$/;
const NOT_A_SCENARIO = /(?:^|\/)[._]|(?:^|\/)node_modules\/|\.d\.m?ts$/;
/** Limits that every valid scenario is within. */
const WIDE: Limits = { graceMs: 0, marginMs: 1, maxWaitMs: 8 * DAY_MS, maxWorkers: 1_000 };
const DRAWS = 5;

/**
 * Every scenario and saved script below the folder, named by its path without the extension. Files whose name begins with `_`
 * or `.` are helpers. Wherever the files are, importing `runproof` gives them this package.
 *
 * @throws {UsageError} for a folder without scenarios, and for the first invalid file, with its line
 */
export async function userScenarios(
  folder: string,
  { cwd, library }: Pick<Io, 'cwd' | 'library'>,
): Promise<readonly NamedScenario[]> {
  const root = resolve(cwd, folder);
  if (!existsSync(root) || !statSync(root).isDirectory()) {
    throw new UsageError(
      `--scenarios ${folder} ${existsSync(root) ? 'is a file, not a folder' : 'does not exist'}`,
    );
  }
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => SCENARIO_FILE.test(path) && !NOT_A_SCENARIO.test(path))
    .sort((a, b) => (a < b ? -1 : 1));
  const load = await moduleLoader(root, library);
  const scenarios: NamedScenario[] = [];
  for (const path of files) {
    const file = join(root, path);
    const shown = relative(cwd, file).replaceAll('\\', '/');
    if (path.endsWith('.json')) {
      const saved = await savedScenario(shown, cwd);
      if (saved !== null) scenarios.push({ name: path.replace(SCENARIO_FILE, ''), ...saved });
      continue;
    }
    try {
      const source = readFileSync(file, 'utf8');
      scenarios.push(...checked(path.replace(SCENARIO_FILE, ''), await load(file, source), file, source));
    } catch (error) {
      throw new UsageError(`${shown}${lineOf(error, file)}: ${messageOf(error)}`);
    }
  }
  if (scenarios.length === 0)
    throw new UsageError(
      `--scenarios ${folder} contains no scenario (.ts, .mts, .mjs, .js) and no saved script (.json)`,
    );
  return scenarios;
}

/** Null for a JSON file that is something else. */
async function savedScenario(file: string, cwd: string): Promise<Scenario | null> {
  const value = jsonIn(readUserFile(file, cwd));
  if (!isSavedFailure(value)) return null;
  const { script, requirements } = await readSavedFailure(file, cwd);
  return scenarioOf(script, requirements.filter(isRequirementId));
}

/** What it exports is checked afterwards. */
const exportedBy = (module: unknown): ScenarioFile =>
  Object((module as { readonly default?: unknown } | undefined)?.default) as ScenarioFile;

/** The file's scenarios, drawn a few times so that their errors show before anything is sent. */
function checked(path: string, module: unknown, file: string, source: string): readonly NamedScenario[] {
  const found = scenariosOf(path, exportedBy(module));
  for (const scenario of found) {
    if (typeof scenario.steps !== 'function' || !Array.isArray(scenario.exercises)) {
      throw new Error('it has no "export default scenario({…})"; the name of a helper file begins with _');
    }
    const unknown = scenario.exercises.find((id) => !isRequirementId(id));
    if (unknown !== undefined) {
      const known = REQUIREMENTS.map(({ id }) => id);
      const error = new Error(`there is no requirement "${unknown}".${didYouMean(unknown, known)}`);
      const before = source.split(unknown, 1)[0] ?? '';
      error.stack = `${file}:${before.split('\n').length}`;
      throw error;
    }
    for (let seed = 0; seed < DRAWS; seed += 1) {
      const drawn = drawOrLeaveOut(scenario, seed, WIDE);
      if ('leftOut' in drawn) throw new Error(`no target has limits for it: ${drawn.leftOut}`);
    }
  }
  return found;
}
