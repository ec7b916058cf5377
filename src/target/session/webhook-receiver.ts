/** Takes the webhook calls of the target, answers each as its script says, and tells what arrived and when. */
import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { bodyOf } from '../../history/body.js';
import type { StorageEvent, WebhookEvent } from '../../history/events.js';
import type { WebhookAnswer } from '../../scenario/script.js';
import { bucketAt } from '../../runner/bucket.js';
import { urlOf } from '../../util/address.js';
import { listen, whyNotListening, type Listening } from '../../wire/listen.js';
import { readBody } from '../../wire/read-body.js';
import { TargetError } from '../errors.js';
import { ReplyMemory } from './reply-memory.js';

/** Test control counts a webhook call as failed after 10 real seconds, so after this time it is no longer awaited. */
const NEVER_ENDS_AFTER_MS = 10_500;
/** Under a controlled clock no time passes meanwhile, so that all that a longer silence costs is the run's own time. */
export const NEVER_ENDS_AFTER_CONTROLLED_MS = 700;
/** Calls of one address that are recorded: many jobs may share one, and more tell nothing new. */
const CALLS_MAX = 1_000;
/** What comes beyond is read and thrown away. */
const BODY_BYTES_MAX = 64 * 1024 * 1024;
/** How long a script that is over waits for calls that are still coming in. */
const RELEASE_MS = 500;

/** The instants of the history's clock between which something that arrives now has arrived. */
export interface ArrivalTime {
  readonly earliestMs: number;
  readonly latestMs: number;
}

export interface WebhookReceiverOptions {
  /** How long a call that is never answered is held open, in real ms. Default 10,500. */
  readonly silenceMs?: number;
  /** How long one is that is held until it is given up; null: until `release`. Default 10,500. */
  readonly untilGivenUpMs?: number | null;
  /** `HOST:PORT` to listen on; default a free port of 127.0.0.1. */
  readonly listen?: string;
  /** The address by which the target reaches it; default where it listens. */
  readonly publicUrl?: string;
  /** False ends every connection after its call, so that none is closed while a caller thinks it open. */
  readonly keepAlive?: boolean;
}

interface Expectation {
  readonly script: number;
  readonly url: string;
  readonly answers: readonly WebhookAnswer[];
  readonly time: () => ArrivalTime;
  readonly record: (event: WebhookEvent) => void;
  attempts: number;
}

/** An address that a submission names as its storage. */
interface Storage {
  readonly script: number;
  readonly url: string;
  /** The bucket of this storage: a call that names it is one of this storage, whatever its path. */
  readonly bucket: string;
  readonly time: () => ArrivalTime;
  readonly record: (event: StorageEvent) => void;
}

export class WebhookReceiver {
  #listening: Listening | null = null;
  readonly #expected = new Map<string, Expectation>();
  readonly #storages: Storage[] = [];
  /** Calls held open without an answer, and the script that each belongs to. */
  readonly #silent = new Map<ServerResponse, number>();
  /** Those that only the harness has ended. */
  readonly #cut = new WeakSet<ServerResponse>();
  readonly #taking = new Set<Promise<void>>();
  /** Known only to this run's target, so a foreign call is never taken for a webhook. */
  readonly #secret = randomBytes(12).toString('hex');
  #base = '';
  readonly #silenceMs: number;
  readonly #untilGivenUpMs: number | null;
  readonly #keepAlive: boolean;
  /** The script of each call that is being taken or answered. */
  readonly #open: number[] = [];
  /** Wakes the script that waits until it has no such call. */
  readonly #wakeIdle = new Map<number, () => void>();
  readonly #room = new ReplyMemory();

  private constructor({ silenceMs, untilGivenUpMs, keepAlive }: WebhookReceiverOptions) {
    this.#silenceMs = silenceMs ?? NEVER_ENDS_AFTER_MS;
    this.#untilGivenUpMs = untilGivenUpMs === undefined ? NEVER_ENDS_AFTER_MS : untilGivenUpMs;
    this.#keepAlive = keepAlive ?? true;
  }

  static async start(options: WebhookReceiverOptions = {}): Promise<WebhookReceiver> {
    const receiver = new WebhookReceiver(options);
    await receiver.#listen(options);
    return receiver;
  }

  async #listen({ listen: given = '127.0.0.1:0', publicUrl }: WebhookReceiverOptions): Promise<void> {
    const at = parseListen(given);
    const answer = (request: IncomingMessage, response: ServerResponse): void => {
      const taking = this.#take(request, response).finally(() => this.#taking.delete(taking));
      this.#taking.add(taking);
    };
    this.#listening = await listen(at, { answer }).catch((error: Error) => {
      const why = whyNotListening(error, at) ?? error.message;
      const message = `The webhook receiver cannot listen on ${at.host}:${at.port}: ${why}`;
      throw new TargetError('configuration', message, 'Choose another HOST:PORT');
    });
    const { address, port } = this.#listening;
    this.#base = (publicUrl ?? urlOf('http', address, port)).replace(/\/+$/, '');
  }

  /** Calls held open without an answer, as their script demands. */
  get silent(): number {
    return this.#silent.size;
  }

  /** Calls that are being taken or answered, the silent ones aside. */
  get busy(): number {
    return this.#open.length - this.#silent.size;
  }

  /** `http://HOST:PORT` and perhaps a path: what all its addresses begin with. */
  get base(): string {
    return this.#base;
  }

  /** How its addresses begin. */
  get own(): string {
    return `${this.#base}/${this.#secret}/`;
  }
  urlOf(script: number, token: string): string {
    return `${this.own}${script}/${encodeURIComponent(token)}`;
  }

  /** From now on calls to `urlOf(script, token)` are answered so, attempt by attempt, and recorded. */
  expect(
    script: number,
    token: string,
    answers: readonly WebhookAnswer[],
    time: () => ArrivalTime,
    record: (event: WebhookEvent) => void,
  ): void {
    const url = this.urlOf(script, token);
    this.#expected.set(this.#parts(url).key, { script, url, answers, time, record, attempts: 0 });
  }

  /** From now on calls that mean the storage at `urlOf(script, token)` are recorded, and answered with 200. */
  expectStorage(
    script: number,
    token: string,
    time: () => ArrivalTime,
    record: (event: StorageEvent) => void,
  ): void {
    const url = this.urlOf(script, token);
    this.#storages.push({ script, url, bucket: bucketAt(url), time, record });
  }

  /** Ends the calls of this script that are held open. Later calls for it are answered with 200 and not recorded. */
  async release(script: number): Promise<void> {
    const held = [...this.#silent].filter(([, own]) => own === script);
    for (const [response] of held) this.#end(response);
    // What they were is written down first.
    if (held.length > 0)
      await Promise.race([Promise.all([...this.#taking]), sleep(RELEASE_MS, undefined, { ref: false })]);
    for (const [key, expectation] of this.#expected) {
      if (expectation.script === script) this.#expected.delete(key);
    }
    this.#storages.splice(0, Infinity, ...this.#storages.filter((storage) => storage.script !== script));
  }

  /** Resolves when no call of the script is being taken, or after `timeoutMs`. */
  async idle(script: number, timeoutMs: number): Promise<void> {
    if (!this.#open.includes(script)) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, timeoutMs);
      this.#wakeIdle.set(script, () => {
        clearTimeout(timer);
        resolve();
      });
    });
  }

  async close(): Promise<void> {
    for (const response of this.#silent.keys()) response.destroy();
    await this.#listening?.close(0);
  }

  /**
   * The part of an address that `urlOf` made, and what the submission put behind it. A public address may have put a
   * prefix before the one, or taken it away.
   */
  #parts(url: string): { readonly key: string; readonly rest: string } {
    const own = url.slice(Math.max(0, url.indexOf(this.#secret)));
    const key = /^[^/?]*\/[^/?]*\/[^/?]*/.exec(own)?.[0] ?? own;
    return { key, rest: own.slice(key.length) };
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (!this.#keepAlive) response.shouldKeepAlive = false;
    const { key, rest } = this.#parts(request.url ?? '/');
    const expectation = this.#expected.get(key);
    if (!expectation || expectation.attempts >= CALLS_MAX) {
      if (!expectation) this.#store(request, key);
      request.resume();
      response.writeHead(200).end();
      return;
    }
    const arrived = expectation.time();
    const { answers } = expectation;
    const answer = answers[Math.min(expectation.attempts, answers.length - 1)] ?? { status: 200 };
    expectation.attempts += 1;
    this.#open.push(expectation.script);
    const body = await readBody(request, BODY_BYTES_MAX, (bytes) => this.#room.take(request, bytes));
    const text = body && body.kept.toString('utf8');
    this.#room.leave(request);
    const ended = await this.#answer(response, answer, expectation.script);
    if (this.#expected.has(key)) {
      expectation.record({
        kind: 'webhook',
        script: expectation.script,
        url: expectation.url + rest,
        method: request.method ?? '',
        contentType: request.headers['content-type'] ?? null,
        headers: flatten(request.headers),
        body: bodyOf(text),
        ...(arrived.earliestMs < arrived.latestMs ? { sinceMs: arrived.earliestMs } : {}),
        arrivedMs: arrived.latestMs,
        endedMs: Math.max(arrived.latestMs, expectation.time().latestMs),
        ...ended,
      });
    }
    const { script } = expectation;
    this.#open.splice(this.#open.indexOf(script), 1);
    if (!this.#open.includes(script)) this.#wakeIdle.get(script)?.();
  }

  /** A call at an address without a webhook is a call to a storage, or is ignored. */
  #store(request: IncomingMessage, key: string): void {
    const { url: path = '/', method = '', headers } = request;
    const means = ({ url, bucket }: Storage): boolean =>
      this.#parts(url).key === key || `${headers.host ?? ''}${path}`.split(/[./?]/).includes(bucket);
    const storage = this.#storages.find(means);
    storage?.record({
      kind: 'storage',
      script: storage.script,
      url: storage.url,
      method,
      path,
      arrivedMs: storage.time().latestMs,
    });
  }

  /** Resolves when the answer is out or given up. */
  async #answer(
    response: ServerResponse,
    answer: WebhookAnswer,
    script: number,
  ): Promise<Pick<WebhookEvent, 'answered' | 'silence'>> {
    if (response.destroyed || response.socket?.destroyed !== false) return { answered: null };
    const over = new Promise<void>((resolve) => {
      response.once('close', resolve);
    });
    if ('status' in answer) {
      const { status } = answer;
      response.writeHead(status, status >= 300 && status < 400 ? { location: '/elsewhere' } : {}).end();
      await over;
      return { answered: status };
    }
    if ('close' in answer) {
      response.destroy();
      return { answered: null };
    }
    this.#silent.set(response, script);
    const heldMs = answer.untilGivenUp ? this.#untilGivenUpMs : this.#silenceMs;
    const timer = heldMs === null ? undefined : setTimeout(() => this.#end(response), heldMs);
    await over;
    clearTimeout(timer);
    this.#silent.delete(response);
    return { answered: null, silence: this.#cut.has(response) ? 'cut' : 'given-up' };
  }

  /** Ends a call that will not be answered any more. */
  #end(response: ServerResponse): void {
    this.#cut.add(response);
    response.destroy();
  }
}

function flatten(headers: IncomingMessage['headers']): { readonly [name: string]: string } {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.join(', ') : (value ?? ''),
    ]),
  );
}

function parseListen(listen: string): { host: string; port: number } {
  const [, host = '', port = ''] = /^(.*):(\d{1,5})$/.exec(listen) ?? [];
  if (host !== '' && Number(port) <= 65_535)
    return { host: host.replace(/^\[|\]$/g, ''), port: Number(port) };
  throw new TargetError('configuration', `"${listen}" is not HOST:PORT`, 'Write it like 127.0.0.1:9000');
}
