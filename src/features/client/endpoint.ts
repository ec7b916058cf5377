/**
 * The emulator of one weather: its jobs do what the weather says, and its time runs fast only while a job waits or runs, so
 * that what a client has to do in time, such as reading a result, it may do in its own time.
 */
import { once } from 'node:events';
import { setImmediate as turn, setTimeout as sleep } from 'node:timers/promises';
import type { Json } from '../../history/events.js';
import { ABANDONED, addressOf, OPEN, type Exchange, type Request as Sent } from '../../history/exchange.js';
import type { ClientJob } from '../../client/session.js';
import type { OthersAct, Weather } from '../../client/weather/weather.js';
import type { JobDetail } from '../../core/job-detail.js';
import { createApp, type App } from '../../server/app.js';
import type { HandlerFunction } from '../../server/handlers/handler-api.js';
import { EXECUTION_TIMEOUT_DEFAULT_MS, TTL_DEFAULT_MS } from '../../spec/limits.js';
import type { Edition } from '../../spec/index.js';
import { isWaitingStatus } from '../../spec/operation-of.js';
import { isSubmission, namesAt } from '../../traffic/calls.js';
import { INNER_URL, inputOf, withoutKey, type InnerAnswer } from './inner-call.js';
import { workOf } from './work.js';

export const ENDPOINT = 'weather';

export interface EndpointSettings {
  readonly weather: Weather;
  readonly edition: Edition;
  readonly speed: number;
  /** From which durations are drawn, 0 to 1. */
  readonly chance: number;
  readonly apiKey: string;
  readonly output: Json | undefined;
  readonly handler: HandlerFunction | undefined;
  readonly forwardWebhooks: string;
  /** Real ms since the weather began. */
  readonly nowMs: () => number;
}

/** What is known of a job. */
interface Known {
  detail: JobDetail;
  call: number;
  isGone: boolean;
  /** Real ms. */
  endedMs: number | null;
  /** Whether a reply after its end was about it. */
  isRead: boolean;
  /** When it was first seen in its present state. */
  sinceMs: number;
  /** What others have done to it already. */
  readonly done: Set<OthersAct>;
}

const TICK_MS = 20;
/** Later calls are not kept for the oracle: an emulator that is right for so many is right. */
const SEEN_MAX = 2_000;
/** On a busy machine a tick takes longer than it should, which is made up for. */
const MADE_UP_MAX_MS = 250;
/** By so much of the endpoint's time at once where it is slow, so that a reply that is held is not held for longer. */
const SLOW_JUMP_MAX_MS = 10_000;
const WORKERS_MAX = 64;
const STARTS_AGAIN_MS = 1_000;

export class WeatherEndpoint {
  /** What was called, for the oracle. Instants are those of the endpoint. */
  readonly seen: Exchange<Uint8Array>[] = [];
  readonly #settings: EndpointSettings;
  readonly #app: App;
  readonly #jobs = new Map<string, Known>();
  readonly #submitted: { readonly call: number; readonly op: string; readonly input: string }[] = [];
  readonly #stopped = new AbortController();
  readonly #isStopped = once(this.#stopped.signal, 'abort');
  readonly #ticking: Promise<void>;
  #calls = 0;
  /** Calls under way that are answered at once: the clock stands still until they are. */
  readonly #atOnce = new Set<Promise<unknown>>();
  /** To this instant others move the clock: a call that arrives meanwhile is handled after it. */
  #jumpsToMs = 0;
  /** Whether others have done something to a job. */
  othersActed = false;

  constructor(settings: EndpointSettings) {
    this.#settings = settings;
    const { weather, edition, apiKey, forwardWebhooks, chance } = settings;
    const { queueMs = 5_000 } = weather.job ?? {};
    this.#app = createApp({
      endpoints: [ENDPOINT],
      clock: 'controlled',
      edition,
      apiKeys: [apiKey],
      workers:
        queueMs === null
          ? 0
          : {
              min: 0,
              max: WORKERS_MAX,
              coldStartMs: Math.round(queueMs * varied(chance)),
              idleTimeoutMs: STARTS_AGAIN_MS,
              scaler: { kind: 'request-count', jobsPerWorker: 1 },
            },
      // A weather without workers for some jobs is a weather of its own.
      rules: { triggersScaling: () => true },
      forwardWebhooks,
      handler: workOf(settings, varied(chance), (id) => this.#detail(id)),
      onHandlerError: () => undefined,
      ...(weather.dialect && { dialect: weather.dialect }),
    });
    this.#ticking = this.#tick();
  }

  get #speed(): number {
    const { speed, weather } = this.#settings;
    const { speedMax = Infinity, runsyncSpeedMax = Infinity } = weather;
    const isHeld = [...this.#jobs.values()].some(
      ({ detail, endedMs, isGone }) => detail.op === 'runsync' && endedMs === null && !isGone,
    );
    return Math.min(speed, speedMax, isHeld ? runsyncSpeedMax : Infinity);
  }

  refusal(status: number, detail: string) {
    return this.#app.refusal(status, detail);
  }

  /** @param call its number, where it submits a job for the client */
  async call(request: Sent<Buffer>, signal?: AbortSignal, call?: number): Promise<InnerAnswer> {
    const { method, target, headers, body } = request;
    const id = ++this.#calls;
    const tap = (exchange: Exchange<Buffer>): void => void (id <= SEEN_MAX && this.seen.push(exchange));
    const names = namesAt(method, INNER_URL + target, this.#settings.edition);
    if (call !== undefined && names?.isExact === true && isSubmission({ names }))
      this.#submitted.push({ call, op: names.operation, input: inputOf(body) });
    const hasBody = body && body.length > 0 && method !== 'GET' && method !== 'HEAD';
    // What others do at once, they have done before a client sees what they do it to.
    this.#look();
    await this.#others(0);
    while (this.#app.nowMs() < this.#jumpsToMs && !this.#stopped.signal.aborted) await sleep(1);
    // They may have moved the clock, by which a call must not seem to take long.
    const begun = {
      ...{ id, fromMs: this.#app.nowMs(), byMs: null, outcome: OPEN, names },
      request: { ...request, headers: withoutKey(headers) },
    };
    tap(begun);
    const init = {
      ...{ method, headers },
      ...(hasBody && { body: new Uint8Array(body) }),
      ...(signal && { signal }),
    };
    const answered = Promise.resolve(this.#app.fetch(new Request(INNER_URL + target, init)));
    const segments = addressOf(request).split('/');
    if (!segments.some((segment) => segment === 'runsync' || isWaitingStatus(segment)))
      this.#atOnce.add(answered);
    const response = await answered.finally(() => this.#atOnce.delete(answered));
    const byMs = this.#app.nowMs();
    const text = await response.text();
    const { status } = response;
    const answer: InnerAnswer = {
      ...{ kind: 'answer', status, headers: Object.fromEntries(response.headers), body: text },
    };
    const outcome = signal?.aborted === true ? ABANDONED : { ...answer, body: Buffer.from(text) };
    tap({ ...begun, byMs, outcome });
    this.#look();
    for (const [id, job] of this.#jobs)
      job.isRead ||= call !== undefined && job.endedMs !== null && (target.includes(id) || text.includes(id));
    return answer;
  }

  /** The client's jobs, in order of submission. */
  jobs(): readonly ClientJob[] {
    this.#look();
    return [...this.#jobs.values()].map(({ detail, call, isGone, endedMs }) => ({
      id: detail.id,
      call,
      state: isGone ? 'GONE' : detail.status,
      webhook: detail.webhook,
      ttlMs: detail.policy.ttlMs ?? TTL_DEFAULT_MS,
      executionTimeoutMs: detail.policy.executionTimeoutMs ?? EXECUTION_TIMEOUT_DEFAULT_MS,
      chunks: detail.chunks.length,
      chunksRead: detail.chunksRead,
      endedMs,
    }));
  }

  async close(): Promise<void> {
    this.#stopped.abort();
    await this.#ticking;
    await this.#app.close();
  }

  #detail(id: string): JobDetail | null {
    return this.#app.jobs().find((job) => job.id === id) ?? null;
  }

  async #tick(): Promise<void> {
    const { signal } = this.#stopped;
    let lastMs = this.#settings.nowMs();
    while (!signal.aborted) {
      await sleep(TICK_MS, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return;
      const nowMs = this.#settings.nowMs();
      const isFast = this.#isFast();
      const madeUpMaxMs = isFast ? Math.max(MADE_UP_MAX_MS, SLOW_JUMP_MAX_MS / this.#speed) : MADE_UP_MAX_MS;
      const elapsedMs = Math.min(madeUpMaxMs, Math.max(0, nowMs - lastMs));
      lastMs = nowMs;
      // Once the last job has ended, the client has its own time to read it.
      await this.#advance(
        Math.round(elapsedMs * (isFast ? this.#speed : 1)),
        () => this.#isFast() === isFast,
      );
      await this.#others();
      // What a webhook's receiver takes beyond it is not made up for.
      lastMs = Math.max(lastMs, this.#settings.nowMs() - madeUpMaxMs);
    }
  }

  /** Instant by instant, so that what is answered at one of them is seen at it. */
  async #advance(byMs: number, goesOn = () => true): Promise<void> {
    const toMs = this.#app.nowMs() + byMs;
    for (;;) {
      await Promise.allSettled(this.#atOnce);
      // What others do at a call may have moved the clock past it.
      const nowMs = this.#app.nowMs();
      const nextMs = Math.max(nowMs, Math.min(toMs, this.#app.nextDueMs() ?? toMs));
      // A receiver of webhooks that does not answer must not keep the weather from ending.
      await Promise.race([this.#app.advance(nextMs - nowMs), this.#isStopped]);
      await turn();
      this.#look();
      if (nextMs >= toMs || this.#stopped.signal.aborted || !goesOn()) break;
    }
  }

  /** A job waits or runs, and no result is there that its client would have a minute to read, and has not read. */
  #isFast(): boolean {
    const jobs = [...this.#jobs.values()].filter(({ isGone }) => !isGone);
    return (
      jobs.some(({ endedMs }) => endedMs === null) &&
      !jobs.some(({ endedMs, isRead, detail }) => endedMs !== null && !isRead && detail.op === 'runsync')
    );
  }

  #look(): void {
    const nowMs = this.#settings.nowMs();
    const there = new Set<string>();
    for (const detail of this.#app.jobs()) {
      there.add(detail.id);
      const known = this.#jobs.get(detail.id);
      if (known === undefined) {
        const call = this.#submitterOf(detail);
        this.#jobs.set(detail.id, {
          ...{ detail, call, isGone: false, endedMs: detail.endedMs === null ? null : nowMs },
          ...{ sinceMs: nowMs, isRead: false, done: new Set() },
        });
        continue;
      }
      if (known.detail.status !== detail.status) known.sinceMs = nowMs;
      known.endedMs = detail.endedMs === null ? null : (known.endedMs ?? nowMs);
      known.detail = detail;
    }
    for (const known of this.#jobs.values()) if (!there.has(known.detail.id)) known.isGone = true;
  }

  #submitterOf({ op, input }: JobDetail): number {
    const text = JSON.stringify(input);
    const index = this.#submitted.findIndex((one) => one.op === op && one.input === text);
    return index < 0 ? 0 : this.#submitted.splice(index, 1)[0]!.call;
  }

  async #others(atMostMs = Infinity): Promise<void> {
    const { weather, nowMs } = this.#settings;
    for (const act of (weather.others ?? []).filter(({ afterMs }) => afterMs <= atMostMs))
      for (const job of [...this.#jobs.values()]) {
        if (job.isGone || job.done.has(act) || stageOf(job.detail) !== act.when) continue;
        if (nowMs() - job.sinceMs < act.afterMs) continue;
        job.done.add(act);
        this.othersActed = true;
        await this.#act(act, job.detail);
      }
  }

  async #act({ does }: OthersAct, detail: JobDetail): Promise<void> {
    const { id, ttlEndMs, keptUntilMs, runEndMs } = detail;
    if (does === 'expire' && stageOf(detail) === 'running') {
      // Until the end of its own ttl it would not run.
      await this.#callAsOther('GET', `status/${id}?ttl=1`);
      return this.#jump(1);
    }
    if (does === 'expire' || does === 'overrun') {
      const ends = (does === 'overrun' ? [runEndMs] : [ttlEndMs, keptUntilMs]).filter((ms) => ms !== null);
      if (ends.length > 0) await this.#jump(Math.max(0, Math.min(...ends) + 1 - this.#app.nowMs()));
      return;
    }
    await this.#callAsOther('POST', does === 'purge' ? 'purge-queue' : `${does}/${id}`);
  }

  async #jump(byMs: number): Promise<void> {
    this.#jumpsToMs = this.#app.nowMs() + byMs;
    await this.#advance(byMs);
  }

  async #callAsOther(method: string, target: string): Promise<void> {
    const headers = { authorization: this.#settings.apiKey };
    await this.call({ method, target: `/v2/${ENDPOINT}/${target}`, headers, body: null });
  }
}

const stageOf = ({ status }: JobDetail): OthersAct['when'] =>
  status === 'IN_QUEUE' ? 'waiting' : status === 'IN_PROGRESS' ? 'running' : 'ended';

/** From 0.85 to 1.15: another seed, other durations. */
const varied = (chance: number): number => 0.85 + 0.3 * chance;
