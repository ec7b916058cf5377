import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { Hono } from 'hono';
import type { CoreReply } from '../core/api.js';
import { program } from '../program-name.js';
import { createApiCalls, toResponse, writeReply } from './api-call.js';
import { createCallLog } from './call-log.js';
import type { Faults } from './faults/faults.js';
import { CONTROL_PATH, createControl } from './control.js';
import { createKeyCheck } from './keys.js';
import type { Host } from './host.js';
import { METRICS_PATH, type Metrics } from './metrics.js';
import { combineObservers } from './observer.js';
import { createPage } from './page/index.js';
import { createQueueDepths } from './page/queue-depths.js';
import { callState, jobState, pageState } from './page/state.js';
import { untilEnded } from './page/until-ended.js';
import { createWebhookLog } from './page/webhook-log.js';
import { checkAppOptions, DEFAULT_ENDPOINTS, LOCAL_API_KEY, type AppOptions } from './options.js';
import type { SocketBindings } from './read-json.js';
import { createRecorder } from './recorder.js';
import { createRefusal, createRefuse, JSON_TYPE, type Refusal } from './refusals.js';
import { createTestControls, type TestControls } from './test-controls.js';
import { createPullCalls } from './pull/pull-calls.js';
import { createResendWebhook } from './resend-webhook.js';
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
  readonly metrics?: Metrics;
  /**
   * Where jobs are stored, so that another app can continue with them; null: not stored. It is closed with
   * the app.
   */
  readonly store?: Store | null;
  /** Whether the page lets its user act; false where other machines can reach the server. Default: true. */
  readonly pageActs?: boolean;
  /** Makes the faults on demand of calls over sockets; default: none. @param nowMs the endpoint's clock */
  readonly makeFaults?: (nowMs: () => number) => Faults;
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
    apiKeys = [LOCAL_API_KEY],
    onError = console.error,
  } = options;
  const log = createCallLog((path) => clocks.hostAt(path).view().nowMs, options.onCall, options.bodies);
  const page = options.page ?? 'off';
  const webhooks = createWebhookLog(() => host.view().nowMs);
  const { speed = 1, unpermittedKeys = [] } = options;
  const depths = createQueueDepths(options.clock === 'controlled' ? 0 : DEPTH_SPACING_MS * speed, () =>
    performance.now(),
  );
  const recorder =
    options.record === true
      ? createRecorder(
          (path) => clocks.hostAt(path).view().nowMs,
          () => workersAt(host, endpoints[0] ?? '') * jobsPerWorker,
          [...apiKeys, ...unpermittedKeys].filter((key) => key !== LOCAL_API_KEY),
        )
      : null;
  const observer = combineObservers([
    ...(metrics === undefined ? [] : [metrics]),
    ...(page === 'off' ? [] : [webhooks, depths]),
    log,
    ...(recorder === null ? [] : [recorder]),
  ]);
  const offersControl = options.control ?? options.clock === 'controlled';
  // Test control offers keys to try; they are generated where none are configured.
  const otherUser = apiKeys[1] ?? (offersControl ? randomBytes(16).toString('hex') : null);
  const unpermitted = unpermittedKeys[0] ?? (offersControl ? randomBytes(16).toString('hex') : null);
  const keys = {
    keys: [...new Set([...apiKeys, ...(otherUser === null ? [] : [otherUser])])],
    unpermittedKeys: [...new Set([...unpermittedKeys, ...(unpermitted === null ? [] : [unpermitted])])],
  };
  const faults = makeFaults?.(() => host.view().nowMs) ?? null;
  const runtime = createEndpointRuntime(options, keys, { observer, store, faults });
  const { host, control, clocks, rules, bodyBytesMax } = runtime;
  const resendWebhook = createResendWebhook(() => host.view(), runtime.webhooks, webhooks);
  for (const id of endpoints)
    if (host.endpoints.get(id) === null) host.endpoints.put(id, workers, jobsPerWorker);

  const app = new Hono<{ Bindings: SocketBindings }>();
  if (page !== 'off') {
    const keyInShell = options.apiKeys === undefined ? LOCAL_API_KEY : '$RUNPROOF_API_KEY';
    const { edition = 'document' } = options;
    const acts = page === 'open' && pageActs;
    const sources = {
      host,
      clock: control,
      speed,
      edition,
      keyInShell,
      program: program(),
      calls: log.calls,
      faults,
      acts,
      depths,
      records: recorder !== null,
    };
    app.route(
      '/',
      createPage({
        access: page,
        acts,
        hasKey: createKeyCheck(apiKeys),
        state: () => pageState(sources),
        call: (number) => callState(sources, number),
        job: (endpoint, id) => jobState(sources, webhooks.of(id), endpoint, id),
        script: recorder && recorder.script,
        resendWebhook,
        advanceUntilEnded: control && untilEnded(control, () => host.view(), options.handler !== undefined),
        clock: control,
        faults,
      }),
    );
  }
  const hasKey = createKeyCheck(apiKeys);
  if (offersControl) {
    app.route(
      CONTROL_PATH,
      createControl({
        endpoints: clocks,
        speed,
        hasKey,
        persisted: () => host.persisted(),
        keysToTry: { otherUser, unpermitted },
      }),
    );
  }
  const refusal = createRefusal(rules);
  const refuse = createRefuse(rules);
  // When a user's own worker connects, the default scripted worker gives way, so that it takes no jobs from
  // it; explicitly configured workers stay.
  const defaultWorkers = new Set(
    options.workers === undefined && options.handler === undefined ? endpoints : [],
  );
  const pull = createPullCalls({
    pullAdapter: (id) => clocks.placeOf(id).pullAdapter(),
    hasKey,
    hasEndpoint: (id) => clocks.get(id) !== null,
    refuse,
    onAsk: (id) => {
      if (defaultWorkers.delete(id)) host.endpoints.setWorkers(id, 0);
    },
    bodyBytesMax,
  });
  let stopping: CoreReply | null = null;
  const api = createApiCalls({
    hostAt: (path) => clocks.hostAt(path),
    observer,
    refuse,
    refusal,
    pull,
    faults,
    bodies: options.bodies === true || recorder !== null,
    bodyBytesMax,
    refusedAsStopping: () => stopping,
    rules,
  });
  app.get(READY_PATH, (c) => {
    const { refusal } = host;
    return refusal === null
      ? c.json({ ready: true })
      : c.json({ ready: false, ...Object(refusal.body) }, 503);
  });
  if (metrics !== undefined) {
    app.get(METRICS_PATH, async (c) => {
      c.header('content-type', metrics.contentType);
      return c.body(await metrics.text(host.view().service.snapshot(0)));
    });
  }
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
