/** The options as values of the right type, with their defaults. */
import type { Json } from '../history/events.js';
import { MIN_DECIDED_DEFAULT, parseMinDecided, type MinDecided } from '../report/conclusion.js';
import { FORMAT_NAMES, type FormatName } from '../report/formats/names.js';
import type { Edition } from '../spec/types.js';
import { parseAddress, type Address } from './address.js';
import type { ConnectionOptions, OtherKeys, Proxies } from '../target/http/index.js';
import { proxiesIn } from './proxies.js';
import { findApiKey, findOtherKeys } from './api-key.js';
import { camelCase, type RawOptions } from './config-file.js';
import { UsageError } from '../app/errors.js';
import { readUserFile, readUserJson } from '../app/files/user-file.js';
import { SEED_MAX } from '../app/plan/seed.js';
import type { Profile } from '../app/profiles.js';
import type { Io } from './io.js';
import { TARGET_OPTIONS } from './option-table.js';
import { AUTH_FORMS, EDITIONS, PROFILES, PROGRESS_MODES, WORKERS } from './option-values.js';
import { basePathIn, durationMs, headers, hostAndPort, httpUrl, integer, listOf, oneOf } from './values.js';

export interface TargetSettings {
  /** Null: the embedded endpoint. */
  readonly address: Address | null;
  readonly endpoint: string | null;
  /** The path before the operations if it is not `/v2/<endpoint_id>`; otherwise null. */
  readonly basePath: string | null;
  /** Id of the known fault of the embedded endpoint, not yet looked up; null: none. */
  readonly mutant: string | null;
  readonly apiKey: string | null;
  readonly otherKeys: OtherKeys;
  readonly auth: 'auto' | 'bare' | 'bearer';
  readonly control: string | null;
  /** Null: to be probed. */
  readonly worker: 'scripted' | 'opaque' | null;
  readonly sampleInput: Json | undefined;
  readonly dedicated: boolean;
  readonly webhookListen: { readonly host: string; readonly port: number } | null;
  readonly webhookUrl: string | null;
  readonly edition: Edition;
  readonly profile: Profile;
  /** Null: the default of the target. */
  readonly graceMs: number | null;
  /** Undefined: not stated; null: not known. */
  readonly executionTimeoutDefaultMs: number | null | undefined;
  readonly concurrency: number | null;
  readonly budgetMs: number | null;
  readonly headers: { readonly [name: string]: string };
  /** The file's text. */
  readonly caPem: string | null;
  readonly insecure: boolean;
  readonly proxy: string | null;
  /** Those of the environment, for hosts other than this machine; null: none. */
  readonly proxies: Proxies | null;
  readonly timeoutMs: number | null;
  /** Options for `replay` to reach the target again, without the address, the key and headers. */
  readonly replayOptions: readonly string[];
}

export interface OutputSettings {
  /** Null: the default of the command. */
  readonly formats: readonly FormatName[] | null;
  readonly out: string | null;
  readonly minDecided: MinDecided;
  readonly quiet: boolean;
  readonly verbose: boolean;
  readonly progress: 'auto' | 'plain' | 'none';
  /** Show the page of the report. */
  readonly open: boolean;
}

export interface ScopeSettings {
  readonly only: readonly string[];
  readonly skip: readonly string[];
  /** Null: a new one. */
  readonly seed: number | null;
  /** Null: 1 in real time, otherwise 3. */
  readonly runs: number | null;
  /** Scripts of random calls, in addition to those of the scenarios. */
  readonly explored: number;
}

/** The last value, if the option is repeated. */
export function text(raw: RawOptions, name: string): string | undefined {
  const value = raw[name];
  if (Array.isArray(value)) return value.at(-1) as string | undefined;
  return typeof value === 'string' ? value : undefined;
}

export function texts(raw: RawOptions, name: string): readonly string[] {
  const value = raw[name];
  if (Array.isArray(value)) return value.map(String);
  return typeof value === 'string' ? [value] : [];
}

export function flag(raw: RawOptions, name: string): boolean {
  return raw[name] === true;
}

function optional<T>(value: string | undefined, read: (value: string) => T): T | null {
  return value === undefined ? null : read(value);
}

/** The text of a file that has a PEM block: without one, no server would be trusted. */
function readPem(file: string, cwd: string): string {
  const pem = readUserFile(file, cwd, 'cacert');
  if (/-----BEGIN [A-Z ]*CERTIFICATE-----/.test(pem)) return pem;
  throw new UsageError(
    `--cacert ${file} contains no certificate: it must be PEM, "-----BEGIN CERTIFICATE-----"`,
  );
}

/** What is needed to reach a target, besides its address. */
export type ConnectionSettings = Pick<
  TargetSettings,
  'apiKey' | 'auth' | 'headers' | 'caPem' | 'insecure' | 'proxy' | 'proxies' | 'timeoutMs'
>;

/** @throws {UsageError} */
export function connectionSettings(raw: RawOptions, io: Io): ConnectionSettings {
  const read = (name: string): string | undefined => text(raw, name);
  return {
    apiKey: findApiKey(raw, io),
    auth: oneOf('auth', read('auth') ?? 'auto', AUTH_FORMS),
    headers: headers(texts(raw, 'header')),
    caPem: optional(read('cacert'), (file) => readPem(file, io.cwd)),
    insecure: flag(raw, 'insecure'),
    proxy: optional(read('proxy'), (value) => httpUrl('proxy', value)),
    proxies: read('proxy') === undefined ? proxiesIn(io, read('url')) : null,
    timeoutMs: optional(read('timeout'), (value) => durationMs('timeout', value, 1)),
  };
}

/** The same as the options of a connection. */
export function connectionOptions({
  headers: sent,
  insecure,
  caPem,
  proxy,
  proxies,
  timeoutMs,
}: ConnectionSettings): ConnectionOptions & { readonly timeoutMs?: number } {
  return {
    headers: sent,
    insecure,
    ...(caPem === null ? {} : { caCert: caPem }),
    ...(proxy === null ? {} : { proxy }),
    ...(proxies === null ? {} : { proxies }),
    ...(timeoutMs === null ? {} : { timeoutMs }),
  };
}

export const NO_KEY = 'the API key is missing: set RUNPROOF_API_KEY, or add --api-key-file FILE';

/** @throws {UsageError} */
export function targetSettings(raw: RawOptions, io: Io): TargetSettings {
  const read = (name: string): string | undefined => text(raw, name);
  const address = optional(read('url'), parseAddress);
  const basePath = optional(read('basePath'), basePathIn);
  const endpoint =
    read('endpoint') ?? address?.endpoint ?? (basePath === null ? null : ENDPOINT_WITHOUT_NAME);
  const control = optional(read('control'), (value) => httpUrl('control', value));
  const connection = connectionSettings(raw, io);
  const { apiKey } = connection;
  const otherKeys = findOtherKeys(raw, apiKey, io);
  const mutant = read('mutant') ?? null;
  checkTogether(
    { address, endpoint, basePath, control, mutant, apiKey },
    read('webhookUrl'),
    read('webhookListen'),
  );
  return {
    ...connection,
    otherKeys,
    address,
    endpoint,
    basePath,
    control,
    mutant,
    worker: optional(read('worker'), (value) => oneOf('worker', value, WORKERS)),
    sampleInput:
      optional(read('sampleInput'), (file) => readUserJson(file, io.cwd, 'sample-input') as Json) ??
      undefined,
    dedicated: flag(raw, 'dedicated'),
    webhookListen: optional(read('webhookListen'), (value) => hostAndPort('webhook-listen', value)),
    webhookUrl: optional(read('webhookUrl'), (value) => httpUrl('webhook-url', value)),
    edition: oneOf('edition', read('edition') ?? 'document', EDITIONS),
    profile: oneOf('profile', read('profile') ?? 'standard', PROFILES),
    graceMs: optional(read('grace'), (value) => durationMs('grace', value)),
    executionTimeoutDefaultMs:
      optional(read('executionTimeoutDefault'), (value) => durationMs('execution-timeout-default', value)) ??
      undefined,
    concurrency: optional(read('concurrency'), (value) => integer('concurrency', value, 1, 1_000)),
    budgetMs: optional(read('budget'), (value) => durationMs('budget', value, 1)),
    replayOptions: replayOptionsIn(raw),
  };
}

function replayOptionsIn(raw: RawOptions): readonly string[] {
  return Object.entries(TARGET_OPTIONS).flatMap(([name, { type, replayed }]) => {
    if (replayed !== true) return [];
    if (type === 'boolean') return flag(raw, camelCase(name)) ? [`--${name}`] : [];
    const value = text(raw, camelCase(name));
    return value === undefined ? [] : [`--${name}`, value];
  });
}

/** The name in reports of an endpoint whose address contains no id. */
const ENDPOINT_WITHOUT_NAME = 'endpoint';

function checkTogether(
  {
    address,
    endpoint,
    basePath,
    control,
    mutant,
    apiKey,
  }: Pick<TargetSettings, 'address' | 'endpoint' | 'basePath' | 'control' | 'mutant' | 'apiKey'>,
  webhookUrl: string | undefined,
  webhookListen: string | undefined,
): void {
  if (address === null) {
    if (control !== null)
      throw new UsageError('--control requires the URL of the target: runproof check URL');
    if (basePath !== null)
      throw new UsageError('--base-path requires the URL of the target: runproof check URL');
    if (endpoint !== null)
      throw new UsageError('--endpoint requires the URL of the target: runproof check URL');
    return;
  }
  if (mutant !== null)
    throw new UsageError(
      `--mutant plants a fault in our own endpoint: omit the URL, or start a faulty server by "runproof serve --mutant ${mutant}" and check its address`,
    );
  if (basePath !== null && address.endpoint !== null)
    throw new UsageError(
      `with --base-path, the URL must not contain /v2/<endpoint_id>: use ${address.baseUrl}`,
    );
  if (basePath !== null && control !== null)
    throw new UsageError('test control creates endpoints under /v2: omit --base-path or --control');
  if (address.endpoint !== null && address.endpoint !== endpoint) {
    throw new UsageError(
      `the URL says endpoint "${address.endpoint}", --endpoint says "${endpoint ?? ''}": omit one of them`,
    );
  }
  if (endpoint === null && control === null) {
    throw new UsageError(
      `the endpoint is missing: add --endpoint ID, or use the address ${address.baseUrl}/v2/ID; if paths contain no endpoint id, add --base-path /`,
    );
  }
  if (endpoint !== null && /[/?#\s]/.test(endpoint))
    throw new UsageError(`--endpoint "${endpoint}" contains characters that a path cannot contain`);
  if (apiKey === null) {
    throw new UsageError(NO_KEY);
  }
  if (webhookUrl !== undefined && webhookListen === undefined) {
    throw new UsageError(
      '--webhook-url requires --webhook-listen HOST:PORT, where calls to that address arrive',
    );
  }
}

/** @throws {UsageError} */
export function outputSettings(raw: RawOptions): OutputSettings {
  const minDecided = text(raw, 'minDecided');
  const parsed = minDecided === undefined ? MIN_DECIDED_DEFAULT : parseMinDecided(minDecided);
  if (parsed === null)
    throw new UsageError(`--min-decided requires a number or a share such as 40%, not "${minDecided ?? ''}"`);
  return {
    formats: texts(raw, 'format').length === 0 ? null : listOf('format', texts(raw, 'format'), FORMAT_NAMES),
    out: text(raw, 'out') ?? null,
    minDecided: parsed,
    quiet: flag(raw, 'quiet'),
    verbose: flag(raw, 'verbose'),
    open: flag(raw, 'open'),
    progress: oneOf('progress', text(raw, 'progress') ?? 'auto', PROGRESS_MODES),
  };
}

/** For more, use `explore`, which needs no target. */
const EXPLORED_MAX = 100_000;

/** @throws {UsageError} */
export function scopeSettings(raw: RawOptions): ScopeSettings {
  const commas = (name: string): readonly string[] =>
    texts(raw, name)
      .flatMap((value) => value.split(','))
      .map((value) => value.trim())
      .filter((value) => value !== '');
  return {
    only: commas('only'),
    skip: commas('skip'),
    seed: optional(text(raw, 'seed'), (value) => integer('seed', value, 0, SEED_MAX)),
    runs: optional(text(raw, 'runs'), (value) => integer('runs', value, 1, 1_000)),
    explored: integer('explore', text(raw, 'explore') ?? '0', 0, EXPLORED_MAX),
  };
}
