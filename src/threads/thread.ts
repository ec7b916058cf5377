/**
 * `threads/` promises that every worker thread is spoken to in one way: `{ id, method, args }` is answered by `{ id, answer }` or
 * `{ id, error }`, and between answers `{ progress }` may come. It never knows what a thread does.
 */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import {
  MessageChannel,
  parentPort,
  Worker,
  workerData,
  type MessagePort,
  type ResourceLimits,
  type WorkerOptions,
} from 'node:worker_threads';

/** What a thread does, by name. Arguments and answers are copies. */
export type MethodsOf<M> = { readonly [K in keyof M]: (...args: never[]) => unknown };

export type ArgsOf<M extends MethodsOf<M>, K extends keyof M> = Parameters<M[K]>;
export type AnswerOf<M extends MethodsOf<M>, K extends keyof M> = Awaited<ReturnType<M[K]>>;

/** What a thread knows of those who started it. */
export interface Outside<P> {
  /** Whether it was told to stop; it learns this while it is busy, too. */
  readonly isStopped: () => boolean;
  /** Aborted when it was told to stop, or its answers are not heard any more. */
  readonly stopped: AbortSignal;
  readonly tell: (progress: P) => void;
}

/** A kind of thread. `D` is what it begins with, `P` what it tells between answers; both are plain values. */
export interface ThreadKind<D, M extends MethodsOf<M>, P = never> {
  readonly name: string;
  /** The built file, which calls `threadKind` with this kind. */
  readonly file: URL;
  /** A promise where what it does is loaded first; what it is asked meanwhile waits. */
  readonly create: (data: D, outside: Outside<P>) => M | Promise<M>;
  readonly limits?: ResourceLimits;
}

export interface ThreadOptions<P> {
  readonly onProgress?: (progress: P) => void;
  /** The thread has ended by itself. What it was asked is rejected with the same error. */
  readonly onEnd?: (error: Error) => void;
  /** For specs. Default: the built file. */
  readonly spawn?: (file: URL, options: WorkerOptions) => Worker;
}

/** It ended without an error, or was ended. */
export class ThreadEnded extends Error {}

/** What was answered before the deadline; or why that came, after how long, and what was answered soon after, if anything. */
export type UpToDeadline<A, C> =
  | { readonly done: A }
  | { readonly cut: C; readonly afterMs: number; readonly late: A | null };

interface Started {
  /** The kind, under a name that the threads of users, which may load this too, do not have. */
  readonly runproofThread: string;
  readonly data: unknown;
  readonly stop: Int32Array;
}

type Word = { readonly id: number; readonly method: string; readonly args: readonly unknown[] } | 'stop';
type Answer =
  | { readonly id: number; readonly answer: unknown }
  | { readonly id: number; readonly error: Error }
  | { readonly progress: unknown };

/** Defines a kind; in a thread of this kind, it also begins to answer. */
export function threadKind<D, M extends MethodsOf<M>, P = never>(
  kind: ThreadKind<D, M, P>,
): ThreadKind<D, M, P> {
  const started = workerData as Started | null | undefined;
  if (parentPort !== null && started?.runproofThread === kind.name) serve(parentPort, kind, started);
  return kind;
}

/** False where the code runs from its sources: then there is this thread alone. */
export const isBuilt = ({ file }: Pick<ThreadKind<never, never>, 'file'>): boolean =>
  existsSync(fileURLToPath(file));

/** Where the code is not built, it is done in this thread; the answers are the same. */
export function startThread<D, M extends MethodsOf<M>, P>(
  kind: ThreadKind<D, M, P>,
  data: D,
  options: ThreadOptions<P> = {},
): Thread<M> {
  const { spawn = (file, how) => new Worker(file, how) } = options;
  if (options.spawn === undefined && !isBuilt(kind)) return inThisThread(kind, data, options);
  const started: Started = { runproofThread: kind.name, data, stop: newFlag() };
  const worker = spawn(kind.file, { workerData: started, resourceLimits: kind.limits });
  return new Thread<M>(worker, started.stop, () => worker.terminate(), options as ThreadOptions<unknown>);
}

export function inThisThread<D, M extends MethodsOf<M>, P>(
  kind: ThreadKind<D, M, P>,
  data: D,
  options: ThreadOptions<P> = {},
): Thread<M> {
  const { port1, port2 } = new MessageChannel();
  const stop = newFlag();
  serve(port2, kind, { runproofThread: kind.name, data, stop });
  port2.unref();
  return new Thread<M>(port1, stop, async () => port1.close(), options as ThreadOptions<unknown>);
}

type Callable = { readonly [method: string]: (...args: readonly unknown[]) => unknown };

const newFlag = (): Int32Array => new Int32Array(new SharedArrayBuffer(4));

function serve<D, M extends MethodsOf<M>, P>(
  port: MessagePort,
  { create }: ThreadKind<D, M, P>,
  { data, stop }: Started,
): void {
  const stopped = new AbortController();
  const created = create(data as D, {
    isStopped: () => Atomics.load(stop, 0) !== 0,
    stopped: stopped.signal,
    tell: (progress) => port.postMessage({ progress } satisfies Answer),
  });
  const carryOut = async ({ id, method, args }: Exclude<Word, string>): Promise<void> => {
    try {
      const methods = (created instanceof Promise ? await created : created) as unknown as Callable;
      port.postMessage({ id, answer: await methods[method]!(...args) } satisfies Answer);
    } catch (error) {
      port.postMessage({ id, error: error as Error } satisfies Answer);
    }
  };
  port.on('close', () => stopped.abort());
  port.on('message', (word: Word) => {
    if (word === 'stop') stopped.abort();
    else void carryOut(word);
  });
}

interface Waiting {
  readonly resolve: (answer: never) => void;
  readonly reject: (error: Error) => void;
}

/** A thread, or the same in this one. It keeps the process alive only while it is asked something. */
export class Thread<M extends MethodsOf<M>> {
  readonly #port: Pick<Worker | MessagePort, 'postMessage' | 'ref' | 'unref'>;
  readonly #stop: Int32Array;
  readonly #terminate: () => Promise<unknown>;
  readonly #asked = new Map<number, Waiting>();
  #lastId = 0;
  #ended: Error | null = null;

  constructor(
    port: Worker | MessagePort,
    stop: Int32Array,
    terminate: () => Promise<unknown>,
    { onProgress, onEnd }: ThreadOptions<unknown>,
  ) {
    this.#port = port;
    this.#stop = stop;
    this.#terminate = terminate;
    const over = (error: Error): void => {
      if (this.#ended !== null) return;
      this.#rejectAll(error);
      onEnd?.(error);
    };
    port.on('message', (word: Answer) => {
      if ('progress' in word) return onProgress?.(word.progress);
      const waiting = this.#asked.get(word.id);
      this.#asked.delete(word.id);
      if (this.#asked.size === 0) port.unref();
      if ('answer' in word) waiting?.resolve(word.answer as never);
      else waiting?.reject(word.error);
    });
    port.on('error', over);
    port.on('exit', (code: number) => over(new ThreadEnded(`the thread ended with ${code}`)));
    port.unref();
  }

  /** It answers nothing any more. */
  get isEnded(): boolean {
    return this.#ended !== null;
  }

  /** @param memory of the arguments, which is handed over and not there any more afterwards */
  ask<K extends keyof M & string>(
    method: K,
    args: ArgsOf<M, K>,
    memory: readonly ArrayBuffer[] = [],
  ): Promise<AnswerOf<M, K>> {
    if (this.#ended !== null) return Promise.reject(this.#ended);
    const id = (this.#lastId += 1);
    this.#port.postMessage({ id, method, args } satisfies Word, memory);
    this.#port.ref();
    return new Promise((resolve, reject) => this.#asked.set(id, { resolve, reject }));
  }

  /** As `ask`, until the deadline: then it is told to stop, and is ended if it has not answered within `graceOf` ms. */
  async askUntil<K extends keyof M & string, C>(
    deadline: { readonly over: Promise<C>; readonly forget: () => void },
    graceOf: (cut: C) => number,
    method: K,
    args: ArgsOf<M, K>,
  ): Promise<UpToDeadline<AnswerOf<M, K>, C>> {
    const begunMs = performance.now();
    try {
      const asked = this.ask(method, args).then((done) => ({ done }));
      const first = await Promise.race([asked, deadline.over.then((cut) => ({ cut }))]);
      if ('done' in first) return first;
      const afterMs = Math.round(performance.now() - begunMs);
      this.stop();
      const graceMs = graceOf(first.cut);
      const last = graceMs === 0 ? null : await Promise.race([asked, sleep(graceMs)]);
      if (last === null) await this.end();
      return { ...first, afterMs, late: last?.done ?? null };
    } finally {
      deadline.forget();
    }
  }

  stop(): void {
    Atomics.store(this.#stop, 0, 1);
    this.#port.postMessage('stop' satisfies Word);
  }

  async end(): Promise<void> {
    if (this.#ended === null) this.#rejectAll(new ThreadEnded('the thread was ended'));
    await this.#terminate();
  }

  #rejectAll(error: Error): void {
    this.#ended = error;
    for (const { reject } of this.#asked.values()) reject(error);
    this.#asked.clear();
  }
}

const sleep = (ms: number): Promise<null> =>
  new Promise((resolve) => {
    setTimeout(() => resolve(null), ms);
  });
