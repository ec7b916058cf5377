import type { Redactor } from '../report/index.js';
import type { Io } from './io.js';
import type { TargetSettings } from './options/settings.js';

/**
 * Every value that no output may contain: the keys, headers that may contain keys, and the proxies' passwords.
 */
export function secretsOf({
  apiKey,
  unpermittedApiKey,
  otherApiKey,
  headers: extra,
  proxy,
  proxies,
}: TargetSettings): readonly string[] {
  const fromHeaders = Object.values(extra).filter((value) => value.length >= 8);
  const keys = [apiKey, unpermittedApiKey, otherApiKey].filter((key) => key !== undefined);
  return [...keys, ...fromHeaders, ...[proxy, proxies?.http, proxies?.https].flatMap(passwordOf)];
}

function passwordOf(proxy: string | undefined): readonly string[] {
  const { password } = proxy ? new URL(proxy) : { password: '' };
  return password === '' ? [] : [password];
}

/** The same `io`, with every secret masked in its output. */
export function redacting(io: Io, { text }: Redactor): Io {
  return {
    ...io,
    out: (printed) => io.out(text(printed)),
    err: (printed) => io.err(text(printed)),
    note: (printed) => io.note(text(printed)),
  };
}

/** The same error, with every secret masked in its message and stack. */
export function redactedError(error: unknown, { text }: Redactor): unknown {
  if (!(error instanceof Error)) return typeof error === 'string' ? text(error) : error;
  error.message = text(error.message);
  if (error.stack !== undefined) error.stack = text(error.stack);
  return error;
}
