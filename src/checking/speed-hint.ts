/** Whether the time of the target runs at another speed than was said. */
import type { CallEvent, HistoryEvent, RunEvent } from '../history/events.js';
import { isSpeed } from '../util/speed.js';

/** Waits that tell a speed: one at least this many times as long as another. */
const APART = 2;
/** A speed this close to the one that was said is that one. */
const NEAR = 1.5;
/** How far a wait may be from what the others tell: a share of it, and real ms. */
const DEVIATION = { share: 0.2, realMs: 200 };

interface Wait {
  readonly waitMs: number;
  readonly tookMs: number;
}

/**
 * A `/runsync` call whose job goes on is answered after its `wait`, so that such calls tell how fast the time of the target
 * runs. Null: as was said, or they do not tell.
 */
export function speedHint(events: readonly HistoryEvent[]): string | null {
  const [run] = events;
  if (run?.kind !== 'run' || run.clock !== 'real') return null;
  const { speed = 1 } = run;
  const told = speedIn(run, events.flatMap(waitIn));
  if (told === null || (told < speed * NEAR && told > speed / NEAR)) return null;
  return (
    `calls of /runsync were answered as if the time of the target ran at a speed of about ${inWords(told)}, not ${speed}: ` +
    'if so, check it again with that --speed, because the durations reported here are wrong'
  );
}

const inWords = (speed: number): string => String(Number(speed.toPrecision(2)));

function waitIn(event: HistoryEvent): readonly Wait[] {
  if (event.kind !== 'call' || event.op !== 'runsync' || event.receivedMs === null) return [];
  const waitMs = Number(event.request.query['wait']);
  return Number.isFinite(waitMs) && goesOn(event)
    ? [{ waitMs, tookMs: event.receivedMs - event.sentMs }]
    : [];
}

function goesOn({ reply }: CallEvent): boolean {
  const record = reply?.body.as === 'json' ? reply.body.value : null;
  const status = (record as { readonly status?: unknown } | null)?.status;
  return status === 'IN_QUEUE' || status === 'IN_PROGRESS';
}

/** By what the longest takes longer than the shortest, so that the way there and back does not count. */
function speedIn({ speed = 1 }: RunEvent, waits: readonly Wait[]): number | null {
  const sorted = waits.toSorted((left, right) => left.waitMs - right.waitMs);
  const [shortest, longest] = [sorted[0], sorted.at(-1)];
  if (shortest === undefined || longest === undefined || longest.waitMs < APART * shortest.waitMs)
    return null;
  const rate = (longest.tookMs - shortest.tookMs) / (longest.waitMs - shortest.waitMs);
  const isAsTold = ({ waitMs, tookMs }: Wait): boolean =>
    Math.abs(tookMs - rate * waitMs) <= DEVIATION.share * rate * waitMs + DEVIATION.realMs * speed;
  const told = speed / rate;
  return rate > 0 && isSpeed(told) && sorted.every(isAsTold) ? told : null;
}
