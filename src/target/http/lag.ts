import { monitorEventLoopDelay } from 'node:perf_hooks';

const RESOLUTION_MS = 10;

/** Watches how late this process itself runs; the histories of a harness that lags are wide and decide little. */
export class LagWatch {
  readonly #delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS });

  constructor() {
    this.#delays.enable();
  }

  /** Ends the watch. @returns the worst lateness, in ms */
  stop(): number {
    this.#delays.disable();
    return Math.max(0, Math.round(this.#delays.max / 1e6) - RESOLUTION_MS);
  }
}
