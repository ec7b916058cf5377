/** The connections to a target: to its API, to its test control, and the receiver of its webhook calls. */
import { TargetError } from '../errors.js';
import { parseAddress, type Address } from './address.js';
import { ClockControl } from './clock/clock-control.js';
import { Connection } from './connection.js';
import { Control } from './control.js';
import { stopAfter } from './ending.js';
import { speedOf } from './limits.js';
import type { HttpTargetOptions } from './options.js';
import type { WebhookReceiver } from '../session/webhook-receiver.js';
import { startReceiver } from './start-receiver.js';
import { isLoopback } from '../../util/address.js';

const TIMEOUT_MS = 30_000;

export interface Lines {
  readonly address: Address;
  /** The path that stands for `/v2/<endpoint_id>`; null: that is the path. */
  readonly basePath: { readonly endpoint: string; readonly path: string } | null;
  readonly connection: Connection;
  readonly control: Control | null;
  /** Test control, if it makes endpoints: then each script has one of its own. */
  readonly ownEndpoints: Control | null;
  readonly clockControl: ClockControl | null;
  /** Null where the target cannot reach it. */
  readonly receiver: WebhookReceiver | null;
  readonly speed: number;
  readonly timeoutMs: number;
  /** Breaks off all calls. */
  readonly stop: () => void;
}

/** @param closers is given what closes each connection, as soon as it is open */
export async function openLines(
  options: HttpTargetOptions,
  closers: (() => Promise<void>)[],
): Promise<Lines> {
  const address = parseAddress(options.url, options.endpoint);
  const timeoutMs = options.timeoutMs ?? TIMEOUT_MS;
  const connection = await Connection.to(address.origin, options);
  closers.push(() => connection.close());
  const lines: { stop(): void }[] = [connection];
  const stop = (): void => {
    for (const line of lines) line.stop();
  };
  closers.push(async () => forget());
  const forget = stopAfter(options.signal, stop);
  const control = await connectControl(options, timeoutMs, lines, closers);
  const receiver = await startReceiver(options, address, control?.hasClock === true, closers);
  const isElsewhere = options.controlUrl !== undefined && !isSameServer(new URL(options.controlUrl), address);
  const clockControl =
    control?.hasClock === true ? await ClockControl.of(control, receiver, isElsewhere) : null;
  return {
    address,
    basePath:
      options.basePath === undefined ? null : { endpoint: endpointOf(address), path: options.basePath },
    connection,
    control,
    ownEndpoints: control?.hasEndpoints === true ? control : null,
    clockControl,
    receiver,
    speed: speedOf(options, control),
    timeoutMs,
    stop,
  };
}

async function connectControl(
  options: HttpTargetOptions,
  timeoutMs: number,
  lines: { stop(): void }[],
  closers: (() => Promise<void>)[],
): Promise<Control | null> {
  if (options.controlUrl === undefined) return null;
  const control = await Control.at(options.controlUrl, options.apiKey, timeoutMs, options);
  lines.push(control);
  closers.push(() => control.close());
  await control.connect();
  return control;
}

/** @throws {TargetError} `configuration`: neither the address nor an option names it */
export function endpointOf(address: Address): string {
  if (address.endpoint !== null) return address.endpoint;
  throw new TargetError(
    'configuration',
    'The endpoint is missing',
    'Give --endpoint ID, or an address that ends in /v2/<endpoint_id>',
  );
}

/** The same origin, or the same port of this machine by another name. */
function isSameServer(control: URL, { origin }: Address): boolean {
  const calls = new URL(origin);
  const areLocal = [control, calls].every(({ hostname }) => isLoopback(hostname));
  return control.origin === origin || (areLocal && control.port === calls.port);
}
