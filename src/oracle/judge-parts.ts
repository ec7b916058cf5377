/**
 * Judges recorded traffic in parts, so that memory does not grow with it: what the parts show is joined before it is settled,
 * so that where they begin changes no conclusion.
 */
import type { HistoryEvent } from '../history/events.js';
import { mergeEvidence, trimmedEvidence, type Evidence } from './evidence.js';
import { gather } from './judge.js';
import type { Findings, JudgeOptions } from './ledger/findings.js';
import { settled } from './settle.js';

/** Of a requirement at once: those of the part that was taken last, and of some before. */
const FAILURES_TOLD_MAX = 500;

export class PartsJudge {
  readonly #options: JudgeOptions;
  /** Null: nothing was taken. */
  #sum: Evidence | null = null;
  #findings: Findings | null = null;

  constructor(options: JudgeOptions = {}) {
    this.#options = options;
  }

  /**
   * What these events show together with the parts that were taken, their own failures and calls first. They are not kept.
   *
   * @param events the run first
   */
  look(events: readonly HistoryEvent[]): Findings {
    return this.#with(this.#gather(events));
  }

  /**
   * Takes a part, with all calls on its jobs. What is kept of it is bounded: so many observations of each kind wait to be
   * settled, and of calls and jobs nothing else.
   *
   * @returns as `look`
   */
  take(part: readonly HistoryEvent[]): Findings {
    const shown = this.#gather(part);
    const findings = this.#with(shown);
    const parts = this.#sum === null ? ([shown] as const) : ([this.#sum, shown] as const);
    const { failuresMax } = this.#options;
    this.#sum = trimmedEvidence(mergeEvidence(parts, { failuresMax }));
    this.#findings = null;
    return findings;
  }

  /** What all parts that were taken show; null: none was. */
  conclude(): Findings | null {
    if (this.#sum === null) return null;
    const { failuresMax } = this.#options;
    return (this.#findings ??= settled(mergeEvidence([this.#sum], { failuresMax })));
  }

  #gather(events: readonly HistoryEvent[]): Evidence {
    return gather(events, this.#options, this.#sum ?? undefined);
  }

  /** What is settled is used up. */
  #with(shown: Evidence): Findings {
    const parts = this.#sum === null ? ([shown] as const) : ([shown, this.#sum] as const);
    return settled(mergeEvidence(parts, { failuresMax: FAILURES_TOLD_MAX }));
  }
}

/**
 * @param parts each with the run first
 * @returns null: there is none
 */
export function judgeParts(
  parts: Iterable<readonly HistoryEvent[]>,
  options: JudgeOptions = {},
): Findings | null {
  const judge = new PartsJudge(options);
  for (const part of parts) judge.take(part);
  return judge.conclude();
}
