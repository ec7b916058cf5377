/**
 * A small client: submits a job, asks for its state every 2 s, tries again what may be tried again, and cancels the job
 * when it gives up. It stands here for your own.
 */
import { setTimeout as sleep } from 'node:timers/promises';

const POLL_MS = 2_000;
const ATTEMPTS_MAX = 6;
/** Without it, a reply that never comes is waited for. */
const REPLY_MAX_MS = 10_000;
const FIRST_PAUSE_MS = 250;
const ENDED = ['COMPLETED', 'FAILED', 'TIMED_OUT', 'CANCELLED'];

export interface Service {
  readonly baseUrl: string;
  readonly endpoint: string;
  readonly apiKey: string;
  /** Passes the time between two calls; a test moves the clock of the emulator there. */
  readonly wait?: (ms: number) => Promise<unknown>;
  /** How long it asks for a job before it cancels it, ms. */
  readonly giveUpMs?: number;
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
  { baseUrl, endpoint, apiKey, wait = sleep, giveUpMs = 900_000 }: Service,
  input: object,
  policy?: Policy,
): Promise<unknown> {
  const url = `${baseUrl}/v2/${endpoint}`;
  const headers = { authorization: apiKey, 'content-type': 'application/json' };

  async function call(method: 'GET' | 'POST', path: string, body?: object): Promise<Response> {
    for (let attempt = 1; ; attempt += 1) {
      const signal = AbortSignal.timeout(REPLY_MAX_MS);
      const request = { method, headers, signal, ...(body && { body: JSON.stringify(body) }) };
      const reply = await fetch(url + path, request).catch((error: Error) => error);
      const again = reply instanceof Error ? method === 'GET' : isRefusedForNow(reply, method === 'POST');
      if (!again || attempt === ATTEMPTS_MAX) {
        if (reply instanceof Error) throw reply;
        return reply;
      }
      const asked = reply instanceof Error ? 0 : 1_000 * Number(reply.headers.get('retry-after') ?? 0);
      await wait(Math.max(asked, FIRST_PAUSE_MS * 2 ** attempt));
    }
  }

  const submitted = await call('POST', '/run', { input, ...(policy && { policy }) });
  if (submitted.status !== 200) throw new Error(`the job was not accepted: ${submitted.status}`);
  const { id } = (await submitted.json()) as Answer;
  let isOver = false;
  try {
    for (let waitedMs = 0; waitedMs < giveUpMs; waitedMs += POLL_MS) {
      await wait(POLL_MS);
      const reply = await call('GET', `/status/${id}`);
      isOver = reply.status === 404;
      if (isOver) throw new Error('the job has expired');
      if (!reply.ok) throw new Error(`the job cannot be asked for: ${reply.status}`);
      // A reply that ends in its middle is asked for again.
      const record = (await reply.json().catch(() => null)) as Answer | null;
      isOver = record !== null && ENDED.includes(record.status);
      if (record?.status === 'COMPLETED') return record.output;
      if (isOver) throw new Error(`the job is ${record?.status}: ${record?.error ?? 'no reason given'}`);
    }
    throw new Error('the job took too long');
  } finally {
    if (!isOver) await call('POST', `/cancel/${id}`).catch(() => undefined);
  }
}

/** A submission whose outcome is not known is not sent again: it would be a second job. */
const isRefusedForNow = ({ status }: Response, isPost: boolean): boolean =>
  status === 429 || status === 503 || (!isPost && status >= 500);
