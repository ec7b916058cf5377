/** What may be true of a job when it has just been submitted. */
import type { Hypothesis } from './hypothesis.js';
import type { JobCase } from './job.js';
import { TracedZone } from './traced-zone.js';
import type { Tracer } from './tracer.js';
import { LIFE, QUEUED, SUBMITTED, ZERO, Zone } from './zone.js';

export function beginnings(job: JobCase, tracer: Tracer | null = null): Hypothesis[] {
  return job.terms.map((terms) => {
    const zone = tracer === null ? Zone.unbounded() : TracedZone.begin(tracer);
    zone.restrict(SUBMITTED, ZERO, job.submittedByMs);
    zone.restrict(ZERO, SUBMITTED, -job.submittedFromMs);
    zone.equate(LIFE, SUBMITTED);
    zone.equate(QUEUED, SUBMITTED);
    return {
      place: 'queue',
      zone,
      terms,
      notBeforeMs: job.submittedFromMs,
      unit: null,
      runs: 0,
      retries: 0,
      spentMs: 0,
      goneBy: null,
      goneFrom: null,
      meddled: null,
      purgedBy: null,
      lastRetry: null,
      retriedFrom: null,
      evidence: {
        submitted: job.submitted,
        lastQueued: null,
        firstStarted: null,
        lastRunning: null,
        ended: null,
      },
    };
  });
}
