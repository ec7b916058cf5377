/** Open questions about submissions: how one with a single thing out of the ordinary is taken, which its answer tells. */
import type { CallEvent } from '../../history/events.js';
import type { QuestionId, ReadingId, RequirementId } from '../../spec/index.js';
import { servedAt } from '../cast/shown.js';
import { answerOf, statusIn } from '../observed/reading.js';
import type { Scene } from '../scene/scene.js';

interface Taken<Reading> {
  /** Accepted with success; absent: what it was taken for shows later. */
  readonly accepted?: Reading;
  /** By the code of the refusal; default: `refused`, by 400 and 422. */
  readonly refused?: { readonly [code: number]: Reading };
  /** Refused with 400, a value beyond this bound has not taken effect. */
  readonly enforces?: RequirementId;
}

const TAKEN = {
  '1/request-content-type': { accepted: 'accepted', refused: { 400: 'refused-400', 415: 'refused-415' } },
  '2.1/unknown-fields': { accepted: 'ignored' },
  '2.1/null-optional-field': { accepted: 'as-absent' },
  '2.1/invalid-webhook': { accepted: 'ignored' },
  '2.1/webhook-scheme': { accepted: 'ignored' },
  '2.2/null-policy-field': { accepted: 'as-absent' },
  '2.2/unknown-policy-fields': { accepted: 'ignored' },
  '2.2/ttl-below-execution-timeout': { accepted: 'accepted' },
  '2.2/numeric-string': {},
  '2.2/fractional-milliseconds': {},
  '2.2/execution-timeout-below-min': { enforces: '2.2/execution-timeout-min-enforced' },
  '2.2/execution-timeout-not-positive': { enforces: '2.2/execution-timeout-min-enforced' },
  '2.2/execution-timeout-above-max': { enforces: '2.2/execution-timeout-max-enforced' },
  '2.2/ttl-below-min': { enforces: '2.2/ttl-min-enforced' },
  '2.2/ttl-not-positive': { enforces: '2.2/ttl-min-enforced' },
  '2.2/ttl-above-max': { enforces: '2.2/ttl-max-enforced' },
  '2.3/field-types': {},
  '2.3/unknown-fields': {},
  '4/unknown-query': { accepted: 'ignored' },
  '4.1/wait-fraction': {},
  '4.1/empty-wait': { accepted: 'as-absent' },
  '8/payload-measure': { accepted: 'input', refused: { 400: 'whole-body', 413: 'whole-body' } },
  '8/megabyte': { accepted: 'binary', refused: { 400: 'decimal', 413: 'decimal' } },
} as const satisfies { readonly [Q in QuestionId]?: Taken<ReadingId<Q>> };

export type SubmissionQuestion = keyof typeof TAKEN;

const REFUSED = { 400: 'refused', 422: 'refused' };

/** What was sent raises this question alone. */
export function answersTaken(scene: Scene, call: CallEvent, question: SubmissionQuestion): void {
  const code = call.reply!.status;
  const { accepted, refused = REFUSED, enforces }: Taken<string> = TAKEN[question];
  // What tells of a job tells that it was accepted, by whatever code.
  const reading = answerOf(call) === 'ok' ? accepted : statusIn(call) === null ? refused[code] : undefined;
  if (reading !== undefined) scene.ledger.observe(question, reading as never);
  if (enforces !== undefined && code === 400) scene.passWhere(servedAt(call.op), enforces);
}
