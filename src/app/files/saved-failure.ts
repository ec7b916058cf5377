/** Reads the argument of `replay` and `shrink`: a failure file, a bare script, or a token. */
import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { FAILURE_SCHEMA } from '../../report/index.js';
import { parseScript, ScriptError } from '../../scenario/index.js';
import { shippedSchema } from '../../package-files.js';
import { violationOf } from '../../util/json-schema.js';
import { UsageError } from '../errors.js';
import { shippedScenarios } from '../shipped-scenarios.js';
import { isToken, readToken, type SavedFailure, type SavedFile } from './replay-token.js';

/** @throws {UsageError} if it contains no valid script */
export async function readSavedFailure(fileOrToken: string, cwd: string): Promise<SavedFailure> {
  if (isToken(fileOrToken) && !existsSync(resolve(cwd, fileOrToken)))
    return readToken(fileOrToken, await shippedScenarios());
  const value = readJson(fileOrToken, cwd);
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
      found: saved?.found ?? null,
    };
  } catch (error) {
    if (error instanceof ScriptError) throw new UsageError(`${fileOrToken}: ${error.message}`);
    throw error;
  }
}

function readJson(file: string, cwd: string): unknown {
  try {
    return JSON.parse(readFileSync(resolve(cwd, file), 'utf8'));
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    throw new UsageError(code === undefined ? `${file} is not JSON` : `${file} cannot be read: ${code}`);
  }
}

function isFailureFile(value: unknown): value is SavedFile {
  return typeof value === 'object' && value !== null && 'schema' in value && value.schema === FAILURE_SCHEMA;
}
