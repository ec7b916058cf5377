import { createApp, type App, type AppDependencies } from './app.js';
import { CONTROL_PATH } from './clock/control.js';
import { createFaults, type Faults, type InjectedFault } from './faults/faults.js';
import type { FaultsByCall } from './faults/test-faults.js';
import { FaultSyntaxError, parseRule } from './faults/grammar.js';
import { loadHandler } from './handlers/load-handler.js';
import { createHostHeaderCheck } from './calls/host-header-check.js';
import type { Listening } from '../wire/listen.js';
import { listenFor } from './http-server.js';
import { createServerMetrics } from './metrics.js';
import {
  checkServerOptions,
  OptionsError,
  LOCAL_API_KEY,
  type AppOptions,
  type ServerOptions,
} from './options.js';
import type { ClockKind, DataFolder } from './store/data-folder.js';
import { isLoopback } from '../util/address.js';
import type { TestControls } from './clock/test-controls.js';

/** A server that listens, with its addresses. @public */
export interface RunningServer extends TestControls, AsyncDisposable {
  /** The `{base_url}` of the document, without a trailing slash. */
  readonly url: string;
  /** Address of test control; null where it is not offered. */
  readonly controlUrl: string | null;
  /** Address of the live page; null where there is none. */
  readonly pageUrl: string | null;
  readonly port: number;
  /** Accepted API keys. */
  readonly apiKeys: readonly string[];
  /** A message about a damaged data folder that was salvaged; null where nothing was damaged. */
  readonly salvaged: string | null;
  /**
   * Injects one more fault, such as `'status:#1=503'`: docs/emulator.md describes the notation. The function that it
   * returns removes it. @throws {RunproofError} `usage` if the notation is wrong, or beyond loopback
   */
  addFault(rule: string): () => void;
  /**
   * Faults for the calls of one test, and an endpoint of its own: `faultsForTest({ status: ['503', '429:2s'] })`. The test
   * calls the endpoint `id`, or sends `id` in the header `x-runproof-fault`. `pending()` tells which faults no call has met
   * yet; `remove()` removes them and the endpoint. @throws {RunproofError} `usage` if the notation is wrong, or beyond
   * loopback
   */
  faultsForTest(faults: FaultsByCall): {
    readonly id: string;
    pending(): FaultsByCall;
    remove(): void;
  };
  /**
   * Stops listening, frees the port, and closes the app (`App.close`); connections still open then are
   * closed.
   */
  close(): Promise<void>;
}

/** Options of a server whose clock is moved. @public */
export interface ControlledOptions extends ServerOptions {
  readonly clock: 'controlled';
  readonly control?: true;
}

/** A server whose clock is moved, by code or by test control. @public */
export interface ControlledServer extends RunningServer {
  readonly controlUrl: string;
}

/** How long responses in progress may take to finish when the server closes. */
const CLOSE_GRACE_MS = 1_000;

/** Loaded where data is kept. */
async function openStore(data: string, clock: ClockKind = 'real', salvage?: boolean): Promise<DataFolder> {
  const { openDataFolder } = await import('./store/data-folder.js');
  return openDataFolder(data, clock, salvage);
}

/**
 * Serves the endpoint over HTTP. @throws {RunproofError} `usage`, or the system's error when the port is taken
 *
 * @example
 *     import { LOCAL_API_KEY, startServer } from 'runproof';
 *
 *     const server = await startServer({ handler: ({ input }) => ({ echo: input }) });
 *     const reply = await fetch(`${server.url}/v2/test/runsync`, {
 *       method: 'POST',
 *       headers: { authorization: LOCAL_API_KEY, 'content-type': 'application/json' },
 *       body: JSON.stringify({ input: { name: 'Ada' } }),
 *     });
 *     console.log(await reply.json());
 *     await server.close();
 *
 * @public
 */
export function startServer(options: ControlledOptions): Promise<ControlledServer>;
export function startServer(options?: ServerOptions): Promise<RunningServer>;
export async function startServer(options: ServerOptions = {}): Promise<RunningServer> {
  checkServerOptions(options);
  const { port = 0, host = '127.0.0.1', handler, data, salvage, metrics = false, ...appOptions } = options;
  const run = typeof handler === 'string' ? await loadHandler(handler) : handler;
  const { webhookReach = isLoopback(host) ? 'loopback' : 'public' } = options;
  const page = options.page ?? (isLoopback(host) ? 'open' : 'off');
  const store = data === undefined ? null : await openStore(data, options.clock, salvage);
  const faults: { current: Faults | null } = { current: null };
  const makeFaults = faultsMaker(options);
  const app = await makeApp(
    { ...appOptions, page, webhookReach, ...(run && { handler: run }) },
    {
      store,
      pageActs: isLoopback(host),
      ...(makeFaults && { makeFaults: (...of) => (faults.current = makeFaults(...of)) }),
      ...(metrics ? { metrics: await createServerMetrics() } : {}),
    },
  );
  let listening: Listening;
  try {
    const hostHeaderCheck = createHostHeaderCheck(options);
    listening = await listenFor(app, { host, port }, { hostHeaderCheck });
  } catch (error) {
    await app.close();
    throw error;
  }
  const { localUrl: url } = listening;
  const offersControl = options.control ?? options.clock === 'controlled';
  const injecting = (): Faults => {
    if (faults.current === null) throw new OptionsError('faults are injected on loopback only');
    return faults.current;
  };
  const close = (): Promise<void> => listening.close(CLOSE_GRACE_MS, () => app.close());
  const { nowMs, advance, advanceToNext, nextDueMs, calls, recordedScript, jobs, resendWebhook } = app;
  return {
    url,
    controlUrl: offersControl ? url + CONTROL_PATH : null,
    pageUrl: page === 'off' ? null : `${url}/`,
    port: listening.port,
    apiKeys: options.apiKeys ?? [LOCAL_API_KEY],
    salvaged: store?.salvaged ?? null,
    ...{ nowMs, advance, advanceToNext, nextDueMs, calls, recordedScript, jobs, resendWebhook },
    addFault(rule) {
      const injected = injecting();
      const id = withoutSyntaxErrors(() => injected.add(rule));
      return () => injected.remove(id);
    },
    faultsForTest(given) {
      const { ofTests } = injecting();
      const { id } = withoutSyntaxErrors(() => ofTests.add(given));
      return { id, pending: () => ofTests.get(id)?.pending ?? {}, remove: () => void ofTests.remove(id) };
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** Faults on demand, on loopback only: undefined elsewhere. @throws OptionsError */
function faultsMaker(options: ServerOptions): AppDependencies['makeFaults'] {
  const { host = '127.0.0.1', faults = [], seed = 1, onFault } = options;
  if (!isLoopback(host)) return undefined;
  withoutSyntaxErrors(() => faults.forEach(parseRule));
  return (nowMs, log, endpoints) => {
    const onAny = (fault: InjectedFault): void => {
      onFault?.(fault);
      log(fault);
    };
    return createFaults(faults, seed, nowMs, onAny, endpoints);
  };
}

/** @throws OptionsError for a wrong notation */
function withoutSyntaxErrors<T>(reads: () => T): T {
  try {
    return reads();
  } catch (error) {
    throw error instanceof FaultSyntaxError ? new OptionsError(error.message) : error;
  }
}

/** Creates the app; closes the store, which unlocks its folder, when that fails. */
async function makeApp(options: AppOptions, extras: AppDependencies): Promise<App> {
  try {
    return createApp(options, extras);
  } catch (error) {
    await extras.store?.close();
    throw error;
  }
}
