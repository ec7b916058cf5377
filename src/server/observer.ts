import type { CoreRequest, Service } from '../core/api.js';
import type { Json } from '../history/events.js';
import type { LoggedCall } from './logged-call.js';

/** How an API call ended. */
interface CallEnd extends Pick<LoggedCall, 'job' | 'fault'> {
  /** The answered code; null: the connection closed before. */
  readonly status: number | null;
  /** The body that was sent, as far as it was read; null without one. */
  readonly request: string | null;
  /** The body that was answered; null without one. */
  readonly reply: Json | null;
}

/** An attempt to call a webhook begins. */
interface WebhookStart {
  readonly job: string;
  readonly url: string;
  /** 1, 2 or 3; null: it is sent again on demand. */
  readonly attempt: number | null;
  /** On the endpoint's clock. */
  readonly atMs: number;
  readonly body: Json;
}

export interface WebhookAnswer {
  /** The answered code; null without an answer. */
  readonly status: number | null;
  /** Why there is no answer; null with one, and where nothing is known. */
  readonly error: string | null;
}

/** How it ended. */
interface WebhookEnd extends WebhookAnswer {
  /** How long after its end the next attempt is made, on the endpoint's clock; null: there is none. */
  readonly againInMs: number | null;
}

/** Is notified of what the server does, and cannot affect it. */
export interface ServerObserver {
  /**
   * An API call has arrived.
   * @param target as sent, with its query
   * @returns a callback for its end
   */
  called?(method: string, target: string, headers: CoreRequest['headers']): (end: CallEnd) => void;
  /** Something may have changed at this instant of the endpoints' clock. */
  changed?(nowMs: number, service: Pick<Service, 'snapshot'>): void;
  /** A worker has taken a job that was queued for `queuedForMs`. */
  started?(queuedForMs: number): void;
  /** A webhook is called. @returns a callback for its end */
  webhookCalled?(start: WebhookStart): (end: WebhookEnd) => void;
}

/** Combines several observers into one. */
export function combineObservers(observers: readonly ServerObserver[]): Required<ServerObserver> {
  const called = observers.flatMap((observer) => observer.called ?? []);
  const changed = observers.flatMap((observer) => observer.changed ?? []);
  const started = observers.flatMap((observer) => observer.started ?? []);
  const webhookCalled = observers.flatMap((observer) => observer.webhookCalled ?? []);
  return {
    called: (...request) => toAll(called.map((tell) => tell(...request))),
    changed: (...change) => changed.forEach((tell) => tell(...change)),
    started: (queuedForMs) => started.forEach((tell) => tell(queuedForMs)),
    webhookCalled: (start) => toAll(webhookCalled.map((tell) => tell(start))),
  };
}

function toAll<End>(callbacks: readonly ((end: End) => void)[]): (end: End) => void {
  return (end) => callbacks.forEach((tell) => tell(end));
}
