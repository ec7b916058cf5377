/** A client with one known fault. */
import { CAREFUL, type Behaviour, type Style } from './behaviour.js';

export interface FaultyClient {
  /** Unique; words joined by hyphens. */
  readonly id: string;
  /** What it does wrong, as in a bug report. */
  readonly text: string;
  readonly style: Style;
  /** The rules that it violates, the main one first. Each of them may catch it. */
  readonly breaks: readonly [`client/${string}`, ...`client/${string}`[]];
  /** The id of a weather that shows it. */
  readonly weather: string;
  /** What it decides otherwise than a careful client. */
  readonly behaviour: Partial<Behaviour>;
}

/** It waits for less long than it would, so that it is known soon how it ends. */
const SHORT: Partial<Behaviour> = { retryForMs: 4_000, deadlineMs: 5_000 };

export const behaviourOf = ({ behaviour }: FaultyClient): Behaviour => ({
  ...CAREFUL,
  ...SHORT,
  ...behaviour,
});
