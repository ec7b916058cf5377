import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { Hono } from 'hono';
import type { CoreReply } from '../core/api.js';
import { program } from '../program-name.js';
import { createApiCalls, toResponse, writeReply } from './calls/api-call.js';
import { createCallLog } from './calls/call-log.js';
import type { Faults, InjectedFault } from './faults/faults.js';
import type { TestEndpoints } from './faults/test-faults.js';
import { CONTROL_PATH, createControl } from './clock/control.js';
import { createKeyCheck } from './calls/keys.js';
import type { Host } from './host.js';
import type { LoggedCall } from './logged-call.js';
import { METRICS_PATH, type ServerMetrics } from './metrics.js';
import { combineObservers } from './observer.js';
import { createPage } from './page/index.js';
import { createQueueDepths } from './page/queue-depths.js';
import { callState, jobState, pageState } from './page/state.js';
import { untilEnded } from './page/until-ended.js';
import { createWebhookLog } from './page/webhook-log.js';
import { checkAppOptions, DEFAULT_ENDPOINTS, LOCAL_API_KEY, type AppOptions } from './options.js';
import type { SocketBindings } from './calls/read-json.js';
import { createRecorder } from './recorder.js';
import { createServerLog, type ServerLog } from './server-log.js';
import { createRefusal, createRefuse, JSON_TYPE, type Refusal } from './calls/refusals.js';
import { createTestControls, type TestControls } from './clock/test-controls.js';
import { createPullCalls } from './pull/pull-calls.js';
import { createResendWebhook } from './webhooks/resend-webhook.js';
import type { Store } from './store/store.js';
import { createEndpointRuntime } from './composition-root.js';

/** The endpoint as a fetch handler, with its clock, handlers and webhooks. It opens no port. @public */
export interface App extends TestControls, AsyncDisposable {
  /** Bodies with a larger declared size are refused unread. */
  readonly bodyBytesMax: number;
  /** An error answer in the edition's wording, for input that never becomes a request. */
  readonly refusal: Refusal;
  /** `bindings` holds Node's request and response when the call came over a socket. */
  fetch(request: Request, bindings?: SocketBindings): Response | Promise<Response>;
  /** As `fetch`, for a request whose path begins with `/v2/`; the answer is written to the socket. */
  callOverSocket(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void>;
  /**
   * Stops handlers and timers. Pending calls are answered as if their `wait` had elapsed, new calls with 503.
   * Webhook calls in progress get a few seconds to finish.
   */
  close(): Promise<void>;
}

/** What is created before the app, since it is loaded only when needed. @internal */
export interface AppDependencies {
  readonly metrics?: ServerMetrics;
  /**
   * Where jobs are stored, so that another app can continue with them; null: not stored. It is closed with
   * the app.
   */
  readonly store?: Store | null;
  /** Whether the page lets its user act; false where other machines can reach the server. Default: true. */
  readonly pageActs?: boolean;
  /** Makes the faults on demand of calls over sockets; default: none. @param nowMs the endpoint's clock */
  readonly makeFaults?: (
    nowMs: () => number,
    log: (fault: InjectedFault) => void,
    endpoints: TestEndpoints,
  ) => Faults;
}

/** Answers 200 without a key once the server listens, for whatever waits for it; 503 while it answers all calls 500. */
const READY_PATH = '/_ready';

/** In real time the page's chart of the queue has no finer steps. */
const DEPTH_SPACING_MS = 250;

/** How long answers and webhook calls in progress may take to finish when the server stops. */
const DRAIN_MAX_MS = 5_000;

/**
 * The endpoint as a fetch handler in this process. It opens no port.
 *
 * @throws {RunproofError} `usage`
 *
 * @example
 *     import { createApp, LOCAL_API_KEY } from 'runproof';
 *
 *     const app = createApp({ endpoints: ['test'] });
 *     const reply = await app.fetch(
 *       new Request('http://localhost/v2/test/health', { headers: { authorization: LOCAL_API_KEY } }),
 *     );
 *     console.log(reply.status);
 *     await app.close();
 *
 * @public
 */
export function createApp(
  options: AppOptions = {},
  { metrics, store = null, makeFaults, pageActs = true }: AppDependencies = {},
): App {
  checkAppOptions(options);
  const {
    endpoints = DEFAULT_ENDPOINTS,
    workers = options.workersUnlessSaid ?? 1,
    jobsPerWorker = 1,
    onError = console.error,
  } = options;
  const serverLog = createServerLog(options, store !== null);
  const watching = watch(options, metrics, serverLog, {
    nowAt: (path) => clocks.hostAt(path).view().nowMs,
    jobsAtOnce: () => workersAt(host, endpoints[0] ?? '') * jobsPerWorker,
  });
  const { observer, recorder, log } = watching;
  const offered = keysOf(options);
  const logFault = (fault: InjectedFault): void => {
    // The entry of a call has its fault.
    if (fault.job !== null) serverLog.add({ fault: { ...fault, job: fault.job } }, fault.atMs);
  };
  const put = (id: string): void => host.endpoints.put(id, workers, jobsPerWorker);
  const ofTests: TestEndpoints = { put, delete: (id) => clocks.delete(id) };
  const faults = makeFaults?.(() => host.view().nowMs, logFault, ofTests) ?? null;
  const runtime = createEndpointRuntime(options, offered.keys, { observer, store, faults });
  const { host, control, clocks, rules, bodyBytesMax } = runtime;
  const seen = combineObservers([watching.webhooks, serverLog]);
  const resendWebhook = createResendWebhook(() => host.view(), runtime.webhooks, seen);
  for (const id of endpoints) if (host.endpoints.get(id) === null) put(id);

  const app: OwnRoutes = new Hono();
  addPage(app, options, pageActs, { watching, runtime, faults, resendWebhook });
  const hasKey = createKeyCheck(options.apiKeys ?? [LOCAL_API_KEY]);
  if (offersControl(options)) {
    const { speed = 1 } = options;
    const persisted = (): Promise<void> => host.persisted();
    const { keysToTry } = offered;
    app.route(
      CONTROL_PATH,
      createControl({ endpoints: clocks, speed, hasKey, persisted, keysToTry, faults }),
    );
  }
  const refusal = createRefusal(rules);
  const refuse = createRefuse(rules);
  let stopping: CoreReply | null = null;
  const api = createApiCalls({
    hostAt: (path) => clocks.hostAt(path),
    observer,
    refuse,
    refusal,
    pull: createPullCalls({
      pullAdapter: (id) => clocks.placeOf(id).pullAdapter(),
      hasKey,
      hasEndpoint: (id) => clocks.get(id) !== null,
      refuse,
      onAsk: defaultWorkersGiveWay(options, host),
      bodyBytesMax,
    }),
    faults,
    bodies: options.bodies === true || recorder !== null,
    bodyBytesMax,
    refusedAsStopping: () => stopping,
    rules,
  });
  addReadiness(app, host, options);
  if (metrics !== undefined) addMetrics(app, host, metrics);
  app.all('*', async (c) => {
    const { incoming, outgoing } = c.env;
    if (incoming === undefined || outgoing === undefined) return api.inProcess(c.req.raw);
    await api.overSocket(incoming, outgoing);
    return RESPONSE_ALREADY_SENT;
  });
  app.onError((error) => {
    onError(error);
    return toResponse(INTERNAL_ERROR);
  });

  const close = async (): Promise<void> => {
    stopping = {
      ...refusal(503, 'the server is stopping'),
      headers: { 'content-type': JSON_TYPE, connection: 'close' },
    };
    const hosts = clocks.all.map((place) => place.host);
    await atMost(DRAIN_MAX_MS, Promise.all(hosts.map((one) => one.drain())));
    for (const one of hosts) one.close(stopping);
    await runtime.close();
    await store?.close();
  };
  return {
    ...createTestControls(control, () => host.view(), log, recorder, resendWebhook),
    bodyBytesMax,
    refusal,
    fetch: (request, bindings = {}) => app.fetch(request, bindings),
    async callOverSocket(incoming, outgoing) {
      try {
        await api.overSocket(incoming, outgoing);
      } catch (error) {
        onError(error);
        writeReply(outgoing, INTERNAL_ERROR);
      }
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

type OwnRoutes = Hono<{ Bindings: SocketBindings }>;

/** What looks on: the log, what the page shows, the recorder, metrics. */
type Watching = ReturnType<typeof watch>;

function watch(
  options: AppOptions,
  metrics: ServerMetrics | undefined,
  serverLog: ServerLog,
  of: { nowAt(path: string): number; jobsAtOnce(): number },
) {
  const { speed = 1, apiKeys = [LOCAL_API_KEY], unpermittedKeys = [] } = options;
  const onCall = (call: LoggedCall): void => {
    options.onCall?.(call);
    // Commands ask so whether test control is offered.
    if (call.path !== CONTROL_PATH) serverLog.add({ call }, call.atMs);
  };
  const log = createCallLog(of.nowAt, onCall, options.bodies);
  const webhooks = createWebhookLog(serverLog.forwardedTo);
  const spacingMs = options.clock === 'controlled' ? 0 : DEPTH_SPACING_MS * speed;
  const depths = createQueueDepths(spacingMs, () => performance.now());
  const secrets = [...apiKeys, ...unpermittedKeys].filter((key) => key !== LOCAL_API_KEY);
  const recorder = options.record === true ? createRecorder(of.nowAt, of.jobsAtOnce, secrets) : null;
  const observer = combineObservers([
    ...(metrics === undefined ? [] : [metrics]),
    ...((options.page ?? 'off') === 'off' ? [] : [webhooks, depths]),
    ...[log, serverLog],
    ...(recorder === null ? [] : [recorder]),
  ]);
  return { log, serverLog, webhooks, depths, recorder, observer };
}

const offersControl = ({ control, clock }: AppOptions): boolean => control ?? clock === 'controlled';

/** The keys that are accepted, and those that test control tells. */
function keysOf(options: AppOptions) {
  const { apiKeys = [LOCAL_API_KEY], unpermittedKeys = [] } = options;
  // Test control offers keys to try; they are generated where none are configured.
  const made = (): string | null => (offersControl(options) ? randomBytes(16).toString('hex') : null);
  const otherUser = apiKeys[1] ?? made();
  const unpermitted = unpermittedKeys[0] ?? made();
  const joined = (given: readonly string[], more: string | null): readonly string[] => [
    ...new Set([...given, ...(more === null ? [] : [more])]),
  ];
  return {
    keys: { keys: joined(apiKeys, otherUser), unpermittedKeys: joined(unpermittedKeys, unpermitted) },
    keysToTry: { otherUser, unpermitted },
  };
}

function addPage(
  app: OwnRoutes,
  options: AppOptions,
  pageActs: boolean,
  of: {
    readonly watching: Watching;
    readonly runtime: ReturnType<typeof createEndpointRuntime>;
    readonly faults: Faults | null;
    readonly resendWebhook: ReturnType<typeof createResendWebhook>;
  },
): void {
  const { page = 'off', speed = 1, edition = 'document', apiKeys = [LOCAL_API_KEY] } = options;
  if (page === 'off') return;
  const { watching, faults, resendWebhook } = of;
  const { host, control: clock } = of.runtime;
  const { recorder, webhooks, depths } = watching;
  const acts = page === 'open' && pageActs;
  const sources = {
    ...{ host, clock, speed, edition, faults, acts, depths },
    keyInShell: options.apiKeys === undefined ? LOCAL_API_KEY : '$RUNPROOF_API_KEY',
    program: program(),
    calls: () => watching.log.calls().filter(({ path }) => path !== CONTROL_PATH),
    records: recorder !== null,
  };
  app.route(
    '/',
    createPage({
      access: page,
      acts,
      hasKey: createKeyCheck(apiKeys),
      state: (filter) => pageState(sources, filter),
      log: watching.serverLog,
      call: (number) => callState(sources, number),
      job: (endpoint, id) => jobState(sources, webhooks.of(id), endpoint, id),
      script: recorder && recorder.script,
      resendWebhook,
      advanceUntilEnded: clock && untilEnded(clock, () => host.view(), options.handler !== undefined),
      clock,
      faults,
    }),
  );
}

/**
 * When a user's own worker connects to an endpoint, its default scripted workers give way, so that they take no jobs from it;
 * explicitly configured workers stay.
 */
function defaultWorkersGiveWay(
  { workers, handler, endpoints = DEFAULT_ENDPOINTS }: AppOptions,
  host: Host,
): (endpoint: string) => void {
  const byDefault = new Set(workers === undefined && handler === undefined ? endpoints : []);
  return (id) => {
    if (byDefault.delete(id)) host.endpoints.setWorkers(id, 0);
  };
}

/** Also says without a key what this is: a client of ours goes by it. */
function addReadiness(app: OwnRoutes, host: Host, { edition = 'document', speed = 1 }: AppOptions): void {
  app.get(READY_PATH, (c) => {
    const { refusal } = host;
    return refusal === null
      ? c.json({ ready: true, emulator: 'runproof', edition, speed })
      : c.json({ ready: false, ...Object(refusal.body) }, 503);
  });
}

function addMetrics(app: OwnRoutes, host: Host, metrics: ServerMetrics): void {
  app.get(METRICS_PATH, async (c) => {
    c.header('content-type', metrics.contentType);
    return c.body(await metrics.text(host.view().service.snapshot(0)));
  });
}

/** Those that `serve` starts, or those of the user's own that are there. */
function workersAt(host: Host, endpoint: string): number {
  const found = host
    .view()
    .service.snapshot(0)
    .find(({ id }) => id === endpoint);
  const { starting = 0, idle = 0, running = 0, restarting = 0 } = found?.workers ?? {};
  return Math.max(host.endpoints.get(endpoint)?.workers ?? 0, starting + idle + running + restarting);
}

const INTERNAL_ERROR: CoreReply = {
  status: 500,
  headers: { 'content-type': JSON_TYPE },
  body: { error: 'internal error' },
};

function atMost(ms: number, work: Promise<unknown>): Promise<unknown> {
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise((resolve) => (timer = setTimeout(resolve, ms)));
  return Promise.race([work, over]).finally(() => clearTimeout(timer));
}
