/**
 * How the target answers the open questions of the document, as far as one endpoint shows. A question is in
 * the file of its section, or of the last preceding section that has a file: questions of 2.4 are in
 * `section-2-3.ts`.
 */
import type { CallEvent } from '../../history/events.js';
import { MAIN_OPERATIONS, type MainOperation, type QuestionId, type QUESTIONS } from '../../spec/index.js';
import type { JudgingContext } from '../context/judging-context.js';
import { JOB_STATUSES } from '../../spec/states.js';
import { isOfOtherPart } from '../observed/session.js';
import { AnsweredCall } from '../context/answered-call.js';
import { explainedLives, TRAITS, type Observer, type ObserversOf, type ReadingsSeen } from './observers.js';
import { OBSERVED_1 } from './section-1.js';
import { OBSERVED_2_3 } from './section-2-3.js';
import { OBSERVED_2_7 } from './section-2-7.js';
import { OBSERVED_3 } from './section-3.js';
import { OBSERVED_4_3 } from './section-4-3.js';
import { OBSERVED_4_4 } from './section-4-4.js';
import { OBSERVED_4_5 } from './section-4-5.js';
import { OBSERVED_6 } from './section-6.js';
import { OBSERVED_8 } from './section-8.js';

export const OBSERVERS: ObserversOf<(typeof QUESTIONS)[number]['section']> = {
  ...OBSERVED_1,
  ...OBSERVED_2_3,
  ...OBSERVED_2_7,
  ...OBSERVED_3,
  ...OBSERVED_4_3,
  ...OBSERVED_4_4,
  ...OBSERVED_4_5,
  ...OBSERVED_6,
  ...OBSERVED_8,
};

const EACH = Object.entries<Observer<string>>(OBSERVERS).map(([id, one]) => ({
  id: id as QuestionId,
  ...one,
}));
const OF_SESSIONS = EACH.filter((one) => one.at === 'session');
const OF_CALLS = EACH.filter((one) => one.at === 'call');
const OF_ANSWERS = new Map(
  MAIN_OPERATIONS.map((op) => [
    op,
    EACH.filter((one) => one.at === 'answer').filter((one) => one.of.includes(op)),
  ]),
);
const OF_RECORDS = new Map(
  JOB_STATUSES.map((status) => [
    status,
    EACH.filter((one) => one.at === 'record').filter((one) => one.of.includes(status)),
  ]),
);
const OF_JOBS = Object.entries(TRAITS).map(([trait, isOfKind]) => ({
  isOfKind,
  observers: EACH.filter((one) => one.at === 'job').filter((one) => one.of === trait),
}));

export function judgeQuestions(context: JudgingContext): void {
  if (!context.session.exists) return;
  for (const { id, observe } of OF_SESSIONS) record(context, id, observe(context), null);
  for (const call of context.callIndex.unusual) {
    if (call.reply === null || isOfOtherPart(context.session, call)) continue;
    const unusual = new AnsweredCall(context, call);
    for (const { id, observe } of OF_CALLS) record(context, id, observe(unusual), call);
  }
  for (const seen of context.performed)
    for (const { id, observe } of OF_ANSWERS.get(seen.call.op as MainOperation)!)
      record(context, id, observe(seen), seen.call);
  for (const { call, life, status, record: shown } of context.performed) {
    if (call.op !== 'status' || life === null || status === null) continue;
    if (life.job.retried || life.plan.outcome === 'crash') continue;
    for (const { id, observe } of OF_RECORDS.get(status)!)
      record(context, id, observe(shown, life, call), call);
  }
  for (const life of explainedLives(context))
    for (const { isOfKind, observers } of OF_JOBS)
      if (isOfKind(life.job))
        for (const { id, observe } of observers)
          record(context, id, observe(life), life.job.calls.findLast(({ reply }) => reply !== null) ?? null);
}

function record(
  { ledger }: JudgingContext,
  id: QuestionId,
  reported: ReadingsSeen<string>,
  call: CallEvent | null,
): void {
  if (reported === null) return;
  // The type of each observer ensures that the readings belong to its question.
  if (typeof reported === 'string') ledger.observe(id, reported as never, call);
  else for (const reading of reported) if (reading !== null) ledger.observe(id, reading as never, call);
}
