/**
 * `target/http/` promises to run scripts against any implementation at any address, in real time or under test
 * control, and to leave nothing behind there. It never judges, retries or follows what it is told to send.
 */
import { createRealClock } from '../../time/real-clock.js';
import { otherKeysIn } from '../authorization.js';
import { ClientRateLimiter } from '../../schedule/rate-limiter.js';
import { capabilitiesOf } from './capabilities.js';
import { HttpClient } from '../session/http-client.js';
import { ControlError } from './control.js';
import { stopAfter } from './ending.js';
import { TargetError } from '../errors.js';
import { limitsOf, REAL_EARLY_MS, timeoutDefaultOf, tolerated } from './limits.js';
import { endpointOf, openLines, type Lines } from './open-lines.js';
import { askTarget, type Found } from './probes/ask-target.js';
import { latencyOf, NO_LATENCY, type Latency } from '../../schedule/latency.js';
import type { HttpTarget } from './http-target.js';
import type { HttpTargetOptions } from './options.js';
import { runInRealTime } from './real-time-run.js';
import { RealTimeDriver } from './real-time-driver.js';
import type { TargetContext } from './target-context.js';

export { TargetError } from '../errors.js';
export type { TargetProblem } from '../errors.js';
export type { HttpTarget } from './http-target.js';
export { findClockControl } from './probes/find-control.js';
export { overNetworkMs } from './clock/at-once.js';
export type { HttpTargetOptions } from './options.js';
export type { CreatedJobs } from '../session/created-jobs.js';
export type { Proxies } from './connection.js';
export { endJobs } from './end-jobs.js';
export { dryRun, estimateDuration, scriptCost } from '../simulator/dry-run.js';
export type { DurationEstimate } from '../../schedule/duration-estimate.js';
export { hasNoWorkers, NO_LATENCY, noWorkerTook, WITHOUT_WORKERS } from '../../schedule/latency.js';

/**
 * Connects to an implementation and finds out what it offers.
 *
 * @throws TargetError when it cannot be used at all: unreachable, the key refused, options that do not fit
 *
 * @example
 *     import { checkTarget, httpTarget, LOCAL_API_KEY, scenario, startServer } from 'runproof';
 *
 *     const server = await startServer({ clock: 'controlled' });
 *     const { url, controlUrl } = server;
 *     const target = await httpTarget({ url, apiKey: LOCAL_API_KEY, controlUrl });
 *     const exercises = ['4/operation-health'] as const;
 *     const health = scenario({ title: 'reads health', exercises, script: (_, s) => [s.health()] });
 *     const { conforms } = await checkTarget(target, { scenarios: [{ name: 'own/health', ...health }] });
 *     await target.close();
 *     await server.close();
 *     if (!conforms) process.exitCode = 1;
 *
 * @public
 */
export async function httpTarget(options: HttpTargetOptions): Promise<HttpTarget> {
  const closers: (() => Promise<void>)[] = [];
  try {
    return await connect(options, closers);
  } catch (error) {
    await closeAll(closers);
    if (error instanceof ControlError) {
      throw new TargetError('control', error.message, 'Check what the target offers for test control');
    }
    throw error;
  }
}

async function connect(options: HttpTargetOptions, closers: (() => Promise<void>)[]): Promise<HttpTarget> {
  const lines = await openLines(options, closers);
  const found = await askTarget(lines, options);
  const { address, clockControl, receiver, speed } = lines;
  const { scripted, workers } = found;
  const isControlled = clockControl !== null;
  const hasOwn = lines.ownEndpoints !== null;
  const limits = limitsOf(options, speed, isControlled, hasOwn ? null : (workers ?? 1), found.slowestReplyMs);
  const latency = latencyAt(lines, found, options, limits.maxWaitMs);
  const runner = runnerOf(lines, found, options, latency, limits.maxWaitMs);
  const { unpermittedApiKey, otherApiKey } = found.otherKeys;
  return {
    kind: 'http',
    name:
      address.origin + address.prefix + (hasOwn ? '' : (options.basePath ?? `/v2/${endpointOf(address)}`)),
    capabilities: capabilitiesOf(options, {
      scripted,
      ownEndpoints: hasOwn,
      clock: isControlled,
      receiver,
      noWorkers: found.startsFromZero,
      otherKeys: otherKeysIn(found.otherKeys),
    }),
    clock: isControlled ? 'controlled' : 'real',
    speed,
    limits,
    earlyMs: isControlled ? 0 : tolerated(REAL_EARLY_MS, speed),
    executionTimeoutDefaultMs: timeoutDefaultOf(options, hasOwn),
    ...(scripted || options.sampleInput === undefined ? {} : { sampleInput: options.sampleInput }),
    ...(receiver === null ? {} : { webhooksAt: receiver.own }),
    auth: found.auth,
    workers,
    latency,
    network:
      clockControl?.isFarAway !== true
        ? null
        : {
            replyMs: latencyOf(found.repliesMs, null).replyMs,
            hasEndpointClocks: clockControl.playsAtOnce(hasOwn),
          },
    keys: [options.apiKey, unpermittedApiKey, otherApiKey].filter((key) => typeof key === 'string'),
    notes: found.notes,
    async run(scripts, sink, runOptions = {}) {
      const done = stopAfter(runOptions.signal, lines.stop);
      try {
        return await runner(scripts, sink, runOptions);
      } finally {
        done();
      }
    },
    close: () => closeAll(closers),
    [Symbol.asyncDispose]: () => closeAll(closers),
  };
}

/** How long calls and jobs take there, for the plan. @throws {RangeError} for an impossible `callsPerSecond` */
function latencyAt(
  { clockControl, speed }: Lines,
  { repliesMs, dispatchMs, neverTakenMs }: Found,
  { callsPerSecond }: HttpTargetOptions,
  maxWaitMs: number,
): Latency {
  if (callsPerSecond !== undefined && !(callsPerSecond > 0))
    throw new RangeError(`callsPerSecond must be above 0, not ${callsPerSecond}`);
  const measured = clockControl === null ? latencyOf(repliesMs, dispatchMs, speed) : NO_LATENCY;
  return {
    ...measured,
    ...(callsPerSecond !== undefined && { callsPerSecond }),
    ...(neverTakenMs !== null && { maxWaitMs, queuedMs: neverTakenMs }),
  };
}

/** Runs scripts there: under its controlled clock, or in real time. */
function runnerOf(
  lines: Lines,
  found: Found,
  options: HttpTargetOptions,
  latency: Latency,
  maxWaitMs: number,
): HttpTarget['run'] {
  const { address, basePath, clockControl, connection, control, receiver, speed, timeoutMs } = lines;
  const { auth, authorization, createdJobs, otherKeys, scripted, workers } = found;
  const { prefix } = address;
  const { apiKey, callsPerSecond } = options;
  const ownEndpoints = lines.ownEndpoints !== null;
  const clock = createRealClock(0, speed);
  const rateLimiter =
    ownEndpoints || clockControl !== null
      ? null
      : new ClientRateLimiter(() => clock.nowMs(), {
          secondMs: 1_000 * speed,
          ...(callsPerSecond === undefined ? {} : { callsPerSecond }),
        });
  const isFarAway = clockControl?.isSlow === true;
  const newClient = (): HttpClient =>
    new HttpClient(connection, { prefix, basePath, apiKey, isFarAway, speed, ...otherKeys });
  const context: TargetContext = {
    client: newClient(),
    newClient,
    ...{ receiver, control, ownEndpoints, workers, latency, speed, maxWaitMs, auth, timeoutMs, createdJobs },
    ...{ rateLimiter, ownClocks: false },
    endpoint: ownEndpoints ? null : endpointOf(address),
    otherEndpoint: options.otherEndpoint ?? null,
    dedicated: options.dedicated === true,
    sampleInput: scripted ? null : (options.sampleInput ?? {}),
    cleanup: { connection, prefix, basePath, authorization, timeoutMs, rateLimiter, speed },
  };
  const driver = new RealTimeDriver({ clock, control: lines.ownEndpoints, rateLimiter, timeoutMs });
  return (scripts, sink, runOptions = {}) =>
    clockControl === null
      ? runInRealTime(context, driver, scripts, sink, runOptions)
      : clockControl.run(context, scripts, sink, runOptions);
}

async function closeAll(closers: (() => Promise<void>)[]): Promise<void> {
  for (const close of closers.splice(0).reverse()) await close();
}
