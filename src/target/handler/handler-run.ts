import type { install } from '@sinonjs/fake-timers';
import { segmentOf } from '../../history/job-path.js';
import { createScriptRunner } from '../../runner/script-runner.js';
import type { Script } from '../../scenario/script.js';
import { RATE_WINDOW_MS } from '../../spec/rates.js';
import { authorizationOf, type OtherKeys } from '../authorization.js';
import { HttpClient } from '../session/http-client.js';
import { TargetError } from '../errors.js';
import { ProgressCounter } from '../progress-counter.js';
import { NO_LATENCY } from '../../schedule/latency.js';
import { ScriptSession } from '../session/script-session.js';
import type { EndpointAllocation, RunContext } from '../session/script-session.js';
import { WebhookReceiver } from '../session/webhook-receiver.js';
import type { HistorySink, RunOptions, RunSummary } from '../port.js';
import { FakeTime } from './fake-time.js';
import { HandlerDriver } from './handler-driver.js';
import { instanceOf } from './handler.js';
import type { FetchHandler, FreshEndpoint, FreshHandlers, HandlerInstance } from './handler.js';
import { InProcessTransport } from './in-process-transport.js';
import type { HandlerTargetOptions } from './options.js';
import { WebhookTraffic } from './webhook-traffic.js';

const SCRIPT_TIMEOUT_MS = 60_000;
/** A webhook call that is never ended: ms of the fake clock until the receiver drops it. */
const NEVER_ENDS_AFTER_MS = 10_500;

/** Runs of this process take turns, because each needs its timers. */
let lastRun: Promise<unknown> = Promise.resolve();

/** Also loads undici, by which the emulator calls webhooks: loaded later, it would keep faked timers. */
async function loadTimers(): Promise<{ readonly install: typeof install }> {
  const [{ default: timers }] = await Promise.all([import('@sinonjs/fake-timers'), import('undici')]);
  return timers;
}

export class HandlerRun {
  readonly #source: FetchHandler | HandlerInstance | FreshHandlers;
  readonly #options: HandlerTargetOptions & { readonly apiKey: string | null };
  readonly #otherKeys: OtherKeys;
  readonly #transport = new InProcessTransport();
  readonly #client: HttpClient;
  #receiver: WebhookReceiver | null = null;
  #auth: 'bare' | 'bearer' | null;
  #nowMs = 0;

  constructor(
    source: FetchHandler | HandlerInstance | FreshHandlers,
    options: HandlerTargetOptions & { readonly apiKey: string | null },
  ) {
    this.#source = source;
    this.#options = options;
    this.#otherKeys = otherKeysOf(options);
    const { basePath: prefix = '', apiKey } = options;
    this.#client = new HttpClient(this.#transport, { prefix, apiKey, ...this.#otherKeys });
    this.#auth = options.auth === undefined || options.auth === 'auto' ? null : options.auth;
  }

  run(scripts: readonly Script[], sink: HistorySink, options: RunOptions): Promise<RunSummary> {
    const run = lastRun.then(() => this.#run(scripts, sink, options));
    lastRun = run.catch(() => undefined);
    return run;
  }

  async close(): Promise<void> {
    await this.#receiver?.close();
    this.#receiver = null;
  }

  async #run(scripts: readonly Script[], sink: HistorySink, options: RunOptions): Promise<RunSummary> {
    const receiver = (this.#receiver ??= await openReceiver());
    const progress = new ProgressCounter(options, scripts.length, () => this.#client.calls);
    const startMs = this.#nowMs;
    const traffic = new WebhookTraffic(receiver);
    const timers = await loadTimers();
    let time = new FakeTime(timers, startMs);
    try {
      const driver = new HandlerDriver(time, {
        traffic,
        scriptTimeoutMs: this.#options.scriptTimeoutMs ?? SCRIPT_TIMEOUT_MS,
        settle: this.#options.settle ?? null,
      });
      this.#auth ??= await this.#findAuth(driver);
      const runContext = this.#runContext(receiver, sink, options, this.#auth);
      for (const [index, script] of scripts.entries()) {
        if (options.signal?.aborted) break;
        const number = (options.firstScript ?? 0) + index;
        progress.started(number, script);
        const end = await this.#runScript(driver, runContext, script, number, options.signal);
        progress.leftBehind.push(...end.leftBehind);
        progress.ended(number, script, end.reason);
        traffic.forget();
        if (!('fresh' in this.#source)) continue;
        // With its clock go all the timers that the script's implementation has left.
        const atMs = time.nowMs;
        time.uninstall();
        time = new FakeTime(timers, atMs);
        driver.use(time);
      }
      return progress.summary(time.nowMs - startMs);
    } finally {
      this.#nowMs = time.nowMs;
      time.uninstall();
      traffic.close();
      this.#transport.clear();
    }
  }

  async #runScript(
    driver: HandlerDriver,
    runContext: RunContext,
    script: Script,
    number: number,
    signal: AbortSignal | undefined,
  ): Promise<{ readonly reason: string | null; readonly leftBehind: readonly string[] }> {
    const allocation = this.#placeOf(script, number);
    const { endpoint, secondEndpoint } = allocation;
    let session: ScriptSession | null = null;
    let reason: string | null;
    try {
      driver.instance = await this.#open(driver, { endpoint, secondEndpoint, workers: script.workers });
      session = new ScriptSession(runContext, script, number, allocation, driver.nowMs);
      reason = await driver.run(session, signal);
    } catch (error) {
      if (error instanceof TargetError) throw error;
      reason = `the handler threw outside of any call: ${error instanceof Error ? error.message : String(error)}`;
    }
    await session?.end(() => driver.nowMs, reason);
    const leftBehind = await this.#leave(driver, session).catch(() => []);
    return { reason, leftBehind };
  }

  async #open(
    driver: HandlerDriver,
    wanted: Pick<FreshEndpoint, 'endpoint' | 'secondEndpoint' | 'workers'>,
  ): Promise<HandlerInstance> {
    const source = this.#source;
    const keys = { apiKey: this.#options.apiKey, ...this.#otherKeys };
    const made = 'fresh' in source ? await driver.finish(source.fresh({ ...wanted, ...keys })) : source;
    this.#transport.instance = instanceOf(made);
    return this.#transport.instance;
  }

  #placeOf(script: Script, number: number): EndpointAllocation {
    if (!('fresh' in this.#source)) {
      return {
        endpoint: this.#options.endpoint ?? 'test',
        secondEndpoint: null,
        fresh: false,
        workers: null,
      };
    }
    const endpoint = `runproof-${number}`;
    const hasSecond = script.secondEndpoint === true && this.#options.secondEndpoints !== false;
    const secondEndpoint = hasSecond ? `${endpoint}-neighbour` : null;
    return { endpoint, secondEndpoint, fresh: true, workers: script.workers };
  }

  /** Ends what the script has left; where scripts share the handler, also its claim on rate limits. */
  async #leave(driver: HandlerDriver, session: ScriptSession | null): Promise<readonly string[]> {
    if ('fresh' in this.#source) {
      const { close } = this.#transport.instance;
      if (close !== undefined) await driver.finish(close.call(this.#transport.instance));
      return [];
    }
    if (session === null) return [];
    const left: string[] = [];
    const { endpoint } = session.allocation;
    for (const id of session.jobsToEnd()) {
      const status = await this.#ask(driver, 'POST', endpoint, `/cancel/${segmentOf(id)}`, this.#auth);
      if (status === 401 || status === 429 || status >= 500) left.push(`${endpoint}/${id}`);
    }
    await driver.pause(RATE_WINDOW_MS + 1);
    return left;
  }

  /** As over HTTP: everything but 401 and 403 counts as accepted, and the rest is for the run to judge. */
  async #findAuth(driver: HandlerDriver): Promise<'bare' | 'bearer'> {
    if (this.#options.apiKey === null) return 'bare';
    const endpoint = 'fresh' in this.#source ? 'runproof-probe' : (this.#options.endpoint ?? 'test');
    await this.#open(driver, { endpoint, secondEndpoint: null, workers: 1 });
    for (const form of ['bare', 'bearer'] as const) {
      const status = await this.#ask(driver, 'GET', endpoint, '/health', form);
      if (status !== 401 && status !== 403) return form;
    }
    throw new TargetError(
      'key-refused',
      'The handler refuses the API key, bare and after "Bearer "',
      'Give its key as the option apiKey, or take the key that the factory is given',
    );
  }

  /** A call that is part of no history. */
  async #ask(
    driver: HandlerDriver,
    method: string,
    endpoint: string,
    path: string,
    form: 'bare' | 'bearer' | null,
  ): Promise<number> {
    const { apiKey, basePath = '' } = this.#options;
    const auth = apiKey === null ? 'none-needed' : (form ?? 'bare');
    const { header } = authorizationOf(auth, { apiKey: apiKey ?? '' });
    const { reply } = await driver.finish(
      this.#transport.send({
        method,
        path: `${basePath}/v2/${encodeURIComponent(endpoint)}${path}`,
        headers: header === null ? {} : { authorization: header },
        body: null,
        timeoutMs: null,
      }),
    );
    return reply?.status ?? 0;
  }

  #runContext(
    receiver: WebhookReceiver,
    sink: HistorySink,
    { createRunner = createScriptRunner }: RunOptions,
    auth: 'bare' | 'bearer',
  ): RunContext {
    const { worker, sampleInput = {} } = this.#options;
    return {
      client: this.#client,
      receiver,
      sink,
      createRunner,
      auth,
      sampleInput: worker === 'scripted' ? null : sampleInput,
      createdJobs: null,
      lag: null,
      timeoutMs: SCRIPT_TIMEOUT_MS,
      latency: NO_LATENCY,
      maxWaitMs: Infinity,
      callsPlanned: null,
    };
  }
}

const otherKeysOf = ({ unpermittedApiKey, otherApiKey }: OtherKeys): OtherKeys => ({
  unpermittedApiKey,
  otherApiKey,
});

/** One real call goes to it first: the `fetch` of the process sets up its own timers by it, on the real clock. */
async function openReceiver(): Promise<WebhookReceiver> {
  const receiver = await WebhookReceiver.start({ silenceMs: NEVER_ENDS_AFTER_MS, keepAlive: false });
  await fetch(receiver.base).then((response) => response.text());
  return receiver;
}
