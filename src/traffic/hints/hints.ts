/** Hints of a history of recorded calls, which are told one by one, in the order of the history. */
import type { HistoryEvent } from '../../history/events.js';
import { CallHints } from './call-hints.js';
import type { Hint } from './hint.js';
import { JobHints } from './job-hints.js';

export class Hints {
  readonly #jobs = new JobHints();
  readonly #calls: CallHints;

  /** @param widenedMs how much longer a call may seem than it was, because of several clocks */
  constructor(widenedMs = 0) {
    this.#calls = new CallHints(widenedMs);
  }

  see(event: HistoryEvent): void {
    if (event.kind === 'script-end') this.#jobs.end(event.script);
    if (event.kind !== 'call') return;
    this.#jobs.see(event);
    this.#calls.see(event);
  }

  /** Of all that was told so far. */
  get found(): readonly Hint[] {
    return [...this.#jobs.found(), ...this.#calls.found()];
  }
}
