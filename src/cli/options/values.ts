/** Reads the values of options. Every error is one line that says what to write instead. */
import { UsageError } from '../../util/errors.js';
import { readUserFile } from '../../files/user-file.js';
import type { MinDecided } from '../../report/conclusion.js';
import type { Scaler } from '../../core/workers/scaling-settings.js';
import { callFilter, type CallFilter } from '../../util/call-filter.js';
import { exactDuration, parseDuration } from '../../util/duration.js';
import { isSpeed, SPEED_RANGE } from '../../util/speed.js';
import { didYouMean } from '../../util/suggest.js';

/** `500ms`, `2s`, `1h30m`, `7d`; a bare number is seconds. */
export function durationMs(option: string, text: string, minMs = 0): number {
  const ms = parseDuration(/^\s*[\d.]+\s*$/.test(text) ? `${text.trim()}s` : text);
  if (ms === null)
    throw new UsageError(
      `--${option} requires a duration such as 500ms, 2s, 1h30m or 7d (without a unit: seconds), not "${text}"`,
    );
  if (ms < minMs)
    throw new UsageError(`--${option} requires at least ${exactDuration(minMs)}, not "${text}"`);
  return ms;
}

/** An instant of a script, ms from its beginning, or the number of the call at whose end it is. @throws {UsageError} */
export function instantIn(text: string, option: string): { readonly ms: number } | { readonly call: number } {
  const call = /^(?:#|call:)(\d{1,12})$/.exec(text.trim())?.[1];
  if (call !== undefined) return { call: Number(call) };
  if (/^[\d.]/.test(text.trim())) return { ms: durationMs(option, text) };
  throw new UsageError(
    `--${option} requires an instant such as 12s, or a call such as call:7, not "${text}"`,
  );
}

export function integer(option: string, text: string, min: number, max: number): number {
  const value = Number(text);
  if (!/^\d+$/.test(text.trim()) || value < min || value > max) {
    throw new UsageError(`--${option} requires an integer from ${min} to ${max}, not "${text}"`);
  }
  return value;
}

/** How many times as fast as real time. */
export function speedIn(text: string, option: string): number {
  const value = Number(text);
  if (/^[\d.]+$/.test(text.trim()) && isSpeed(value)) return value;
  throw new UsageError(`--${option} requires ${SPEED_RANGE}, not "${text}"`);
}

/** Words as `callFilter` has them. */
export function callFilterIn(text: string, option: string): CallFilter {
  try {
    return callFilter(text);
  } catch (error) {
    throw new UsageError(`--${option} ${(error as RangeError).message}`);
  }
}

export function positiveNumber(text: string, option: string): number {
  const value = Number(text);
  if (/^[\d.]+$/.test(text.trim()) && value > 0) return value;
  throw new UsageError(`--${option} requires a number above 0, not "${text}"`);
}

/** @param what is read: an option with its dashes, or an argument */
export function wordOf<T extends string>(what: string, text: string, allowed: readonly T[]): T {
  const found = allowed.find((value) => value === text);
  if (found === undefined) {
    throw new UsageError(
      `${what} must be one of ${allowed.join(', ')}, not "${text}".${didYouMean(text, allowed)}`,
    );
  }
  return found;
}

/** Values may be separated by commas, or repeated. */
export function listOf<T extends string>(
  option: string,
  texts: readonly string[],
  allowed: readonly T[],
): T[] {
  const items = texts.flatMap((text) => text.split(',')).map((item) => item.trim());
  return [
    ...new Set(items.filter((item) => item !== '').map((item) => wordOf(`--${option}`, item, allowed))),
  ];
}

/** The values, which commas separate. */
export const apart = (values: readonly string[]): readonly string[] =>
  values
    .flatMap((value) => value.split(','))
    .map((value) => value.trim())
    .filter((value) => value !== '');

/** `12` or `40%`. */
export function minDecided(value: string, option: string): MinDecided {
  const [, digits, sign] = /^(\d{1,6})(%?)$/.exec(value.trim()) ?? [];
  const number = Number(digits);
  if (sign === '') return { count: number };
  if (sign === '%' && number <= 100) return { percent: number };
  throw new UsageError(`--${option} requires a number or a share such as 40%, not "${value}"`);
}

/** `60%`, of all that applies; empty: all. */
export function shareOfAll(value: string, option: string): MinDecided {
  const number = Number(/^(\d{1,6})%$/.exec(value.trim() || '100%')?.[1]);
  if (number <= 100) return { ofAll: number };
  throw new UsageError(`--${option} takes a share such as 60%, not "${value}"`);
}

export function listenAt(value: string, option: string): string {
  const { host, port } = hostAndPort(option, value);
  return `${host}:${port}`;
}

const DIAGRAMS = { svg: 'svg', mmd: 'mermaid', mermaid: 'mermaid', md: 'markdown' } as const;

/** The form of a diagram, by the ending of its file; undefined: none has this ending. */
export const diagramFormOf = (file: string): (typeof DIAGRAMS)[keyof typeof DIAGRAMS] | undefined =>
  new Map<string, (typeof DIAGRAMS)[keyof typeof DIAGRAMS]>(Object.entries(DIAGRAMS)).get(
    /\.(\w+)$/.exec(file)?.[1]?.toLowerCase() ?? '',
  );

export function diagramFile(option: string, file: string): string {
  if (diagramFormOf(file) !== undefined) return file;
  throw new UsageError(
    `--${option} requires a file that ends in .svg, for a picture, or in .mmd, .mermaid or .md, for Mermaid text, not "${file}"`,
  );
}

/** `K: V` headers; names in lower case. */
export function headers(texts: readonly string[]): { readonly [name: string]: string } {
  const pairs = texts.map((text) => {
    const match = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*([^\r\n]*)$/.exec(text);
    if (match?.[1] === undefined || match[2] === undefined) {
      // No quote: it may contain a secret.
      throw new UsageError(`--header requires 'Name: value', with a colon after the name`);
    }
    const name = match[1].toLowerCase();
    if (name === 'authorization') {
      throw new UsageError('--header cannot set authorization: use --api-key-file and --auth');
    }
    return [name, match[2].trim()] as const;
  });
  return Object.fromEntries(pairs);
}

/** What a report shows of a header, whose value may be a secret. */
export const withoutValue = (header: string): string => header.replace(/:.*$/s, ': VALUE');

/** `HOST:PORT`, `[::1]:PORT` or `PORT` alone, which means 127.0.0.1. */
export function hostAndPort(option: string, text: string): { readonly host: string; readonly port: number } {
  const match = /^(?:(\[[0-9a-fA-F:]+\]|[^:\s]+):)?(\d{1,5})$/.exec(text.trim());
  const port = Number(match?.[2]);
  if (match === null || port > 65_535) throw new UsageError(`--${option} requires HOST:PORT, not "${text}"`);
  return { host: (match[1] ?? '127.0.0.1').replace(/^\[|\]$/g, ''), port };
}

export const isHttpUrl = (text: string): boolean =>
  URL.canParse(text) && ['http:', 'https:'].includes(new URL(text).protocol);

export function httpUrl(option: string, text: string): string {
  if (!isHttpUrl(text)) throw new UsageError(`--${option} requires an http or https address, not "${text}"`);
  return text.replace(/\/+$/, '');
}

/** The address of an endpoint, as `traffic/` names it. @throws {UsageError} */
export function endpointAddress(option: string, text: string): string {
  const { origin, pathname } = new URL(httpUrl(option, text));
  return origin + pathname.replace(/\/+$/u, '');
}

/** `/api`, without a slash at its end; empty for `/`. @throws {UsageError} */
export function basePathIn(value: string): string {
  const path = value.replace(/\/+$/, '');
  if (/^(\/[^/?#\s]+)*$/.test(path)) return path;
  throw new UsageError(`--base-path requires a path such as / or /api, not "${value}"`);
}

/** The text of a file that has a PEM block: without one, no server would be trusted. */
export function readPem(file: string, option: string, cwd: string): string {
  const pem = readUserFile(file, cwd, option);
  if (/-----BEGIN [A-Z ]*CERTIFICATE-----/.test(pem)) return pem;
  throw new UsageError(
    `--${option} ${file} contains no certificate: it must be PEM, "-----BEGIN CERTIFICATE-----"`,
  );
}

/** `I/N`. @throws {UsageError} */
export function shardIn(value: string): { readonly index: number; readonly count: number } {
  const [, index, count] = /^(\d{1,4})\/(\d{1,4})$/.exec(value.trim()) ?? [];
  const shard = { index: Number(index), count: Number(count) };
  if (index === undefined || shard.index < 1 || shard.index > shard.count) {
    throw new UsageError(`--shard requires I/N such as 3/16, not "${value}"`);
  }
  return shard;
}

const WORKERS_MAX = 10_000;

/** A number, or `MIN..MAX`. @throws {UsageError} */
export function workersIn(
  value: string,
  option: string,
): number | { readonly min: number; readonly max: number } {
  const [min, max, ...more] = value.split('..');
  if (max === undefined || min === undefined || more.length > 0) {
    if (/^\d+$/.test(value.trim())) return integer(option, value, 0, WORKERS_MAX);
    throw new UsageError(`--${option} requires a number such as 2, or a range such as 0..3, not "${value}"`);
  }
  const range = { min: integer(option, min, 0, WORKERS_MAX), max: integer(option, max, 0, WORKERS_MAX) };
  if (range.min > range.max)
    throw new UsageError(`--${option} requires MIN..MAX with MIN no more than MAX, not "${value}"`);
  return range;
}

/** `queue-delay:4s` or `request-count:4`. @throws {UsageError} */
export function scalerIn(value: string, option: string): Scaler {
  const [kind, wanted, ...more] = value.split(':');
  if (more.length === 0 && wanted !== undefined) {
    if (kind === 'queue-delay') return { kind, delayMs: durationMs(option, wanted) };
    if (kind === 'request-count') return { kind, jobsPerWorker: integer(option, wanted, 1, WORKERS_MAX) };
  }
  throw new UsageError(
    `--${option} is queue-delay:4s or request-count:4, with numbers of yours, not "${value}"`,
  );
}
