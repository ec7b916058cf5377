/** What was judged of a run, or of a part of it, before anything is settled; and how parts of recorded traffic are joined. */
import type { RunEvent } from '../history/events.js';
import type { RunSelection } from '../history/selection.js';
import { Occurring } from './in-traffic/situations.js';
import type { Ledger } from './ledger/ledger.js';
import { mergedLedger, trimmed } from './ledger/merge-ledgers.js';

export interface Judged {
  readonly ledger: Ledger;
  /** Judges what concerns all jobs of a shared endpoint, which is judged in parts. */
  readonly wholeRun: (ledger: Ledger) => void;
}

export interface Evidence {
  readonly run: RunEvent;
  readonly selection: RunSelection;
  /** What was seen. */
  readonly seen: Judged;
  /** What would have been seen if the target had never been lost; null: it was not. */
  readonly unbroken: Judged | null;
  /** What would have been seen if the harness had never been late; null: it was not late for long. */
  readonly onTime: Judged | null;
  /** By how much it was late at most, ms. */
  readonly lagMs: number;
  /** Of each time that the target was lost and came back, until when it is known to have lived, ms of the history. */
  readonly lossesMs: readonly number[];
  /** Null: the run is no recorded traffic. */
  readonly occurring: Occurring | null;
}

/** For how many failures of each requirement there is room; default: as in `JudgeOptions`. */
interface MergeOptions {
  readonly failuresMax?: number | undefined;
}

/**
 * What parts of recorded traffic show together; in their order, the first failures and calls are told. The parts stay as they
 * are.
 */
export function mergeEvidence(
  parts: readonly [Evidence, ...Evidence[]],
  { failuresMax }: MergeOptions = {},
): Evidence {
  const { run, selection } = parts[0];
  // What else a run shows as a whole, such as how many jobs there are, cannot be joined.
  if (run.capture === undefined) throw new Error('only recorded traffic is judged in parts');
  const occurring = new Occurring();
  for (const part of parts) if (part.occurring !== null) occurring.append(part.occurring);
  const joined = (of: (part: Evidence) => Judged): Judged => ({
    ledger: mergedLedger(
      parts.map((part) => of(part).ledger),
      failuresMax,
    ),
    wholeRun: () => undefined,
  });
  return {
    ...{ run, selection, occurring },
    seen: joined(({ seen }) => seen),
    unbroken: parts.some(({ unbroken }) => unbroken !== null)
      ? joined(({ seen, unbroken }) => unbroken ?? seen)
      : null,
    onTime: parts.some(({ onTime }) => onTime !== null) ? joined(({ seen, onTime }) => onTime ?? seen) : null,
    lagMs: Math.max(...parts.map(({ lagMs }) => lagMs)),
    lossesMs: [...new Set(parts.flatMap(({ lossesMs }) => lossesMs))].sort((one, other) => one - other),
  };
}

/** Of a run whose parts are joined one after the other: bounds what is kept of those that have been. */
export function trimmedEvidence(evidence: Evidence): Evidence {
  for (const judged of [evidence.seen, evidence.unbroken, evidence.onTime])
    if (judged !== null) trimmed(judged.ledger);
  return evidence;
}
