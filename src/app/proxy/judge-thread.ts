/** Hands what passes to the thread that judges, in batches; where that falls behind, calls pass all the same. */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { MessageChannel, Worker } from 'node:worker_threads';
import type { Seen } from '../../proxy/seen.js';
import type { FailingCalls } from './failing-calls.js';
import { serveJudge, type FinishedReport, type JudgeAnswer, type JudgeTask } from './judge-worker.js';
import type { Alert, LiveSettings, LiveState } from './live-judge.js';

export interface JudgeThreadOptions {
  readonly settings: LiveSettings;
  /** Calls that failed a requirement; told before the alert. */
  readonly onFailing: (requirement: string, calls: FailingCalls) => void;
  readonly onAlert: (alert: Alert) => void;
  readonly onState: (state: LiveState) => void;
  /** Why what passes is not judged; null: it is judged again. */
  readonly onTrouble: (reason: string | null) => void;
}

const BATCH_MS = 50;
/** Begins and ends that wait to be judged. Beyond that calls are not told. */
const WAITING_MAX = 20_000;
const BYTES_WAITING_MAX = 16_000_000;
/** Judging what is left takes no longer, as a rule. */
const FINISH_MS = 60_000;
const LIMITS = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 8 };

export class JudgeThread {
  readonly #options: JudgeThreadOptions;
  #worker: Judge | null;
  #batch: Seen[] = [];
  #batchBytes = 0;
  #timer: NodeJS.Timeout | null = null;
  /** Handed over and not taken. */
  #waiting = 0;
  #bytes: { readonly seen: number; readonly bytes: number }[] = [];
  #bytesWaiting = 0;
  #missed = 0;
  #trouble: string | null = null;
  /** Calls whose begin was told. */
  readonly #told = new Set<number>();
  #finished: ((finished: FinishedReport | null) => void) | null = null;

  constructor(options: JudgeThreadOptions) {
    this.#options = options;
    this.#worker = startJudge(
      options.settings,
      (answer) => this.#take(answer),
      (error) => this.#break(error),
    );
  }

  /** Never waits, and never throws. */
  onSeen(seen: Seen): void {
    if (this.#worker === null) return;
    if (seen.kind === 'begin') {
      if (this.#waiting + this.#batch.length > WAITING_MAX || this.#bytesWaiting > BYTES_WAITING_MAX) {
        this.#missed += 1;
        return;
      }
      this.#told.add(seen.call);
    } else if (!this.#told.delete(seen.call)) return;
    this.#batch.push(seen);
    if (seen.kind === 'end')
      this.#batchBytes += (seen.request.body?.length ?? 0) + (seen.reply?.body?.length ?? 0);
    this.#timer ??= setTimeout(() => this.#send(), BATCH_MS);
  }

  /** Judges what is left. Null: no call of the API has passed, or judging has ended before. */
  async finish(): Promise<FinishedReport | null> {
    this.#send();
    const worker = this.#worker;
    if (worker === null) return null;
    const finished = await new Promise<FinishedReport | null>((resolve) => {
      this.#finished = resolve;
      worker.post({ finish: true });
      setTimeout(() => resolve(null), FINISH_MS).unref();
    });
    this.#worker = null;
    worker.end();
    return finished;
  }

  #send(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    if (this.#worker === null || (this.#batch.length === 0 && this.#missed === 0)) return;
    const batch = this.#batch;
    this.#waiting += batch.length;
    this.#bytesWaiting += this.#batchBytes;
    this.#bytes.push({ seen: batch.length, bytes: this.#batchBytes });
    this.#worker.post({ batch, missed: this.#missed });
    this.#batch = [];
    this.#batchBytes = 0;
    this.#missed = 0;
  }

  #take(answer: JudgeAnswer): void {
    if ('taken' in answer) {
      this.#waiting -= answer.taken;
      this.#bytesWaiting -= this.#bytes.shift()?.bytes ?? 0;
      return;
    }
    for (const [requirement, calls] of answer.failing) this.#options.onFailing(requirement, calls);
    for (const alert of answer.alerts) this.#options.onAlert(alert);
    this.#options.onState(answer.state);
    const { trouble } = answer.state;
    if (trouble !== this.#trouble) this.#options.onTrouble(trouble);
    this.#trouble = trouble;
    if ('finished' in answer) this.#finished?.(answer.finished);
  }

  #break(error: Error): void {
    if (this.#worker === null) return;
    this.#worker = null;
    this.#finished?.(null);
    const passing = this.#options.settings.record === undefined ? 'unjudged' : 'unjudged and unrecorded';
    this.#options.onTrouble(`judging has ended, and calls pass ${passing}: ${error.message}`);
  }
}

/** A thread, or the same in this one. */
interface Judge {
  post(task: JudgeTask): void;
  end(): void;
}

/** Without the built code it judges in this thread: the answers are the same. */
function startJudge(
  settings: LiveSettings,
  onAnswer: (answer: JudgeAnswer) => void,
  onError: (error: Error) => void,
): Judge {
  const file = new URL('./judge-worker.js', import.meta.url);
  if (!existsSync(fileURLToPath(file))) {
    const { port1, port2 } = new MessageChannel();
    serveJudge(port2, settings);
    port1.on('message', onAnswer);
    return { post: (task) => port1.postMessage(task), end: () => port1.close() };
  }
  const worker = new Worker(file, { workerData: settings, resourceLimits: LIMITS });
  worker.on('message', onAnswer);
  worker.on('error', onError);
  worker.on('exit', (code) => onError(new Error(`the thread ended with ${code}`)));
  return { post: (task) => worker.postMessage(task), end: () => void worker.terminate() };
}
