/** Records of other versions of the program: their results never mix with ours, and they may look otherwise. */
import { packageVersion } from '../../package-files.js';
import { isObject } from '../../util/json.js';
import { codeHash } from './chunks.js';

/** Why a record that says which code it is of cannot be used by ours; null if it is of ours, or does not say. */
export function whyOtherVersion(name: string, record: unknown, ours = codeHash()): string | null {
  if (!isObject(record)) return null;
  const { code, runproof } = record;
  if (typeof code !== 'string' || typeof runproof !== 'string' || code === ours) return null;
  return `${name} was started by another version, runproof ${runproof} with code ${code.slice(0, 8)}; this is ${packageVersion()} with code ${ours.slice(0, 8)}. Results of two versions never mix: install that one here, or start the campaign again`;
}
