/**
 * Calls that a run makes itself on an endpoint that nothing else uses, besides those of its scripts: it counts the jobs
 * before the first script and after all of its own have ended, and sees whether workers that took no job any more take
 * one then.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { RUN_ITSELF, type CallEvent } from '../../../history/events.js';
import { canBeNamed, segmentOf } from '../../../history/job-path.js';
import { onItsClock } from '../../../schedule/latency.js';
import { METHOD_OF } from '../../../spec/operations.js';
import type { Operation } from '../../../spec/types.js';
import type { OutgoingCall } from '../../../runner/api.js';
import { idIn, tellsOfAnEnd } from '../../session/job-record.js';
import type { HistorySink } from '../../port.js';
import { cancelJobs } from '../cleanup.js';
import type { TargetContext } from '../target-context.js';

/** Counts may follow the jobs with a delay: those that are too high are asked for again, after so long, real ms. */
const ASKED_AGAIN_AFTER_MS = [1_000, 3_000, 9_500];

/** How long a job waits at most until a worker takes it, real ms: longer than any needs to come back after a stopped job. */
const PATIENCE = { waitsMaxMs: 130_000, looksEveryMs: 5_000 };
/** The same beside idle workers: a minute, and what counts may lag behind. */
const IDLE_MAX_MS = 85_000;
/** After so many looks without an idle worker it is not known that one could take the job. */
const BUSY_LOOKS_MAX = 4;

interface JobCounts {
  readonly inQueue: number;
  readonly inProgress: number;
}

interface OwnCallsOptions {
  readonly context: TargetContext;
  readonly endpoint: string;
  readonly sink: HistorySink;
  readonly clock: { readonly nowMs: number; readonly byNowMs: number };
  readonly signal: AbortSignal | undefined;
  readonly patience?: typeof PATIENCE;
}

export class OwnCalls {
  readonly #options: OwnCallsOptions;
  #before: JobCounts | null = null;

  constructor(options: OwnCallsOptions) {
    this.#options = options;
  }

  async countBefore(): Promise<void> {
    this.#before = countsIn(await this.#call('health'));
  }

  /** Counts again until the counts are no higher than before, or late beyond doubt. */
  async countAfter(): Promise<void> {
    const before = this.#before;
    if (before === null) return;
    const isBack = (now: JobCounts | null): boolean =>
      now === null || (now.inQueue <= before.inQueue && now.inProgress <= before.inProgress);
    for (const waitMs of [0, ...ASKED_AGAIN_AFTER_MS]) {
      await this.#wait(this.#onItsClock(waitMs));
      if (this.#isInterrupted || isBack(countsIn(await this.#call('health')))) return;
    }
  }

  /**
   * Submits one more job, and looks until a worker has taken it, or it has waited for too long. Resolves with the jobs that
   * could not be ended.
   */
  async seeWhetherAWorkerTakesAJob(): Promise<readonly string[]> {
    const { context, endpoint, sink, clock, signal, patience = PATIENCE } = this.#options;
    const input = context.sampleInput ?? { plan: [{ return: 'taken' }] };
    const submitted = await this.#call('run', '', JSON.stringify({ input }));
    const id = submitted.reply === null ? null : idIn(submitted.reply.body);
    if (id === null || !canBeNamed(id)) return [];
    context.createdJobs?.created(endpoint, id);
    const untilMs = clock.nowMs + this.#onItsClock(patience.waitsMaxMs);
    let state: CallEvent = submitted;
    while (isWaiting(state) && clock.nowMs < untilMs && !this.#isInterrupted) {
      await this.#wait(this.#onItsClock(patience.looksEveryMs));
      await this.#call('health');
      state = await this.#call('status', `/${segmentOf(id)}`);
    }
    if (!tellsOfAnEnd(state.reply?.body)) {
      const fromMs = clock.nowMs;
      const { left, ...calls } = await cancelJobs(context.cleanup, endpoint, [id], signal);
      if (left.length > 0) return left;
      const atMs = clock.byNowMs;
      sink.append({ kind: 'cleanup', script: RUN_ITSELF, endpoint, atMs, ended: [id], fromMs, ...calls });
    }
    context.createdJobs?.ended(endpoint, id);
    return [];
  }

  /**
   * Looks at a job of a script that no worker took, once all others have ended: until one takes it, or for as long as
   * workers are idle beside it without doubt. Resolves with whether it waited to the end.
   */
  async watchWaiting(id: string): Promise<boolean> {
    const { clock, patience = { ...PATIENCE, waitsMaxMs: IDLE_MAX_MS } } = this.#options;
    const look = (): Promise<CallEvent> => this.#call('status', `/${segmentOf(id)}`);
    const untilMs = clock.nowMs + this.#onItsClock(patience.waitsMaxMs);
    for (let busy = 0; isWaiting(await look());) {
      if (clock.nowMs >= untilMs) return true;
      busy = idleIn(await this.#call('health')) > 0 ? 0 : busy + 1;
      if (busy === BUSY_LOOKS_MAX) break;
      await this.#wait(this.#onItsClock(patience.looksEveryMs));
      if (this.#isInterrupted) break;
    }
    return false;
  }

  get #isInterrupted(): boolean {
    return this.#options.signal?.aborted === true;
  }

  #onItsClock(realMs: number): number {
    return onItsClock(this.#options.context.latency, realMs);
  }

  /** @param ms on the clock of the run */
  async #wait(ms: number): Promise<void> {
    const { context, signal } = this.#options;
    if (ms > 0)
      await sleep(ms / context.speed, undefined, signal === undefined ? {} : { signal }).catch(
        () => undefined,
      );
  }

  async #call(op: Operation, segment = '', bodyText: string | null = null): Promise<CallEvent> {
    const { context, endpoint, sink, clock } = this.#options;
    const { client, rateLimiter, auth, timeoutMs } = context;
    await this.#wait(rateLimiter?.waitMs(op) ?? 0);
    const call: OutgoingCall = {
      call: -1,
      lane: 'main',
      op,
      label: null,
      endpoint,
      method: METHOD_OF[op],
      path: `/v2/${endpoint}/${op}${segment}`,
      query: {},
      auth,
      contentType: bodyText === null ? null : 'application/json',
      bodyText,
      illegal: null,
      mayWait: false,
    };
    rateLimiter?.begin(op);
    const request = client.send(call, clock.nowMs, timeoutMs, () => clock.nowMs);
    await request.settled;
    rateLimiter?.end(op);
    const event = client.eventOf(request, RUN_ITSELF, clock.byNowMs);
    sink.append(event);
    return event;
  }
}

/** A look without an answer shows nothing. */
function isWaiting({ reply }: CallEvent): boolean {
  if (reply === null || reply.status >= 500) return true;
  const record = reply.body.as === 'json' ? reply.body.value : null;
  return (record as { readonly status?: unknown } | null)?.status === 'IN_QUEUE';
}

/** Idle workers; 0 where they are not told. */
function idleIn({ reply }: CallEvent): number {
  const record = reply?.body.as === 'json' ? reply.body.value : null;
  const { idle } =
    (record as { readonly workers?: { readonly idle?: unknown } | null } | null)?.workers ?? {};
  return typeof idle === 'number' ? idle : 0;
}

/** Null where they are not told. */
function countsIn({ reply }: CallEvent): JobCounts | null {
  const record = reply?.body.as === 'json' ? reply.body.value : null;
  const { inQueue, inProgress } =
    (record as { readonly jobs?: Partial<JobCounts> | null } | null)?.jobs ?? {};
  return typeof inQueue === 'number' && typeof inProgress === 'number' ? { inQueue, inProgress } : null;
}
