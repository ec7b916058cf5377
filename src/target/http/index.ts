/**
 * `target/http/` promises to run scripts against any implementation at any address, in real time or under test
 * control, and to leave nothing behind there. It never judges, retries or follows what it is told to send.
 */
import { createRealClock } from '../../time/real-clock.js';
import { otherKeysIn } from '../authorization.js';
import { parseAddress } from './address.js';
import type { Address } from './address.js';
import { ClientRateLimiter } from '../../schedule/rate-limiter.js';
import { capabilitiesOf } from './capabilities.js';
import { HttpClient } from '../session/http-client.js';
import { Connection } from './connection.js';
import { Control, ControlError } from './control.js';
import { stopAfter } from './ending.js';
import { ClockControl } from './clock/clock-control.js';
import { TargetError } from '../errors.js';
import { CapabilityProbe } from './probes/capability-probe.js';
import { limitsOf, REAL_EARLY_MS, speedOf, timeoutDefaultOf, tolerated } from './limits.js';
import { latencyOf, NO_LATENCY, noWorkerTook } from '../../schedule/latency.js';
import type { HttpTarget } from './http-target.js';
import type { HttpTargetOptions } from './options.js';
import { findOtherKeys } from './other-keys.js';
import { authorizationOf, probeAuth, probeReach } from './probes/probe-auth.js';
import type { AuthForm } from './probes/probe-auth.js';
import { probeEndpoint } from './probes/probe-endpoint.js';
import { WAITED_FOR_MS } from './clock/clock-steps.js';
import { askWorkerCounts } from './probes/worker-counts.js';
import { findWorker } from './probes/probe-worker.js';
import { startReceiver } from './start-receiver.js';
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
export type { OtherKeys } from '../authorization.js';
export type { Proxies } from './connection.js';
export { endJobs } from './end-jobs.js';
export { dryRun, estimateDuration, scriptCost } from '../simulator/dry-run.js';
export type { DurationEstimate } from '../../schedule/duration-estimate.js';
export { hasNoWorkers, NO_LATENCY, noWorkerTook, WITHOUT_WORKERS } from '../../schedule/latency.js';

const TIMEOUT_MS = 30_000;
const PROBE_ENDPOINT = 'runproof-probe';

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
  const clockControl = control?.hasClock === true ? await ClockControl.of(control, receiver) : null;

  const speed = speedOf(options, control);
  const ownEndpoints = control?.hasEndpoints === true;
  if (ownEndpoints) await control.putEndpoint(PROBE_ENDPOINT, 2);
  const basePath =
    options.basePath === undefined ? null : { endpoint: endpointOf(address), path: options.basePath };
  const probe = new CapabilityProbe({
    connection,
    origin: address.origin,
    prefix: address.prefix,
    basePath,
    endpoint: ownEndpoints ? PROBE_ENDPOINT : endpointOf(address),
    timeoutMs,
    signal: options.signal,
  });
  const notes: string[] = [];
  const auth = await findAuth(probe, options);
  const otherKeys = await findOtherKeys(control, options, probe, auth, notes);
  const authorization = authorizationOf(auth, options.apiKey);
  const asked = clockControl === null ? probe : probe.within(WAITED_FOR_MS);
  const createdJobs = ownEndpoints ? null : (options.createdJobs ?? null);
  await probeEndpoint(asked, authorization, options.sampleInput, ownEndpoints, createdJobs);
  if (options.otherEndpoint !== undefined && !ownEndpoints)
    await probeEndpoint(
      asked.at(options.otherEndpoint),
      authorization,
      options.sampleInput,
      false,
      createdJobs,
    );
  // Before the probe of the worker, whose jobs may start some.
  const shown = ownEndpoints ? null : (await askWorkerCounts(probe, authorization)).atWork;
  const workers = ownEndpoints ? null : (options.workers ?? (shown === 0 ? null : shown));
  const worker = await findWorker(asked, authorization, options, clockControl, ownEndpoints, notes);
  const { scripted, queuedMs } = worker;
  const noWorkers =
    options.workers === undefined &&
    queuedMs !== null &&
    (await askWorkerCounts(probe, authorization)).atWork === 0;
  if (noWorkers) notes.push(`${noWorkerTook(queuedMs)}.`);
  const dispatchMs = noWorkers ? Infinity : worker.dispatchMs;
  if (ownEndpoints) await control.deleteEndpoint(PROBE_ENDPOINT);

  const limits = limitsOf(
    options,
    speed,
    clockControl !== null,
    ownEndpoints ? null : (workers ?? 1),
    probe.slowestMs,
  );
  const { maxWaitMs } = limits;
  const measured = clockControl !== null ? NO_LATENCY : latencyOf(probe.repliesMs, dispatchMs, speed);
  const { callsPerSecond } = options;
  if (callsPerSecond !== undefined && !(callsPerSecond > 0))
    throw new RangeError(`callsPerSecond must be above 0, not ${callsPerSecond}`);
  const paced = callsPerSecond === undefined ? measured : { ...measured, callsPerSecond };
  const latency = noWorkers ? { ...paced, maxWaitMs, queuedMs } : paced;
  const realClock = createRealClock(0, speed);
  const rateLimiter =
    ownEndpoints || clockControl !== null
      ? null
      : new ClientRateLimiter(() => realClock.nowMs(), {
          secondMs: 1_000 * speed,
          ...(callsPerSecond === undefined ? {} : { callsPerSecond }),
        });
  const newClient = (): HttpClient =>
    new HttpClient(connection, {
      prefix: address.prefix,
      basePath,
      apiKey: options.apiKey,
      isFarAway: clockControl?.isSlow === true,
      speed,
      ...otherKeys,
    });
  const context: TargetContext = {
    client: newClient(),
    newClient,
    receiver,
    control,
    ownEndpoints,
    ownClocks: false,
    endpoint: ownEndpoints ? null : endpointOf(address),
    otherEndpoint: options.otherEndpoint ?? null,
    dedicated: options.dedicated === true,
    workers,
    latency,
    speed,
    maxWaitMs,
    auth,
    sampleInput: scripted ? null : (options.sampleInput ?? {}),
    timeoutMs,
    createdJobs,
    rateLimiter,
    cleanup: {
      connection,
      prefix: address.prefix,
      basePath,
      authorization,
      timeoutMs,
      rateLimiter,
      speed,
    },
  };
  const realTimeDriver = new RealTimeDriver({
    clock: realClock,
    control: ownEndpoints ? control : null,
    rateLimiter,
    timeoutMs,
  });
  return {
    kind: 'http',
    name:
      address.origin +
      address.prefix +
      (context.endpoint === null ? '' : (options.basePath ?? `/v2/${context.endpoint}`)),
    capabilities: capabilitiesOf(options, {
      scripted,
      ownEndpoints,
      clock: clockControl !== null,
      receiver,
      noWorkers: shown === 0,
      otherKeys: otherKeysIn(otherKeys),
    }),
    clock: clockControl !== null ? 'controlled' : 'real',
    speed,
    limits,
    earlyMs: clockControl !== null ? 0 : tolerated(REAL_EARLY_MS, speed),
    executionTimeoutDefaultMs: timeoutDefaultOf(options, ownEndpoints),
    ...(scripted || options.sampleInput === undefined ? {} : { sampleInput: options.sampleInput }),
    ...(receiver === null ? {} : { webhooksAt: receiver.own }),
    auth,
    workers,
    latency,
    network:
      clockControl?.isFarAway !== true
        ? null
        : {
            replyMs: latencyOf(probe.repliesMs, null).replyMs,
            hasEndpointClocks: clockControl.playsAtOnce(ownEndpoints),
          },
    keys: [options.apiKey, otherKeys.unpermittedApiKey, otherKeys.otherApiKey].filter(
      (key) => typeof key === 'string',
    ),
    notes,
    async run(scripts, sink, runOptions = {}) {
      const done = stopAfter(runOptions.signal, stop);
      try {
        return clockControl !== null
          ? await clockControl.run(context, scripts, sink, runOptions)
          : await runInRealTime(context, realTimeDriver, scripts, sink, runOptions);
      } finally {
        done();
      }
    },
    close: () => closeAll(closers),
    [Symbol.asyncDispose]: () => closeAll(closers),
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

async function findAuth(probe: CapabilityProbe, options: HttpTargetOptions): Promise<AuthForm> {
  const wanted = options.auth ?? 'auto';
  if (wanted === 'auto') return probeAuth(probe, options.apiKey);
  await probeReach(probe, authorizationOf(wanted, options.apiKey));
  return wanted;
}

function endpointOf(address: Address): string {
  if (address.endpoint !== null) return address.endpoint;
  throw new TargetError(
    'configuration',
    'The endpoint is missing',
    'Give --endpoint ID, or an address that ends in /v2/<endpoint_id>',
  );
}

async function closeAll(closers: (() => Promise<void>)[]): Promise<void> {
  for (const close of closers.splice(0).reverse()) await close();
}
