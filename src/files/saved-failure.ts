/** Reads the argument of `replay` and `shrink`: a failure file, a bare script, or a token. */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { FAILURE_SCHEMA } from '../report/index.js';
import { parseScript, ScriptError } from '../scenario/index.js';
import { shippedSchema } from '../package-files.js';
import { isObject } from '../util/json.js';
import { violationOf } from '../util/json-schema.js';
import { UsageError } from '../util/errors.js';
import { shippedScenarios } from './shipped-scenarios.js';
import { readUserJson } from './user-file.js';
import { isToken, readToken, type SavedFailure, type SavedFile } from './replay-token.js';

const SCHEMAS = [FAILURE_SCHEMA, 'runproof-script/1'];

/** @throws {UsageError} if it contains no valid script */
export async function readSavedFailure(fileOrToken: string, cwd: string): Promise<SavedFailure> {
  if (isToken(fileOrToken) && !existsSync(resolve(cwd, fileOrToken)))
    return readToken(fileOrToken, await shippedScenarios());
  const value = readUserJson(fileOrToken, cwd);
  if (!isSavedFailure(value))
    throw new UsageError(`${fileOrToken} is not a saved failure: name a file of failures/ of a report`);
  const saved = isFailureFile(value) ? value : null;
  const violation = saved === null ? null : violationOf(saved, shippedSchema('failure'));
  if (violation !== null)
    throw new UsageError(`${fileOrToken} is damaged: ${violation}. Name another failure of the report`);
  try {
    return {
      script: parseScript(saved === null ? value : saved.script),
      requirements: saved?.failures.map(({ requirement }) => requirement) ?? [],
      edition: saved?.edition ?? null,
      runSeed: saved?.runSeed ?? null,
      choiceWords: saved?.choiceWords,
      confirmed: saved?.confirmed,
      found: saved?.found ?? null,
    };
  } catch (error) {
    if (error instanceof ScriptError) throw new UsageError(`${fileOrToken}: ${error.message}`);
    throw error;
  }
}

/** Whether the value of a JSON file is a failure, or a bare script. */
export const isSavedFailure = (value: unknown): value is { readonly schema: string } =>
  isObject(value) && SCHEMAS.some((schema) => schema === value['schema']);

function isFailureFile(value: unknown): value is SavedFile {
  return typeof value === 'object' && value !== null && 'schema' in value && value.schema === FAILURE_SCHEMA;
}
