/**
 * A small client: submits a job, asks for its state every 2 s, tries a call again when it fails, and gives up when the
 * job does not end in time. It stands here for your own.
 */
import { setTimeout as sleep } from 'node:timers/promises';

const POLL_MS = 2_000;
const ATTEMPTS_MAX = 4;
const ENDED = ['COMPLETED', 'FAILED', 'TIMED_OUT', 'CANCELLED'];

export interface Service {
  readonly baseUrl: string;
  readonly endpoint: string;
  readonly apiKey: string;
  /** Passes the time between two calls; a test moves the clock of the emulator there. */
  readonly wait?: (ms: number) => Promise<unknown>;
}

/** In ms. */
export interface Policy {
  readonly ttl?: number;
  readonly executionTimeout?: number;
}

interface Answer {
  readonly id: string;
  readonly status: string;
  readonly output?: unknown;
  readonly error?: string;
}

/** Runs the job to its end, and returns its output. */
export async function runJob(
  { baseUrl, endpoint, apiKey, wait = sleep }: Service,
  input: object,
  policy?: Policy,
): Promise<unknown> {
  const url = `${baseUrl}/v2/${endpoint}`;
  const headers = { authorization: apiKey, 'content-type': 'application/json' };

  async function call(path: string, body?: object): Promise<Response> {
    for (let attempt = 1; ; attempt += 1) {
      const reply = await fetch(
        url + path,
        body === undefined ? { headers } : { method: 'POST', headers, body: JSON.stringify(body) },
      );
      const isRefusedForNow = reply.status === 429 || reply.status >= 500;
      if (!isRefusedForNow || attempt === ATTEMPTS_MAX) return reply;
      await wait(1_000 * Number(reply.headers.get('retry-after') ?? attempt));
    }
  }

  const submitted = await call('/run', { input, ...(policy && { policy }) });
  if (submitted.status !== 200) throw new Error(`the job was not accepted: ${submitted.status}`);
  const { id } = (await submitted.json()) as Answer;
  for (;;) {
    await wait(POLL_MS);
    const reply = await call(`/status/${id}`);
    if (reply.status === 404) throw new Error('the job has expired');
    const { status, output, error } = (await reply.json()) as Answer;
    if (status === 'COMPLETED') return output;
    if (ENDED.includes(status)) throw new Error(`the job is ${status}: ${error ?? 'no reason given'}`);
  }
}
