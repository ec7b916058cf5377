/** The independent server with one of its faults, tried with the shipped suite over HTTP. */
import { EXECUTION_TIMEOUT_DEFAULT_MS } from '../../src/spec/limits.js';
import { isFaultId } from '../../specs/naive/faults/index.js';
import { FAULTS } from '../../specs/naive/faults/wrongs.js';
import { startNaive } from '../../specs/naive/server.js';
import { httpTarget, type HttpTargetOptions } from '../../src/target/http/index.js';
import { failedBy, type Failed } from './trial.js';

export interface NaiveTask {
  readonly kind: 'naive';
  /** Null: without a fault, where nothing may fail. */
  readonly fault: string | null;
  readonly clock: 'controlled' | 'real';
  /** In real time, and without test control: nothing else uses the endpoint. */
  readonly dedicated: boolean;
  readonly seed: number;
  readonly runs: number;
}

/** The longest wait of `--profile quick`. */
const QUICK_WAIT_MS = 70_000;
/** A call that a fault leaves unanswered is given up after so long. */
const TIMEOUT_MS = 10_000;
const WORKERS = 2;

export async function tryNaive({ fault, clock, dedicated, seed, runs }: NaiveTask): Promise<Failed> {
  if (fault !== null && !isFaultId(fault)) throw new Error(`there is no fault ${fault}`);
  const controlled = clock === 'controlled';
  const naive = await startNaive({
    clock,
    endpoints: controlled,
    ...(controlled ? {} : { workers: WORKERS }),
    ...(fault === null ? {} : { fault }),
  });
  try {
    const live: Partial<HttpTargetOptions> = {
      endpoint: naive.endpointId,
      dedicated,
      maxWaitMs: QUICK_WAIT_MS,
    };
    const target = await httpTarget({
      executionTimeoutDefaultMs: EXECUTION_TIMEOUT_DEFAULT_MS,
      url: naive.url,
      apiKey: naive.apiKey,
      worker: 'scripted',
      timeoutMs: TIMEOUT_MS,
      ...(controlled ? { controlUrl: naive.controlUrl } : live),
    });
    const section = FAULTS.find(({ id }) => id === fault)?.section;
    try {
      return await failedBy(target, {
        seed,
        runs,
        // In real time all scripts run side by side: together they take no longer than the longest wait.
        first: ({ name }) => !controlled || (section !== undefined && name.startsWith(`${section}/`)),
        enough: (failed) => failed.size > 0,
      });
    } finally {
      await target.close();
    }
  } finally {
    await naive.close();
  }
}
