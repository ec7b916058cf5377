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
  /**
   * A webhook is called.
   * @param attempt 1, 2 or 3
   * @returns a callback for the answered status code; null: without an answer
   */
  webhookCalled?(job: string, url: string, attempt: number): (status: number | null) => void;
}

/** Combines several observers into one. */
export function combineObservers(observers: readonly ServerObserver[]): Required<ServerObserver> {
  const called = observers.flatMap((observer) => observer.called ?? []);
  const changed = observers.flatMap((observer) => observer.changed ?? []);
  const started = observers.flatMap((observer) => observer.started ?? []);
  const webhookCalled = observers.flatMap((observer) => observer.webhookCalled ?? []);
  return {
    called(...request) {
      const callbacks = called.map((tell) => tell(...request));
      return (end) => callbacks.forEach((tell) => tell(end));
    },
    changed: (...change) => changed.forEach((tell) => tell(...change)),
    started: (queuedForMs) => started.forEach((tell) => tell(queuedForMs)),
    webhookCalled(...call) {
      const callbacks = webhookCalled.map((tell) => tell(...call));
      return (status) => callbacks.forEach((tell) => tell(status));
    },
  };
}
