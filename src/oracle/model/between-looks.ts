/**
 * A job seen waiting before a count and waiting after it has waited all the while: nothing leads back into the queue
 * save a retry, or the death of its worker. Likewise a job seen running, and one seen ended was not gone in between.
 */
import type { CallEvent } from '../../history/events.js';
import type { Place } from './hypothesis.js';
import type { JobCase } from './job.js';
import type { Operation } from './operations.js';

type Probes = Map<number, ReadonlySet<Place>>;

const STEADY = { IN_QUEUE: 'queue', IN_PROGRESS: 'progress' } as const;

/** Narrows the places at each count to the one that the looks around it leave. `sinceMs`: from when on it may have been taken. */
export function narrowByLooks(job: JobCase, probes: Probes, sinceMs: (count: CallEvent) => number): void {
  const { operations, life } = job;
  for (const probe of operations) {
    const places = probe.kind === 'probe' ? probes.get(probe.call!.call) : undefined;
    if (places === undefined || places.size < 2) continue;
    const fromMs = sinceMs(probe.call!);
    const before = operations.findLast((op) => isLook(op) && precedes(op, probe) && op.byMs <= fromMs);
    const after = operations.find((op) => isLook(op) && precedes(probe, op));
    if (before === undefined || after === undefined || before.shows !== after.shows) continue;
    if (operations.some((op) => isMove(op) && !precedes(op, before) && !precedes(after, op))) continue;
    const place = STEADY[before.shows as keyof typeof STEADY] as Place | undefined;
    if (place === undefined) {
      probes.set(probe.call!.call, new Set([...places].filter((each) => each !== 'gone')));
      continue;
    }
    const retries = operations.filter((op) => op.kind === 'retry' && precedes(op, before)).length;
    const mayDie = [0, 1, retries].some((run) => life.foreseen(run).outcome === 'crash');
    if (!mayDie && places.has(place)) probes.set(probe.call!.call, new Set([place]));
  }
}

const isLook = ({ kind, answer, shows }: Operation): boolean =>
  kind === 'status' && answer === 'ok' && shows !== null;

const isMove = ({ kind }: Operation): boolean => kind === 'retry' || kind === 'cancel' || kind === 'purge';

const precedes = (left: Operation, right: Operation): boolean =>
  left.endedTick !== null && right.sentTick !== null && left.endedTick < right.sentTick;
