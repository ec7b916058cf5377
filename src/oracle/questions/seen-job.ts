/** A job whose life is explained, with what the observers of open questions ask of it. */
import type { CallEvent, Json } from '../../history/events.js';
import { TTL_DEFAULT_MS, TTL_MAX_MS, TTL_MIN_MS } from '../../spec/limits.js';
import type { Operation } from '../../spec/types.js';
import type { Job } from '../cast/cases.js';
import { precedes, sightingsOf, type Sighting } from '../cast/sightings.js';
import type { Explained } from '../model/known.js';
import { ENDED, STARTED, type Instant } from '../model/zone.js';
import type { Foreseen } from '../observed/plan.js';
import { answerOf, policyFieldOf, statusIn } from '../observed/reading.js';
import { wasThere } from '../scene/left-alone.js';
import type { Scene } from '../scene/scene.js';
import type { Span } from './spans.js';

export class SeenJob {
  readonly scene: Scene;
  readonly job: Job;
  readonly life: Explained;
  /** What its calls showed of it, in order. */
  readonly looks: readonly Sighting[];

  constructor(scene: Scene, job: Job, life: Explained) {
    this.scene = scene;
    this.job = job;
    this.life = life;
    this.looks = sightingsOf(job);
  }

  /** What the worker does in the first run. */
  get plan(): Foreseen {
    return this.job.foreseen(0);
  }

  calls(op: Operation): readonly CallEvent[] {
    return this.job.calls.filter((call) => call.op === op);
  }

  /** The `/retry` calls that may have requeued it. */
  get retries(): readonly CallEvent[] {
    return this.calls('retry').filter((call) => answerOf(call) !== 'refused');
  }

  policy(field: 'ttl' | 'executionTimeout'): Json | undefined {
    return policyFieldOf(this.job.submission, field);
  }

  /** The lifespan that the submission gives, where it is a legal one or none; else null. */
  get ttlMs(): number | null {
    const value = this.policy('ttl');
    if (value === undefined) return TTL_DEFAULT_MS;
    return typeof value === 'number' && value >= TTL_MIN_MS && value <= TTL_MAX_MS ? value : null;
  }

  /** The last look that was over before the call. */
  lookBefore(call: CallEvent): Sighting | undefined {
    return this.looks.findLast((look) => precedes(look.call, call));
  }

  /** The first look that was made after the call. */
  lookAfter(call: CallEvent): Sighting | undefined {
    return this.looks.find((look) => precedes(call, look.call));
  }

  first(...states: readonly Sighting['shows'][]): Sighting | undefined {
    return this.looks.find(({ shows }) => states.includes(shows));
  }

  last(...states: readonly Sighting['shows'][]): Sighting | undefined {
    return this.looks.findLast(({ shows }) => states.includes(shows));
  }

  /** A 404 to this call is no word of the question that it was made for: the job may have been deleted by then. */
  mayBeUnknown(call: CallEvent): boolean {
    return !wasThere(this.scene, this.job, call);
  }

  /** Its `/runsync` call was told that it had failed. */
  get isToldFailed(): boolean {
    return this.job.sync && statusIn(this.job.submitted) === 'FAILED';
  }

  get submitted(): Span {
    return { fromMs: this.job.submittedFromMs, byMs: this.job.submittedByMs };
  }

  when(instant: Instant): Span {
    return {
      fromMs: this.life.least(({ zone }) => zone.earliest(instant)),
      byMs: this.life.most(({ zone }) => zone.latest(instant)),
    };
  }

  /** How long its last run lasted. */
  get ran(): Span {
    return {
      fromMs: this.life.least(({ zone }) => -zone.bound(STARTED, ENDED)),
      byMs: this.life.most(({ zone }) => zone.bound(ENDED, STARTED)),
    };
  }

  /** Certainly cancelled while it waited or ran. */
  get isStopped(): boolean {
    return this.life.mustBe(
      (at) => at.place === 'cancelled' && (at.goneFrom === 'queue' || at.goneFrom === 'progress'),
    );
  }

  /** Certainly still waiting or running when it went, so that no retention had a hand in it. */
  get isUnfinished(): boolean {
    return this.life.mustBe(({ place, goneFrom }) => {
      const last = place === 'gone' || place === 'cancelled' ? goneFrom : place;
      return last === 'queue' || last === 'progress';
    });
  }

  /** When `/status` ceased to find it: after it was last found, and by the first 404; null where it was not asked. */
  expiry({ since, cancelled = false }: { since?: CallEvent; cancelled?: boolean } = {}): Span | null {
    // What /status answers after a cancel is a question of its own.
    const cancel = cancelled ? undefined : this.job.calls.find(({ op }) => op === 'cancel');
    const looks = this.looks.filter(
      ({ call }) =>
        (since === undefined || call.sentTick > since.sentTick) &&
        (cancel === undefined || precedes(call, cancel)),
    );
    if (looks.length === 0) return null;
    const gone = looks.find(({ shows }) => shows === 'GONE');
    const found = looks.findLast(
      ({ call, shows }) => shows !== 'GONE' && (gone === undefined || call.sentTick < gone.call.sentTick),
    );
    const fromMs = found?.call.sentMs ?? since?.sentMs ?? this.job.submitted.sentMs;
    return { fromMs, byMs: gone?.call.receivedMs ?? Infinity };
  }
}
