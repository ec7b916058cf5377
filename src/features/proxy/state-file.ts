/** The file that keeps what a proxy needs to go on when it is started again. */
import { existsSync, readFileSync } from 'node:fs';
import { replaceFile } from '../../files/user-file.js';
import { UsageError } from '../../util/errors.js';
import type { Finding } from '../../judging/live/findings-life.js';
import { jsonText } from '../../report/escape.js';

export interface KeptState {
  readonly findings: readonly Finding[];
  /** Signs the addresses that webhooks are called at. */
  readonly webhookKey?: string | undefined;
}

const STATE_SCHEMA = 'runproof-proxy/1';

/** @param name how the user calls it */
export function readState(path: string, name: string): KeptState {
  if (!existsSync(path)) return { findings: [] };
  try {
    const { schema, findings, webhookKey } = JSON.parse(readFileSync(path, 'utf8')) as Partial<KeptState> & {
      readonly schema?: unknown;
    };
    if (schema === STATE_SCHEMA && Array.isArray(findings)) return { findings, webhookKey };
  } catch {
    // Told below.
  }
  throw new UsageError(`--state ${name} is not the state of a proxy: choose another file`);
}

export function writeState(path: string, state: KeptState): void {
  // It has a key.
  replaceFile(path, `${jsonText({ schema: STATE_SCHEMA, ...state }, 2)}\n`, 0o600);
}
