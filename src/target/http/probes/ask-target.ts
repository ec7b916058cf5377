/** Asks a target, before a run, for all that its plan depends on: keys, operations, workers, how fast it replies. */
import { noWorkerTook } from '../../../schedule/latency.js';
import type { OtherKeys } from '../../authorization.js';
import type { CreatedJobs } from '../../session/created-jobs.js';
import { WAITED_FOR_MS } from '../clock/clock-steps.js';
import { endpointOf, type Lines } from '../open-lines.js';
import type { HttpTargetOptions } from '../options.js';
import { findOtherKeys } from '../other-keys.js';
import { CapabilityProbe } from './capability-probe.js';
import { authorizationOf, probeAuth, probeReach, type AuthForm } from './probe-auth.js';
import { probeEndpoint } from './probe-endpoint.js';
import { findWorker } from './probe-worker.js';
import { askWorkerCounts } from './worker-counts.js';

const PROBE_ENDPOINT = 'runproof-probe';

export interface Found {
  readonly auth: AuthForm;
  readonly otherKeys: OtherKeys;
  readonly authorization: string | null;
  readonly createdJobs: CreatedJobs | null;
  /** Of the endpoint that scripts share; null: not known. */
  readonly workers: number | null;
  /** `/health` showed no worker before the probe submitted a job. */
  readonly startsFromZero: boolean;
  readonly scripted: boolean;
  /** From the submission of a job to its start, ms; `Infinity`: no worker took it; null: not known. */
  readonly dispatchMs: number | null;
  /** How long the jobs of the probe waited, if no worker took them; otherwise null. */
  readonly neverTakenMs: number | null;
  /** How long each reply took, ms. */
  readonly repliesMs: readonly number[];
  readonly slowestReplyMs: number;
  /** For people. */
  readonly notes: readonly string[];
}

/** @throws {TargetError} when the target cannot be used at all */
export async function askTarget(lines: Lines, options: HttpTargetOptions): Promise<Found> {
  const { ownEndpoints, control, clockControl } = lines;
  await ownEndpoints?.putEndpoint(PROBE_ENDPOINT, 2);
  const probe = probeOf(lines, options);
  const notes: string[] = [];
  const auth = await findAuth(probe, options);
  const otherKeys = await findOtherKeys(control, options, probe, auth, notes);
  const authorization = authorizationOf(auth, options.apiKey);
  const asked = clockControl === null ? probe : probe.within(WAITED_FOR_MS);
  const hasOwn = ownEndpoints !== null;
  const createdJobs = hasOwn ? null : (options.createdJobs ?? null);
  await probeEndpoint(asked, authorization, options.sampleInput, hasOwn, createdJobs);
  if (options.otherEndpoint !== undefined && !hasOwn) {
    const other = asked.at(options.otherEndpoint);
    await probeEndpoint(other, authorization, options.sampleInput, false, createdJobs);
  }
  // Before the probe of the worker, whose jobs may start some.
  const shown = hasOwn ? null : (await askWorkerCounts(probe, authorization)).atWork;
  const worker = await findWorker(asked, authorization, options, clockControl, hasOwn, notes);
  const isIdle =
    options.workers === undefined &&
    worker.queuedMs !== null &&
    (await askWorkerCounts(probe, authorization)).atWork === 0;
  const neverTakenMs = isIdle ? worker.queuedMs : null;
  if (neverTakenMs !== null) notes.push(`${noWorkerTook(neverTakenMs)}.`);
  await ownEndpoints?.deleteEndpoint(PROBE_ENDPOINT);
  return {
    ...{ auth, otherKeys, authorization, createdJobs, neverTakenMs, notes },
    workers: hasOwn ? null : (options.workers ?? (shown === 0 ? null : shown)),
    startsFromZero: shown === 0,
    scripted: worker.scripted,
    dispatchMs: neverTakenMs === null ? worker.dispatchMs : Infinity,
    repliesMs: probe.repliesMs,
    slowestReplyMs: probe.slowestMs,
  };
}

function probeOf(lines: Lines, options: HttpTargetOptions): CapabilityProbe {
  const { address, connection, basePath, ownEndpoints, timeoutMs } = lines;
  return new CapabilityProbe({
    connection,
    origin: address.origin,
    prefix: address.prefix,
    basePath,
    endpoint: ownEndpoints === null ? endpointOf(address) : PROBE_ENDPOINT,
    timeoutMs,
    signal: options.signal,
  });
}

async function findAuth(probe: CapabilityProbe, options: HttpTargetOptions): Promise<AuthForm> {
  const wanted = options.auth ?? 'auto';
  if (wanted === 'auto') return probeAuth(probe, options.apiKey);
  await probeReach(probe, authorizationOf(wanted, options.apiKey));
  return wanted;
}
