/** Servers with one fault each, as their owner would start them. */
import { isFaultId } from '../../specs/naive/faults/index.js';
import { startNaive } from '../../specs/naive/server.js';
import { rulesFor } from '../../src/core/rules.js';
import { MUTANTS } from '../../src/mutants/index.js';
import { startServer } from '../../src/server/index.js';
import { requirement } from '../../src/spec/index.js';

export type FaultyServer = 'naive' | 'mutant';
/** `real`: one shared endpoint of six workers, known by its address alone. */
export type PrecisionMode = 'real' | 'control' | 'simulator';

export interface Faulty {
  readonly server: FaultyServer;
  /** Null: without a fault. */
  readonly fault: string | null;
  readonly mode: PrecisionMode;
}

/** Workers of the shared endpoint. */
const WORKERS = 6;
export const ENDPOINT = 'test';

interface Started {
  readonly url: string;
  readonly apiKey: string;
  readonly controlUrl: string | null;
  close(): Promise<void>;
}

export function startFaulty(faulty: Faulty): Promise<Started> {
  return faulty.server === 'naive' ? naiveServer(faulty) : ownServer(faulty);
}

async function naiveServer({ fault, mode }: Faulty): Promise<Started> {
  if (fault !== null && !isFaultId(fault)) throw new Error(`there is no fault ${fault}`);
  return startNaive({
    ...(mode === 'control'
      ? { clock: 'controlled' }
      : { clock: 'real', endpoints: false, endpointId: ENDPOINT, workers: WORKERS }),
    ...(fault === null ? {} : { fault }),
  });
}

async function ownServer({ fault, mode }: Faulty): Promise<Started> {
  const server = await startServer({
    rules: rulesOf(fault),
    onError: () => {},
    ...(mode === 'control'
      ? { clock: 'controlled', endpoints: [] }
      : { clock: 'real', control: false, endpoints: [ENDPOINT], workers: WORKERS }),
  });
  const { url, controlUrl } = server;
  return { url, controlUrl, apiKey: server.apiKeys[0]!, close: () => server.close() };
}

/** Of our own core. */
export function rulesOf(fault: string | null): ReturnType<typeof rulesFor> {
  const base = rulesFor({}, 'document');
  if (fault === null) return base;
  const mutant = MUTANTS.find(({ id }) => id === fault);
  if (mutant === undefined) throw new Error(`there is no mutant ${fault}`);
  return mutant.rules(base);
}

/** Of an endpoint on which a fault of starting workers shows; null: its workers are there from the beginning. */
export function scalingOf(fault: string | null): typeof FROM_ZERO | null {
  const mutant = MUTANTS.find(({ id }) => id === fault);
  const needs = mutant === undefined ? [] : requirement(mutant.breaks[0]).needs;
  return needs.includes('scales-from-zero') ? FROM_ZERO : null;
}

const FROM_ZERO = {
  min: 0,
  coldStartMs: 3_000,
  idleTimeoutMs: 5_000,
  scaler: { kind: 'queue-delay', delayMs: 4_000 },
} as const;
