import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { UsageError } from './errors.js';
import type { Io } from './io.js';

export const API_KEY_VARIABLE = 'RUNPROOF_API_KEY';

/**
 * The key from `--api-key`, else from `--api-key-file`, else from the environment; null when there is none.
 *
 * @throws {UsageError} for a file that cannot be read and for a key that no header can carry
 */
export function findApiKey(
  given: { readonly apiKey?: string | undefined; readonly apiKeyFile?: string | undefined },
  io: Pick<Io, 'cwd' | 'env'>,
): string | null {
  const key = given.apiKey ?? fromFile(given.apiKeyFile, io) ?? io.env[API_KEY_VARIABLE];
  if (key === undefined) return null;
  // The message must not hold the key, wrong as it may be.
  if (key.trim() === '')
    throw new UsageError(`the API key is empty: check --api-key, --api-key-file, ${API_KEY_VARIABLE}`);
  if (!/^[\x21-\x7e]+$/.test(key.trim())) {
    throw new UsageError('the API key holds a space or a character that no header can carry');
  }
  return key.trim();
}

function fromFile(file: string | undefined, { cwd }: Pick<Io, 'cwd'>): string | undefined {
  if (file === undefined) return undefined;
  try {
    return readFileSync(resolve(cwd, file), 'utf8');
  } catch (error) {
    throw new UsageError(
      `--api-key-file ${file} cannot be read: ${(error as NodeJS.ErrnoException).code ?? 'error'}`,
    );
  }
}
