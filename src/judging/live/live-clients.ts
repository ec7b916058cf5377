/** Judges the clients of calls that pass, now and then. */
import { SeenClients } from '../../client/seen-clients.js';
import type { Exchange } from '../../history/exchange.js';
import { reportedClients, type ReportedClient } from '../../report/client/seen.js';
import type { Edition } from '../../spec/index.js';

/** Judging all clients takes longer than judging a call. */
const EVERY_MS = 5_000;

export class LiveClients {
  /** Calls that are over and not taken yet. */
  readonly over: Exchange[] = [];
  /** As of the last look. */
  found: readonly ReportedClient[] = [];
  readonly #seen: SeenClients;
  #isNew = false;
  #lookedMs = 0;

  constructor(edition: Edition, by: string | undefined) {
    this.#seen = new SeenClients({ edition, by: by?.toLowerCase(), isWhole: 'yes' });
  }

  /** @param bases of known endpoints: who calls others is no client of the API */
  take(bases: readonly string[]): void {
    for (const exchange of this.over.splice(0)) {
      const { names, webhook } = exchange;
      if (webhook === undefined && (names === null || !bases.includes(names.base))) continue;
      this.#seen.take(exchange);
      this.#isNew = true;
    }
  }

  miss(): void {
    this.#seen.miss();
  }

  look(nowMs: number): void {
    if (!this.#isNew || nowMs < this.#lookedMs + EVERY_MS) return;
    this.#isNew = false;
    this.#lookedMs = nowMs;
    this.found = reportedClients(this.#seen.found);
  }
}
