/** Posts alerts to an address, one after the other. Calls never wait for it, and the end only for a moment. */
import { unescape } from 'node:querystring';
import { setTimeout as sleep } from 'node:timers/promises';
import { Connection, type Proxies } from '../../target/http/connection.js';

export interface AlertPostsOptions {
  readonly url: URL;
  readonly proxies: Proxies | undefined;
  /** Called when alerts begin to be lost, and not again before one has arrived. */
  readonly onLost: (reason: string) => void;
}

/** Alerts that wait, besides the one that is sent. Beyond that, new ones are lost. */
const WAITING_MAX = 100;
const TIMEOUT_MS = 5_000;
const RETRY_AFTER_MS = 1_000;

export class AlertPosts {
  readonly #options: AlertPostsOptions;
  readonly #connection: Promise<Connection>;
  readonly #waiting: string[] = [];
  readonly #end = new AbortController();
  #sending: Promise<void> | null = null;
  #isLosing = false;

  constructor(options: AlertPostsOptions) {
    this.#options = options;
    this.#connection = Connection.to(options.url.origin, { proxies: options.proxies });
  }

  /** @param alert a JSON text */
  post(alert: string): void {
    if (this.#waiting.length >= WAITING_MAX) return this.#lose(`${WAITING_MAX} wait already`);
    this.#waiting.push(alert);
    this.#sending ??= this.#send();
  }

  /** Waits for those that are not sent yet, at most so many ms. */
  async close(waitMs: number): Promise<void> {
    const timer = setTimeout(() => this.#end.abort(), waitMs);
    await this.#sending;
    clearTimeout(timer);
    await (await this.#connection).close();
  }

  async #send(): Promise<void> {
    for (let alert = this.#waiting.shift(); alert !== undefined; alert = this.#waiting.shift()) {
      let why = await this.#try(alert);
      if (why !== null) {
        await sleep(RETRY_AFTER_MS, undefined, this.#end).catch(() => undefined);
        why = await this.#try(alert);
      }
      if (why === null) this.#isLosing = false;
      else this.#lose(why);
    }
    this.#sending = null;
  }

  /** Null: it has arrived. */
  async #try(body: string): Promise<string | null> {
    const { pathname, search, username, password } = this.#options.url;
    const credentials = Buffer.from(unescape(`${username}:${password}`)).toString('base64');
    const result = await (
      await this.#connection
    ).send({
      method: 'POST',
      path: pathname + search,
      headers: {
        'content-type': 'application/json',
        ...(username !== '' && { authorization: `Basic ${credentials}` }),
      },
      body,
      timeoutMs: TIMEOUT_MS,
      signal: this.#end.signal,
    });
    if (result.lost !== null) return this.#end.signal.aborted ? 'the proxy has ended before' : result.detail;
    const { status } = result.reply;
    return status >= 200 && status < 300 ? null : `it answered ${status}`;
  }

  #lose(reason: string): void {
    if (!this.#isLosing) this.#options.onLost(reason);
    this.#isLosing = true;
  }
}
