/**
 * BullMQ, the queue behind campaigns, over Redis, Valkey or PostgreSQL. It is an optional package, loaded here
 * alone, and only when a campaign command runs.
 */
import type { Job, Processor, Queue, QueueOptions, Worker, WorkerOptions } from 'bullmq';
import { createRedactor } from '../../report/redact.js';
import { UnreachableError, UsageError } from '../../util/errors.js';

/** Every key of Redis begins with it. */
const PREFIX = 'runproof';
const CONNECT_MS = 5_000;
const EVENTS_MAX = 100;
/** Dead workers are no fault of the job: it is given out again, however many of them had it. */
const STALLED_MAX = 2 ** 31 - 1;

export type { Job, Queue };

export interface Engine {
  queue<Data, Result>(name: string): Queue<Data, Result>;
  worker<Data, Result>(
    name: string,
    processor: Processor<Data, Result>,
    options: Omit<WorkerOptions, 'connection' | 'prefix'>,
  ): Worker<Data, Result>;
  /** Tells the user of a problem, once. */
  warn(text: string): void;
  close(): Promise<void>;
}

/**
 * Connects, and tries whether the server answers.
 *
 * @param onProblem is told, once each time, that the connection was lost, is back, or that the server is full, and of
 *   each damaged record
 * @param retries how often it is tried again, each time a second later, where no server answers
 * @throws {UsageError} if a package is missing, or the server rejects the password
 * @throws {UnreachableError} if no server answers
 */
export async function connect(
  url: string,
  onProblem: (text: string) => void,
  retries: number = 0,
): Promise<Engine> {
  for (let left = retries; ; left--) {
    try {
      return await connectNow(url, onProblem);
    } catch (error) {
      if (!(error instanceof NoAnswerError) || left <= 0) throw error;
      if (left === retries) onProblem(`${error.message}. Trying again for a minute`);
      await new Promise((resolve) => setTimeout(resolve, 1_000));
    }
  }
}

/** No server answers; one may do so later. */
class NoAnswerError extends UnreachableError {}

async function connectNow(url: string, onProblem: (text: string) => void): Promise<Engine> {
  const protocol = URL.canParse(url) ? new URL(url).protocol : '';
  if (/^postgres(ql)?:$/.test(protocol)) return overPostgres(url, onProblem);
  if (/^rediss?:$/.test(protocol)) return overRedis(url, onProblem);
  throw new UsageError(
    `a campaign requires the address of a Redis, Valkey or PostgreSQL server, such as redis://127.0.0.1:6379 or postgres://user@host/database, not "${url.replace(/\/\/.*@/, '//…@')}"`,
  );
}

async function overRedis(url: string, onProblem: (text: string) => void): Promise<Engine> {
  const bullmq = await load(() => import('bullmq'), 'bullmq ioredis');
  const { Redis } = await load(() => import('ioredis'), 'bullmq ioredis');
  const first = new Redis(url, { lazyConnect: true, retryStrategy: () => null, connectTimeout: CONNECT_MS });
  // Only this connection reports a rejected password as such.
  let cause: Error | null = null;
  first.on('error', (error) => (cause ??= error));
  try {
    await first.connect();
    await first.ping();
  } catch (error) {
    throw unreachable(
      url,
      cause ?? error,
      'docker run -d -p 6379:6379 redis:7 --maxmemory-policy noeviction',
    );
  } finally {
    first.disconnect();
  }
  const connection = new Redis(url, { maxRetriesPerRequest: null });
  const problems = problemsOf(onProblem);
  connection.on('error', problems.tell);
  connection.on('ready', problems.over);
  // Each event has the whole result of its job.
  const streams = { events: { maxLen: EVENTS_MAX } };
  const options: QueueOptions = { connection, prefix: PREFIX, streams };
  return engineOf(
    (name) => new bullmq.Queue(name, options),
    (name, processor, more) => new bullmq.Worker(name, processor, { ...more, ...options }),
    problems.tell,
    onProblem,
    async () => connection.disconnect(),
  );
}

async function overPostgres(url: string, onProblem: (text: string) => void): Promise<Engine> {
  const bullmq = await load(() => import('bullmq'), 'bullmq pg');
  const { default: pg } = await load(() => import('pg'), 'bullmq pg');
  const first = new pg.Client({ connectionString: url, connectionTimeoutMillis: CONNECT_MS });
  try {
    await first.connect();
  } catch (error) {
    throw unreachable(url, error, 'docker run -d -p 5432:5432 -e POSTGRES_PASSWORD=secret postgres:17');
  } finally {
    await first.end().catch(() => {});
  }
  const problems = problemsOf(onProblem);
  const options = { connection: { connectionString: url, schema: PREFIX, migrate: true } };
  const backend = bullmq.createPostgresBackend;
  return engineOf(
    (name) => new bullmq.Queue(name, options, backend) as unknown as Queue,
    (name, processor, more) =>
      new bullmq.Worker(name, processor, { ...more, ...options }, backend) as unknown as Worker,
    problems.tell,
    onProblem,
    async () => {},
  );
}

function engineOf(
  newQueue: (name: string) => Queue,
  newWorker: (name: string, processor: Processor, options: Omit<WorkerOptions, 'connection'>) => Worker,
  onError: (error: Error) => void,
  onProblem: (text: string) => void,
  disconnect: () => Promise<void>,
): Engine {
  const queues = new Map<string, Queue>();
  const told = new Set<string>();
  return {
    warn(text) {
      if (!told.has(text)) onProblem(text);
      told.add(text);
    },
    queue<Data, Result>(name: string) {
      const queue = queues.get(name) ?? newQueue(name);
      if (!queues.has(name)) queue.on('error', onError);
      queues.set(name, queue);
      return queue as unknown as Queue<Data, Result>;
    },
    worker<Data, Result>(
      name: string,
      processor: Processor<Data, Result>,
      options: Omit<WorkerOptions, 'connection'>,
    ) {
      const worker = newWorker(name, processor as Processor, { ...options, maxStalledCount: STALLED_MAX });
      worker.on('error', onError);
      return worker as unknown as Worker<Data, Result>;
    },
    async close() {
      await Promise.all([...queues.values()].map((queue) => queue.close()));
      await disconnect();
    },
  };
}

/** Says each problem once, until it is over. */
function problemsOf(onProblem: (text: string) => void) {
  let told = '';
  return {
    tell(error: Error): void {
      // A worker was too late with a job that another has taken: no problem of the server.
      if (/lock|Missing key|not in the active state/i.test(error.message)) return;
      const text = serverProblem(error) ?? `the server says: ${error.message}`;
      if (text === told) return;
      told = text;
      onProblem(`${text}. Waiting`);
    },
    over(): void {
      if (told !== '') onProblem('connected again');
      told = '';
    },
  };
}

/**
 * A worker gives a job back, for itself or another to take after `delayMs`. It does not count as a try.
 *
 * @throws always: what BullMQ takes as the sign that the job is neither done nor failed
 */
export async function giveBack<Data, Result>(
  job: Job<Data, Result>,
  token: string | undefined,
  delayMs: number,
): Promise<never> {
  const { DelayedError } = await import('bullmq');
  await job.moveToDelayed(Date.now() + delayMs, token);
  throw new DelayedError();
}

/** What is wrong with the server or the way to it, if that is known of the error. */
export function serverProblem(error: Error): string | null {
  const { message, code = '' } = error as NodeJS.ErrnoException;
  if (/^OOM |out of memory|disk full/i.test(message))
    return 'the server is full: raise its maxmemory, or its disk';
  if (
    /ECONN|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|Connection|LOADING|terminat/i.test(`${code} ${message}`)
  )
    return 'the connection to the server is lost';
  return null;
}

function unreachable(url: string, error: unknown, start: string): Error {
  const { message, code = '' } = error as NodeJS.ErrnoException;
  const { host, password } = new URL(url);
  const because = createRedactor([password, decodeURIComponent(password)]).text(message || code);
  if (/WRONGPASS|NOAUTH|invalid password|password authentication|28P01/i.test(`${because} ${code}`))
    return new UsageError(
      `the server at ${host} rejects the user or password of the address (${because}). Write it as redis://:PASSWORD@HOST or postgres://USER:PASSWORD@HOST/DATABASE`,
    );
  return new NoAnswerError(
    `no server answers at ${host} (${because || 'no answer'}). To start one: ${start}`,
  );
}

async function load<T>(module: () => Promise<T>, packages: string): Promise<T> {
  try {
    return await module();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new UsageError(`campaigns need further packages: npm install ${packages}`);
  }
}
