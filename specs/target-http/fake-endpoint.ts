/**
 * A tiny implementation for the specs of the HTTP target: `/run`, `/runsync`, `/status`, `/cancel`, `/health`,
 * webhooks and test control, and ways of being difficult. It knows nothing of the code under test.
 */
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

export interface FakeOptions {
  readonly clock?: 'real' | 'controlled';
  /** What test control says it offers; null: there is no test control. */
  readonly features?: readonly string[] | null;
  readonly protocol?: string;
  readonly accepts?: 'both' | 'bare' | 'bearer' | 'nothing';
  /** Path before `/v2`. */
  readonly prefix?: string;
  /** Real ms before the n-th `/runsync` call counts as arrived, n from 0. */
  readonly slowArrivalMs?: (n: number) => number;
  /** Real ms from a call's being counted until its large body is complete. */
  readonly lateBodiesMs?: number;
  /** Real ms by which a reply to `/runsync` leaves after `advance` has been answered. */
  readonly lateRepliesMs?: number;
  /** Real ms that each `/status` takes, one after the other. */
  readonly slowStatusMs?: number;
  /** `received` stays at zero. */
  readonly countsNothing?: boolean;
  /** Replies to `/runsync` never leave. */
  readonly swallowsReplies?: boolean;
  /** What `nextEventAtMs` says instead of the truth. */
  readonly claimsNextEvent?: (nowMs: number, nextMs: number | null) => number | null;
  /** `/stream` waits for the end of the job. */
  readonly streamWaits?: boolean;
  /** `/run` and `/status` are answered when the job has ended; `/cancel` never is. */
  readonly holds?: 'run' | 'cancel' | 'status';
  /** Whether this call is never answered, by its operation. */
  readonly loses?: (operation: string) => boolean;
  /** Real ms after which a webhook call counts as failed. */
  readonly webhookTimeoutMs?: number;
  /** Every job ends as FAILED, without an output. */
  readonly opaque?: boolean;
  /** These operations are answered with 404, as of a wrong endpoint id. */
  readonly lacks?: readonly string[];
  /** What is answered with 404 is an HTML page. */
  readonly pages?: boolean;
  /** `/health` shows no worker until a job is submitted. */
  readonly fromZero?: boolean | 'and for good';
  /** No job is ever taken by a worker. */
  readonly neverStarts?: boolean;
  /** The job never ends, whatever its plan. */
  readonly stuck?: boolean;
}

interface Job {
  readonly id: string;
  readonly endMs: number;
  readonly end: { readonly status: string; readonly output?: unknown };
  status: string;
  output?: unknown;
  readonly waiting: ((late: boolean) => void)[];
}

interface Timer {
  readonly atMs: number;
  readonly run: () => Promise<void> | void;
}

export const KEY = 'key-of-the-fake-endpoint';
export const OTHER_KEY = 'of-another-user';

export class FakeEndpoint {
  readonly #options: FakeOptions;
  readonly #server = createServer((request, response) => void this.#handle(request, response));
  readonly #startMs = performance.now();
  readonly #jobs = new Map<string, Job>();
  #timers: Timer[] = [];
  #nowMs = 5_000_000;
  #ids = 0;
  #runsyncs = 0;
  #queue: Promise<unknown> = Promise.resolve();
  /** Calls that have arrived, by endpoint. */
  readonly received = new Map<string, number>();
  /** Method and path of everything that was called, test control included, in order. */
  readonly log: string[] = [];
  readonly headers: IncomingMessage['headers'][] = [];
  readonly sentWebhooks: number[] = [];
  openCalls = 0;
  openCallsMax = 0;
  url = '';
  controlUrl = '';

  constructor(options: FakeOptions = {}) {
    this.#options = options;
  }

  async start(): Promise<this> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    const root = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
    this.url = root + (this.#options.prefix ?? '');
    this.controlUrl = `${root}/_control`;
    return this;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  get nowMs(): number {
    return this.#options.clock === 'controlled' ? this.#nowMs : performance.now() - this.#startMs;
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://fake');
    this.log.push(`${request.method} ${url.pathname}`);
    this.headers.push(request.headers);
    let text = '';
    for await (const chunk of request) text += String(chunk);
    const body = (text === '' ? {} : JSON.parse(text)) as Record<string, unknown>;
    if (url.pathname.startsWith('/_control')) {
      return this.#control(request, response, url.pathname.slice('/_control'.length), body);
    }
    this.openCalls += 1;
    this.openCallsMax = Math.max(this.openCallsMax, this.openCalls);
    response.once('close', () => (this.openCalls -= 1));
    const path = url.pathname.slice((this.#options.prefix ?? '').length).split('/');
    if (path[3] === 'runsync') await sleep(this.#options.slowArrivalMs?.(this.#runsyncs++) ?? 0);
    const endpoint = path[2] ?? '';
    if (!this.#options.countsNothing) this.received.set(endpoint, (this.received.get(endpoint) ?? 0) + 1);
    if (text.length > 1_000_000) await sleep(this.#options.lateBodiesMs ?? 0);
    if (path[3] === 'status')
      await (this.#queue = this.#queue.then(() => sleep(this.#options.slowStatusMs ?? 0)));
    if (!this.#isAllowed(request.headers.authorization)) return answer(response, 401, {});
    return this.#operation(path[3] ?? '', path[4] ?? '', url.searchParams, body, response);
  }

  #isAllowed(authorization: string | undefined): boolean {
    const accepts = this.#options.accepts ?? 'both';
    const form = authorization?.startsWith('Bearer ') ? 'bearer' : 'bare';
    const given = authorization?.replace(/^Bearer /, '') ?? '';
    return [KEY, OTHER_KEY].includes(given) && (accepts === 'both' || accepts === form);
  }

  #operation(
    name: string,
    id: string,
    query: URLSearchParams,
    body: Record<string, unknown>,
    response: ServerResponse,
  ): void {
    const job = this.#jobs.get(id);
    if (this.#options.lacks?.includes(name)) {
      if (!this.#options.pages) return answer(response, 404, {});
      return void response.writeHead(404, { 'content-type': 'text/html' }).end('<html></html>');
    }
    const some = this.#jobs.size > 0 ? this.#options.fromZero !== 'and for good' : !this.#options.fromZero;
    const workers = some ? { idle: 2, running: 1 } : { idle: 0, running: 0 };
    if (name === 'health') return answer(response, 200, { workers });
    if (name === 'purge-queue') return answer(response, 200, { removed: 0, status: 'completed' });
    if (name === 'moved') return void response.writeHead(302, { location: '/elsewhere' }).end();
    if (name === 'reset') return void response.destroy();
    if (name === 'silent' || this.#options.loses?.(name)) return;
    if (name === 'run' || name === 'runsync') return this.#submit(name, query, body, response);
    if (!job) return answer(response, 404, {});
    if (name === 'cancel' && this.#options.holds === 'cancel') return;
    if (name === 'cancel') {
      if (job.status.startsWith('IN_')) job.status = 'CANCELLED';
      return answer(response, 200, { id, status: 'CANCELLED' });
    }
    const isHeld = name === 'status' ? this.#options.holds === 'status' : this.#options.streamWaits;
    if (['status', 'stream'].includes(name) && isHeld && job.status === 'IN_PROGRESS')
      return void job.waiting.push(() => answer(response, 200, name === 'stream' ? [] : recordOf(job)));
    return answer(response, 200, recordOf(job));
  }

  #submit(
    name: string,
    query: URLSearchParams,
    body: Record<string, unknown>,
    response: ServerResponse,
  ): void {
    const input = body['input'] as { plan?: Record<string, unknown>[] };
    const job = this.#newJob(input.plan ?? []);
    if (typeof body['webhook'] === 'string') this.#notifyAtEnd(job, body['webhook']);
    const submitted = { id: job.id, status: 'IN_QUEUE' };
    if (name === 'run' && this.#options.holds === 'run' && job.status === 'IN_PROGRESS')
      return void job.waiting.push(() => answer(response, 200, submitted));
    if (name === 'run') return answer(response, 200, submitted);
    if (!job.status.startsWith('IN_')) return answer(response, 200, recordOf(job));
    let answered = false;
    const reply = async (late: boolean): Promise<void> => {
      if (answered || this.#options.swallowsReplies) return;
      answered = true;
      const record = recordOf(job);
      if (late) await sleep(this.#options.lateRepliesMs ?? 0);
      answer(response, 200, record);
    };
    job.waiting.push((late) => void reply(late));
    this.#at(this.nowMs + Number(query.get('wait') ?? 90_000), () => void reply(true));
  }

  #newJob(plan: readonly Record<string, unknown>[]): Job {
    const sleepMs = plan.reduce((sum, step) => sum + Number(step['sleepMs'] ?? 0), 0);
    const last = plan.at(-1) ?? {};
    const hangs =
      this.#options.stuck || this.#options.neverStarts || plan.some((step) => step['hang'] === true);
    const end =
      this.#options.opaque || 'fail' in last
        ? { status: 'FAILED' }
        : { status: 'COMPLETED', output: last['return'] ?? null };
    const job: Job = {
      id: `job-${(this.#ids += 1)}`,
      endMs: hangs ? Infinity : this.nowMs + sleepMs,
      end,
      status: this.#options.neverStarts ? 'IN_QUEUE' : 'IN_PROGRESS',
      waiting: [],
    };
    this.#jobs.set(job.id, job);
    const finish = (): void => {
      if (job.status !== 'IN_PROGRESS') return;
      Object.assign(job, end);
      for (const tell of job.waiting) tell(true);
    };
    if (job.endMs <= this.nowMs) finish();
    else if (job.endMs !== Infinity) this.#at(job.endMs, finish);
    return job;
  }

  #notifyAtEnd(job: Job, url: string): void {
    const attempt = async (number: number): Promise<void> => {
      this.sentWebhooks.push(this.nowMs);
      const ok = await fetch(url, {
        method: 'POST',
        body: JSON.stringify(recordOf(job)),
        signal: AbortSignal.timeout(this.#options.webhookTimeoutMs ?? 10_000),
      }).then(
        (reply) => reply.status === 200,
        () => false,
      );
      if (!ok && number < 3) this.#at(this.nowMs + 10_000, () => attempt(number + 1));
    };
    this.#at(job.endMs, () => attempt(1));
  }

  #at(atMs: number, run: () => Promise<void> | void): void {
    if (this.#options.clock === 'controlled') this.#timers.push({ atMs, run });
    else setTimeout(() => void run(), Math.min(atMs - this.nowMs, 2 ** 31 - 1)).unref();
  }

  async #advance(byMs: number): Promise<void> {
    const targetMs = this.#nowMs + byMs;
    for (;;) {
      const nextMs = Math.min(...this.#timers.map((timer) => timer.atMs));
      if (nextMs > targetMs) break;
      const timer = this.#timers.find((candidate) => candidate.atMs === nextMs);
      this.#timers = this.#timers.filter((candidate) => candidate !== timer);
      this.#nowMs = Math.max(this.#nowMs, nextMs);
      await timer?.run();
    }
    this.#nowMs = targetMs;
  }

  async #control(
    request: IncomingMessage,
    response: ServerResponse,
    path: string,
    body: Record<string, unknown>,
  ): Promise<void> {
    const { features = null, protocol = 'test-control/1' } = this.#options;
    const isKey = [KEY, `Bearer ${KEY}`].includes(request.headers.authorization ?? '');
    if (features === null || !isKey) return answer(response, 401, {});
    if (path === '') return answer(response, 200, { protocol, features });
    if (path === '/keys') return answer(response, 200, { otherUser: OTHER_KEY, unpermitted: null });
    if (path.startsWith('/clock') && features.includes('clock')) {
      if (path === '/clock/advance') {
        await this.#advance(Number(body['byMs']));
        return answer(response, 200, { nowMs: this.#nowMs });
      }
      const next = this.#timers.length === 0 ? null : Math.min(...this.#timers.map((timer) => timer.atMs));
      const claim = this.#options.claimsNextEvent?.(this.#nowMs, next);
      return answer(response, 200, { nowMs: this.#nowMs, nextEventAtMs: claim === undefined ? next : claim });
    }
    const endpoint = /^\/endpoints\/(.+)$/.exec(path)?.[1];
    if (endpoint === undefined || !features.includes('endpoints')) return answer(response, 404, {});
    if (request.method === 'DELETE') return void response.writeHead(204).end();
    if (request.method === 'PUT') this.received.set(endpoint, 0);
    const received = this.received.get(endpoint) ?? 0;
    return answer(response, 200, { endpointId: endpoint, workers: 1, received });
  }
}

function recordOf(job: Job): { id: string; status: string; output?: unknown } {
  return { id: job.id, status: job.status, ...(job.output === undefined ? {} : { output: job.output }) };
}

function answer(response: ServerResponse, status: number, body: unknown): void {
  if (response.destroyed) return;
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
