/** Several threads of one kind, each of which has one task or a few at a time; the other tasks wait. */
import type { AnswerOf, ArgsOf, MethodsOf, Thread } from './thread.js';

interface Lane<M extends MethodsOf<M>> {
  /** Null: it is started when a task comes. */
  thread: Thread<M> | null;
}

export class ThreadPool<M extends MethodsOf<M>> {
  readonly threads: number;
  readonly #start: () => Thread<M>;
  readonly #lanes: readonly Lane<M>[];
  /** A lane for each task that may begin. */
  readonly #free: Lane<M>[];
  readonly #waiting: ((lane: Lane<M>) => void)[] = [];

  /** @param atOnce tasks side by side in one thread: those that mostly wait */
  constructor(threads: number, start: () => Thread<M>, atOnce = 1) {
    this.threads = threads;
    this.#start = start;
    this.#lanes = Array.from({ length: threads }, () => ({ thread: null }));
    this.#free = Array.from({ length: atOnce }, () => this.#lanes).flat();
  }

  /** Null if it was aborted: then the thread is ended, and another takes its place. */
  async run<K extends keyof M & string>(
    method: K,
    args: ArgsOf<M, K>,
    signal = new AbortController().signal,
  ): Promise<AnswerOf<M, K> | null> {
    const lane = this.#free.shift() ?? (await new Promise<Lane<M>>((begin) => this.#waiting.push(begin)));
    try {
      if (signal.aborted) return null;
      if (lane.thread?.isEnded !== false) lane.thread = this.#start();
      const step = await lane.thread.askUntil(aborting(signal), () => 0, method, args);
      return 'done' in step ? step.done : null;
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#free.push(lane);
      else next(lane);
    }
  }

  async close(): Promise<void> {
    await Promise.all(this.#lanes.map(async ({ thread }) => thread?.end()));
  }
}

function aborting(signal: AbortSignal): { readonly over: Promise<true>; readonly forget: () => void } {
  let abort = (): void => undefined;
  const over = new Promise<true>((resolve) => {
    abort = () => resolve(true);
    signal.addEventListener('abort', abort);
  });
  return { over, forget: () => signal.removeEventListener('abort', abort) };
}
