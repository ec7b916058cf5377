/** How the target of a command is reached, as its settings and the environment say it. */
import type { Edition } from '../../spec/types.js';
import type { Proxies } from '../../target/http/index.js';
import { UsageError } from '../../util/errors.js';
import { program } from '../../program-name.js';
import { quoteForShell } from '../../report/escape.js';
import { isLoopbackUrl } from '../../util/address.js';
import { parseAddress, YOUR_ADDRESS, type Address } from './address.js';
import { findApiKey, findOtherKeys } from './api-key.js';
import type { Io } from '../io.js';
import { replayedWords, settingsIn, type Given, type OptionTable, type Settings } from './option.js';
import {
  type API_KEY,
  AUTH,
  CONFIG,
  CONNECTION_OPTIONS,
  DIALECT,
  NETWORK_OPTIONS,
  TARGET_OPTIONS,
} from './option-table.js';
import { proxiesIn } from '../proxies.js';

const CONNECTION = { ...NETWORK_OPTIONS, ...AUTH };

/** What is needed to reach a target, besides its address. */
export interface ConnectionSettings extends Settings<typeof CONNECTION> {
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
  /** Test control that was found at its usual address, and is not used. */
  readonly unusedControlUrl?: string | undefined;
  /** Options for `replay` to reach the target again, without the address, the key and the values of headers. */
  readonly replayOptions: readonly string[];
  /** The same for `clean`. */
  readonly cleanOptions: readonly string[];
}

type Connecting = Settings<typeof CONNECTION & typeof API_KEY> & { readonly url?: string | undefined };

/** @throws {UsageError} */
export function connectionSettings(settings: Connecting, io: Io): ConnectionSettings {
  return {
    apiKey: findApiKey(settings, io),
    ...settingsIn(CONNECTION, settings),
    proxies: settings.proxy === undefined ? proxiesIn(io, settings.url) : undefined,
  };
}

export const NO_KEY = 'the API key is missing: set RUNPROOF_API_KEY, or add --api-key-file FILE';

type Targeting = Settings<typeof TARGET_OPTIONS> & {
  readonly url?: string | undefined;
  readonly mutant?: string | undefined;
};

/** @throws {UsageError} */
export function targetSettings(settings: Targeting, io: Io, given: Given): TargetSettings {
  const { url, edition = 'document', endpoint, basePath, mutant } = settings;
  const address = url === undefined ? undefined : parseAddress(url);
  const connection = connectionSettings(settings, io);
  const target = {
    ...settingsIn(TARGET_OPTIONS, settings),
    ...connection,
    ...findOtherKeys(settings, connection.apiKey, io),
    address,
    edition,
    endpoint: endpoint ?? address?.endpoint ?? (basePath === undefined ? undefined : ENDPOINT_WITHOUT_NAME),
    mutant,
    replayOptions: replayedWords(given, address === undefined ? EMBEDDED_OPTIONS : REMOTE_OPTIONS),
    cleanOptions: replayedWords(given, CONNECTION_OPTIONS),
  };
  checkTogether(target);
  return target;
}

const REMOTE_OPTIONS: OptionTable = { ...TARGET_OPTIONS, ...CONFIG };
/** A dialect changes the embedded endpoint; another target is only compared with it. */
const EMBEDDED_OPTIONS: OptionTable = {
  ...REMOTE_OPTIONS,
  dialect: { ...DIALECT.dialect, replayed: true },
};

/** The name in reports of an endpoint whose address contains no id. */
const ENDPOINT_WITHOUT_NAME = 'endpoint';

function checkTogether(target: TargetSettings): void {
  const { address } = target;
  const refused =
    address === undefined ? ofNoTarget(target) : REFUSED.map((each) => each({ ...target, address }));
  const told = refused.find((each) => each !== false);
  if (told !== undefined) throw new UsageError(told);
}

/** Why an option cannot be used; false: it can. */
type Refusal = string | false;

const isSaid = (...values: readonly unknown[]): boolean => values.every((value) => value !== undefined);

/** Options that mean nothing without an address. */
function ofNoTarget(target: TargetSettings): readonly Refusal[] {
  const { controlUrl, basePath, endpoint, otherEndpoint, speed, callsPerSecond } = target;
  const ofTargets = { control: controlUrl, 'base-path': basePath, endpoint };
  const others = { 'other-endpoint': otherEndpoint, speed, 'calls-per-second': callsPerSecond };
  return Object.entries({ ...ofTargets, ...others }).map(
    ([option, value]) =>
      isSaid(value) && `--${option} requires the URL of the target: ${program()} check ${YOUR_ADDRESS}`,
  );
}

/** Of an address that goes on after its endpoint, as that of an operation does; null: it does not. */
function longerBy(baseUrl: string): string | null {
  const [, endpoint, rest] = /^(.*?\/v2\/[^/]+)(\/.+)$/.exec(baseUrl) ?? [];
  return endpoint === undefined ? null : `the address is too long: use ${endpoint}, without ${rest}`;
}

/** What does not go together at an address: the first that is so is told. */
const REFUSED: readonly ((target: TargetSettings & { readonly address: Address }) => Refusal)[] = [
  ({ mutant }) =>
    mutant !== undefined &&
    `--mutant plants a bug in the emulator: omit the URL, or start a faulty server by "${program()} serve --mutant ${quoteForShell(mutant)}" and check its address`,
  ({ basePath, address: { baseUrl, endpoint } }) =>
    isSaid(basePath) &&
    endpoint !== null &&
    `with --base-path, the URL must not contain /v2/<endpoint_id>: use ${baseUrl}`,
  ({ callsPerSecond, controlUrl }) =>
    isSaid(callsPerSecond, controlUrl) && '--calls-per-second is for real time: omit it or --control',
  ({ basePath, controlUrl }) =>
    isSaid(basePath, controlUrl) && 'test control creates endpoints under /v2: omit --base-path or --control',
  ({ address, endpoint = '' }) =>
    address.endpoint !== null &&
    address.endpoint !== endpoint &&
    `the URL says endpoint "${address.endpoint}", --endpoint says "${endpoint}": omit one of them`,
  ({ endpoint, controlUrl, address: { baseUrl } }) =>
    !isSaid(endpoint) &&
    !isSaid(controlUrl) &&
    (longerBy(baseUrl) ??
      `the endpoint is missing: add --endpoint ID, or use the address ${baseUrl}/v2/ID; if paths contain no endpoint id, add --base-path /`),
  ({ otherEndpoint, controlUrl }) =>
    isSaid(otherEndpoint, controlUrl) &&
    'test control makes a second endpoint: omit --other-endpoint or --control',
  ({ otherEndpoint, endpoint, basePath }) =>
    isSaid(otherEndpoint) &&
    (isSaid(basePath) || otherEndpoint === endpoint) &&
    '--other-endpoint has to be another one than that in the path of the target',
  ({ otherEndpoint }) => notInPath('other-endpoint', otherEndpoint),
  ({ endpoint }) => notInPath('endpoint', endpoint),
  // On this machine the key of our own `serve` is tried.
  ({ apiKey, address }) => !isSaid(apiKey) && !isLoopbackUrl(address.baseUrl) && NO_KEY,
  ({ webhookUrl, webhookListen }) =>
    isSaid(webhookUrl) &&
    !isSaid(webhookListen) &&
    '--webhook-url requires --webhook-listen HOST:PORT, where calls to that address arrive',
];

const notInPath = (option: string, id = ''): Refusal =>
  /[/?#\s]/.test(id) && `--${option} "${id}" contains characters that a path cannot contain`;
