/** The options as values of the right type, with their defaults. */
import { UsageError } from '../util/errors.js';
import type { Edition } from '../spec/types.js';
import type { Proxies } from '../target/http/index.js';
import { program } from '../program-name.js';
import { quoteForShell } from '../report/escape.js';
import { YOUR_ADDRESS } from './next-steps.js';
import { isLoopbackUrl } from '../util/address.js';
import { parseAddress, type Address } from './address.js';
import { findApiKey, findOtherKeys } from './api-key.js';
import { CLEAN_OPTIONS, SCOPE_OPTIONS } from './command-options.js';
import type { Io } from './io.js';
import {
  allOf,
  camelCase,
  CONFIGURED,
  lastOf,
  settingsOf,
  type OptionTable,
  type RawOptions,
  type Settings,
} from './option.js';
import {
  CONFIG,
  DIAGRAM,
  DIALECT,
  FORMAT,
  GENERAL_OPTIONS,
  MIN_DECIDED,
  NETWORK_OPTIONS,
  AUTH,
  OPEN,
  out,
  PROGRESS,
  TARGET_OPTIONS,
} from './option-table.js';
import { proxiesIn } from './proxies.js';

/** The last value, if the option is repeated. */
export const text = (raw: RawOptions, name: string): string | undefined => lastOf(raw[name]);
export const texts = (raw: RawOptions, name: string): readonly string[] => allOf(raw[name]);
export const flag = (raw: RawOptions, name: string): boolean => raw[name] === true;

const CONNECTION_OPTIONS = { ...NETWORK_OPTIONS, ...AUTH };

/** What is needed to reach a target, besides its address. */
export interface ConnectionSettings extends Settings<typeof CONNECTION_OPTIONS> {
  readonly apiKey: string | undefined;
  /** Those of the environment, for hosts other than this machine. */
  readonly proxies: Proxies | undefined;
}

export interface TargetSettings
  extends
    ConnectionSettings,
    Omit<
      Settings<typeof TARGET_OPTIONS>,
      keyof ConnectionSettings | 'edition' | 'executionTimeoutDefaultMs'
    > {
  /** Undefined: the embedded endpoint. */
  readonly address: Address | undefined;
  readonly edition: Edition;
  /** Null: not known. */
  readonly executionTimeoutDefaultMs: number | null | undefined;
  /** Id of the known fault of the embedded endpoint, not yet looked up. */
  readonly mutant: string | undefined;
  /** Options for `replay` to reach the target again, without the address, the key and the values of headers. */
  readonly replayOptions: readonly string[];
  /** The same for `clean`. */
  readonly cleanOptions: readonly string[];
}

const OUTPUT_OPTIONS = {
  ...FORMAT,
  ...out(''),
  ...MIN_DECIDED,
  ...PROGRESS,
  ...DIAGRAM,
  ...OPEN,
  ...GENERAL_OPTIONS,
};
export type OutputSettings = Settings<typeof OUTPUT_OPTIONS>;
export type ScopeSettings = Settings<typeof SCOPE_OPTIONS>;

/** @throws {UsageError} */
export function outputSettings(raw: RawOptions, io: Io): OutputSettings {
  const settings = settingsOf(OUTPUT_OPTIONS, raw, io.cwd);
  return { ...settings, minDecided: settings.requireConforms ?? settings.minDecided };
}
/** @throws {UsageError} */
export const scopeSettings = (raw: RawOptions, io: Io): ScopeSettings =>
  settingsOf(SCOPE_OPTIONS, raw, io.cwd);

/** @throws {UsageError} */
export function connectionSettings(raw: RawOptions, io: Io): ConnectionSettings {
  return {
    apiKey: findApiKey(raw, io),
    ...settingsOf(CONNECTION_OPTIONS, raw, io.cwd),
    proxies: text(raw, 'proxy') === undefined ? proxiesIn(io, text(raw, 'url')) : undefined,
  };
}

export const NO_KEY = 'the API key is missing: set RUNPROOF_API_KEY, or add --api-key-file FILE';

/** @throws {UsageError} */
export function targetSettings(raw: RawOptions, io: Io): TargetSettings {
  const url = text(raw, 'url');
  const address = url === undefined ? undefined : parseAddress(url);
  const connection = connectionSettings(raw, io);
  const read = settingsOf(TARGET_OPTIONS, raw, io.cwd);
  const settings = {
    ...read,
    ...connection,
    ...findOtherKeys(raw, connection.apiKey, io),
    address,
    edition: read.edition ?? 'document',
    endpoint:
      read.endpoint ?? address?.endpoint ?? (read.basePath === undefined ? undefined : ENDPOINT_WITHOUT_NAME),
    mutant: text(raw, 'mutant'),
    replayOptions: replayedOptions(raw, address === undefined ? EMBEDDED_OPTIONS : REMOTE_OPTIONS),
    cleanOptions: replayedOptions(raw, CLEAN_OPTIONS),
  };
  checkTogether(settings);
  return settings;
}

const REMOTE_OPTIONS: OptionTable = { ...TARGET_OPTIONS, ...CONFIG };
/** A dialect changes the embedded endpoint; another target is only compared with it. */
const EMBEDDED_OPTIONS: OptionTable = {
  ...REMOTE_OPTIONS,
  dialect: { ...DIALECT.dialect, replayed: true },
};

function replayedOptions(raw: RawOptions, table: OptionTable): readonly string[] {
  return Object.entries(table).flatMap(([name, { type, array, replayed }]) => {
    const key = camelCase(name);
    if (replayed === undefined) return [];
    if (type === 'boolean') return flag(raw, key) ? [`--${name}`] : [];
    const values = array === true ? texts(raw, key) : texts(raw, key).slice(-1);
    if (replayed === true) return values.flatMap((value) => [`--${name}`, value]);
    // What is not shown is read again from the configuration file.
    return texts(raw, CONFIGURED).includes(key)
      ? []
      : values.flatMap((value) => [`--${name}`, replayed(value)]);
  });
}

/** The name in reports of an endpoint whose address contains no id. */
const ENDPOINT_WITHOUT_NAME = 'endpoint';

function checkTogether({
  address,
  endpoint,
  otherEndpoint,
  basePath,
  controlUrl,
  mutant,
  apiKey,
  webhookUrl,
  webhookListen,
  speed,
  callsPerSecond,
}: TargetSettings): void {
  if (address === undefined) {
    const ofTargets = { control: controlUrl, 'base-path': basePath, endpoint };
    const others = { 'other-endpoint': otherEndpoint, speed, 'calls-per-second': callsPerSecond };
    for (const [option, value] of Object.entries({ ...ofTargets, ...others }))
      if (value !== undefined)
        throw new UsageError(
          `--${option} requires the URL of the target: ${program()} check ${YOUR_ADDRESS}`,
        );
    return;
  }
  if (mutant !== undefined)
    throw new UsageError(
      `--mutant plants a bug in the emulator: omit the URL, or start a faulty server by "${program()} serve --mutant ${quoteForShell(mutant)}" and check its address`,
    );
  if (basePath !== undefined && address.endpoint !== null)
    throw new UsageError(
      `with --base-path, the URL must not contain /v2/<endpoint_id>: use ${address.baseUrl}`,
    );
  if (callsPerSecond !== undefined && controlUrl !== undefined)
    throw new UsageError('--calls-per-second is for real time: omit it or --control');
  if (basePath !== undefined && controlUrl !== undefined)
    throw new UsageError('test control creates endpoints under /v2: omit --base-path or --control');
  if (address.endpoint !== null && address.endpoint !== endpoint) {
    throw new UsageError(
      `the URL says endpoint "${address.endpoint}", --endpoint says "${endpoint ?? ''}": omit one of them`,
    );
  }
  if (endpoint === undefined && controlUrl === undefined) {
    throw new UsageError(
      `the endpoint is missing: add --endpoint ID, or use the address ${address.baseUrl}/v2/ID; if paths contain no endpoint id, add --base-path /`,
    );
  }
  if (otherEndpoint !== undefined && controlUrl !== undefined)
    throw new UsageError('test control makes a second endpoint: omit --other-endpoint or --control');
  if (otherEndpoint !== undefined && (basePath !== undefined || otherEndpoint === endpoint))
    throw new UsageError('--other-endpoint has to be another one than that in the path of the target');
  if (otherEndpoint !== undefined && /[/?#\s]/.test(otherEndpoint))
    throw new UsageError(
      `--other-endpoint "${otherEndpoint}" contains characters that a path cannot contain`,
    );
  if (endpoint !== undefined && /[/?#\s]/.test(endpoint))
    throw new UsageError(`--endpoint "${endpoint}" contains characters that a path cannot contain`);
  // On this machine the key of our own `serve` is tried.
  if (apiKey === undefined && !isLoopbackUrl(address.baseUrl)) throw new UsageError(NO_KEY);
  if (webhookUrl !== undefined && webhookListen === undefined) {
    throw new UsageError(
      '--webhook-url requires --webhook-listen HOST:PORT, where calls to that address arrive',
    );
  }
}
