import type { Redactor } from '../report/index.js';
import type { Io } from './io.js';
import type { TargetSettings } from './settings.js';

/** Every value that must not appear anywhere: the keys, headers that may hold another, and what opens the proxy. */
export function secretsOf({
  apiKey,
  otherKeys,
  headers: extra,
  proxy,
}: Pick<TargetSettings, 'apiKey' | 'otherKeys' | 'headers' | 'proxy'>): readonly string[] {
  const fromHeaders = Object.values(extra).filter((value) => value.length >= 8);
  const keys = [...(apiKey === null ? [] : [apiKey]), ...Object.values(otherKeys)];
  return [...keys, ...fromHeaders, ...passwordOf(proxy)];
}

function passwordOf(proxy: string | null): readonly string[] {
  const { password } = proxy === null ? { password: '' } : new URL(proxy);
  return password === '' ? [] : [password];
}

/** The same world, which is told no secret. */
export function redacting(io: Io, { text }: Redactor): Io {
  return { ...io, out: (words) => io.out(text(words)), err: (words) => io.err(text(words)) };
}

/** The same error, whose words hold no secret, whoever prints them. */
export function redactedError(error: unknown, { text }: Redactor): unknown {
  if (!(error instanceof Error)) return typeof error === 'string' ? text(error) : error;
  error.message = text(error.message);
  if (error.stack !== undefined) error.stack = text(error.stack);
  return error;
}
