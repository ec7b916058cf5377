/** Ordinary calls of one process, as the proxy has recorded them. */
import type { Json } from '../../src/history/events.js';
import type { Exchange } from '../../src/history/exchange.js';
import { namesAt } from '../../src/traffic/index.js';

const ENDPOINT = 'https://api.example.com/v2/abc';
export const BEGAN_MS = 1_764_000_000_000;

interface Asked {
  readonly method?: string;
  readonly body?: Json;
  readonly headers?: { readonly [name: string]: string };
  readonly code?: number;
  readonly told?: Json;
  readonly retryAfter?: string;
  readonly isLost?: true;
  /** Before the call. Default 300. */
  readonly pauseMs?: number;
  /** How long it takes. Default 20. */
  readonly tookMs?: number;
}

/** A process that makes one call after the other, over one connection unless another is named. */
export class Caller {
  readonly exchanges: Exchange[] = [];
  #nowMs: number;
  readonly #agent: string;
  readonly #connection: string;

  constructor(agent = 'app/1.0', connection = 'c.1', atMs = BEGAN_MS) {
    this.#nowMs = atMs;
    this.#agent = agent;
    this.#connection = connection;
  }

  ask(path: string, asked: Asked = {}, connection = this.#connection): this {
    const { body, code = 200, told = null, retryAfter, isLost, pauseMs = 300, tookMs = 20 } = asked;
    const method = asked.method ?? (/^(status|stream|health)/u.test(path) ? 'GET' : 'POST');
    // No clock counts in units of such instants.
    const fromMs = (this.#nowMs += pauseMs + (this.exchanges.length % 3));
    this.#nowMs += tookMs;
    const text = body === undefined ? null : JSON.stringify(body);
    this.exchanges.push({
      id: this.exchanges.length + 1,
      ...{ fromMs, byMs: this.#nowMs, names: namesAt(method, `${ENDPOINT}/${path}`, 'document') },
      request: {
        ...{ method, target: `${ENDPOINT}/${path}`, body: text },
        headers: {
          'user-agent': this.#agent,
          authorization: 'Bearer ***',
          ...(text !== null && { 'content-type': 'application/json', 'content-length': String(text.length) }),
          ...asked.headers,
        },
      },
      outcome:
        isLost === true
          ? { kind: 'lost', why: 'lost' }
          : {
              ...{ kind: 'answer', status: code, body: JSON.stringify(told) },
              headers: {
                'content-type': 'application/json',
                ...(retryAfter !== undefined && { 'retry-after': retryAfter }),
              },
            },
      client: { key: 'a1b2c3', address: '10.0.0.4', connection },
    });
    return this;
  }

  run(job: string, more: Asked & { readonly sent?: { readonly [name: string]: Json } } = {}): this {
    const body = { input: { prompt: job }, ...more.sent };
    return this.ask('run', { body, told: { id: job, status: 'IN_QUEUE' }, ...more });
  }

  read(job: string, status: string, more: Asked = {}): this {
    const result = { COMPLETED: { output: 1 }, FAILED: { error: 'no' } }[status];
    const told = { id: job, status, delayTime: 300, executionTime: 300, ...result };
    return this.ask(`status/${job}`, { told, ...more });
  }

  /** A job that completes. */
  job(job: string, sent: { readonly [name: string]: Json } = {}): this {
    return this.run(job, { sent }).read(job, 'IN_QUEUE').read(job, 'IN_PROGRESS').read(job, 'COMPLETED');
  }
}

const HEALTH = {
  jobs: { completed: 13, failed: 0, inProgress: 0, inQueue: 0, retried: 0 },
  workers: { idle: 1, running: 0 },
};

/** An application that works as it should: 62 calls. */
export function ordinary(caller = new Caller()): Caller {
  for (const name of ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']) caller.job(name);
  caller.job('i', { policy: { executionTimeout: 60_000, ttl: 3_600_000, lowPriority: true } });
  caller.job('j', { webhook: 'https://app.example.com/done' });
  caller
    .run('k')
    .read('k', 'IN_PROGRESS')
    .read('k', 'FAILED')
    .ask('retry/k', { told: { id: 'k', status: 'IN_QUEUE' } });
  caller.read('k', 'IN_QUEUE').read('k', 'COMPLETED');
  caller
    .run('l')
    .read('l', 'IN_QUEUE')
    .ask('cancel/l', { told: { id: 'l', status: 'CANCELLED' } });
  caller.ask('runsync?wait=5000', {
    ...{
      body: { input: { prompt: 'm' } },
      told: { id: 'm', status: 'COMPLETED', delayTime: 300, executionTime: 300, output: 1 },
      tookMs: 900,
    },
  });
  caller.run('n').read('n', 'IN_QUEUE', { code: 429, told: {}, retryAfter: '2' });
  caller.read('n', 'IN_QUEUE', { pauseMs: 2_100 });
  for (const pauseMs of [300, 500, 1_000, 2_000]) caller.read('n', '', { code: 429, told: {}, pauseMs });
  caller.read('n', 'IN_PROGRESS', { pauseMs: 4_000 }).read('n', '', { code: 502, told: null });
  caller.read('n', 'COMPLETED').read('n', '', { code: 404, told: {}, pauseMs: 60_000 });
  return caller.ask('health', { told: HEALTH, pauseMs: 20_000 });
}
