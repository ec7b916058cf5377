/** What `proxy` listens with. */
import { createSecureContext } from 'node:tls';
import { UsageError } from '../../util/errors.js';
import { readUserFile } from '../../files/user-file.js';
import { isLoopback } from '../../util/address.js';
import type { Io } from '../../cli/io.js';
import { readPem } from '../../cli/options/values.js';

/**
 * Certificate and key; undefined: clients call it by HTTP.
 *
 * @throws {UsageError} if one of the two is missing, or they do not belong together
 */
export function tlsOf(
  { cert, key }: { readonly cert: string | undefined; readonly key: string | undefined },
  cwd: string,
): { readonly cert: string; readonly key: string } | undefined {
  if (cert === undefined && key === undefined) return undefined;
  if (cert === undefined) throw new UsageError('--key requires --cert FILE');
  if (key === undefined) throw new UsageError('--cert requires --key FILE');
  const read = { cert: readPem(cert, 'cert', cwd), key: readUserFile(key, cwd, 'key') };
  try {
    createSecureContext(read);
  } catch (error) {
    throw new UsageError(
      `--cert ${cert} and --key ${key} cannot be used together: ${(error as Error).message}`,
    );
  }
  return read;
}

/**
 * What the page and the metrics ask for; null: nothing, as only this machine reaches them.
 *
 * @throws {UsageError} if other machines reach them, and there is none
 */
export function statusToken({ host }: { readonly host: string }, { env }: Pick<Io, 'env'>): string | null {
  const token = env['RUNPROOF_STATUS_TOKEN'] ?? '';
  if (token !== '') return token;
  if (isLoopback(host)) return null;
  throw new UsageError(
    `--status-listen ${host}: other machines can reach it, and it shows what clients send; set RUNPROOF_STATUS_TOKEN, which it then asks for`,
  );
}
