import { Agent, request } from 'undici';
import type { RandomStream } from '../../../src/time/random.js';
import type { KnownJob, KnownJobs, JobRecord } from './known-jobs.js';

/** Clients that keep a server busy until they are stopped; an unreachable server is not an error. */
export interface Load {
  /** Resolves when no call is in progress any more. */
  stop(): Promise<void>;
}

export interface LoadOptions {
  readonly url: string;
  readonly knownJobs: KnownJobs;
  readonly random: RandomStream;
  readonly clients: number;
  readonly webhook: string;
}

export const HEADERS = {
  authorization: 'runproof-local',
  'content-type': 'application/json',
};

const TTL_MS = { overrunning: 30_000, mortal: 10_000 } as const;
const INPUTS: { readonly [K in KnownJob['kind']]: object } = {
  quick: {},
  slow: { ms: 150 },
  failing: { fail: true },
  overrunning: { ms: 3_600_000 },
  mortal: { ms: 3_600_000 },
};
const POLICIES: { readonly [K in KnownJob['kind']]?: object } = {
  // They hold their workers through every restart.
  overrunning: { executionTimeout: 5_000, ttl: TTL_MS.overrunning },
  mortal: { ttl: TTL_MS.mortal },
};
const KINDS: readonly KnownJob['kind'][] = [
  ...Array<'quick'>(10).fill('quick'),
  ...Array<'slow'>(6).fill('slow'),
  ...Array<'failing'>(4).fill('failing'),
  'overrunning',
  'mortal',
];

export function startLoad({ url, knownJobs, random, clients, webhook }: LoadOptions): Load {
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
    const { id } = reply[1] as JobRecord;
    if (reply[0] !== 200) throw new Error(`/run is answered with ${reply[0]}: ${JSON.stringify(reply[1])}`);
    const ttlMs = kind in TTL_MS ? TTL_MS[kind as keyof typeof TTL_MS] : null;
    knownJobs.accepted({
      id,
      kind,
      sentMs,
      ttlMs,
      webhook: called,
      end: null,
      uncertain: false,
      busy: false,
    });
  }

  async function status(job: KnownJob): Promise<void> {
    const reply = await call('GET', `status/${job.id}`);
    if (reply !== null && reply[0] !== 429) knownJobs.shown(job, reply[0], reply[1] as JobRecord, Date.now());
  }

  async function change(job: KnownJob, op: 'cancel' | 'retry'): Promise<void> {
    const reply = await call('POST', `${op}/${job.id}`);
    if (reply === null) job.uncertain = true;
    else if (reply[0] === 200) knownJobs.changed(job, op === 'cancel' ? 'CANCELLED' : 'IN_QUEUE');
  }

  async function client(): Promise<void> {
    while (!stopped) {
      // Mostly one of the newest: the old ones have come to rest.
      const newest = Math.min(knownJobs.jobs.length, random.chance(900) ? 40 : knownJobs.jobs.length);
      const job =
        newest === 0
          ? undefined
          : knownJobs.jobs[knownJobs.jobs.length - 1 - random.intBetween(0, newest - 1)];
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
