import type { Rules } from '../core/rules.js';
import type { Scaling } from '../core/scaling-settings.js';
import { QUESTIONS, type Dialect, type Edition, type OpenQuestion } from '../spec/index.js';
import type { HandlerFunction } from './handlers/handler-api.js';
import type { WebhookReach } from './webhook-reach.js';
import { workersFault } from './workers-option.js';

export interface AppOptions {
  /** Endpoints that exist from the start. Default: `test`. */
  readonly endpoints?: readonly string[];
  /**
   * Workers of each of them, beside those that come from outside: a number, or when to start and stop them. Default:
   * `workersUnlessSaid`, which go when the first one from outside asks for jobs.
   */
  readonly workers?: number | Scaling;
  /** Workers of endpoints of which neither `workers` nor the data says how many they have. Default 1. */
  readonly workersUnlessSaid?: number;
  /** Jobs that each worker runs at a time. Default 1. */
  readonly jobsPerWorker?: number;
  /** Keys that are accepted, each a user of its own for rate limits. Default: `LOCAL_API_KEY`. */
  readonly apiKeys?: readonly string[];
  /** Keys that are known and have no permission for any endpoint. Default: none. */
  readonly unpermittedKeys?: readonly string[];
  /** `controlled`: time stands still between the calls of test control. Default `real`. */
  readonly clock?: 'real' | 'controlled';
  /** Offers test control under `/_control`. Default: only with a controlled clock, which cannot do without. */
  readonly control?: boolean;
  /** What works off the jobs. Default: the scripted worker (contract `scripted-worker`). */
  readonly handler?: HandlerFunction;
  readonly edition?: Edition;
  /** Question id → reading id; open questions that it does not name are read as the edition does. */
  readonly dialect?: { readonly [question: string]: string };
  /**
   * A live page at `/`. `open`: without a key, shown to who sits at this machine and to nobody else. `keyed`: to
   * whoever has a key. Default: `off`; a server that listens on loopback shows it open.
   */
  readonly page?: 'off' | 'open' | 'keyed';
  /** Rules that replace the edition's: how a known fault, or a policy of one's own, is built in. */
  readonly rules?: Partial<Rules>;
  /**
   * Where webhooks may go. Default `loopback`: public addresses and this machine's own; of a server that listens
   * elsewhere than on loopback `public`.
   */
  readonly webhookReach?: WebhookReach;
  /**
   * How long a webhook call may take, in real ms. Default: as the dialect says; under a controlled clock 10 s, which is
   * the most that test control allows.
   */
  readonly webhookTimeoutMs?: number;
  /** Hears of hosts out of that reach, each once; calls of them fail. Default: nobody does. */
  readonly onOutOfReach?: (host: string) => void;
  /** How long a worker that asks for jobs is held when there is none, in ms of real time. Default 85 s. */
  readonly pollMs?: number;
  /** Hears of errors of the server itself, which callers see as a 500. Default: they go to stderr. */
  readonly onError?: (error: unknown) => void;
}

export interface ServerOptions extends Omit<AppOptions, 'handler'> {
  /** Default 0: any free port. */
  readonly port?: number;
  /** Address to bind. Any other than a loopback address wants explicit `apiKeys`. Default `127.0.0.1`. */
  readonly host?: string;
  /**
   * Names, without port, that it is called by beside those of this machine: needed only with the default key, which
   * everybody knows, and for `/metrics` where `host` is a loopback address. Default: none.
   */
  readonly allowedHosts?: readonly string[];
  /** Offers `/metrics` in Prometheus' text format, to whoever asks, without a key. Default: false. */
  readonly metrics?: boolean;
  /** A function, or the path of a module whose default export is one. Default: the scripted worker. */
  readonly handler?: HandlerFunction | string;
  /** Folder to keep jobs in, so that another server goes on with them. Default: memory only. */
  readonly data?: string;
  /** Goes on with what can be read where that folder is damaged. Default: such a folder is refused. */
  readonly salvage?: boolean;
}

export const DEFAULT_ENDPOINTS: readonly string[] = ['test'];

/** The key of a server that nobody gave a key; such a server listens on loopback only. */
export const LOCAL_API_KEY = 'runproof-local';

/** The options cannot be served; the message is for the person who gave them. */
export class OptionsError extends Error {
  override readonly name = 'OptionsError';
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
  const unusable = endpoints.find((id) => id === '' || id.includes('/'));
  if (unusable !== undefined)
    throw new OptionsError(`an endpoint cannot be called ${JSON.stringify(unusable)}`);
  if (options.clock === 'controlled' && options.control === false) {
    throw new OptionsError('a controlled clock needs test control: nothing else can move it');
  }
}

/** The dialect, once every question and every reading in it is known to exist. @throws OptionsError */
export function checkDialect(dialect: NonNullable<AppOptions['dialect']>): Dialect {
  const questions: readonly OpenQuestion[] = QUESTIONS;
  for (const [id, reading] of Object.entries(dialect)) {
    const question = questions.find((known) => known.id === id);
    if (question === undefined)
      throw new OptionsError(`the dialect answers ${id}, which is no open question`);
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
  if (salvage && data === undefined) throw new OptionsError('salvage wants the data folder that is damaged');
  if (!Number.isInteger(port) || port < 0 || port > 65_535) throw new OptionsError('port must be 0 to 65535');
  if (apiKeys === undefined && !isLoopback(host)) {
    throw new OptionsError(`listening on ${host} wants an explicit API key: others can reach it there`);
  }
  const unusable = allowedHosts.find((name) => !/^[\w.:-]+$/.test(name) || /^https?:|:\d+$/.test(name));
  if (unusable !== undefined)
    throw new OptionsError(
      `an allowed host is a name such as emulator, without port, not ${JSON.stringify(unusable)}`,
    );
}

/** An address or a name that leads to this very machine, wherever it is looked up. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host);
}

/** Likewise of what clients call it by: `*.localhost` is this machine as well (RFC 6761). */
export function isLoopbackName(name: string): boolean {
  const plain = name.toLowerCase().replace(/\.$/, '');
  return isLoopback(plain) || plain.endsWith('.localhost');
}
