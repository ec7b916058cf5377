/** What the service will do next by itself, and about what: its timers in words that observers can show. */
import type { Deadline, DeadlineKind, Deadlines, DeadlineSubjects } from './deadlines.js';

/** A timer that will fire unless something happens before. */
export interface UpcomingEvent {
  readonly atMs: number;
  readonly kind: DeadlineKind;
  /** The endpoint, job and worker that it is about; null where it is about none, or it does not say. */
  readonly endpoint: string | null;
  readonly job: string | null;
  readonly worker: string | null;
  /** The number of the webhook's attempt that comes next; null for other kinds. */
  readonly attempt: number | null;
}

/** The timers that fire next, in order. */
export function upcoming(deadlines: Deadlines, max: number): readonly UpcomingEvent[] {
  return deadlines.next(max).map(eventOf);
}

function eventOf({ atMs, kind, about }: Deadline): UpcomingEvent {
  return { atMs, kind, endpoint: null, job: null, worker: null, attempt: null, ...idsOf(kind, about) };
}

/** `Deadlines.set` takes kind and subject only in pairs that fit. */
function idsOf(kind: DeadlineKind, about: DeadlineSubjects[DeadlineKind]): Partial<UpcomingEvent> {
  switch (kind) {
    case 'ttl':
    case 'execution-timeout':
    case 'retention':
    case 'scale':
    case 'worker-loss': {
      const { id, endpoint, worker } = about as DeadlineSubjects[typeof kind];
      return { job: id, endpoint: endpoint.id, worker: kind === 'worker-loss' ? worker : null };
    }
    case 'wait':
    case 'webhook': {
      const { job, endpoint } = about as DeadlineSubjects[typeof kind];
      const attempt = kind === 'webhook' ? (about as DeadlineSubjects['webhook']).attempt + 1 : null;
      return { job: job.id, endpoint: endpoint.id, attempt };
    }
    case 'dispatch':
      return { endpoint: (about as DeadlineSubjects[typeof kind]).id };
    default:
      return { worker: (about as DeadlineSubjects[typeof kind]).id };
  }
}
