import { randomUUID } from 'node:crypto';
import { rulesFor, type Rules } from '../core/rules.js';
import { fixedScaling } from '../core/workers/scaling.js';
import type { SavedState } from '../core/saved/saved.js';
import { uuidLike } from '../core/ids.js';
import { createService, type DurableService, type ServiceOptions } from '../core/service.js';
import type { Clock } from '../time/clock.js';
import { createRealClock } from '../time/real-clock.js';
import { createDeadlineTimer } from './clock/deadline-timer.js';
import { BODY_SLACK_BYTES } from './calls/api-call.js';
import { createControlledClock } from './clock/controlled-clock.js';
import { EndpointClocks, type ClockedPlace, type Place } from './clock/endpoint-clocks.js';
import type { Faults } from './faults/faults.js';
import { createFaultyRunner } from './faults/faulty-runner.js';
import { createFaultyWebhooks } from './faults/faulty-webhooks.js';
import { createFunctionRunner } from './handlers/function-runner.js';
import { createScriptedRunner } from './handlers/scripted-runner.js';
import type { CreateRunner, HandlerRunner } from './handlers/handler-runner.js';
import { Host } from './host.js';
import type { HostOptions } from './host-options.js';
import { createKeyComparison } from './calls/keys.js';
import type { ServerObserver } from './observer.js';
import { checkDialect, DEFAULT_ENDPOINTS, type AppOptions } from './options.js';
import { PullAdapter } from './pull/pull-adapter.js';
import { createDurableHost, type MakeHost } from './store/durable-host.js';
import { startMs, type Store } from './store/store.js';
import { createWebhookCaller, WEBHOOK_TIMEOUT_MS, type WebhookCaller } from './webhooks/webhook-caller.js';

/** The core with everything that drives it: clock, handlers, webhooks, storage. */
export interface EndpointRuntime extends Place {
  readonly rules: Rules;
  readonly clocks: EndpointClocks;
  /** Larger bodies are not read. */
  readonly bodyBytesMax: number;
  /** Calls webhooks without faults on demand. */
  readonly webhooks: WebhookCaller;
  close(): Promise<void>;
}

export interface RuntimeParts {
  readonly observer: Required<ServerObserver>;
  /** Where the service is stored; null: nowhere. */
  readonly store: Store | null;
  /** Faults on demand; null without them. */
  readonly faults: Faults | null;
}

/** Upper bound, whatever the rules allow. */
const BODY_BYTES_MAX = 64 * 1024 * 1024;

/** The output of a user's handler is what it returns, also where it streams. */
const OWN_HANDLER_READINGS = { '4.4/final-output': 'handler-return' };

export function createEndpointRuntime(
  options: AppOptions,
  keys: Pick<ServiceOptions, 'keys' | 'unpermittedKeys'>,
  { observer, store, faults }: RuntimeParts,
): EndpointRuntime {
  const { edition = 'document', handler } = options;
  const dialect = { ...(handler && OWN_HANDLER_READINGS), ...options.dialect };
  const usual = rulesFor(checkDialect(dialect), edition);
  const own = typeof options.rules === 'function' ? options.rules(usual) : options.rules;
  const { speed = 1 } = options;
  const asked: Rules = { ...usual, ...own };
  const rules = speed === 1 ? asked : { ...asked, ...atRealPace(asked, speed) };
  // What is stored is stored with the time of the server's clock.
  const hasEndpointClocks = options.clock === 'controlled' && store === null;
  let idsMade = 0;
  const makeService = (saved: SavedState | null): DurableService =>
    createService({
      ...keys,
      keysEqual: createKeyComparison(),
      rules,
      // Under a controlled clock the same calls give the same ids, no two of which are alike. In real time ids stay
      // unique across restarts.
      ...(options.clock !== 'controlled' && { nextJobId: () => randomUUID() }),
      ...(hasEndpointClocks && { nextJobId: () => uuidLike(++idsMade) }),
      tracks: store === null ? 'nothing' : options.clock === 'controlled' ? 'changes-and-time' : 'changes',
      ...(saved && { restored: saved }),
    });
  const { webhookReach: reach, onOutOfReach } = options;
  // Under test control a call has 10 real seconds, whatever the dialect says (contract test-control, rule 2).
  const usualMs = options.clock === 'controlled' ? WEBHOOK_TIMEOUT_MS : rules.webhookTimeoutMs();
  const caller = createWebhookCaller({
    timeoutMs: options.webhookTimeoutMs ?? usualMs,
    ...(reach && { reach }),
    ...(onOutOfReach && { onOutOfReach }),
    ...(options.forwardWebhooks !== undefined && { forwardTo: options.forwardWebhooks }),
  });
  const webhooks = faults === null ? caller : createFaultyWebhooks(caller, faults);
  const createFaultless =
    handler === undefined ? createScriptedRunner : createFunctionRunner(handler, options.onHandlerError);
  const createOwn = faults === null ? createFaultless : createFaultyRunner(createFaultless, faults);
  const largest = Math.max(rules.bodyBytesMax('run'), rules.bodyBytesMax('runsync'));
  const shared = {
    rules,
    bodyBytesMax: Math.min(largest + BODY_SLACK_BYTES, BODY_BYTES_MAX),
    webhooks: caller,
  };

  /** What creates a host on a clock, and the adapter for remote workers of that host. */
  function hostMaker(
    own: ServerObserver,
    onNextDue?: HostOptions['onNextDue'],
  ): { readonly hostOn: (clock: Clock) => Host; readonly pullAdapter: () => PullAdapter } {
    let pullAdapter!: PullAdapter;
    const createRunner: CreateRunner = (ports) => {
      pullAdapter = new PullAdapter(ports, options.pollMs);
      return combineRunners(createOwn(ports), pullAdapter);
    };
    const hostOn = (clock: Clock) =>
      hostOf({ clock, createRunner, webhooks, observer: own, ...(onNextDue && { onNextDue }) });
    return { hostOn, pullAdapter: () => pullAdapter };
  }

  function hostOf(hostOptions: Omit<HostOptions, 'service'>): Host {
    if (store === null) return new Host({ ...hostOptions, service: makeService(null) });
    const { onError = console.error } = options;
    const makeHost: MakeHost = (service, journal) => new Host({ ...hostOptions, service, journal });
    const read = (): SavedState | null => withConfiguredWorkers(store.read(), options);
    return createDurableHost({ store, read, makeService, makeHost, onError });
  }
  const beginMs = store === null ? 0 : startMs(store, options.clock ?? 'real', speed, Date.now());

  if (options.clock === 'controlled') {
    const place = (own: ServerObserver, fromMs: number): ClockedPlace => {
      const { hostOn, pullAdapter } = hostMaker(own, undefined);
      return { ...createControlledClock(hostOn, fromMs), pullAdapter };
    };
    const main = place(observer, beginMs);
    // What is shown of the server as a whole is shown at the time of its clock.
    const { started, webhookCalled } = observer;
    const clocks = new EndpointClocks(
      main,
      hasEndpointClocks ? () => place({ started, webhookCalled }, 0) : null,
    );
    return { ...shared, ...main, clocks, close: () => webhooks.close() };
  }

  const clock = createRealClock(beginMs, speed);
  const deadlineTimer = createDeadlineTimer(clock.realMsUntil, () => host.catchUp());
  const { hostOn, pullAdapter } = hostMaker(observer, (atMs) => deadlineTimer.set(atMs));
  const host = hostOn(clock);
  const main = { host, pullAdapter, control: null };
  return {
    ...shared,
    ...main,
    clocks: new EndpointClocks(main, null),
    close() {
      deadlineTimer.cancel();
      return webhooks.close();
    },
  };
}

/**
 * Combines the runner of built-in workers with that of remote ones; each attempt belongs to one of the two.
 */
function combineRunners(own: HandlerRunner, outside: HandlerRunner): HandlerRunner {
  return {
    start: (effect) => (effect.external ? outside : own).start(effect),
    stop(attempt) {
      own.stop(attempt);
      outside.stop(attempt);
    },
    settling() {
      const [one, other] = [own.settling(), outside.settling()];
      return one === null || other === null
        ? (one ?? other)
        : Promise.all([one, other]).then(() => undefined);
    },
    askEnded: (endpoint, worker) => outside.askEnded?.(endpoint, worker),
    close() {
      own.close();
      outside.close();
    },
  };
}

/** External workers send their signs of life in real time, however fast the time of the service runs. */
const atRealPace = ({ heartbeatTimeoutMs }: Rules, speed: number): Partial<Rules> => ({
  heartbeatTimeoutMs: (given) => Math.ceil(heartbeatTimeoutMs(given) * speed),
});

/**
 * Applies the configured number of workers to the stored endpoints that are served; all others keep theirs.
 */
function withConfiguredWorkers(saved: SavedState | null, options: AppOptions): SavedState | null {
  if (saved === null) return null;
  const { endpoints = DEFAULT_ENDPOINTS, workers: asked, jobsPerWorker } = options;
  const workers = typeof asked === 'number' ? fixedScaling(asked) : asked;
  const wanted = { ...(workers && { workers }), ...(jobsPerWorker && { jobsPerWorker }) };
  const have = (endpoint: SavedState['endpoints'][number]): SavedState['endpoints'][number] =>
    endpoints.includes(endpoint.id) ? { ...endpoint, ...wanted } : endpoint;
  return { ...saved, endpoints: saved.endpoints.map(have) };
}
