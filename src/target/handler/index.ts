/**
 * `target/handler/` promises to run scripts on a program's own `(Request) => Promise<Response>` in this process,
 * with its timers and dates under a clock that stands still between events. It gives the real ones back at the
 * end of every run, also after errors. It never judges.
 */
import type { Capability } from '../../spec/types.js';
import { DAY_MS } from '../../spec/limits.js';
import type { Target } from '../port.js';
import type { FetchHandler, FreshHandlers, HandlerInstance } from './handler.js';
import { HANDLER_KEY } from './options.js';
import type { HandlerTargetOptions } from './options.js';
import { HandlerRun } from './handler-run.js';

export { fromInject, type InjectApp } from './from-inject.js';
export { fromNodeHandler, type NodeHandler } from './from-node-handler.js';
export type { FetchHandler, FreshEndpoint, FreshHandlers, HandlerInstance } from './handler.js';
export type { HandlerTargetOptions } from './options.js';

const GRACE_MS = 2_000;
const WORKERS_MAX = 16;

/**
 * An implementation in this process as a target. Give either a factory, `{ fresh: (wanted) => handler }`, so
 * that every script meets an endpoint of its own, or one handler that all scripts share; the factory checks more.
 * Under the clock of the play a `ttl` of seven days passes in milliseconds, so that the handler's `setTimeout`,
 * `setInterval`, `Date`, `performance.now` and `AbortSignal.timeout` must be those of the process.
 *
 * @example
 *     import { checkTarget, createApp, fetchTarget, scenario } from 'runproof';
 *
 *     // In place of `createApp`: what makes your own implementation.
 *     const target = fetchTarget({
 *       fresh: ({ endpoint, workers, apiKey }) =>
 *         createApp({ endpoints: [endpoint], workers, apiKeys: [apiKey!] }),
 *     });
 *     const health = scenario({
 *       title: 'reads the health record',
 *       exercises: ['4/operation-health'],
 *       script: (_, s) => [s.health()],
 *     });
 *     const { conforms } = await checkTarget(target, { scenarios: [{ name: 'own/health', ...health }] });
 *     await target.close();
 *     if (!conforms) process.exitCode = 1;
 *
 * @public
 */
export function fetchTarget(
  source: FetchHandler | HandlerInstance | FreshHandlers,
  options: HandlerTargetOptions = {},
): Target & AsyncDisposable {
  const isFresh = typeof source === 'object' && 'fresh' in source;
  const run = new HandlerRun(source, {
    ...options,
    apiKey: options.apiKey === undefined ? HANDLER_KEY : options.apiKey,
  });
  const graceMs = options.graceMs ?? GRACE_MS;
  return {
    kind: 'handler',
    name: options.name ?? 'handler in process',
    // A default key is no secret: it is written in this file.
    keys: [options.apiKey, options.unpermittedApiKey, options.otherApiKey].filter(
      (key) => typeof key === 'string',
    ),
    capabilities: capabilitiesOf(options, isFresh),
    clock: 'controlled',
    limits: {
      graceMs,
      marginMs: graceMs + 1,
      maxWaitMs: options.maxWaitMs ?? 8 * DAY_MS,
      maxWorkers: isFresh ? WORKERS_MAX : (options.workers ?? 1),
    },
    earlyMs: 0,
    run: (scripts, sink, runOptions = {}) => run.run(scripts, sink, runOptions),
    close: () => run.close(),
    [Symbol.asyncDispose]: () => run.close(),
  };
}

/** This run is the only user of the handler, so it may be loaded and purged, also where scripts share it. */
function capabilitiesOf(options: HandlerTargetOptions, isFresh: boolean): readonly Capability[] {
  return [
    ...(options.worker === 'scripted' ? (['scripted-worker'] as const) : []),
    'test-control',
    'webhook-reachable',
    'dedicated',
    'load-allowed',
    'endpoint-in-path',
    ...(options.unpermittedApiKey === undefined ? [] : (['unpermitted-key'] as const)),
    ...(options.otherApiKey === undefined ? [] : (['other-user-key'] as const)),
    ...(isFresh ? (['worker-count-known'] as const) : []),
  ];
}
