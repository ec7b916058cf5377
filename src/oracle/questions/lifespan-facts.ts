/** What a job was promised, and what its life tells of its end. */
import type { CallEvent } from '../../history/events.js';
import { TTL_DEFAULT_MS, TTL_MAX_MS, TTL_MIN_MS } from '../../spec/limits.js';
import type { Job } from '../cast/cases.js';
import type { Explained } from '../model/known.js';
import { ENDED } from '../model/zone.js';
import { answerOf, policyFieldOf } from '../observed/reading.js';
import { plus, type Span } from './spans.js';

export function submittedIn(job: Job): Span {
  return { fromMs: job.life.submittedFromMs, byMs: job.life.submittedByMs };
}

/** The lifespan that the submission gives, where it is a legal one or none; else null. */
export function ttlOf(job: Job): number | null {
  const value = policyFieldOf(job.submission, 'ttl');
  if (value === undefined) return TTL_DEFAULT_MS;
  return typeof value === 'number' && value >= TTL_MIN_MS && value <= TTL_MAX_MS ? value : null;
}

/** The job was still waiting or running when it went, so that no retention had a hand in it. */
export function unfinished(life: Explained): boolean {
  return life.mustBe(({ place, goneFrom }) => {
    const last = place === 'gone' || place === 'cancelled' ? goneFrom : place;
    return last === 'queue' || last === 'progress';
  });
}

export function retriesOf(job: Job): readonly CallEvent[] {
  return job.calls.filter((call) => call.op === 'retry' && answerOf(call) !== 'refused');
}

export function endOf(life: Explained): Span {
  return {
    fromMs: life.least(({ zone }) => zone.earliest(ENDED)),
    byMs: life.most(({ zone }) => zone.latest(ENDED)),
  };
}

/** When a job that ended then is deleted, if it is kept as a completed one is. */
export function retentionEnd({ life }: Job, end: Span): Span {
  return plus(
    end,
    Math.min(...life.terms.map(({ keptAtLeastMs }) => keptAtLeastMs)),
    Math.max(...life.terms.map(({ keptAtMostMs }) => keptAtMostMs)),
  );
}
