/** Is notified of what the server does, and cannot affect it. */
export interface ServerObserver {
  /**
   * An API call has arrived.
   * @param target as sent, with its query
   * @returns a callback for the answered code; null: the client went away before
   */
  called?(method: string, target: string): (status: number | null) => void;
  /** A worker has taken a job that was queued for `queuedForMs`. */
  started?(queuedForMs: number): void;
  /** A webhook call has ended: with this status code, or null without an answer. */
  webhookEnded?(status: number | null): void;
}

/** Combines several observers into one. */
export function combineObservers(observers: readonly ServerObserver[]): Required<ServerObserver> {
  return {
    called(method, target) {
      const callbacks = observers.map((observer) => observer.called?.(method, target));
      return (status) => callbacks.forEach((callback) => callback?.(status));
    },
    started: (queuedForMs) => observers.forEach((observer) => observer.started?.(queuedForMs)),
    webhookEnded: (status) => observers.forEach((observer) => observer.webhookEnded?.(status)),
  };
}
