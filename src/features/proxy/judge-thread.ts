/** Hands what passes to the thread that judges, in batches; where that falls behind, calls pass all the same. */
import type { Exchange } from '../../history/exchange.js';
import { startThread, type Thread, type ThreadOptions } from '../../threads/thread.js';
import type { FailingCalls } from '../../judging/live/failing-calls.js';
import type { Finding } from '../../judging/live/findings-life.js';
import { bodyBytes, memoryOfLarge, withoutLarge } from './large-bodies.js';
import { JUDGING, type FinishedReport, type JudgeMethods, type Known } from './judge-worker.js';
import type { Alert, LiveSettings, LiveState } from '../../judging/live/live-judge.js';
import { Untold } from '../../judging/live/untold.js';

export interface JudgeThreadOptions {
  readonly settings: LiveSettings;
  /** Calls that failed a requirement; told before the alert. */
  readonly onFailing: (requirement: string, calls: FailingCalls) => void;
  readonly onAlert: (alert: Alert) => void;
  readonly onState: (state: LiveState) => void;
  /** Why what passes is not judged; null: it is judged again. */
  readonly onTrouble: (reason: string | null) => void;
  /** What says that the clock of the service is another one; null: nothing does. Asked by each thread's first call. Never rejects. */
  readonly askClock?: () => Promise<Exchange<Uint8Array> | null>;
  /** Absent: a thread of its own. */
  readonly start?: (
    settings: LiveSettings,
    options: ThreadOptions<Known>,
  ) => Pick<Thread<JudgeMethods>, 'ask' | 'end'>;
}

/** How far judging is behind what passes. */
export interface JudgingLag {
  /** Begins and ends of calls that wait to be judged. */
  readonly waiting: number;
  /** How long the oldest of them waits, ms. */
  readonly behindMs: number;
  /** Calls that were not told, because judging was too far behind. */
  readonly missed: number;
}

const BATCH_MS = 50;
/** Begins and ends that wait to be judged. Beyond that calls are not told. */
const WAITING_MAX = 20_000;
const BYTES_WAITING_MAX = 16_000_000;
/** Of large bodies that wait. Beyond that their calls are told without them. */
const LARGE_WAITING_MAX = 128 << 20;
/** Judging what is left takes no longer, as a rule. */
const FINISH_MS = 60_000;
const LOOK_EVERY_MS = 1_000;
/** A thread that has taken nothing for so long gets too little processor time, or hangs. */
const BEHIND_MS = 10_000;
const SILENCE = `calls of more than ${BEHIND_MS / 1_000} s ago are not judged yet: the judging thread gets too little processor time`;
/** A thread that has ended is started again after so long. */
const RESTART_MS = 10_000;

interface Handed {
  readonly seen: number;
  readonly bytes: number;
  /** Of large bodies, which `bytes` leaves out. */
  readonly large: number;
  /** Of these, ends of calls. */
  readonly ends: number;
  /** When its calls began, the earliest, ms since 1970. */
  readonly fromMs: number;
  /** When it was handed over, ms of `performance`. */
  readonly atMs: number;
}

export class JudgeThread {
  readonly #options: JudgeThreadOptions;
  #thread: Pick<Thread<JudgeMethods>, 'ask' | 'end'> | null = null;
  /** What the next thread begins with. */
  #findings: readonly Finding[];
  #batch: Exchange<Uint8Array>[] = [];
  #batchBytes = 0;
  #batchLarge = 0;
  /** When the calls in it began, the earliest, ms since 1970. */
  #batchFromMs = Infinity;
  #timer: NodeJS.Timeout | null = null;
  readonly #watchdog: NodeJS.Timeout;
  #restart: NodeJS.Timeout | null = null;
  /** Batches that were handed over and not taken, the oldest first. */
  #handed: Handed[] = [];
  #waiting = 0;
  #bytesWaiting = 0;
  /** Of large bodies, those of the batch too. */
  #largeWaiting = 0;
  /** Not told since the last batch. */
  #missed = 0;
  #missedInAll = 0;
  /** What the judge says, what its silence says, and why there is none. */
  #trouble: string | null = null;
  #silence: string | null = null;
  #ended: string | null = null;
  #toldTrouble: string | null = null;
  /** When the calls began whose begin was told. */
  #told = new Map<Exchange['id'], number>();
  readonly #untold = new Untold();
  #isFinishing = false;
  /** Resolves when the answer about the clock was taken, before which nothing is handed over; null: not asked. */
  #clockAsked: Promise<void> | null = null;
  #isClockOpen = false;

  constructor(options: JudgeThreadOptions) {
    this.#options = options;
    this.#findings = options.settings.findings;
    this.#start();
    this.#watchdog = setInterval(() => this.#lookForSilence(), LOOK_EVERY_MS).unref();
  }

  get lag(): JudgingLag {
    const since = this.#handed[0]?.atMs ?? performance.now();
    return { waiting: this.#waiting, behindMs: performance.now() - since, missed: this.#missedInAll };
  }

  /** Never waits, and never throws. */
  take(exchange: Exchange<Uint8Array>): void {
    const { id, fromMs, byMs, outcome } = exchange;
    const isBegin = outcome.kind === 'open';
    if (this.#clockAsked === null) this.askClock();
    if (isBegin && this.#isFull) {
      this.#missed += 1;
      this.#missedInAll += 1;
      this.#untold.begin(id, fromMs);
      return this.#sendSoon();
    }
    if (isBegin) this.#told.set(id, fromMs);
    else if (!this.#told.delete(id)) {
      if (this.#untold.end(id, byMs!)) this.#sendSoon();
      return;
    }
    this.#batchFromMs = Math.min(this.#batchFromMs, fromMs);
    const { small, large } = bodyBytes(exchange);
    const hasRoom = large === 0 || this.#largeWaiting + large <= LARGE_WAITING_MAX;
    this.#batch.push(hasRoom ? exchange : withoutLarge(exchange));
    this.#batchBytes += small;
    if (hasRoom) this.#batchLarge += large;
    if (hasRoom) this.#largeWaiting += large;
    this.#sendSoon();
  }

  /** What passes from now on is judged after the answer. */
  askClock(): void {
    const { askClock } = this.#options;
    if (askClock === undefined || this.#isClockOpen) return;
    if (this.#batch.length > 0) this.#send();
    this.#isClockOpen = true;
    this.#clockAsked = askClock().then((answer) => {
      if (answer !== null) this.#batch.unshift(answer);
      this.#isClockOpen = false;
      this.#sendSoon();
    });
  }

  /** Judges what is left. Null: no call of the API has passed, or it could not be judged, which was told as trouble. */
  async finish(): Promise<FinishedReport | null> {
    if (this.#isClockOpen) await this.#clockAsked;
    this.#send();
    clearInterval(this.#watchdog);
    if (this.#restart !== null) clearTimeout(this.#restart);
    const thread = this.#thread;
    if (thread === null) return null;
    this.#isFinishing = true;
    let timer: NodeJS.Timeout | undefined;
    const overdue = new Promise<null>((resolve) => {
      timer = setTimeout(() => {
        this.#silence = `judging did not end within ${FINISH_MS / 1_000} s, and ${this.#waiting} begins and ends of calls were left`;
        this.#tellTrouble();
        resolve(null);
      }, FINISH_MS).unref();
    });
    const asked = thread.ask('finish', []).catch((error: Error) => this.#break(error));
    const finished = await Promise.race([asked, overdue]);
    clearTimeout(timer);
    this.#thread = null;
    void thread.end();
    return finished;
  }

  get #isFull(): boolean {
    return (
      this.#thread === null ||
      this.#waiting + this.#batch.length > WAITING_MAX ||
      this.#bytesWaiting > BYTES_WAITING_MAX
    );
  }

  #start(): void {
    const { settings, start = (given, how) => startThread(JUDGING, given, how) } = this.#options;
    this.#restart = null;
    this.#ended = null;
    this.#thread = start(
      { ...settings, findings: this.#findings },
      { onProgress: (known) => this.#hear(known), onEnd: (error) => void this.#break(error) },
    );
    this.#tellTrouble();
    this.#sendSoon();
  }

  #sendSoon(): void {
    this.#timer ??= setTimeout(() => this.#send(), BATCH_MS);
  }

  #send(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    const thread = this.#thread;
    if (thread === null || this.#isClockOpen) return;
    const [batch, bytes, large] = [this.#batch, this.#batchBytes, this.#batchLarge];
    this.#waiting += batch.length;
    this.#bytesWaiting += bytes;
    this.#handed.push({
      ...{ seen: batch.length, bytes, large, ends: endsIn(batch) },
      ...{ fromMs: this.#batchFromMs, atMs: performance.now() },
    });
    const gap = this.#untold.take(Date.now());
    thread.ask('take', [batch, this.#missed, gap], memoryOfLarge(batch)).then(
      () => this.#forget(),
      (error: Error) => this.#break(error),
    );
    this.#batch = [];
    this.#batchBytes = this.#batchLarge = 0;
    this.#batchFromMs = Infinity;
    this.#missed = 0;
  }

  /** The oldest batch was taken. */
  #forget(): void {
    const { seen = 0, bytes = 0, large = 0 } = this.#handed.shift() ?? {};
    this.#waiting -= seen;
    this.#bytesWaiting -= bytes;
    this.#largeWaiting -= large;
  }

  #hear({ failing, alerts, state }: Known): void {
    for (const [requirement, calls] of failing) this.#options.onFailing(requirement, calls);
    for (const alert of alerts) this.#options.onAlert(alert);
    this.#options.onState(state);
    this.#findings = state.findings;
    this.#trouble = state.trouble;
    this.#tellTrouble();
  }

  #lookForSilence(): void {
    this.#silence = this.lag.behindMs > BEHIND_MS ? SILENCE : null;
    this.#tellTrouble();
  }

  #tellTrouble(): void {
    const trouble = this.#ended ?? this.#silence ?? this.#trouble;
    if (trouble === this.#toldTrouble) return;
    this.#toldTrouble = trouble;
    this.#options.onTrouble(trouble);
  }

  /** The thread has ended, or failed at what it was asked. Another is started later. */
  #break(error: Error): null {
    const thread = this.#thread;
    if (thread === null) return null;
    this.#thread = null;
    void thread.end();
    const passing = this.#options.settings.record === undefined ? 'unjudged' : 'unjudged and unrecorded';
    this.#ended = `judging has ended, and calls pass ${passing} for ${RESTART_MS / 1_000} s: ${error.message}`;
    // Of what was handed over, and of what is under way, nothing is known any more.
    const ended = this.#handed.reduce((sum, { ends }) => sum + ends, endsIn(this.#batch));
    this.#missed += ended + this.#told.size;
    this.#missedInAll += ended + this.#told.size;
    for (const { fromMs } of this.#handed) if (fromMs < Infinity) this.#untold.since(fromMs);
    if (this.#batchFromMs < Infinity) this.#untold.since(this.#batchFromMs);
    for (const [call, atMs] of this.#told) this.#untold.begin(call, atMs);
    this.#told = new Map();
    this.#batch = [];
    this.#handed = [];
    this.#batchBytes = this.#batchLarge = this.#waiting = this.#bytesWaiting = this.#largeWaiting = 0;
    this.#batchFromMs = Infinity;
    this.#trouble = this.#silence = this.#clockAsked = null;
    this.#tellTrouble();
    if (!this.#isFinishing) this.#restart = setTimeout(() => this.#start(), RESTART_MS).unref();
    return null;
  }
}

const endsIn = (batch: readonly Exchange<unknown>[]): number =>
  batch.filter(({ outcome }) => outcome.kind !== 'open').length;
