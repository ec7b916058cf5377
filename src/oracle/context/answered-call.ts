/** An answered call, and what the checks of single answers ask of it. */
import type { CallEvent } from '../../history/events.js';
import type { JobStatus } from '../../spec/types.js';
import type { QuestionId, ReadingId, RequirementId } from '../../spec/index.js';
import type { IdLookup } from '../jobs/call-index.js';
import { operationImplemented, type Evidence } from '../jobs/evidence.js';
import { answerOf, recordOf, statusIn, type Answer, type JsonObject } from '../observed/recorded-call.js';
import { instanceOf } from '../observed/instances.js';
import { isBehindNetwork } from '../observed/session.js';
import type { JudgingContext } from './judging-context.js';
import type { Life } from './life.js';

const NO_RECORD: JsonObject = {};
/** A gateway answers so by itself where it does not get an answer of the service. */
const GATEWAY_CODES: readonly number[] = [502, 503, 504];

export class AnsweredCall {
  readonly context: JudgingContext;
  readonly call: CallEvent;
  /** The status code of the answer. */
  readonly code: number;
  readonly answer: Answer;
  /** The job status in the answer, or null. */
  readonly status: JobStatus | null;
  /** The lookup of the id in the path, if any. */
  readonly lookup: IdLookup | null;
  /** The life of the job that the path names; null if it names none, or none that is known. */
  readonly life: Life | null;

  constructor(context: JudgingContext, call: CallEvent, lookup: IdLookup | null = null) {
    this.context = context;
    this.call = call;
    this.code = call.reply!.status;
    this.answer = answerOf(call);
    this.status = statusIn(call);
    this.lookup = lookup;
    this.life = context.lifeBy(lookup?.id ?? null);
  }

  get isOk(): boolean {
    return this.answer === 'ok';
  }

  /** The JSON object in the answer; empty if it has none. */
  get record(): JsonObject {
    return recordOf(this.call) ?? NO_RECORD;
  }

  /**
   * Passes or fails the requirement; a wrong answer that may be that of a gateway alone fails only if it comes again and
   * again. `actual` is evaluated on failure only.
   */
  check(id: RequirementId, satisfied: boolean, actual?: string | ((call: CallEvent) => string)): void {
    const { context, call, code } = this;
    if (!satisfied && GATEWAY_CODES.includes(code) && isBehindNetwork(context.session))
      context.serverError([id], call);
    else context.check(id, satisfied, call, actual);
  }

  /** The same, but a pass counts only once one of these is proven; default: that the operation is implemented. */
  checkGiven(
    id: RequirementId,
    satisfied: boolean,
    actual?: string | ((call: CallEvent) => string),
    needed: readonly Evidence[] = operationImplemented(this.call.op),
  ): void {
    if (satisfied) this.context.ledger.passGiven(needed, id, instanceOf(id, this.call));
    else this.check(id, false, actual);
  }

  passGiven(...ids: readonly RequirementId[]): void {
    this.context.passGiven(operationImplemented(this.call.op), ...ids);
  }

  /** Records a reading of an open question; null: nothing was observed. */
  observe<Q extends QuestionId>(id: Q, reading: ReadingId<Q> | null): void {
    this.context.observe(id, reading, this.call);
  }

  /** The same for the reading named after the status code, if there is one; else `otherwise`. */
  observeCode<Q extends QuestionId>(id: Q, otherwise: ReadingId<Q> | null = null): void {
    this.context.observeCode(id, this.call, otherwise);
  }
}
