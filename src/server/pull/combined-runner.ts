import type { HandlerRunner } from '../handlers/handler-runner.js';

/**
 * Combines the runner of built-in workers with that of remote ones; each attempt belongs to one of the two.
 */
export function combineRunners(own: HandlerRunner, outside: HandlerRunner): HandlerRunner {
  return {
    start: (effect) => (effect.external ? outside : own).start(effect),
    stop(attempt) {
      own.stop(attempt);
      outside.stop(attempt);
    },
    settling() {
      const [one, other] = [own.settling(), outside.settling()];
      return one === null || other === null
        ? (one ?? other)
        : Promise.all([one, other]).then(() => undefined);
    },
    askEnded: (endpoint, worker) => outside.askEnded?.(endpoint, worker),
    close() {
      own.close();
      outside.close();
    },
  };
}
