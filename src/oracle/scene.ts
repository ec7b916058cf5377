/** What the layers of judgement share while they look at one session. */
import type { CallEvent } from '../history/events.js';
import { requirement, type RequirementId } from '../spec/index.js';
import type { Cast, Job } from './cases.js';
import { describeCall } from './life/job.js';
import type { Ledger } from './ledger.js';
import type { Hypothesis, Place } from './life/hypothesis.js';
import type { Session } from './session.js';

/** What judging a job's life has left known of it. */
export interface Known {
  /** Where it may have been during each count of the session, by the call's number. */
  readonly probes: ReadonlyMap<number, ReadonlySet<Place>>;
  /** All explanations of its life to the end; null when there is none, or too many. */
  readonly hypotheses: readonly Hypothesis[] | null;
  /** Its life contradicts the document: what depends on it is not judged again. */
  readonly broken: boolean;
}

export interface Fault {
  readonly script: number;
  readonly actual: string;
  /** Default: the requirement's own sentence. */
  readonly expected?: string;
  readonly proof?: readonly string[];
  readonly calls: readonly number[];
}

export class Scene {
  readonly ledger: Ledger;
  readonly session: Session;
  readonly cast: Cast;
  readonly known: ReadonlyMap<string, Known>;
  private readonly elsewhere: ReadonlySet<string>;

  constructor(
    ledger: Ledger,
    session: Session,
    cast: Cast,
    known: ReadonlyMap<string, Known>,
    elsewhere: ReadonlySet<string>,
  ) {
    this.elsewhere = elsewhere;
    this.ledger = ledger;
    this.session = session;
    this.cast = cast;
    this.known = known;
  }

  pass(...ids: readonly RequirementId[]): void {
    for (const id of ids) this.ledger.pass(id);
  }

  fail(id: RequirementId, fault: Fault): void {
    this.ledger.fail({
      requirement: id,
      script: fault.script,
      scenario: this.session.scripts.get(fault.script)?.scenario ?? '',
      expected: fault.expected ?? requirement(id).text,
      actual: fault.actual,
      proof: fault.proof ?? [],
      calls: fault.calls,
    });
  }

  /** Passes or fails the requirement by one call. */
  check(id: RequirementId, kept: boolean, call: CallEvent, actual?: string): void {
    if (kept) this.pass(id);
    else this.fail(id, { script: call.script, actual: actual ?? describeCall(call), calls: [call.call] });
  }

  has(...needs: readonly (typeof this.session.run.capabilities)[number][]): boolean {
    return needs.every((need) => this.session.run.capabilities.includes(need));
  }

  /** The job was created, but on another endpoint that the same scripts use. */
  isElsewhere(id: string): boolean {
    return this.elsewhere.has(id);
  }

  /** True while nothing observed of the job contradicts the document. */
  sound(job: Job): boolean {
    return this.known.get(job.id)?.broken !== true;
  }
}
