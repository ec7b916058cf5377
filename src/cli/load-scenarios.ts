import { readdirSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { NamedScenario, Scenario } from '../scenario/index.js';
import { SCENARIOS_FOLDER } from './package-files.js';

function isScenario(value: unknown): value is Scenario {
  return typeof value === 'object' && value !== null && 'exercises' in value && 'steps' in value;
}

/** Every shipped scenario, in the order of their names. A scenario's name is its file's path without the ending. */
export async function loadScenarios(folder: string = SCENARIOS_FOLDER): Promise<readonly NamedScenario[]> {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.[jt]s$/.test(file) && !file.endsWith('.d.ts'))
    .map((file) => join(folder, file))
    .sort((a, b) => (a < b ? -1 : 1));
  const loaded: NamedScenario[] = [];
  for (const file of files) {
    const { default: value } = (await import(pathToFileURL(file).href)) as { readonly default?: unknown };
    // The folder also holds the scripted worker, which is no scenario.
    if (!isScenario(value)) continue;
    const name = relative(folder, file)
      .replace(/\.[jt]s$/, '')
      .split(sep)
      .join('/');
    loaded.push({ ...value, name });
  }
  return loaded;
}
