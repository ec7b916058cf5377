/**
 * The simulator as a target: scripts run one after the other on one virtual clock, each on an endpoint
 * of its own. What a script meets depends on the seed and on the script alone, not on those before it.
 */
import { EXECUTION_TIMEOUT_DEFAULT_MS } from '../../spec/limits.js';
import { CAPABILITIES } from '../../spec/capability-words.js';
import type { Limits, Script } from '../../scenario/script.js';
import type { OutgoingCall } from '../../runner/api.js';
import { createScriptRunner } from '../../runner/script-runner.js';
import type { Delay } from '../../sim/delay.js';
import { createSimulatedService } from '../../sim/simulated-service.js';
import type { SimulatedServiceOptions } from '../../sim/simulated-service.js';
import { createSimulation } from '../../sim/simulation.js';
import type { Scaling, SimulationOptions } from '../../sim/simulation.js';
import { createRandom } from '../../time/random.js';
import type { HistorySink, RunOptions, RunProgress, RunSummary, Target } from '../port.js';
import { WEBHOOKS_AT } from './webhook-stub.js';
import { runScript } from './script-run.js';
import type { SimulatorRunContext } from './script-run.js';
import { SIMULATOR_KEYS } from './core-request.js';

/**
 * The service, the world around it, and the client; without options all of them are in time and lose nothing.
 *
 * @public
 */
export interface SimulatorOptions
  extends
    Omit<SimulatedServiceOptions, 'keys' | 'unpermittedKeys'>,
    Omit<SimulationOptions, 'service' | 'random' | 'startMs'> {
  /** Any safe integer. */
  readonly seed: number;
  /** How the client shows its key where a script does not say. Default `bare`. */
  readonly auth?: 'bare' | 'bearer' | undefined;
  /** `hidden` as over a real network: the client learns nothing of a request before its reply. Default `known`. */
  readonly arrivals?: 'known' | 'hidden' | undefined;
  /** How long the client waits for an answer. Default 30 s; calls that may wait get the longest `wait` on top. */
  readonly timeoutMs?: number | undefined;
  /** When the client gives a call up, where that is sooner; null: it is as patient with it as with others. */
  readonly givesUpAfterMs?: ((call: OutgoingCall) => number | null) | undefined;
  /** The lateness that counts as conformant. Default: as late as anything in the simulation can be. */
  readonly graceMs?: number | undefined;
  /** As an endpoint's owner states it, ms; null: it is not stated. Default: the document's 10 minutes. */
  readonly executionTimeoutDefaultMs?: number | null | undefined;
  readonly eventsMaxPerScript?: number | undefined;
  /**
   * The workers of an endpoint come and go, up to as many as the script needs; how many there are is then unknown.
   * Default: they are there.
   */
  readonly scaling?: (Omit<Scaling, 'max'> & { readonly jobsPerWorker?: number }) | undefined;
}

/** The simulator as a target: it also runs without promises, and has a fingerprint. @public */
export interface SimulatorTarget extends Target, AsyncDisposable {
  /** As `run`, without a promise: for explorers and property tests. */
  runSynchronously(
    scripts: readonly Script[],
    sink: HistorySink,
    options?: Omit<RunOptions, 'concurrency'>,
  ): RunSummary;
  /** Rolling hash of everything that has happened on it. */
  fingerprint(): string;
  readonly eventCount: number;
}

const DAY_MS = 86_400_000;
const CLIENT_TIMEOUT_MS = 30_000;
/** The longest `wait` of `/runsync` (section 4.1). */
const LONGEST_WAIT_MS = 300_000;
const EVENTS_MAX = 2_000_000;
const OFFERED = CAPABILITIES.filter((each) => each !== 'second-endpoint');

/**
 * The simulator as a target: virtual time, no I/O. The same seed and scripts give the same history.
 *
 * @example
 *     import { drawPlan, runScripts, scenario, simulatorTarget } from 'runproof';
 *
 *     const target = simulatorTarget({ seed: 1 });
 *     const two = scenario({
 *       title: 'two jobs, one of which is cancelled',
 *       exercises: ['4.5/this-job-only'],
 *       script: (_, s) => [s.run('kept'), s.run('cancelled'), s.cancel('cancelled'), s.status('kept')],
 *     });
 *     const { scripts } = drawPlan([{ name: 'own/two', ...two }], target, 1, 1);
 *     const { events } = await runScripts(target, scripts, { seed: 1, edition: 'document', runproof: '0.1.0' });
 *     console.log(events.length, target.fingerprint());
 *     await target.close();
 *
 * @public
 */
export function simulatorTarget(options: SimulatorOptions): SimulatorTarget {
  const random = createRandom(options.seed);
  let lateness = random;
  const { apiKey, otherApiKey, unpermittedApiKey } = SIMULATOR_KEYS;
  const keys = { keys: [apiKey, otherApiKey], unpermittedKeys: [unpermittedApiKey] };
  const service = createSimulatedService({ ...options, ...keys }, () => lateness);
  const simulation = createSimulation({ ...options, service, random });
  const timeoutMs = options.timeoutMs ?? CLIENT_TIMEOUT_MS;
  let calls = 0;
  let ticks = 0;
  const context: Omit<SimulatorRunContext, 'sink' | 'createRunner'> = {
    simulation,
    auth: options.auth ?? 'bare',
    scaling: options.scaling ?? null,
    arrivalsKnown: options.arrivals !== 'hidden',
    timeoutMs: (call) => options.givesUpAfterMs?.(call) ?? timeoutMs + (call.mayWait ? LONGEST_WAIT_MS : 0),
    eventsMax: options.eventsMaxPerScript ?? EVENTS_MAX,
    nextCall: () => calls++,
    nextTick: () => ticks++,
  };

  function* running(
    scripts: readonly Script[],
    sink: HistorySink,
    { createRunner = createScriptRunner, firstScript = 0, signal, onProgress }: RunOptions = {},
  ): Generator<void, RunSummary> {
    const startMs = simulation.nowMs();
    const startCalls = calls;
    const aborted: { script: number; reason: string }[] = [];
    let finished = 0;
    for (const [index, script] of scripts.entries()) {
      if (signal?.aborted) break;
      const number = firstScript + index;
      const tell = (kind: RunProgress['kind'], ended: number): void =>
        onProgress?.({ kind, script: number, scenario: script.scenario, ended, total: scripts.length });
      tell('script-started', index);
      lateness = random.fork(`${script.scenario}#${script.seed}`).fork('timers');
      const outcome = runScript({ ...context, sink, createRunner }, script, number);
      if (outcome.outcome === 'played') finished += 1;
      else aborted.push({ script: number, reason: outcome.reason });
      tell('script-ended', index + 1);
      yield;
    }
    return {
      finished,
      aborted,
      calls: calls - startCalls,
      elapsedMs: simulation.nowMs() - startMs,
      leftBehind: [],
    };
  }

  return {
    kind: 'simulator',
    name: `simulator (edition ${options.edition ?? 'document'})`,
    capabilities: OFFERED.filter(
      (one) =>
        !(one === 'scripted-worker' && options.workers?.handler) &&
        !(one === 'worker-count-known' && options.scaling) &&
        !(one === 'scales-from-zero' && options.scaling?.min !== 0),
    ),
    clock: 'virtual',
    limits: simulatorLimits(options),
    earlyMs: 0,
    executionTimeoutDefaultMs:
      options.executionTimeoutDefaultMs === undefined
        ? EXECUTION_TIMEOUT_DEFAULT_MS
        : options.executionTimeoutDefaultMs,
    webhooksAt: WEBHOOKS_AT,
    async run(scripts, sink, runOptions) {
      const steps = running(scripts, sink, runOptions);
      for (let next = steps.next(); ; next = steps.next()) {
        if (next.done) return next.value;
        // Between two scripts a signal may come in and a progress display may draw.
        await new Promise((resolve) => setImmediate(resolve));
      }
    },
    runSynchronously(scripts, sink, runOptions) {
      const steps = running(scripts, sink, runOptions);
      for (let next = steps.next(); ; next = steps.next()) if (next.done) return next.value;
    },
    close: async () => {},
    [Symbol.asyncDispose]: async () => {},
    fingerprint: () => simulation.fingerprint(),
    get eventCount() {
      return simulation.eventCount;
    },
  };
}

/** Probes keep as far from deadlines as messages can be delayed, on top of the lateness of timers and workers. */
export function simulatorLimits(options: SimulatorOptions): Limits {
  const { requestMs = 0, replyMs = 0 } = options.latency ?? {};
  const lateMs = [options.timersLateMs ?? 0, options.dispatchMs ?? 0, options.workers?.lateMs ?? 0];
  const graceMs = options.graceMs ?? Math.max(...lateMs.map(longest));
  return {
    graceMs,
    // A probe just at the end of what is excused decides nothing.
    marginMs: graceMs + longest(requestMs) + longest(replyMs) + 1,
    maxWaitMs: 8 * DAY_MS,
    maxWorkers: 16,
  };
}

function longest(delay: Delay): number {
  return typeof delay === 'number' ? delay : delay.toMs;
}
