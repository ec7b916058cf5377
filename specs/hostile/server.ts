/** The hostile server: a plausible service in one mode, which counts the jobs that it has reported. */
import { once } from 'node:events';
import type { Socket } from 'node:net';
import type { Answer, Call, Job, Mode } from './mode.js';
import { listen, type Received } from './http-io.js';

/** How long a job without a plan takes. */
const JOB_MS = 20;
/** Larger bodies report no job that counts. */
const READ_BYTES_MAX = 2_000_000;
/** The number of jobs by which a client finds out how the workers behave. */
const FIRST_JOBS = 2;
const JSON_TYPE = { 'content-type': 'application/json' };

interface Kept {
  readonly id: string;
  readonly webhook: string | null;
  readonly output: unknown;
  readonly fails: boolean;
  /** Never, for one that hangs. */
  readonly endsMs: number;
  /** A whole answer has named it. */
  told: boolean;
  cancelled: boolean;
}

export interface HostileServer {
  /** Ends in `/v2/test`. */
  readonly url: string;
  readonly calls: number;
  /** When the first connection came, by `performance.now()`; null before. */
  readonly sinceMs: number | null;
  /** Reported ids whose job has neither ended nor been cancelled. */
  left(): readonly string[];
  close(): Promise<void>;
}

export async function startHostile(mode: Mode): Promise<HostileServer> {
  const service = new Service(mode);
  let sinceMs: number | null = null;
  const listener = await listen(
    (received, socket) => service.handle(received, socket),
    (socket) => {
      sinceMs ??= performance.now();
      mode.connects?.(socket);
    },
  );
  return {
    url: `http://127.0.0.1:${listener.port}/v2/test`,
    get calls() {
      return service.calls;
    },
    get sinceMs() {
      return sinceMs;
    },
    left: () => service.left(),
    close: () => listener.close(),
  };
}

class Service {
  readonly #mode: Mode;
  readonly #jobs = new Map<string, Kept>();
  #made = 0;
  calls = 0;

  constructor(mode: Mode) {
    this.#mode = mode;
  }

  left(): readonly string[] {
    const now = performance.now();
    return [...this.#jobs.values()]
      .filter(({ told, cancelled, endsMs }) => told && !cancelled && endsMs > now)
      .map(({ id }) => id);
  }

  async handle(received: Received, socket: Socket): Promise<void> {
    const call = this.#callOf(received);
    this.calls += 1;
    const plain = this.#plain(call);
    if (this.#mode.writes !== undefined) return this.#mode.writes(call, socket, plain);
    const answer = this.#mode.answers === undefined ? plain : this.#mode.answers(call, plain);
    if (answer === null) return void (await once(socket, 'close'));
    await send(socket, answer);
    if (answer.status < 300 && !socket.destroyed) this.#note(call, answer);
  }

  #callOf({ method, target, headers, head, body }: Received): Call {
    const { pathname } = new URL(target.replace(/^\/+/, '/'), 'http://hostile');
    // The path as it came: an id of two dots is an id.
    const [operation = '', ...rest] = (target.split('?')[0] ?? pathname).split('/').slice(3);
    const text = body.length < 1_000_000 ? body.toString() : '';
    const webhook = (parsed(text) as { webhook?: unknown } | null)?.webhook;
    return {
      number: this.calls,
      method,
      operation,
      id: decoded(rest.join('/')),
      headers,
      head,
      key: headers['authorization'] ?? '',
      body: text,
      webhook: typeof webhook === 'string' ? webhook : null,
    };
  }

  #plain(call: Call): Answer {
    const job = this.#jobs.get(call.id);
    switch (call.operation) {
      case 'run':
        return json(200, { id: this.#create(call).id, status: 'IN_QUEUE' });
      case 'runsync':
        return json(200, recordOf(this.#create(call)));
      case 'status':
        return job === undefined ? notFound : json(200, recordOf(job));
      case 'stream':
        return job === undefined ? notFound : json(200, [{ output: job.output }]);
      case 'cancel':
        if (job === undefined) return notFound;
        job.cancelled = true;
        return json(200, { id: job.id, status: 'CANCELLED' });
      case 'retry':
        return job === undefined ? notFound : json(200, { id: job.id, status: 'IN_QUEUE' });
      case 'purge-queue':
        return json(200, { removed: 0, status: 'completed' });
      case 'health':
        return json(200, {
          jobs: { completed: this.#made, failed: 0, inProgress: 0, inQueue: 0, retried: 0 },
          workers: { idle: 2, running: 0 },
        });
      default:
        return notFound;
    }
  }

  #create({ body, webhook }: Call): Kept {
    const plan = planIn(parsed(body));
    const number = this.#made;
    const isLater = number >= FIRST_JOBS;
    const hangs =
      this.#mode.hangs === 'all' ||
      (this.#mode.hangs === 'later' && isLater) ||
      plan.some((step) => 'hang' in step);
    this.#made += 1;
    const id = this.#mode.id?.(number) ?? `job-${number}-u1`;
    const output = plan.find((step) => 'return' in step)?.['return'] ?? { done: number };
    const kept: Kept = {
      id,
      webhook,
      output,
      fails: plan.some((step) => 'fail' in step),
      endsMs: hangs ? Infinity : performance.now() + JOB_MS,
      told: false,
      cancelled: false,
    };
    this.#jobs.set(id, kept);
    if (webhook !== null) void this.#call(webhook, kept);
    return kept;
  }

  async #call(webhook: string, kept: Kept): Promise<void> {
    const job: Job = { id: kept.id, webhook, record: recordOf({ ...kept, endsMs: 0 }) };
    try {
      if (this.#mode.calls !== undefined) await this.#mode.calls(webhook, job);
      else if (kept.endsMs < Infinity)
        await fetch(webhook, { method: 'POST', headers: JSON_TYPE, body: JSON.stringify(job.record) });
    } catch {
      // The receiver there has gone.
    }
  }

  /** What has gone out whole may be known to the client. */
  #note({ operation }: Call, { body }: Answer): void {
    if ((operation !== 'run' && operation !== 'runsync') || body.length > READ_BYTES_MAX) return;
    const id = (parsed(body.toString()) as { id?: unknown } | null)?.id;
    const job = typeof id === 'string' ? this.#jobs.get(id) : undefined;
    if (job !== undefined) job.told = true;
  }
}

function recordOf({ id, output, fails, endsMs, cancelled }: Kept): { readonly [name: string]: unknown } {
  const times = { delayTime: 1, executionTime: JOB_MS };
  if (cancelled) return { id, status: 'CANCELLED', ...times };
  if (performance.now() < endsMs) return { id, status: 'IN_PROGRESS', delayTime: 1 };
  return fails ? { id, status: 'FAILED', ...times } : { id, status: 'COMPLETED', output, ...times };
}

function planIn(submission: unknown): readonly { readonly [word: string]: unknown }[] {
  const plan = (submission as { input?: { plan?: unknown } | null } | null)?.input?.plan;
  return Array.isArray(plan) ? plan.filter((step) => step !== null && typeof step === 'object') : [];
}

function json(status: number, value: unknown): Answer {
  return { status, headers: JSON_TYPE, body: JSON.stringify(value) };
}

const notFound = json(404, { error: 'not found' });

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The bytes of an answer; names and values are sent unchanged. */
export function bytesOf({ status, headers, body }: Answer): readonly [string, Buffer] {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  const lines = Object.entries(headers).flatMap(([name, values]) =>
    (typeof values === 'string' ? [values] : values).map((value) => `${name}: ${value}\r\n`),
  );
  return [`HTTP/1.1 ${status} Any\r\n${lines.join('')}content-length: ${bytes.length}\r\n\r\n`, bytes];
}

async function send(socket: Socket, answer: Answer): Promise<void> {
  const [head, body] = bytesOf(answer);
  socket.write(head);
  await new Promise<void>((resolve) => void socket.write(body, () => resolve()));
}
