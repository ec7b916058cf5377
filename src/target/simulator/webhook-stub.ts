import { bodyOf } from '../../history/body.js';
import type { StorageEvent, WebhookEvent } from '../../history/events.js';
import type { WebhookAnswer } from '../../scenario/script.js';
import type { ClientEvent } from '../../sim/client-events.js';

/** How long a service waits for a receiver that never answers, in virtual time. */
const WEBHOOK_TIMEOUT_MS = 10_000;

/** How the addresses begin that it gives out. */
export const WEBHOOKS_AT = 'http://webhooks.invalid/';

const OK: WebhookAnswer = { status: 200 };

/** How a webhook call ends: with this status, or null, so long after its arrival. */
export interface WebhookEnd {
  readonly status: number | null;
  readonly silence?: 'given-up';
  readonly afterMs: number;
}

/** Receives the webhook calls of one script, and knows what to answer. */
export class WebhookStub {
  private readonly script: number;
  private readonly expected = new Map<
    string,
    { readonly answers: readonly WebhookAnswer[]; calls: number }
  >();
  private readonly storages = new Set<string>();
  private readonly stored: StorageEvent[] = [];
  /** Calls that have arrived and not ended, by the time of their end. */
  private open: WebhookEvent[] = [];

  constructor(script: number) {
    this.script = script;
  }

  urlOf(token: string): string {
    return `${WEBHOOKS_AT}${this.script}/${encodeURIComponent(token)}`;
  }

  expect(token: string, answers: readonly WebhookAnswer[]): void {
    this.expected.set(this.urlOf(token), { answers, calls: 0 });
  }

  expectStorage(token: string): void {
    this.storages.add(this.urlOf(token));
  }

  /** An address that the script made up leads nowhere, and leaves no trace in the history. */
  receive(call: Extract<ClientEvent, { kind: 'webhook' }>): WebhookEnd {
    // A script may have put a query behind the address, or a slash.
    const [own = ''] = /^\w+:\/\/[^/?]*\/[^/?]*\/[^/?]*/.exec(call.url) ?? [];
    if (this.storages.has(own)) {
      const path = call.url.replace(/^\w+:\/\/[^/?]*/, '');
      this.stored.push({
        kind: 'storage',
        script: this.script,
        url: own,
        method: call.method,
        path,
        arrivedMs: call.atMs,
      });
      return endOf(OK);
    }
    const expected = this.expected.get(own);
    if (expected === undefined) return { status: null, afterMs: 0 };
    const { answers } = expected;
    const end = endOf(answers[Math.min(expected.calls, answers.length - 1)] ?? OK);
    expected.calls += 1;
    this.open.push({
      kind: 'webhook',
      script: this.script,
      url: call.url,
      method: call.method,
      contentType: call.headers['content-type'] ?? null,
      headers: call.headers,
      body: bodyOf(call.bodyText),
      arrivedMs: call.atMs,
      endedMs: call.atMs + end.afterMs,
      answered: end.status,
      ...(end.silence === undefined ? {} : { silence: end.silence }),
    });
    this.open.sort((a, b) => a.endedMs - b.endedMs);
    return end;
  }

  /** Takes out the calls that have ended by now, and those of storages. */
  ended(nowMs: number): readonly (WebhookEvent | StorageEvent)[] {
    if (this.stored.length > 0) return [...this.stored.splice(0), ...this.ended(nowMs)];
    const first = this.open[0];
    if (first === undefined || first.endedMs > nowMs) return [];
    const ended = this.open.filter((event) => event.endedMs <= nowMs);
    this.open = this.open.slice(ended.length);
    return ended;
  }

  /** The desk closes: those still open end now. */
  close(nowMs: number): readonly WebhookEvent[] {
    const cut = this.open.map((event) => ({
      ...event,
      endedMs: Math.min(event.endedMs, nowMs),
      ...(event.silence === undefined ? {} : { silence: 'cut' as const }),
    }));
    this.open = [];
    return cut;
  }
}

function endOf(answer: WebhookAnswer): WebhookEnd {
  if ('status' in answer) return { status: answer.status, afterMs: 0 };
  if ('never' in answer) return { status: null, silence: 'given-up', afterMs: WEBHOOK_TIMEOUT_MS };
  return { status: null, afterMs: 0 };
}
