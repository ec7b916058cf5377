/** A submission with one thing out of the ordinary: its answer tells how the target takes that. */
import type { CallEvent } from '../../history/events.js';
import type { RequirementId } from '../../spec/index.js';
import { answerOf } from '../observed/reading.js';
import type { Scene } from '../scene/scene.js';
import { servedAt } from '../cast/shown.js';
import { answersContentType, answersSubmission, type SubmissionQuestion } from './openings.js';

/** What is wrong with a submission. `open`: the document does not say whether it is refused. */
export type Flaw =
  | { readonly refuse: RequirementId; readonly about?: SubmissionQuestion }
  | {
      readonly open: string;
      readonly about?: SubmissionQuestion | 'content-type' | 'megabyte' | 'payload-measure';
    };

/** With nothing else out of the ordinary, the answer tells how the target takes this. */
export function alone(scene: Scene, call: CallEvent, flaw: Flaw): void {
  const { about } = flaw;
  if (about === undefined) return;
  const code = call.reply!.status;
  if (about === 'content-type') answersContentType(scene, call);
  else if (about === 'payload-measure') {
    if (answerOf(call) === 'ok') scene.ledger.observe('8/payload-measure', 'input');
    else if (code === 400 || code === 413) scene.ledger.observe('8/payload-measure', 'whole-body');
  } else if (about === 'megabyte') {
    if (answerOf(call) === 'ok') scene.ledger.observe('8/megabyte', 'binary');
    else if (code === 400 || code === 413) scene.ledger.observe('8/megabyte', 'decimal');
  } else {
    answersSubmission(scene, call, about);
    const enforced = ENFORCED[about];
    if (enforced !== undefined && code === 400) scene.passWhere(servedAt(call.op), enforced);
  }
}

/** A value beyond its bounds that was refused has not taken effect. */
const ENFORCED: { readonly [Q in SubmissionQuestion]?: RequirementId } = {
  '2.2/execution-timeout-below-min': '2.2/execution-timeout-min-enforced',
  '2.2/execution-timeout-not-positive': '2.2/execution-timeout-min-enforced',
  '2.2/execution-timeout-above-max': '2.2/execution-timeout-max-enforced',
  '2.2/ttl-below-min': '2.2/ttl-min-enforced',
  '2.2/ttl-not-positive': '2.2/ttl-min-enforced',
  '2.2/ttl-above-max': '2.2/ttl-max-enforced',
};
