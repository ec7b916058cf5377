/** Somebody who looks on as the server works, and never has a say. */
export interface ServerObserver {
  /**
   * An API call has arrived.
   * @param target as sent, with its query
   * @returns what is called with the code answered; null: the client went away before
   */
  called?(method: string, target: string): (status: number | null) => void;
  /** A worker has taken a job that stood in the queue for so long. */
  started?(queuedForMs: number): void;
  /** A webhook call has ended: with this code, or null when there was no answer. */
  webhookEnded?(status: number | null): void;
}

/** All of them as one. */
export function combineObservers(observers: readonly ServerObserver[]): Required<ServerObserver> {
  return {
    called(method, target) {
      const told = observers.map((observer) => observer.called?.(method, target));
      return (status) => told.forEach((tell) => tell?.(status));
    },
    started: (queuedForMs) => observers.forEach((observer) => observer.started?.(queuedForMs)),
    webhookEnded: (status) => observers.forEach((observer) => observer.webhookEnded?.(status)),
  };
}
