/** One endpoint: its jobs, its queue, its workers. Knows nothing of HTTP. Long because every fault of a job's life stands here. */
import type { Answer, Reply } from './call.js';
import { chunksOf } from './chunks.js';
import type { Choices } from './choices.js';
import type { Clock, Timer } from './clock.js';
import type { FaultId } from './faults.js';
import type { Ids } from './ids.js';
import {
  hasEnded,
  latinOnly,
  mapNumbers,
  mapStrings,
  newJob,
  recordOf,
  tell,
  without,
  withoutNulls,
  type Job,
  type Run,
  type Status,
} from './job.js';
import { isObject, type Json, type JsonObject } from './json.js';
import type { Allowance } from './limits.js';
import { runHandler } from './script.js';
import { lookForBucket, storeOutput } from './storage.js';
import { DAY_MS, HOUR_MS, MINUTE_MS, newDefaults, SECOND_MS, type Submission } from './submission.js';
import type { Webhooks } from './webhooks.js';
import { wrongChunks, wrongInput } from './wrong-values.js';

/** What all endpoints of a server share. */
export interface Service {
  readonly clock: Clock;
  readonly choices: Choices;
  readonly fault: FaultId | null;
  readonly ids: Ids;
  readonly webhooks: Webhooks;
  readonly endpoints: Map<string, Endpoint>;
  readonly unpermittedKey: string;
}

const isSame = (one: Json | undefined, other: Json | undefined): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

/** What a reader of JSON that recognizes dates writes again. */
const reformattedDate = (text: string): string =>
  /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(text) && !Number.isNaN(Date.parse(text))
    ? new Date(text).toISOString()
    : text;

/** `{"a.b": 1}` as `{"a": {"b": 1}}`. */
const nested = (name: string, value: Json): JsonObject => {
  const [first = '', ...rest] = name.split('.');
  return { [first]: rest.length === 0 ? value : nested(rest.join('.'), value) };
};

/** With other members in the place of those whose name contains `part`, at any depth. */
function mapMembers(value: Json, part: string, change: (name: string, value: Json) => JsonObject): Json {
  if (Array.isArray(value)) return value.map((member) => mapMembers(member, part, change));
  if (!isObject(value)) return value;
  const members = Object.entries(value).map(([name, member]): [string, Json][] => {
    const changed = mapMembers(member, part, change);
    return name.includes(part) ? Object.entries(change(name, changed)) : [[name, changed]];
  });
  return Object.fromEntries(members.flat());
}

const isRunsync = (job: Job): boolean => job.kind === 'runsync';
const isRetried = (job: Job): boolean => job.retries > 0;

/** Differs from instant to instant, and is the same each time. */
const lateness = (atMs: number, mostMs: number): number => (Math.floor(atMs) * 7919) % (mostMs + 1);

export class Endpoint {
  readonly id: string;
  readonly service: Service;
  workers: number;
  received = 0;
  closed = false;
  /** After a crash under a fault: every call fails. */
  broken = false;
  /** How the last key was judged; only faults look at it. */
  readonly lastKey = { atMs: -Infinity, passed: false, everPassed: false };
  readonly jobs = new Map<string, Job>();
  readonly allowances = new Map<string, Allowance>();
  readonly defaults;
  /** Answers cached under some faults, by path. */
  readonly cache = new Map<string, { untilMs: number; answer: Json }>();
  latest: Job | null = null;
  /** Calls of /runsync that wait, oldest first; only faults look at them. */
  readonly waitingCalls: ((job: Job) => void)[] = [];
  queue: Job[] = [];
  private readonly busy = new Set<Run>();
  private readonly ranHere = new Set<string>();
  /** Jobs deleted, for the faults that go on with them. */
  private readonly ghosts = new Map<string, Job>();
  private readonly counts = {
    completed: 0,
    failed: 0,
    timedOut: 0,
    cancelled: 0,
    retried: 0,
    redispatched: 0,
  };
  private readonly leaks = { inProgress: 0, inQueue: 0, cancelledInQueue: 0, webhooks: 0 };
  private lostWorkers = 0;
  private starting = false;
  private tick: Timer | undefined;
  private picks = 0;
  private purges = 0;
  private purgedMs = -Infinity;
  private lastOutput: Json | undefined;
  /** Where `/stream` has got to, under a fault that keeps one place for all jobs. */
  chunksRead = 0;
  /** The timer of the call that waits, under a fault that has one for all. */
  waitTimer: Timer | undefined;
  /** What wrong servers keep beside the jobs: for all of them, or longer than a job lives. */
  private readonly wrong = {
    timer: undefined as Timer | undefined,
    /** When a signal was sent that reaches the next job on the worker. */
    signalMs: -Infinity,
    runs: 0,
    crashed: false,
    unread: [] as Json[],
    outputs: new Map<string, Json>(),
    noticeMs: -Infinity,
    pendingNotices: new Set<string>(),
    happened: new Map<string, { atMs: number; times: number }>(),
    submissions: 0,
    submittedMs: NaN,
    activeMs: NaN,
    asleep: false,
    expiredInQueue: new Set<string>(),
    expiredSincePurge: 0,
    completedTwice: 0,
    crashes: 0,
    runningLeaks: 0,
    refusedRetries: 0,
    slots: 0,
    urls: new Set<string>(),
    failuresInARow: 0,
    crashesEver: 0,
    pausedUntilMs: -Infinity,
    cancels: 0,
    readsOf: new Map<string, number[]>(),
    crossed: [] as ((reply: Reply) => void)[],
  };

  constructor(id: string, workers: number, service: Service) {
    this.id = id;
    this.workers = workers;
    this.service = service;
    this.defaults = newDefaults(service.fault, service.choices.executionTimeoutDefaultMs);
  }

  // Submission

  /** `atOnce` is how a fault says that it has seen a free worker. */
  submit(submission: Submission, atOnce = false): Job {
    const { clock, ids, fault } = this.service;
    let id = fault === 'id-by-clock' ? `at-${clock.now()}` : ids.next(submission.kind, submission.input);
    if (fault === 'id-by-count') id = `job-${this.jobs.size + 1}`;
    const twin = this.jobs.get(id);
    if (fault === 'id-by-input' && twin !== undefined) return twin;
    const job = newJob(id, submission, clock.now());
    this.jobs.set(id, job);
    this.latest = job;
    this.watchTtl(job, job.submittedMs);
    if (fault === 'runsync-retention-from-submission' && job.kind === 'runsync') {
      clock.at(clock.now() + MINUTE_MS, () => hasEnded(job) && this.remove(job));
    }
    if (fault === 'run-retention-from-submission' && job.kind === 'run') {
      clock.at(clock.now() + 30 * MINUTE_MS, () => hasEnded(job) && this.remove(job));
    }
    if (fault === 'execution-timeout-in-queue') {
      clock.at(clock.now() + job.executionTimeoutMs, () => {
        if (job.status === 'IN_QUEUE' && !job.deleted) this.endWaiting(job, 'TIMED_OUT');
      });
    }
    if (fault === 'webhook-on-submission') this.notify(job);
    if (fault === 's3-bucket-looked-for') lookForBucket(job.s3Config);
    const idleMs = clock.now() - this.wrong.submittedMs;
    this.wrong.submittedMs = clock.now();
    this.wrong.submissions += 1;
    if (fault === 'first-job-after-idle-lost' && idleMs > 10 * MINUTE_MS) {
      this.remove(job);
      return job;
    }
    if (fault === 'queue-of-fifty-drops-oldest' && this.queue.length >= 50) this.remove(this.queue[0] as Job);
    this.wrong.slots += 1;
    job.wrong.slot = this.wrong.slots;
    const beside = fault === 'runsync-runs-beside' && job.kind === 'runsync' && this.workers > 0;
    if (atOnce || (beside && this.freeWorkers() <= 0)) {
      this.start(job);
      return job;
    }
    if (fault === 'queue-of-one' && this.queue.length >= 1) this.remove(job);
    else if (fault === 'purge-lasts-a-second' && clock.now() < this.purgedMs + SECOND_MS) this.remove(job);
    else this.enqueue(job);
    if (fault === 'low-priority-put-back' && !job.lowPriority && this.freeWorkers() <= 0) {
      const yielding = [...this.busy].find((run) => run.job.lowPriority && !run.over);
      if (yielding !== undefined && job.status === 'IN_QUEUE') this.putBack(yielding);
    }
    return job;
  }

  /** Under a fault: the run is given up, and its job waits as the last of the queue. */
  private putBack(run: Run): void {
    const { job } = run;
    Object.assign(job, { status: 'IN_QUEUE', startedMs: null, run: null });
    this.queue.push(job);
    this.stop(run);
  }

  private enqueue(job: Job): void {
    this.queue.push(job);
    this.wake('work');
  }

  // Workers

  busyWorkers(): number {
    return this.busy.size;
  }

  idleWorkers(): number {
    const idle = this.workers - this.lostWorkers - this.busy.size;
    return this.service.fault === 'health-idle-below-zero' ? idle : Math.max(0, idle);
  }

  resize(workers: number): void {
    this.workers = workers;
    if (this.service.fault !== 'resize-does-not-wake') this.wake('work');
  }

  private wake(why: 'work' | 'freed'): void {
    const { choices, clock, fault } = this.service;
    if (fault === 'queue-not-woken' && why === 'freed') return;
    if (this.closed) return;
    if (choices.dispatchTickMs === 0) return this.startJobs();
    if (this.tick !== undefined && !this.tick.over) return;
    const atMs = (Math.floor(clock.now() / choices.dispatchTickMs) + 1) * choices.dispatchTickMs;
    this.tick = clock.at(atMs, () => this.startJobs());
  }

  private startJobs(): void {
    // Jobs that end at once free their worker while this loop runs: it goes on by itself.
    if (this.starting) return;
    const { fault } = this.service;
    this.starting = true;
    this.sweep();
    const { clock } = this.service;
    if (this.busy.size === 0 && clock.now() - this.wrong.activeMs > HOUR_MS) this.wrong.asleep = true;
    this.wrong.activeMs = clock.now();
    if (fault === 'workers-sleep-after-idle' && this.wrong.asleep) {
      this.starting = false;
      return;
    }
    const { wrong } = this;
    const stopped =
      (fault === 'queue-stops-after-five-failures' && wrong.failuresInARow >= 5) ||
      (fault === 'queue-stops-after-three-crashes' && wrong.crashesEver >= 3) ||
      clock.now() < wrong.pausedUntilMs;
    if (stopped) {
      this.starting = false;
      return;
    }
    const batchUnderWay = fault === 'dispatch-in-batches' && this.busy.size > 0;
    while (this.freeWorkers() > 0 && !batchUnderWay) {
      const job = this.takeNext();
      if (job === undefined) break;
      if (fault === 'stale-head-stops-dispatch' && job.deleted) break;
      if (fault === 'ttl-in-queue-when-picked' && job.ttlAtMs <= clock.now()) {
        this.remove(job);
        continue;
      }
      if (fault === 'cancelled-head-stops-dispatch' && hasEnded(job)) break;
      this.start(job);
      if (fault === 'two-idle-workers-take-one-job' && job.run !== null && this.freeWorkers() > 0)
        this.start(job);
    }
    this.starting = false;
  }

  private freeWorkers(): number {
    const { fault } = this.service;
    let workers = this.workers - this.lostWorkers;
    if (fault === 'one-worker-only') workers = Math.min(1, workers);
    if (fault === 'one-worker-too-many' && workers > 0) workers += 1;
    if (fault === 'workers-shared-by-endpoints') {
      for (const other of this.service.endpoints.values()) if (other !== this) workers -= other.busyWorkers();
    }
    return workers - this.busy.size;
  }

  private takeNext(): Job | undefined {
    const { choices, fault } = this.service;
    if (fault === 'purge-closes-queue' && this.purges > 0) return undefined;
    const ready = this.queue.filter(
      (job) => !(fault === 'low-priority-never-runs' && job.lowPriority) && !this.waitsForItsWorker(job),
    );
    if (ready.length === 0) return undefined;
    let index = 0;
    if (choices.queueOrder === 'lifo') index = ready.length - 1;
    if (choices.queueOrder === 'shuffled') {
      this.picks += 1;
      index = (this.picks * 7919) % ready.length;
    }
    if (choices.queueOrder === 'low-priority-last') {
      index = Math.max(
        0,
        ready.findIndex((job) => !job.lowPriority),
      );
    }
    const job = ready[index] as Job;
    this.queue.splice(this.queue.indexOf(job), 1);
    return job;
  }

  private waitsForItsWorker(job: Job): boolean {
    const { fault } = this.service;
    const asked =
      fault === 'worker-chosen-at-submission' ||
      (fault === 'retry-waits-for-first-worker' && job.retries > 0);
    return asked && this.busySlots().has(this.slotOf(job));
  }

  private slotOf(job: Job): number {
    return Number(job.wrong.slot) % Math.max(1, this.workers);
  }

  private busySlots(): Set<number> {
    return new Set([...this.busy].map((run) => this.slotOf(run.job)));
  }

  // Running

  private start(job: Job): void {
    const { clock, fault } = this.service;
    const run: Run = { job, over: false, beside: this.busy.size > 0 };
    if (fault === 'retry-waits-for-first-worker' && job.retries === 0) {
      const taken = this.busySlots();
      job.wrong.slot = Array.from(this.busy.keys()).findIndex((_, slot) => !taken.has(slot));
      if (job.wrong.slot === -1) job.wrong.slot = this.busy.size;
    }
    this.busy.add(run);
    job.run = run;
    job.status = 'IN_PROGRESS';
    job.startedMs = clock.now();
    job.wrong.firstStartedMs ??= job.startedMs;
    if (fault === 'ttl-from-start' || fault === 'ttl-restarts-at-start') this.watchTtl(job, clock.now());
    if (fault === 'webhook-on-start') this.notify(job);
    this.watchOverrun(run);
    this.goWrongAtStart(run);
    tell(job);
    const known = this.wrong.outputs.get(JSON.stringify(job.input));
    if (fault === 'result-cached-by-input' && known !== undefined) return this.succeeded(run, known);
    const ranBefore = this.ranHere.has(job.id);
    this.ranHere.add(job.id);
    run.handler = runHandler(
      { input: this.inputFor(job), s3Config: this.s3ConfigFor(job), ranBefore },
      clock,
      {
        chunk: (result) => this.produced(run, result),
        success: (output) => this.succeeded(run, output),
        error: (message) => this.failed(run, message),
        crash: () => this.crashed(run),
      },
    );
    if (run.over && this.busy.has(run) === false) run.handler.stop();
  }

  /** What some faults do to a run that has just begun. */
  private goWrongAtStart(run: Run): void {
    const { clock, fault } = this.service;
    const { job } = run;
    if (fault === 'status-ttl-lost-at-start') this.watchTtl(job, job.submittedMs);
    if (fault === 'redelivered-after-an-hour')
      clock.at(clock.now() + HOUR_MS, () => !run.over && this.enqueue(job));
    if (fault === 'redelivered-after-thirty-seconds') {
      clock.at(clock.now() + MINUTE_MS / 2, () => !run.over && this.enqueue(job));
    }
    if (fault === 'stalled-job-starts-over') {
      clock.at(clock.now() + MINUTE_MS, () => {
        if (!run.over && job.chunks.length === 0) this.putBack(run);
      });
    }
    if (this.wrong.signalMs === clock.now()) {
      this.wrong.signalMs = -Infinity;
      const status = fault === 'cancel-signal-hits-next-job' ? 'CANCELLED' : 'FAILED';
      clock.at(clock.now() + 100, () => this.finish(run, status, undefined, 'killed'));
    }
    const bytesMax =
      fault === 'input-over-four-megabytes-fails'
        ? 4_194_304
        : fault === 'runsync-input-over-sixteen-megabytes-fails'
          ? 16_777_216
          : Infinity;
    if (bytesMax < Infinity && JSON.stringify(job.input).length > bytesMax)
      clock.at(clock.now(), () => this.failed(run, 'message too large'));
    if (fault === 'overrun-flag-stays-on-job' && job.wrong.overran)
      clock.at(clock.now() + 100, () => this.overran(run));
    if (fault === 'stream-of-cancelled-in-next') job.chunks.push(...this.wrong.unread.splice(0));
  }

  private inputFor(job: Job): JsonObject {
    const { fault } = this.service;
    let { input } = job;
    if (fault === 'input-of-latest-job') input = this.latest?.input ?? input;
    if (fault === 'input-nulls-dropped') input = withoutNulls(input) as JsonObject;
    if (fault === 'input-trimmed') input = mapStrings(input, (text) => text.trim()) as JsonObject;
    if (fault === 'input-unicode-mangled') input = mapStrings(input, latinOnly) as JsonObject;
    if (fault === 'input-empty-arrays-dropped') {
      input = without(input, (member) => Array.isArray(member) && member.length === 0) as JsonObject;
    }
    if (fault === 'input-numbers-as-strings') {
      const { plan, planOnRetry, ...rest } = input;
      input = mapNumbers(rest, String) as JsonObject;
      if (plan !== undefined) input['plan'] = plan;
      if (planOnRetry !== undefined) input['planOnRetry'] = planOnRetry;
    }
    if (fault === 'retry-loses-input' && job.retries > 0) input = {};
    if (fault === 'retry-wraps-input' && job.retries > 0) input = { input };
    if (fault === 'retry-loses-input-second-time' && job.retries > 1) input = {};
    if (fault === 'input-nul-lost')
      input = mapStrings(input, (text) => text.replaceAll('\0', '')) as JsonObject;
    if (fault === 'input-line-breaks-unified')
      input = mapStrings(input, (text) => text.replaceAll('\r\n', '\n')) as JsonObject;
    if (fault === 'input-unicode-normalised')
      input = mapStrings(input, (text) => text.normalize()) as JsonObject;
    if (fault === 'input-dates-reformatted') input = mapStrings(input, reformattedDate) as JsonObject;
    if (fault === 'input-html-escaped')
      input = mapStrings(input, (text) =>
        text.replaceAll('&', '&amp;').replaceAll('<', '&lt;'),
      ) as JsonObject;
    if (fault === 'input-proto-lost') input = mapMembers(input, '__proto__', () => ({})) as JsonObject;
    if (fault === 'input-dotted-keys-nested') input = mapMembers(input, '.', nested) as JsonObject;
    if (fault === 'input-with-webhook-added' && job.webhook !== null)
      input = { ...input, webhook: job.webhook };
    if (fault === 'retry-adds-attempt-to-input' && job.retries > 0)
      input = { ...input, attempt: job.retries + 1 };
    if (fault === 's3-in-input' && isObject(job.s3Config)) input = { ...job.s3Config, ...input };
    return wrongInput(input, fault);
  }

  private s3ConfigFor(job: Job): Json {
    const { fault } = this.service;
    const { s3Config } = job;
    if (fault === 's3-of-latest-job' && s3Config !== null) return this.latest?.s3Config ?? s3Config;
    if (fault === 's3-dropped') return null;
    if (fault === 's3-dropped-on-retry' && job.retries > 0) return null;
    if (fault === 's3-dropped-for-runsync' && job.kind === 'runsync') return null;
    if (!isObject(s3Config)) return s3Config;
    const { accessSecret, endpointUrl } = s3Config;
    if (fault === 's3-missing-as-null')
      return { accessId: null, accessSecret: null, bucketName: null, endpointUrl: null, ...s3Config };
    if (fault === 's3-secret-percent-encoded' && typeof accessSecret === 'string')
      return { ...s3Config, accessSecret: encodeURIComponent(accessSecret) };
    if (fault === 's3-endpoint-without-scheme' && typeof endpointUrl === 'string')
      return { ...s3Config, endpointUrl: endpointUrl.replace(/^https?:\/\//, '') };
    if (fault === 's3-trimmed') return mapStrings(s3Config, (text) => text.trim());
    if (fault === 's3-secret-masked') return { ...s3Config, accessSecret: '***' };
    if (fault === 's3-endpoint-url-slash')
      return { ...s3Config, endpointUrl: `${String(s3Config['endpointUrl'])}/` };
    if (fault === 's3-renamed') {
      const snake = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
      return Object.fromEntries(Object.entries(s3Config).map(([name, value]) => [snake(name), value]));
    }
    return s3Config;
  }

  watchOverrun(run: Run): void {
    const { clock, choices, fault } = this.service;
    const { job } = run;
    let ms = job.executionTimeoutMs;
    let fromMs = clock.now();
    if (fault === 'execution-timeout-in-seconds') ms *= 1000;
    if (fault === 'execution-timeout-halved') ms /= 2;
    if (fault === 'execution-timeout-doubled') ms *= 2;
    if (fault === 'execution-timeout-from-submission') fromMs = job.submittedMs;
    if (fault === 'retry-loses-policy' && job.retries > 0) ms = this.defaults.executionTimeoutMs;
    if (fault === 'retry-loses-policy-second-time' && job.retries > 1) ms = this.defaults.executionTimeoutMs;
    if (fault === 'execution-timeout-over-all-runs') ms = Math.max(0, ms - job.earlierExecutionMs);
    if (fault === 'execution-timeout-from-retry' && job.retries > 0) fromMs = job.queuedMs;
    if (fault === 'execution-timeout-not-enforced' || !Number.isFinite(ms)) return;
    if (fault === 'execution-timeout-first-worker-only' && run.beside) return;
    if (fault === 'execution-timeout-not-when-waited' && clock.now() > job.queuedMs) return;
    run.overrunMs = fromMs + ms;
    if (fault === 'execution-timeout-looked-at-when-read') return;
    clock.stop(fault === 'execution-timeout-timer-shared' ? this.wrong.timer : run.overrunTimer);
    run.overrunTimer = clock.at(this.swept(fromMs + ms + choices.overrunLateMs, 'overrun'), () =>
      this.overran(run),
    );
    if (fault === 'execution-timeout-timer-shared') this.wrong.timer = run.overrunTimer;
  }

  private produced(run: Run, given: Json): void {
    for (const result of wrongChunks(given, this.service.fault)) this.producedOne(run, result);
  }

  private producedOne(run: Run, result: Json): void {
    const { choices, clock, fault } = this.service;
    const { job } = run;
    if (run.over) {
      if (fault === 'retry-late-chunks-of-first-run' && job.run !== null) job.chunks.push(result);
      return;
    }
    if (fault === 'stream-first-worker-only' && run.beside) return;
    if (fault === 'stream-null-ends' && result === null) job.wrong.streamOver = true;
    if (fault === 'stream-done-ends' && result === '[DONE]') job.wrong.streamOver = true;
    if (fault === 'stream-empty-text-ends' && result === '') job.wrong.streamOver = true;
    if (fault === 'stream-false-ends' && result === false) job.wrong.streamOver = true;
    if (job.wrong.streamOver) return;
    if (fault === 'stream-error-member-fails-job' && isObject(result) && result['error'] !== undefined)
      return this.failed(run, String(result['error']));
    if (fault === 'stream-from-first-read' && !job.wrong.streamRead) return;
    if (fault === 'stream-one-per-instant' && job.wrong.chunkMs === clock.now()) job.chunks.pop();
    job.wrong.chunkMs = clock.now();
    if (fault === 'execution-timeout-restarts-on-chunk') this.watchOverrun(run);
    const chunks = chunksOf(result, choices, fault);
    if (fault === 'stream-large-fails-job' && chunks.length > 1) return this.failed(run, 'chunk too large');
    const target = fault === 'stream-mixes-jobs' && this.latest !== null ? this.latest : run.job;
    if (fault === 'stream-repeats-merged' && chunks.length === 1 && isSame(chunks[0], target.chunks.at(-1)))
      return;
    const held = job.wrong.held?.splice(0) ?? [];
    if (fault === 'stream-large-after-small' && chunks.length > 1) job.wrong.held = chunks.splice(0);
    if (fault === 'stream-second-large-lost' && chunks.length > 1) {
      if (job.wrong.largeSeen) chunks.length = 1;
      job.wrong.largeSeen = true;
    }
    target.chunks.push(...chunks, ...held);
    if (fault === 'stream-chunk-lives-a-minute') {
      clock.at(clock.now() + MINUTE_MS, () => target.chunksRead === 0 && target.chunks.shift());
    }
    tell(target);
  }

  private succeeded(run: Run, output: Json): void {
    const { clock, choices, fault } = this.service;
    const { job } = run;
    if (fault === 'health-completed-counts-stopped' && job.status === 'CANCELLED') {
      this.counts.completed += 1;
      return;
    }
    if (fault === 'retry-late-end-of-first-run' && run.over && job.run !== null) run = job.run;
    let result = output;
    if (fault === 'output-falsy-never-completes' && !output) return this.leave(run);
    const isLong = JSON.stringify(output).length > 1_048_576;
    if (fault === 'output-over-one-megabyte-fails' && isLong) return this.failed(run, 'payload too large');
    if (fault === 'output-over-one-megabyte-lost' && isLong) result = null;
    if (fault === 'output-falsy-fails' && !output) return this.failed(run, 'no output');
    if (fault === 'output-error-member-fails-job' && isObject(output) && output['error'] !== undefined)
      return this.failed(run, String(output['error']));
    if (job.chunks.length > 0 && isObject(output) && output['ok'] === true) {
      if (choices.outputOfStreamingJob === 'aggregate') result = [...job.chunks];
      if (choices.outputOfStreamingJob === 'null') result = null;
    }
    if (fault === 'output-of-previous-job' && this.lastOutput !== undefined) {
      [result, this.lastOutput] = [this.lastOutput, result];
    } else {
      this.lastOutput = result;
    }
    if (fault === 'output-null-is-previous' && output !== null) this.wrong.outputs.set('', output);
    if (fault === 'output-null-is-previous') result = output ?? this.wrong.outputs.get('') ?? null;
    this.wrong.outputs.set(JSON.stringify(job.input), result);
    if (fault === 'crash-fails-next-job' && this.wrong.crashed) {
      this.wrong.crashed = false;
      return this.failed(run, 'broken pipe');
    }
    if (fault === 'completed-stays-in-progress') return this.leave(run);
    if (fault === 'completed-late') {
      clock.at(clock.now() + MINUTE_MS, () => this.finish(run, 'COMPLETED', result, null));
      return;
    }
    if (fault === 's3-output-stored') storeOutput(job.s3Config, job.id, result);
    this.finish(run, 'COMPLETED', result, null);
  }

  private failed(run: Run, message: string): void {
    const { fault } = this.service;
    if (fault === 'worker-lost-after-failure') this.lostWorkers += 1;
    if (fault === 'empty-error-completes' && message === '') return this.finish(run, 'COMPLETED', null, null);
    if (fault === 'failure-after-streaming-completes' && run.job.chunks.length > 0)
      return this.finish(run, 'COMPLETED', [...run.job.chunks], null);
    if (fault === 'handler-error-completes') return this.finish(run, 'COMPLETED', { error: message }, null);
    if (fault === 'handler-error-stays-in-progress') return this.leave(run);
    if (fault === 'failed-is-timed-out') return this.finish(run, 'TIMED_OUT', undefined, message);
    if (fault === 'health-progress-not-freed' && !run.over) this.leaks.inProgress += 1;
    if (fault === 'health-progress-not-freed-second-time' && run.job.retries > 0) this.leaks.inProgress += 1;
    this.finish(run, 'FAILED', undefined, message);
  }

  private crashed(run: Run): void {
    const { choices, fault } = this.service;
    const { job } = run;
    if (run.over) return this.leave(run);
    if (fault === 'worker-lost-after-crash') this.lostWorkers += 1;
    if (fault === 'crash-breaks-endpoint') this.broken = true;
    this.wrong.crashed = true;
    if (fault === 'crash-hangs') return this.leave(run);
    if (fault === 'crash-after-retry-hangs' && job.retries > 0) return this.leave(run);
    if (fault === 'crash-of-second-worker-hangs' && run.beside) return this.leave(run);
    if (fault === 'crash-after-streaming-completes' && job.chunks.length > 0)
      return this.finish(run, 'COMPLETED', [...job.chunks], null);
    if (fault === 'crash-requeued-endlessly') {
      Object.assign(job, { status: 'IN_QUEUE', startedMs: null, run: null, chunks: [], chunksRead: 0 });
      const { clock } = this.service;
      clock.at(clock.now() + SECOND_MS, () => job.status === 'IN_QUEUE' && !job.deleted && this.enqueue(job));
      return this.stop(run);
    }
    if (fault === 'health-idle-drops-on-crash') this.wrong.crashes += 1;
    if (fault === 'health-progress-leaks-on-crash') this.leaks.inProgress += 1;
    if (fault === 'crash-completes') return this.finish(run, 'COMPLETED', null, null);
    if (fault === 'crash-forgets-job') return this.remove(job);
    job.crashes += 1;
    if (fault === 'crash-stays-in-queue') {
      this.stop(run);
      Object.assign(job, { status: 'IN_QUEUE', startedMs: null, run: null });
      return;
    }
    if (choices.crash === 'redispatched-once' && job.crashes === 1) {
      this.counts.redispatched += 1;
      Object.assign(job, { status: 'IN_QUEUE', startedMs: null, run: null, chunks: [], chunksRead: 0 });
      this.queue.unshift(job);
      this.stop(run);
      return;
    }
    this.finish(run, 'FAILED', undefined, 'the worker crashed');
  }

  private overran(run: Run): void {
    const { choices, fault } = this.service;
    const { job } = run;
    if (fault === 'execution-timeout-of-first-run' && run.over && job.run !== null) run = job.run;
    if (fault === 'cancel-timed-out-later' && job.status === 'CANCELLED') job.status = choices.overrun;
    if (run.over || job.deleted) return;
    if (fault === 'overrun-one-per-instant' && this.timesNow('overrun') > 1) return;
    if (fault === 'execution-timeout-ends-with-wait' && job.wrong.answeredMs !== undefined) return;
    if (fault === 'overrun-shows-completed-chunks' && job.chunks.length > 0)
      return this.finish(run, 'COMPLETED', [...job.chunks], null);
    job.wrong.overran = true;
    if (fault === 'health-progress-twice-down-on-overrun') this.leaks.inProgress -= 1;
    if (fault === 'health-progress-leaks-on-overrun') this.leaks.inProgress += 1;
    if (fault === 'health-running-leaks-on-overrun') this.wrong.runningLeaks += 1;
    if (fault === 'retry-late-end-of-first-run' || fault === 'retry-late-chunks-of-first-run')
      delete run.handler;
    if (fault === 'overrun-after-retry-keeps-worker' && job.retries > 0) {
      run.over = true;
      return this.settle(job, choices.overrun);
    }
    if (fault === 'worker-lost-after-timeout') this.lostWorkers += 1;
    if (fault === 'execution-timeout-deletes-job') return this.remove(job);
    if (fault === 'execution-timeout-completes') return this.finish(run, 'COMPLETED', undefined, null);
    if (fault === 'execution-timeout-cancels') return this.finish(run, 'CANCELLED', undefined, null);
    if (fault === 'execution-timeout-overwritten') return this.settle(job, choices.overrun);
    if (fault === 'overrun-signal-hits-next-job') this.wrong.signalMs = this.service.clock.now();
    job.error = 'executionTimeout exceeded';
    this.finish(run, choices.overrun, undefined, job.error);
  }

  /** Takes the job off its worker and gives it its final state. */
  private finish(run: Run, status: Status, output: Json | undefined, error: string | null): void {
    const { fault } = this.service;
    const { job } = run;
    if (run.over) return this.leave(run);
    if (job.deleted) {
      if (fault !== 'ttl-result-resurrects') return this.leave(run);
      job.deleted = false;
      this.jobs.set(job.id, job);
    }
    job.output = output;
    job.error = error;
    if (fault === 'retry-output-lost' && job.retries > 0) job.output = undefined;
    if (fault === 'runsync-result-lost-after-wait' && job.wrong.answeredMs !== undefined)
      job.output = undefined;
    if (fault === 'health-failed-misses-crashes' && error === 'the worker crashed') this.counts.failed -= 1;
    job.chunks.push(...(job.wrong.held?.splice(0) ?? []));
    if (fault === 'job-runs-twice' && status === 'COMPLETED' && job.retries === 0) {
      job.retries += 1;
      this.queue.push(job);
    }
    if (fault === 'webhook-holds-worker' && job.webhook !== null) {
      this.settle(job, status, () => this.stop(run));
      return;
    }
    if (fault === 'webhook-holds-job' && job.webhook !== null && status === 'COMPLETED') {
      this.stop(run);
      job.webhook = this.notifyThen(job, () => this.settle(job, status));
      return;
    }
    // First the state, then the worker: the next job must not overtake this one's answer.
    this.settle(job, status);
    this.stop(run);
  }

  /** Gives a job that is in the queue a final state. */
  private endWaiting(job: Job, status: Status): void {
    if (this.service.fault !== 'cancelled-head-stops-dispatch')
      this.queue = this.queue.filter((other) => other !== job);
    this.settle(job, status);
  }

  private settle(job: Job, status: Status, webhookDone?: () => void): void {
    const { fault } = this.service;
    job.status = status;
    job.endedMs = this.service.clock.now();
    this.wrong.failuresInARow = status === 'FAILED' ? this.wrong.failuresInARow + 1 : 0;
    if (job.error === 'the worker crashed') this.wrong.crashesEver += 1;
    if (fault === 'failure-pauses-queue' && status === 'FAILED') this.pause(MINUTE_MS / 2);
    if (status === 'COMPLETED') this.counts.completed += fault === 'health-completed-twice' ? 2 : 1;
    if (status === 'COMPLETED' && this.countsWrongly(job)) this.counts.completed -= 1;
    if (fault === 'health-completed-twice-for-runsync' && status === 'COMPLETED' && job.watchers.size > 0)
      this.counts.completed += 1;
    if (status === 'FAILED') this.counts.failed += 1;
    if (fault === 'health-failed-misses-runsync' && status === 'FAILED' && job.kind === 'runsync')
      this.counts.failed -= 1;
    if (status === 'TIMED_OUT') this.counts.timedOut += 1;
    if (status === 'CANCELLED') this.counts.cancelled += 1;
    if (fault === 'stream-lost-on-failure' && status === 'FAILED') job.chunks = [];
    if (fault === 'stream-gone-at-end') job.chunks = [];
    if (fault === 'ttl-from-end') this.watchTtl(job, job.endedMs);
    if (fault === 'status-ttl-lost-at-end') this.watchTtl(job, job.submittedMs);
    if (job.startedMs !== null) job.wrong.firstExecutionMs ??= job.endedMs - job.startedMs;
    this.retain(job);
    if (fault === 'results-latest-hundred-only') {
      const ended = [...this.jobs.values()].filter(hasEnded);
      if (ended.length > 100 && ended[0] !== undefined) this.remove(ended[0]);
    }
    if (fault === 'cleanup-drops-retry') {
      const { clock } = this.service;
      clock.at(clock.now() + SECOND_MS, () => {
        this.queue = this.queue.filter((other) => other !== job);
      });
    }
    if (fault === 'runsync-woken-by-any-end') for (const call of [...this.waitingCalls]) call(job);
    if (this.shouldNotify(job, status)) this.notify(job, webhookDone);
    else webhookDone?.();
    tell(job);
    if (fault === 'ttl-waits-for-the-run' && job.ttlAtMs <= job.endedMs) this.remove(job);
  }

  /** Stops the run's handler and frees its worker. */
  private stop(run: Run): void {
    run.over = true;
    run.handler?.stop();
    this.leave(run);
  }

  /** Frees the worker of a run that is over, or has lost its way under a fault. */
  private leave(run: Run): void {
    const { clock, fault } = this.service;
    run.over = true;
    const livesOn = fault === 'execution-timeout-of-first-run' || fault === 'cancel-timed-out-later';
    if (!livesOn) clock.stop(run.overrunTimer);
    if (run.job.run === run && run.job.status !== 'IN_PROGRESS') run.job.run = null;
    if (!this.busy.delete(run)) return;
    this.wrong.runs += 1;
    this.wrong.activeMs = clock.now();
    if (fault === 'worker-retires-after-twenty-jobs' && this.wrong.runs % 20 === 0) this.lostWorkers += 1;
    this.wake('freed');
  }

  // Expiry

  private watchTtl(job: Job, fromMs: number): void {
    const { fault } = this.service;
    let ms = job.ttlMs;
    if (fault === 'ttl-in-seconds') ms *= 1000;
    if (fault === 'ttl-halved') ms /= 2;
    if (fault === 'ttl-doubled') ms *= 2;
    if (fault === 'ttl-ignored') return;
    if (fault === 'ttl-ignored-for-runsync' && job.kind === 'runsync') return;
    if (fault === 'ttl-ignored-for-low-priority' && job.lowPriority) return;
    if (fault === 'ttl-from-start' && job.startedMs === null) return;
    if (fault === 'ttl-from-end' && job.endedMs === null) return;
    this.expireAt(job, fromMs + ms);
  }

  /** Sets the instant of the job's end of life. */
  expireAt(job: Job, atMs: number): void {
    const { clock, fault } = this.service;
    clock.stop(fault === 'ttl-timer-shared' ? this.wrong.timer : job.ttlTimer);
    job.ttlAtMs = atMs;
    if (Number.isFinite(atMs)) job.ttlTimer = clock.at(this.swept(atMs, 'ttl'), () => this.ttlExpired(job));
    if (fault === 'ttl-timer-shared') this.wrong.timer = job.ttlTimer;
  }

  /** `/status?ttl=` */
  setTtl(job: Job, ttlMs: number): void {
    const { clock, choices, fault } = this.service;
    if (fault === 'status-ttl-ignored') return;
    if (fault === 'status-ttl-not-while-running' && job.status === 'IN_PROGRESS') return;
    if (fault === 'status-ttl-once-finished-only' && !hasEnded(job)) return;
    if (fault === 'status-ttl-not-for-runsync' && job.kind === 'runsync') return;
    if (fault === 'status-ttl-ignored-after-retry' && job.retries > 0) return;
    job.wrong.statusTtl = true;
    if (fault === 'status-ttl-clears-execution-timeout') clock.stop(job.run?.overrunTimer);
    const fromMs = choices.statusTtlFrom === 'submission' ? job.submittedMs : clock.now();
    let ms = ttlMs;
    if (choices.statusTtlBelowMinimum === 'clamped') ms = Math.max(10 * SECOND_MS, ms);
    if (choices.statusTtlAboveMaximum === 'clamped') ms = Math.min(7 * DAY_MS, ms);
    if (fault === 'status-ttl-in-seconds') ms *= 1000;
    if (fault === 'status-ttl-cut-to-ten-seconds' && ms > 10 * SECOND_MS) ms -= ms % (10 * SECOND_MS);
    if (fault === 'status-ttl-only-when-shorter-than-policy') ms = Math.min(ms, job.ttlMs);
    if (fault === 'status-ttl-deletes-at-once') return this.remove(job);
    if (fault === 'status-ttl-for-all-jobs')
      for (const other of this.jobs.values()) this.expireAt(other, fromMs + ms);
    if (fromMs + ms <= clock.now()) return this.remove(job);
    if (fault?.startsWith('status-ttl-lost') !== true) job.ttlMs = ms;
    this.expireAt(job, fromMs + ms);
  }

  restartTtl(job: Job): void {
    this.watchTtl(job, this.service.clock.now());
  }

  /** A sweeper finds what is due at its next round. */
  private swept(atMs: number, what: 'overrun' | 'ttl' | 'retention'): number {
    const { expiry, timersLateMs } = this.service.choices;
    const { fault } = this.service;
    let roundMs = 0;
    if (fault === 'execution-timeout-swept-each-minute' && what === 'overrun') roundMs = MINUTE_MS;
    if (fault === 'ttl-swept-each-minute' && what === 'ttl') roundMs = MINUTE_MS;
    if (fault === 'retention-swept-each-ten-minutes' && what === 'retention') roundMs = 10 * MINUTE_MS;
    if (fault === 'ttl-sweep-at-most-ten' && what === 'ttl') roundMs = SECOND_MS;
    if (fault === 'retention-sweep-at-most-ten' && what === 'retention') roundMs = SECOND_MS;
    if (roundMs > 0) return Math.ceil(atMs / roundMs) * roundMs;
    return expiry === 'sweep' ? Math.ceil(atMs / 500) * 500 : atMs + lateness(atMs, timersLateMs);
  }

  private ttlExpired(job: Job): void {
    const { choices, fault } = this.service;
    const { status } = job;
    if (job.deleted) return;
    if (choices.expiry === 'lazy' && status !== 'IN_PROGRESS') return;
    if (fault === 'ttl-ignored-in-queue' && status === 'IN_QUEUE') return;
    if (fault === 'ttl-ignored-while-running' && status === 'IN_PROGRESS') return;
    if (fault === 'ttl-ignored-when-completed' && status === 'COMPLETED') return;
    if (fault === 'ttl-ignored-when-failed' && (status === 'FAILED' || status === 'TIMED_OUT')) return;
    if (fault === 'ttl-ignored-when-cancelled' && status === 'CANCELLED') return;
    if (fault === 'ttl-waits-for-the-run' && status === 'IN_PROGRESS') return;
    if (this.sparedByTtl(job)) return;
    if (fault === 'ttl-marks-failed' && job.run !== null)
      return this.finish(job.run, 'FAILED', undefined, 'expired');
    if (fault === 'ttl-marks-failed' && status === 'IN_QUEUE') return this.endWaiting(job, 'FAILED');
    if (fault === 'worker-lost-after-ttl' && job.run !== null) this.lostWorkers += 1;
    if (fault === 'ttl-expired-still-counted' && status === 'IN_QUEUE') this.leaks.inQueue += 1;
    if (fault === 'ttl-expired-still-counted' && status === 'IN_PROGRESS') this.leaks.inProgress += 1;
    const { run } = job;
    const leaks = fault === 'status-ttl-leaks-in-health' && job.wrong.statusTtl;
    if (leaks && status === 'IN_QUEUE') this.leaks.inQueue += 1;
    if (leaks && status === 'IN_PROGRESS') this.leaks.inProgress += 1;
    if (fault === 'health-progress-twice-down-on-ttl' && run !== null) this.leaks.inProgress -= 1;
    if (fault === 'ttl-of-running-drops-last' && run !== null) this.queue.pop();
    if (fault === 'health-running-leaks-on-ttl' && run !== null) this.wrong.runningLeaks += 1;
    if (status === 'IN_QUEUE') {
      this.wrong.expiredInQueue.add(job.id);
      this.wrong.expiredSincePurge += 1;
      if (fault === 'status-ttl-still-runs' && job.wrong.statusTtl) return this.forget(job);
    }
    const keepsWorker =
      (fault === 'ttl-after-retry-keeps-worker' && job.retries > 0) ||
      (fault === 'status-ttl-keeps-worker' && job.wrong.statusTtl);
    if (run !== null && keepsWorker) {
      run.over = true;
      return this.forget(job);
    }
    if (run !== null && fault === 'ttl-result-resurrects') return this.forget(job);
    if (run !== null && fault === 'ttl-handler-runs-on') {
      run.over = true;
      return this.forget(job);
    }
    if (fault === 'ttl-expired-still-runs' && status === 'IN_QUEUE') return this.forget(job);
    this.remove(job);
  }

  private sparedByTtl(job: Job): boolean {
    const { fault } = this.service;
    const { status } = job;
    if (fault === 'ttl-one-per-instant') return this.timesNow('ttl') > 1;
    if (fault === 'ttl-sweep-at-most-ten') return this.timesNow('ttl') > 10;
    if (fault === 'ttl-in-queue-when-picked') return status === 'IN_QUEUE';
    if (fault === 'ttl-ignored-after-cancel-of-running')
      return status === 'CANCELLED' && job.startedMs !== null;
    if (fault === 'ttl-ignored-after-second-failure') return status === 'FAILED' && job.retries > 0;
    if (fault === 'ttl-ignored-when-streamed') return status === 'IN_PROGRESS' && job.chunks.length > 0;
    return fault === 'ttl-ignored-beside-webhook' && job.webhook !== null;
  }

  /** How often something of this kind has happened at this very instant, this time included. */
  timesNow(kind: string): number {
    const nowMs = this.service.clock.now();
    const { happened } = this.wrong;
    const known = happened.get(kind);
    const times = known?.atMs === nowMs ? known.times + 1 : 1;
    happened.set(kind, { atMs: nowMs, times });
    return times;
  }

  expiredInQueue(id: string): boolean {
    return this.wrong.expiredInQueue.has(id);
  }

  private countsWrongly(job: Job): boolean {
    const { fault } = this.service;
    if (fault === 'health-completed-misses-runsync') return job.kind === 'runsync';
    if (fault === 'health-completed-misses-retried') return job.retries > 0;
    return fault === 'health-completed-misses-streaming' && job.chunks.length > 0;
  }

  /** What faults do when an ended job is read first. */
  readAtEnd(job: Job): void {
    const { clock, fault } = this.service;
    job.wrong.readAtEnd = true;
    if (fault === 'retention-from-first-read') this.retainUntil(job, clock.now() + this.retentionMs(job));
  }

  lookAtOverrun(job: Job): void {
    const { run } = job;
    if (run !== null && Number(run.overrunMs) <= this.service.clock.now()) this.overran(run);
  }

  /** Starts no job for so long. */
  private pause(ms: number): void {
    const { clock } = this.service;
    this.wrong.pausedUntilMs = clock.now() + ms;
    clock.at(this.wrong.pausedUntilMs, () => this.wake('work'));
  }

  /** Whether the job has been read a hundred times in ten seconds. */
  readTooOften(job: Job): boolean {
    const nowMs = this.service.clock.now();
    const reads = (this.wrong.readsOf.get(job.id) ?? []).filter((atMs) => atMs > nowMs - 10_000);
    this.wrong.readsOf.set(job.id, [...reads, nowMs]);
    return reads.length >= 100;
  }

  /** The jobs that run. */
  running(): Job[] {
    return [...this.busy].map((run) => run.job);
  }

  isNoticePending(job: Job): boolean {
    return this.wrong.pendingNotices.has(job.id);
  }

  overwriteQueue(queue: Job[]): void {
    this.queue = queue.filter((job) => job.status === 'IN_QUEUE' && !job.deleted);
  }

  /** Answers all that are under way with the newest reply. */
  answerCrossed(reply: Reply, answer: Answer): void {
    this.wrong.crossed.push(answer);
    if (this.wrong.crossed.length > 1) {
      for (const each of this.wrong.crossed.splice(0)) each(reply);
      return;
    }
    setTimeout(() => {
      if (this.wrong.crossed.includes(answer)) {
        this.wrong.crossed.splice(0);
        answer(reply);
      }
    }, 5);
  }

  /** What faults do when a job is cancelled that has ended. */
  cancelledAtEnd(job: Job): void {
    const { fault } = this.service;
    const again = job.status === 'CANCELLED' && job.startedMs !== null;
    if (fault === 'cancel-again-frees-again' && again) this.freeOnceMore();
    if (fault === 'cancel-of-ended-frees-worker' && job.status !== 'CANCELLED') this.freeOnceMore();
    if (fault === 'cancel-of-ended-drops-last') this.queue.pop();
    if (fault === 'cancel-of-ended-counts-down') this.leaks.inProgress -= 1;
    if (fault === 'retention-restarts-on-cancel') this.retain(job);
  }

  freeOnceMore(): void {
    this.lostWorkers -= 1;
    this.wake('freed');
  }

  /** What faults do when a retry is refused. */
  retryRefused(job: Job): void {
    const { fault } = this.service;
    this.wrong.refusedRetries += 1;
    if (fault === 'refused-retry-removes-output') job.output = undefined;
    if (fault === 'refused-retry-removes-chunks') job.chunks = [];
    if (fault === 'refused-retry-stops-running') job.run?.handler?.stop();
    if (fault === 'refused-retry-requeues-later' && job.status === 'IN_PROGRESS') {
      const watch = (): void => {
        if (!hasEnded(job)) return;
        job.watchers.delete(watch);
        this.retry(job);
      };
      job.watchers.add(watch);
    }
  }

  /** Shows the job as it is now for a second more. */
  private lag(job: Job): void {
    const { clock, choices, fault } = this.service;
    job.wrong.lag = {
      record: recordOf(job, clock.now(), choices, fault),
      untilMs: clock.now() + SECOND_MS,
    };
  }

  retain(job: Job): void {
    const { clock, fault } = this.service;
    const ms = this.retentionMs(job);
    let fromMs = clock.now();
    if (fault === 'run-retention-from-start' && job.kind === 'run') fromMs = job.startedMs ?? fromMs;
    this.retainUntil(job, fromMs + ms);
  }

  retainUntil(job: Job, untilMs: number): void {
    const { clock, choices, fault } = this.service;
    clock.stop(fault === 'retention-timer-shared' ? this.wrong.timer : job.retentionTimer);
    job.retainedUntilMs = untilMs;
    if (!Number.isFinite(untilMs)) return;
    job.retentionTimer = clock.at(this.swept(untilMs, 'retention'), () => {
      if (fault === 'retention-one-per-instant' && this.timesNow('retention') > 1) return;
      if (fault === 'retention-sweep-at-most-ten' && this.timesNow('retention') > 10) return;
      if (choices.expiry === 'lazy') return;
      if (fault === 'retention-drops-output-only') {
        job.output = undefined;
        return;
      }
      if (fault === 'retention-sweep-ignores-kind' && job.kind === 'runsync') {
        for (const other of this.jobs.values())
          if (hasEnded(other) && Number(other.endedMs) <= Number(job.endedMs)) this.remove(other);
      }
      this.remove(job);
    });
    if (fault === 'retention-timer-shared') this.wrong.timer = job.retentionTimer;
  }

  private retentionMs(job: Job): number {
    const { choices, fault } = this.service;
    const { status, kind, waitMs } = job;
    if (status === 'CANCELLED' && choices.cancelledAfter === 'gone') return 0;
    if (status === 'CANCELLED' && choices.cancelledAfter === 'kept-one-minute') return MINUTE_MS;
    if (fault === 'retention-from-first-read' && !job.wrong.readAtEnd) return Infinity;
    if (fault === 'retention-not-of-streamed' && job.chunks.length > 0) return Infinity;
    if (fault === 'retry-of-runsync-kept-like-run' && job.retries > 0) return 30 * MINUTE_MS;
    if (fault === 'retention-not-after-retry' && job.retries > 0) return Infinity;
    if (fault === 'retention-after-retry-one-minute' && job.retries > 0) return MINUTE_MS;
    const unsuccessful = status === 'FAILED' || status === 'TIMED_OUT';
    if (unsuccessful && choices.failedRetention === 'until-ttl') return Infinity;
    if (kind === 'run') {
      if (fault === 'run-retention-one-minute') return MINUTE_MS;
      if (fault === 'run-retention-three-minutes') return 3 * MINUTE_MS;
      if (fault === 'run-retention-one-day') return DAY_MS;
      if (fault === 'run-retention-never') return Infinity;
      return 30 * MINUTE_MS;
    }
    if (fault === 'runsync-retention-thirty-minutes') return 30 * MINUTE_MS;
    if (fault === 'runsync-retention-thirty-seconds') return MINUTE_MS / 2;
    if (fault === 'runsync-retention-never') return Infinity;
    if (fault === 'runsync-retention-ten-minutes-with-wait' && waitMs !== null) return 10 * MINUTE_MS;
    if (waitMs === null) return MINUTE_MS;
    switch (choices.waitRetention) {
      case 'minute':
        return MINUTE_MS;
      case 'longer-of-minute-and-wait':
        return Math.min(5 * MINUTE_MS, Math.max(MINUTE_MS, waitMs));
      case 'five-minutes':
        return 5 * MINUTE_MS;
      case 'minute-and-wait':
        return Math.min(5 * MINUTE_MS, MINUTE_MS + waitMs);
    }
  }

  /** Under lazy expiry, removes what is past its time; called before the endpoint is looked at. */
  sweep(): void {
    const { clock, choices } = this.service;
    if (choices.expiry !== 'lazy') return;
    const nowMs = clock.now();
    for (const job of this.jobs.values()) {
      if (job.ttlAtMs <= nowMs || job.retainedUntilMs <= nowMs) this.remove(job);
    }
  }

  /** Deletes the job, stops its handler, answers who waits for it. */
  remove(job: Job): void {
    const { clock, fault } = this.service;
    if (job.deleted) return;
    if (fault === 'health-failed-below-zero' && job.retries > 0) this.counts.failed -= 1;
    if (fault !== 'stale-head-stops-dispatch') this.queue = this.queue.filter((other) => other !== job);
    this.forget(job);
    clock.stop(job.ttlTimer);
    clock.stop(job.retentionTimer);
    if (job.run !== null) this.stop(job.run);
  }

  private forget(job: Job): void {
    job.deleted = true;
    this.jobs.delete(job.id);
    this.ghosts.set(job.id, job);
    this.service.ids.free(job.id);
    tell(job);
  }

  // Operations

  find(id: string, operation: string): Job | null {
    const { fault, endpoints } = this.service;
    const ghost = this.ghosts.get(id);
    const job = this.jobs.get(id);
    if (fault === 'status-of-latest-job' && operation === 'status' && job !== undefined) return this.latest;
    if (fault === 'runsync-job-unknown-to-status' && operation === 'status' && job?.kind === 'runsync')
      return null;
    if (job !== undefined) return job;
    const shorter = [...this.jobs.values()].find((other) => id.startsWith(other.id));
    const longer = [...this.jobs.values()].find((other) => other.id.startsWith(id));
    if (fault === 'job-id-shortened' && longer !== undefined) return longer;
    if (fault === 'ended-record-cached-past-expiry' && ghost?.wrong.endedRecord && operation === 'status')
      return ghost;
    if (fault === 'job-id-with-tail' && shorter !== undefined) return shorter;
    if (fault === 'expired-still-streams' && operation === 'stream' && ghost !== undefined) return ghost;
    if (fault === 'retention-streams-on' && operation === 'stream' && ghost !== undefined && hasEnded(ghost))
      return ghost;
    if (fault === 'expired-still-cancels' && operation === 'cancel' && ghost !== undefined) return ghost;
    if (fault === 'retry-of-expired' && operation === 'retry' && ghost !== undefined) {
      ghost.deleted = false;
      this.jobs.set(id, ghost);
      return ghost;
    }
    if (fault === 'endpoints-share-jobs') {
      for (const other of endpoints.values()) if (other.jobs.has(id)) return other.jobs.get(id) ?? null;
    }
    return null;
  }

  wasDeleted(id: string): boolean {
    return this.ghosts.has(id);
  }

  /** Cancels a job that has not ended. */
  cancel(job: Job): void {
    const { clock, fault } = this.service;
    const { run } = job;
    if (fault === 'cancel-does-nothing') return;
    this.wrong.cancels += 1;
    if (fault === 'cancel-finds-run-by-input' && run !== null) {
      const first = this.running().find((other) => isSame(other.input, job.input));
      if (first?.run && first !== job) return this.finish(first.run, 'CANCELLED', undefined, null);
    }
    if (fault === 'cancel-after-retry-feigned' && run !== null && job.retries > 0) return;
    if (fault === 'cancel-lags-a-second') this.lag(job);
    if (run === null) return this.cancelWaiting(job);
    if (fault === 'cancel-in-first-half-second-feigned') {
      if (clock.now() < Number(job.startedMs) + SECOND_MS / 2) return;
    }
    if (fault === 'cancel-of-running-drops-last') this.queue.pop();
    if (fault === 'health-progress-twice-down-on-cancel') this.leaks.inProgress -= 1;
    if (fault === 'health-completed-counts-stopped') delete run.handler;
    if (fault === 'cancel-signal-hits-next-job') this.wrong.signalMs = clock.now();
    if (fault === 'cancel-stops-oldest-run') [...this.busy][0]?.handler?.stop();
    if (fault === 'stream-of-cancelled-in-next') this.wrong.unread = job.chunks.slice(job.chunksRead);
    if (fault === 'health-progress-not-freed-on-cancel') this.leaks.inProgress += 1;
    if (fault === 'worker-lost-after-cancel') this.lostWorkers += 1;
    if (fault === 'worker-doubled-after-cancel') this.lostWorkers -= 1;
    if (fault === 'cancel-does-not-stop') return this.settle(job, 'CANCELLED');
    if (fault === 'health-running-leaks-on-cancel') this.wrong.runningLeaks += 1;
    if (
      fault === 'cancel-keeps-worker' ||
      (fault === 'cancel-after-retry-stops-nothing' && job.retries > 0)
    ) {
      run.over = true;
      return this.settle(job, 'CANCELLED');
    }
    if (fault === 'cancel-back-to-queue') return this.putBack(run);
    this.finish(run, 'CANCELLED', undefined, null);
    if (this.service.choices.cancelledAfter === 'gone') this.remove(job);
  }

  private cancelWaiting(job: Job): void {
    const { fault } = this.service;
    if (fault === 'health-queue-not-freed-on-cancel') this.leaks.inQueue += 1;
    if (fault === 'health-queue-not-freed-on-cancel-after-retry' && job.retries > 0) this.leaks.inQueue += 1;
    if (fault === 'cancel-leaves-in-queue') return this.settle(job, 'CANCELLED');
    if (fault === 'cancel-removes-head') {
      this.queue.shift();
      return this.settle(job, 'CANCELLED');
    }
    if (fault === 'cancel-takes-neighbour') {
      const next = this.queue[this.queue.indexOf(job) + 1];
      if (next !== undefined) this.remove(next);
    }
    this.leaks.cancelledInQueue += 1;
    const taken = fault === 'cancel-takes-all' ? [...this.queue] : [job];
    for (const each of taken) {
      this.endWaiting(each, 'CANCELLED');
      if (this.service.choices.cancelledAfter === 'gone') this.remove(each);
    }
  }

  /** Marks an ended job as cancelled: one reading of cancelling it. */
  relabelCancelled(job: Job): void {
    job.status = 'CANCELLED';
    job.output = undefined;
  }

  retry(job: Job): void {
    const { clock, choices, fault } = this.service;
    if (fault === 'retry-does-nothing') return;
    if (fault === 'retry-shows-old-state-for-a-second') this.lag(job);
    if (fault === 'health-progress-below-after-retry' && job.error === 'executionTimeout exceeded')
      this.leaks.inProgress -= 1;
    job.wrong.readAtEnd = false;
    if (fault !== 'retry-old-retention') {
      clock.stop(job.retentionTimer);
      job.retainedUntilMs = Infinity;
    }
    if (fault !== 'retry-keeps-output') {
      job.output = undefined;
      job.error = null;
    }
    if (fault !== 'retry-keeps-chunks') {
      job.chunks = [];
      job.chunksRead = 0;
    }
    if (job.run !== null && fault !== 'retry-of-running') this.stop(job.run);
    if (fault === 'health-queue-misses-retried') this.leaks.inQueue -= 1;
    if (job.startedMs !== null) job.earlierExecutionMs += (job.endedMs ?? clock.now()) - job.startedMs;
    Object.assign(job, { status: 'IN_QUEUE', startedMs: null, endedMs: null, run: null });
    job.queuedMs = clock.now();
    job.retries += 1;
    job.crashes = 0;
    this.counts.retried += 1;
    if (choices.ttlOnRetry === 'restarts') this.watchTtl(job, clock.now());
    if (fault === 'ttl-gone-after-retry') this.expireAt(job, Infinity);
    if (fault === 'health-failed-below-zero') this.counts.failed -= 1;
    if (fault === 'status-ttl-lost-on-retry') this.watchTtl(job, job.submittedMs);
    if (fault === 'purge-drops-later-retries' && job.submittedMs <= this.purgedMs) return this.remove(job);
    if (fault === 'retry-not-queued') return;
    if (fault === 'retry-lost-when-busy' && this.freeWorkers() <= 0) return;
    let delayMs = 0;
    if (fault === 'retry-delayed-ten-seconds') delayMs = 10 * SECOND_MS;
    if (fault === 'retry-second-delayed' && job.retries > 1) delayMs = 10 * SECOND_MS;
    if (fault === 'retry-delayed-a-minute') delayMs = MINUTE_MS;
    if (delayMs > 0) {
      clock.at(clock.now() + delayMs, () => job.status === 'IN_QUEUE' && !job.deleted && this.enqueue(job));
      return;
    }
    if (fault === 'retry-skips-queue') return this.start(job);
    if (fault === 'retry-deletes-old-record') {
      this.jobs.delete(job.id);
      job.watchers.add(() => hasEnded(job) && this.jobs.set(job.id, job));
    }
    if (fault === 'retry-queued-twice') this.queue.push(job);
    if (choices.retryPlace === 'back') return this.enqueue(job);
    this.queue.unshift(job);
    this.wake('work');
  }

  /** Removes the jobs that wait; answers how many, or what a fault makes of that. */
  purge(): Json {
    const { fault } = this.service;
    let taken = [...this.queue];
    const running = [...this.busy].map((run) => run.job);
    if (fault === 'purge-keeps-first') taken = taken.slice(1);
    if (fault === 'purge-keeps-low-priority') taken = taken.filter((job) => !job.lowPriority);
    if (fault === 'purge-spares-newest-second')
      taken = taken.filter((job) => job.submittedMs <= this.service.clock.now() - SECOND_MS);
    if (fault === 'purge-at-most-ten') taken = taken.slice(0, 10);
    if (fault === 'purge-at-most-hundred') taken = taken.slice(0, 100);
    if (fault === 'cancelled-head-stops-dispatch' || fault === 'stale-head-stops-dispatch')
      taken = taken.filter((job) => job.status === 'IN_QUEUE' && !job.deleted);
    let removed: Json = taken.length;
    if (fault === 'purge-counts-expired') removed += this.wrong.expiredSincePurge;
    this.wrong.expiredSincePurge = 0;
    if (fault === 'purge-counts-run-only') removed = taken.filter((job) => job.kind === 'run').length;
    if (fault === 'purge-stops-retried') for (const job of running) if (job.retries > 0) this.remove(job);
    if (fault === 'purge-ends-streams') for (const job of running) job.chunks = [];
    if (fault === 'purge-frees-workers') this.lostWorkers -= running.length;
    if (fault === 'purge-counts-running') removed += running.length;
    if (fault === 'purge-counts-cancelled') removed += this.leaks.cancelledInQueue;
    if (fault === 'purge-counts-zero') removed = 0;
    if (fault === 'purge-counts-one-less') removed = Math.max(0, removed - 1);
    if (fault === 'purge-counts-all-jobs') removed = this.jobs.size;
    if (fault === 'purge-counts-as-string') removed = String(removed);
    if (fault === 'purge-answers-ids') removed = taken.map((job) => job.id);
    if (fault === 'health-queue-not-freed-on-purge') this.leaks.inQueue += taken.length;
    if (fault === 'health-queue-not-freed-on-purge-after-retry')
      this.leaks.inQueue += taken.filter((job) => job.retries > 0).length;
    if (fault === 'purge-zeroes-health')
      Object.assign(this.counts, { completed: 0, failed: 0, timedOut: 0, retried: 0 });
    this.leaks.cancelledInQueue = 0;
    this.purges += 1;
    this.purgedMs = this.service.clock.now();
    if (fault === 'purge-holds-queue-ten-seconds') this.pause(10 * SECOND_MS);
    if (fault === 'purge-does-nothing') return removed;
    // The queue is emptied as one: a worker must not take a job while the others are being removed.
    this.queue = this.queue.filter((job) => !taken.includes(job));
    for (const job of taken) this.purgeJob(job);
    if (fault === 'purge-still-runs') this.queue = taken;
    if (fault === 'purge-stops-running') for (const job of running) this.remove(job);
    if (fault === 'purge-forgets-results')
      for (const job of this.jobs.values()) if (hasEnded(job)) this.remove(job);
    return removed;
  }

  private purgeJob(job: Job): void {
    const { choices, fault } = this.service;
    job.wrong.purged = true;
    if (fault === 'purge-leaves-record') return;
    if (fault === 'purge-marks-completed') return this.settle(job, 'COMPLETED');
    if (choices.purgedAfter === 'cancelled') return this.endWaiting(job, 'CANCELLED');
    this.remove(job);
  }

  health(): JsonObject {
    const { choices, fault } = this.service;
    const all = [...this.jobs.values()];
    const now = (status: Status): number => all.filter((job) => job.status === status).length;
    const current = choices.healthCounters === 'current';
    const timedOut = current ? now('TIMED_OUT') : this.counts.timedOut;
    const cancelled = current ? now('CANCELLED') : this.counts.cancelled;
    let completed = current ? now('COMPLETED') : this.counts.completed;
    let failed = current ? now('FAILED') : this.counts.failed;
    if (choices.healthTimedOut === 'failed') failed += timedOut;
    if (fault === 'health-completed-zero') completed = 0;
    if (fault === 'health-completed-counts-all-ended') completed += failed + cancelled;
    if (fault === 'health-failed-zero') failed = 0;
    if (fault === 'health-failed-counts-cancelled') failed += cancelled;
    let inProgress = Math.max(0, now('IN_PROGRESS') + this.leaks.inProgress);
    let inQueue = Math.max(0, now('IN_QUEUE') + this.leaks.inQueue);
    const count = (status: Status, which: (job: Job) => boolean): number =>
      all.filter((job) => job.status === status && which(job)).length;
    if (fault === 'health-progress-misses-runsync') inProgress -= count('IN_PROGRESS', isRunsync);
    if (fault === 'health-progress-misses-retried') inProgress -= count('IN_PROGRESS', isRetried);
    if (fault === 'health-queue-misses-low-priority') inQueue -= count('IN_QUEUE', (job) => job.lowPriority);
    if (fault === 'health-queue-misses-runsync') inQueue -= count('IN_QUEUE', isRunsync);
    if (fault === 'health-queue-counts-retried-twice') inQueue += count('IN_QUEUE', isRetried);
    if (fault === 'health-progress-counts-waiting-calls') inProgress += count('IN_QUEUE', isRunsync);
    if (fault === 'health-queue-at-most-ten') inQueue = Math.min(10, inQueue);
    if (fault === 'health-queue-counts-running') inQueue += inProgress;
    if (fault === 'health-queue-zero') inQueue = 0;
    if (fault === 'health-progress-zero') inProgress = 0;
    const refused = fault === 'health-retried-counts-refused' ? this.wrong.refusedRetries : 0;
    const retried =
      choices.healthRetried === 'calls'
        ? this.counts.retried + this.counts.redispatched + refused
        : choices.healthRetried === 'jobs'
          ? all.filter((job) => job.retries > 0).length
          : this.counts.redispatched;
    let idle = this.idleWorkers();
    let running = this.busyWorkers();
    const leaked = this.wrong.crashes + this.wrong.runningLeaks;
    if (leaked > 0) idle = Math.max(0, idle - leaked);
    running += this.wrong.runningLeaks;
    if (fault === 'health-running-misses-retried') running -= count('IN_PROGRESS', isRetried);
    if (fault === 'health-idle-is-all') idle = this.workers;
    if (fault === 'health-idle-zero') idle = 0;
    if (fault === 'health-running-zero') running = 0;
    if (fault === 'health-running-counts-queue') running += inQueue;
    if (fault === 'health-workers-swapped') [idle, running] = [running, idle];
    return { jobs: { completed, failed, inProgress, inQueue, retried }, workers: { idle, running } };
  }

  /** Ends everything: the endpoint is being emptied or deleted. */
  close(): void {
    this.closed = true;
    this.queue = [];
    this.service.clock.stop(this.tick);
    for (const job of this.jobs.values()) this.remove(job);
  }

  // Webhooks

  private shouldNotify(job: Job, status: Status): boolean {
    const { choices, fault } = this.service;
    if (fault === 'webhook-on-submission' || fault === 'webhook-on-start') return false;
    if (fault === 'webhook-run-only' && job.kind === 'runsync') return false;
    if (fault === 'webhook-runsync-only' && job.kind === 'run') return false;
    if (fault === 'webhook-not-after-retry' && job.retries > 0) return false;
    if (fault === 'webhook-not-for-falsy-output' && status === 'COMPLETED' && !job.output) return false;
    if (fault === 'webhook-not-for-streaming-job' && job.chunks.length > 0) return false;
    if (fault === 'webhook-over-256-kb-lost' && JSON.stringify(job.output ?? null).length > 262_144)
      return false;
    if (fault === 'webhook-not-while-called-waits' && job.kind === 'runsync' && job.watchers.size > 0)
      return false;
    const waited = Number(job.startedMs) > job.queuedMs;
    if (fault === 'webhook-not-for-waiting-jobs' && waited) return false;
    if (fault === 'webhook-not-after-wait' && job.wrong.answeredMs !== undefined) return false;
    if (fault === 'webhook-not-for-low-priority' && job.lowPriority) return false;
    if (fault === 'webhook-not-when-read' && job.wrong.readWhileRunning) return false;
    if (fault === 'webhook-not-beside-s3' && job.s3Config !== null) return false;
    if (status === 'COMPLETED') return true;
    if (choices.webhookOn === 'completed') return false;
    if (choices.webhookOn === 'completed-and-failed') return status === 'FAILED';
    return status !== 'CANCELLED' || choices.webhookOn === 'every-end';
  }

  private notify(job: Job, done?: () => void): void {
    this.notifyThen(job, done);
  }

  /** Calls the job's webhook, then `done`; answers null, the webhook left to call. */
  private notifyThen(job: Job, done?: () => void): null {
    const { clock, choices, fault, webhooks } = this.service;
    const url = fault === 'webhook-of-latest-job' ? (this.latest?.webhook ?? job.webhook) : job.webhook;
    this.leaks.webhooks += url === null ? 0 : 1;
    if (
      fault === 'webhook-never' ||
      url === null ||
      (fault === 'webhook-first-job-only' && this.leaks.webhooks > 1)
    ) {
      done?.();
      return null;
    }
    if (fault === 'webhook-one-per-instant' && this.wrong.noticeMs === clock.now()) return null;
    this.wrong.noticeMs = clock.now();
    if (fault === 'webhook-deduplicated-while-pending' && this.wrong.pendingNotices.has(job.id)) return null;
    this.wrong.pendingNotices.add(job.id);
    if (fault === 'webhook-once-per-url' && this.wrong.urls.has(url)) return null;
    this.wrong.urls.add(url);
    const { retries } = job;
    const { purges } = this;
    const { submissions, cancels } = this.wrong;
    webhooks.send({
      url,
      body: this.noticeOf(job, recordOf(job, clock.now(), choices, fault)),
      already: fault === 'webhook-attempts-kept-over-retry' ? (job.wrong.attempts ?? 0) : 0,
      attempted: () => void (job.wrong.attempts = (job.wrong.attempts ?? 0) + 1),
      wanted: () => {
        if (this.closed) return false;
        if (fault === 'webhook-dropped-when-read' && job.wrong.readAtEnd) return false;
        if (fault === 'webhook-dropped-by-next-submission' && this.wrong.submissions > submissions)
          return false;
        if (fault === 'webhook-dropped-by-cancel' && this.wrong.cancels > cancels) return false;
        if (fault === 'purge-drops-webhooks' && this.purges > purges) return false;
        if (job.deleted && choices.webhookOfDeletedJob === 'stops') return false;
        return job.retries === retries || choices.webhookOnRetryCall === 'continues';
      },
      done: (succeeded) => {
        this.wrong.pendingNotices.delete(job.id);
        if (fault === 'webhook-delivery-deletes-result' && succeeded && hasEnded(job)) this.remove(job);
        if (fault === 'webhook-failure-fails-job' && !succeeded) job.status = 'FAILED';
        if (fault === 'webhook-failure-requeues-job' && !succeeded && !job.deleted && hasEnded(job))
          this.retry(job);
        done?.();
      },
    });
    return null;
  }

  private noticeOf(job: Job, record: JsonObject): JsonObject {
    const { choices, fault } = this.service;
    if (fault === 's3-in-webhook') return { ...record, s3Config: job.s3Config };
    if (choices.webhookBody === 'id-and-status') return { id: job.id, status: job.status };
    if (choices.webhookBody === 'record-and-input')
      return { ...record, input: job.input, webhook: job.webhook };
    if (choices.webhookBody === 'event') return { event: 'job.finished', data: record };
    return record;
  }
}
