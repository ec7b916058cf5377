/** Reads a saved script. All problems are reported at once: which step, which field, what is expected. */
import { CAPABILITIES } from '../spec/capability-words.js';
import { STEP_FIELDS } from './parse-steps.js';
import {
  may,
  bool,
  exactly,
  integer,
  listOf,
  ms,
  count,
  must,
  oneOf,
  text,
  type Fields,
} from './parse-values.js';
import type { Script } from './script.js';
import { isObject } from '../util/json.js';
import { RunproofError } from '../util/runproof-error.js';
import { inPresentWords } from './earlier-words.js';

/** The file is not a valid script. The message lists all problems, one per line. */
export class ScriptError extends RunproofError {
  override readonly name = 'ScriptError';
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super('script', `this is not a valid script:\n${problems.map((problem) => `  ${problem}`).join('\n')}`);
    this.problems = problems;
  }
}

const SCRIPT_FIELDS: Fields = {
  schema: must(exactly('runproof-script/1')),
  scenario: must(text),
  title: must(text),
  seed: must(integer),
  needs: must(listOf(oneOf(...CAPABILITIES))),
  workers: must(count),
  exclusive: must(bool),
  secondEndpoint: may(exactly(true)),
  expectedMs: must(ms),
  steps: must((value) => (Array.isArray(value) ? null : 'a list of steps')),
};

/**
 * Checks a parsed JSON file, field by field, and gives the script that it holds.
 *
 * @throws {RunproofError} `script` with every problem found
 *
 * @public
 */
export function parseScript(saved: unknown): Script {
  const json = inPresentWords(saved);
  if (!isObject(json)) throw new ScriptError([`the file should hold one object, not ${describe(json)}`]);
  const steps = Array.isArray(json['steps']) ? (json['steps'] as readonly unknown[]) : [];
  const problems = [
    ...problemsOf('script', json, SCRIPT_FIELDS),
    ...steps.flatMap((step, index) => stepProblems(step, index)),
  ];
  if (problems.length > 0) throw new ScriptError(problems);
  return json as unknown as Script;
}

function stepProblems(step: unknown, index: number): readonly string[] {
  const where = `steps[${index}]`;
  if (!isObject(step)) return [`${where} should be an object with "do", not ${describe(step)}`];
  const kind = step['do'];
  const kinds = Object.keys(STEP_FIELDS);
  if (typeof kind !== 'string' || !Object.hasOwn(STEP_FIELDS, kind)) {
    return [`${where}.do should be one of ${kinds.join(', ')}, not ${describe(kind)}`];
  }
  return problemsOf(`${where} (${kind})`, step, STEP_FIELDS[kind] ?? {});
}

function problemsOf(
  where: string,
  value: { readonly [key: string]: unknown },
  fields: Fields,
): readonly string[] {
  const wrong = Object.entries(fields).flatMap(([name, { check, required }]) => {
    if (!Object.hasOwn(value, name)) return required ? [`${where}: "${name}" is missing; add it`] : [];
    const wanted = check(value[name]);
    return wanted === null ? [] : [`${where}: "${name}" should be ${wanted}, not ${describe(value[name])}`];
  });
  const unknown = Object.keys(value)
    .filter((name) => !Object.hasOwn(fields, name))
    .map(
      (name) =>
        `${where}: "${name}" is not a field here; remove it, or use one of ${Object.keys(fields).join(', ')}`,
    );
  return [...wrong, ...unknown];
}

function describe(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 60 ? `${text.slice(0, 57)}…` : text;
}
