import type { Rules } from '../core/rules.js';
import type { Scaling } from '../core/workers/scaling-settings.js';
import { QUESTIONS, type Dialect, type Edition, type OpenQuestion } from '../spec/index.js';
import type { InjectedFault } from './faults/faults.js';
import type { LogEntry, LoggedCall } from './logged-call.js';
import type { HandlerFunction, HandlerJob } from './handlers/handler-api.js';
import type { WebhookReach } from './webhooks/webhook-reach.js';
import { isLoopback } from '../util/address.js';
import { RunproofError } from '../util/runproof-error.js';
import { isSpeed, SPEED_RANGE } from '../util/speed.js';
import { workersFault } from './workers-option.js';

/** How `createApp` serves the endpoint; every option has a default. @public */
export interface AppOptions {
  /** Endpoints that exist from the start. Default: `test`. */
  readonly endpoints?: readonly string[] | undefined;
  /**
   * Built-in workers of each endpoint, besides remote ones: a number, or rules for scaling. Default:
   * `workersUnlessSaid`, which are removed when the first remote worker asks for jobs.
   */
  readonly workers?: number | Scaling | undefined;
  /** Workers of endpoints for which neither `workers` nor stored data gives a number. Default 1. */
  readonly workersUnlessSaid?: number | undefined;
  /** Jobs that each worker runs at the same time. Default 1. */
  readonly jobsPerWorker?: number | undefined;
  /** Accepted API keys, each with rate limits of its own. Default: `LOCAL_API_KEY`. */
  readonly apiKeys?: readonly string[] | undefined;
  /** Keys that are known but have no permission for any endpoint. Default: none. */
  readonly unpermittedKeys?: readonly string[] | undefined;
  /** `controlled`: time moves only through test control. Default `real`. */
  readonly clock?: 'real' | 'controlled' | undefined;
  /**
   * How many times as fast as real time the time of the endpoint runs, from 0.1 to 10,000: all that the API measures,
   * such as `ttl`, `wait`, retention, rate windows, and a worker's `sleepMs`. Sockets, the timeout of a webhook call,
   * the heartbeats of remote workers, and delays of faults on calls and webhooks stay in real time. Not with a
   * controlled clock. Default 1.
   */
  readonly speed?: number | undefined;
  /** Offers test control under `/_control`. Default: only with a controlled clock, which requires it. */
  readonly control?: boolean | undefined;
  /** Runs the jobs. Default: the scripted worker (contract `scripted-worker`). */
  readonly handler?: HandlerFunction | undefined;
  readonly edition?: Edition | undefined;
  /** Question id → reading id; questions that are not listed are read as the edition does. */
  readonly dialect?: { readonly [question: string]: string } | undefined;
  /**
   * A live page at `/`. `open`: without a key, for users of this machine only. `keyed`: requires an API key.
   * Default: `off` for an app; a server that listens on loopback uses `open`.
   */
  readonly page?: 'off' | 'open' | 'keyed' | undefined;
  /** Rules that replace the usual ones, those of edition and dialect, for example to plant a known fault. */
  readonly rules?: (Partial<Rules> | ((usual: Rules) => Partial<Rules>)) | undefined;
  /**
   * Where webhooks may go. Default `loopback`: public addresses and this machine; for a server that does not
   * listen on loopback `public`.
   */
  readonly webhookReach?: WebhookReach | undefined;
  /**
   * An http(s) address that is called in place of every webhook, with the address given with the job in the header
   * `x-runproof-webhook`: the application under test, where that address does not reach it. Default: none.
   */
  readonly forwardWebhooks?: string | undefined;
  /**
   * Timeout of a webhook call, in real ms. Default: from the dialect; with a controlled clock 10 s, which is
   * the most that test control allows.
   */
  readonly webhookTimeoutMs?: number | undefined;
  /** Called once for each host that webhooks may not call; such calls fail. */
  readonly onOutOfReach?: ((host: string) => void) | undefined;
  /** How long a remote worker's poll for jobs is held open when there is none, in real ms. Default 85 s. */
  readonly pollMs?: number | undefined;
  /**
   * Keeps the first 10,000 characters of the bodies of the last 1,000 calls and webhooks, for `onCall`, `onLog`, `calls()`
   * and the page. Default: false.
   */
  readonly bodies?: boolean | undefined;
  /** Keeps the last 10,000 calls with the bodies that were sent, for `recordedScript()` and the page. Default: false. */
  readonly record?: boolean | undefined;
  /** Called when an API call has ended. */
  readonly onCall?: ((call: LoggedCall) => void) | undefined;
  /** Called with each call and each attempt of a webhook that has ended, and each fault of a worker or a webhook. */
  readonly onLog?: ((entry: LogEntry) => void) | undefined;
  /** Called with what a handler has thrown, which fails its job. */
  readonly onHandlerError?: ((error: unknown, job: HandlerJob) => void) | undefined;
  /** Called with internal errors, which callers see as a 500. Default: they are written to stderr. */
  readonly onError?: ((error: unknown) => void) | undefined;
}

/**
 * How `startServer` serves the endpoint: the options of `createApp`, an address, and a folder for jobs.
 *
 * @public
 */
export interface ServerOptions extends Omit<AppOptions, 'handler'> {
  /** Default 0: any free port. */
  readonly port?: number | undefined;
  /** Address to bind. A non-loopback address requires explicit `apiKeys`. Default `127.0.0.1`. */
  readonly host?: string | undefined;
  /**
   * Further host names, without port, that requests may use. Needed only with the published default key, and
   * for `/metrics` on a loopback address. Default: none.
   */
  readonly allowedHosts?: readonly string[] | undefined;
  /** Offers `/metrics` in Prometheus' text format, without a key. Default: false. */
  readonly metrics?: boolean | undefined;
  /** A function, or the path of a module whose default export is one. Default: the scripted worker. */
  readonly handler?: HandlerFunction | string | undefined;
  /** Folder to store jobs in, so that another server can continue with them. Default: memory only. */
  readonly data?: string | undefined;
  /**
   * Faults on demand, such as `status:5%=503`; docs/emulator.md describes the notation. On loopback only. Default:
   * none, except those that a request asks for by its header `x-runproof-fault`.
   */
  readonly faults?: readonly string[] | undefined;
  /** A safe integer: the same seed and the same order of requests give the same faults. Default 1. */
  readonly seed?: number | undefined;
  /** Called for each injected fault. */
  readonly onFault?: ((fault: InjectedFault) => void) | undefined;
  /** Continues with what can be read where that folder is damaged. Default: a damaged folder is refused. */
  readonly salvage?: boolean | undefined;
}

export { LOCAL_API_KEY } from '../spec/local-key.js';

export const DEFAULT_ENDPOINTS: readonly string[] = ['test'];

/** The options are invalid; the message is for the user who gave them. */
export class OptionsError extends RunproofError {
  override readonly name = 'OptionsError';

  constructor(message: string) {
    super('usage', message);
  }
}

/** @throws OptionsError */
export function checkAppOptions(options: AppOptions): void {
  const { workers = options.workersUnlessSaid ?? 1, jobsPerWorker = 1, apiKeys, unpermittedKeys } = options;
  const { endpoints = DEFAULT_ENDPOINTS } = options;
  const fault = workersFault(workers, jobsPerWorker);
  if (fault !== null) throw new OptionsError(fault);
  if (apiKeys?.length === 0 || apiKeys?.some((key) => key.trim() === '')) {
    throw new OptionsError('an API key must not be empty');
  }
  if (unpermittedKeys?.some((key) => key.trim() === '' || apiKeys?.includes(key))) {
    throw new OptionsError('a key without permission must not be empty, nor one of those with permission');
  }
  const { forwardWebhooks } = options;
  if (forwardWebhooks !== undefined && !(URL.canParse(forwardWebhooks) && /^https?:/i.test(forwardWebhooks)))
    throw new OptionsError(
      `webhooks are forwarded to an http(s) address, not ${JSON.stringify(forwardWebhooks)}`,
    );
  const unusable = endpoints.find((id) => id === '' || id.includes('/'));
  if (unusable !== undefined)
    throw new OptionsError(`an endpoint id is any text without a slash, not ${JSON.stringify(unusable)}`);
  const { speed = 1 } = options;
  if (!isSpeed(speed)) throw new OptionsError(`the speed of time is ${SPEED_RANGE}, not ${speed}`);
  if (options.clock === 'controlled' && options.speed !== undefined)
    throw new OptionsError('a controlled clock has no speed: it moves only when it is advanced');
  if (options.clock === 'controlled' && options.control === false) {
    throw new OptionsError('a controlled clock needs test control: nothing else can move it');
  }
}

/** Checks that every question and reading of a dialect exists. @throws OptionsError */
export function checkDialect(dialect: NonNullable<AppOptions['dialect']>): Dialect {
  const questions: readonly OpenQuestion[] = QUESTIONS;
  for (const [id, reading] of Object.entries(dialect)) {
    const question = questions.find((known) => known.id === id);
    if (question === undefined)
      throw new OptionsError(`the dialect answers ${id}, which is not an open question`);
    const readings = question.readings.map((known) => known.id);
    if (!readings.includes(reading)) {
      throw new OptionsError(`${id} cannot be read as ${reading}; its readings are ${readings.join(', ')}`);
    }
  }
  return dialect;
}

/** @throws OptionsError */
export function checkServerOptions(options: ServerOptions): void {
  const { port = 0, host = '127.0.0.1', apiKeys, allowedHosts = [], data, salvage = false } = options;
  if (data === '') throw new OptionsError('the data folder needs a name');
  if (salvage && data === undefined)
    throw new OptionsError('salvage requires the data folder that is damaged');
  if (!Number.isInteger(port) || port < 0 || port > 65_535) throw new OptionsError('port must be 0 to 65535');
  if (apiKeys === undefined && !isLoopback(host)) {
    throw new OptionsError(
      `listening on ${host} requires an explicit API key, as other machines can reach it`,
    );
  }
  const { faults = [], seed = 1 } = options;
  if (!Number.isSafeInteger(seed)) throw new OptionsError('the seed of faults is an integer');
  if (faults.length > 0 && !isLoopback(host))
    throw new OptionsError(`faults are injected on loopback only, not when listening on ${host}`);
  const unusable = allowedHosts.find((name) => !/^[\w.:-]+$/.test(name) || /^https?:|:\d+$/.test(name));
  if (unusable !== undefined)
    throw new OptionsError(
      `an allowed host is a name such as emulator, without port, not ${JSON.stringify(unusable)}`,
    );
}
