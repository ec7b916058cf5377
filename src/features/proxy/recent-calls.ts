/** The last calls that passed, for the page: who was called, how it answered, and how long that took. */
import { answerOf, type Exchange } from '../../history/exchange.js';

/** As `/state` tells it. */
export interface RecentCall {
  readonly call: Exchange['id'];
  /** ms since 1970. */
  readonly atMs: number;
  readonly method: string;
  /** Without the query, which may hold a key. */
  readonly path: string;
  /** Whether the service called a webhook. */
  readonly isWebhook: boolean;
  /** How it was answered, and after how many ms; null: it is under way. */
  readonly end: { readonly status: number | null; readonly tookMs: number } | null;
}

const KEPT_MAX = 300;

export class RecentCalls {
  readonly #calls = new Map<Exchange['id'], RecentCall>();

  take(exchange: Exchange<unknown>): void {
    const { id: call, fromMs: atMs, byMs, request, outcome, webhook } = exchange;
    if (outcome.kind === 'open') {
      const { method, target } = request;
      const to = webhook === undefined ? target : webhook.replace(/^https?:\/\//u, '');
      const path = to.replace(/\?.*$/su, '');
      this.#calls.set(call, { call, atMs, method, path, isWebhook: webhook !== undefined, end: null });
      if (this.#calls.size > KEPT_MAX) this.#calls.delete(this.#calls.keys().next().value!);
      return;
    }
    const begun = this.#calls.get(call);
    if (begun === undefined) return;
    const end = { status: answerOf(exchange)?.status ?? null, tookMs: Math.max(0, byMs! - begun.atMs) };
    this.#calls.set(call, { ...begun, end });
  }

  /** The newest first. */
  get all(): readonly RecentCall[] {
    return [...this.#calls.values()].toReversed();
  }
}
