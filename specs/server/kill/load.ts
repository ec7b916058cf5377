import { Agent, request } from 'undici';
import type { RandomStream } from '../../../src/time/random.js';
import type { Known, Ledger, Told } from './ledger.js';

/** Clients that keep a server busy until they are told to stop; a server that goes away is no fault. */
export interface Load {
  /** Resolves when no call is under way any more. */
  stop(): Promise<void>;
}

export interface LoadOptions {
  readonly url: string;
  readonly ledger: Ledger;
  readonly random: RandomStream;
  readonly clients: number;
  readonly webhook: string;
}

export const HEADERS = {
  authorization: 'runproof-local',
  'content-type': 'application/json',
};

const TTL_MS = { overrunning: 30_000, mortal: 10_000 } as const;
const INPUTS: { readonly [K in Known['kind']]: object } = {
  quick: {},
  slow: { ms: 150 },
  failing: { fail: true },
  overrunning: { ms: 3_600_000 },
  mortal: { ms: 3_600_000 },
};
const POLICIES: { readonly [K in Known['kind']]?: object } = {
  // They hold their workers through every restart.
  overrunning: { executionTimeout: 5_000, ttl: TTL_MS.overrunning },
  mortal: { ttl: TTL_MS.mortal },
};
const KINDS: readonly Known['kind'][] = [
  ...Array<'quick'>(10).fill('quick'),
  ...Array<'slow'>(6).fill('slow'),
  ...Array<'failing'>(4).fill('failing'),
  'overrunning',
  'mortal',
];

export function startLoad({ url, ledger, random, clients, webhook }: LoadOptions): Load {
  const agent = new Agent({ connections: clients });
  let stopped = false;

  /** Null when there was no answer. */
  async function call(
    method: 'GET' | 'POST',
    path: string,
    body?: object,
  ): Promise<[number, unknown] | null> {
    try {
      const reply = await request(`${url}/v2/test/${path}`, {
        method,
        dispatcher: agent,
        headers: HEADERS,
        body: body === undefined ? null : JSON.stringify(body),
      });
      return [reply.statusCode, await reply.body.json()];
    } catch {
      return null;
    }
  }

  async function submit(): Promise<void> {
    const kind = random.pick(KINDS);
    const called = random.chance(300);
    const sentMs = Date.now();
    const policy = POLICIES[kind];
    const reply = await call('POST', 'run', {
      input: INPUTS[kind],
      ...(policy && { policy }),
      ...(called && { webhook }),
    });
    if (reply === null || reply[0] === 429) return;
    const { id } = reply[1] as Told;
    if (reply[0] !== 200) throw new Error(`/run is answered ${reply[0]}: ${JSON.stringify(reply[1])}`);
    const ttlMs = kind in TTL_MS ? TTL_MS[kind as keyof typeof TTL_MS] : null;
    ledger.accepted({
      id,
      kind,
      sentMs,
      ttlMs,
      webhook: called,
      end: null,
      unsure: false,
      busy: false,
    });
  }

  async function status(job: Known): Promise<void> {
    const reply = await call('GET', `status/${job.id}`);
    if (reply !== null && reply[0] !== 429) ledger.shown(job, reply[0], reply[1] as Told, Date.now());
  }

  async function change(job: Known, op: 'cancel' | 'retry'): Promise<void> {
    const reply = await call('POST', `${op}/${job.id}`);
    if (reply === null) job.unsure = true;
    else if (reply[0] === 200) ledger.changed(job, op === 'cancel' ? 'CANCELLED' : 'IN_QUEUE');
  }

  async function client(): Promise<void> {
    while (!stopped) {
      // Mostly one of the newest: the old ones have come to rest.
      const newest = Math.min(ledger.jobs.length, random.chance(900) ? 40 : ledger.jobs.length);
      const job =
        newest === 0 ? undefined : ledger.jobs[ledger.jobs.length - 1 - random.intBetween(0, newest - 1)];
      if (job === undefined || random.chance(400)) await submit();
      else if (!job.busy) {
        job.busy = true;
        if (job.end?.status === 'FAILED' && random.chance(500)) await change(job, 'retry');
        else if (job.end === null && random.chance(100)) await change(job, 'cancel');
        else await status(job);
        job.busy = false;
      }
      // Within the rate limits: what is refused tests nothing.
      await new Promise((resolve) => setTimeout(resolve, random.intBetween(0, clients * 8)));
    }
  }

  const all = Promise.all(Array.from({ length: clients }, client));
  return {
    async stop() {
      stopped = true;
      await all;
      await agent.destroy();
    },
  };
}
