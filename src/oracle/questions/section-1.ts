/** How the target answers what sections 1 and 2.1 of the document leave open. */
import { isPrivate } from '../calls/submissions.js';
import { recordOf } from '../observed/reading.js';
import { observedIn, onCall, onJob, onSession, type ObserversOf } from './observers.js';
import { inTurn, startsBefore, waitersOf } from './waiters.js';

/** The word of scripts for a body that names `input` twice: `"first"` is the output of one, `"last"` of the other. */
const DUPLICATE_KEYS = 'duplicate-keys';

export const OBSERVED_1 = {
  '1/queue-order': onSession((scene) => {
    const { plain } = waitersOf(scene);
    return plain.flatMap((first) =>
      plain.map((second) => {
        if (!inTurn(first, second)) return null;
        if (startsBefore(first, second)) return 'submission-order';
        return startsBefore(second, first) ? 'other-order' : null;
      }),
    );
  }),
  '1/request-content-type': observedIn('calls'),
  '1/response-charset': observedIn('calls'),
  '2.1/unknown-fields': observedIn('calls'),
  '2.1/null-optional-field': observedIn('calls'),
  '2.1/duplicate-keys': onCall(({ call, code }) => {
    if (call.request.illegal !== DUPLICATE_KEYS || call.op !== 'runsync') return null;
    const output = recordOf(call)?.['output'];
    if (output === 'last' || output === 'first') return `${output}-wins`;
    return code === 400 ? 'refused' : null;
  }),
  '2.1/invalid-webhook': observedIn('calls'),
  '2.1/webhook-scheme': observedIn('calls'),
  '2.1/private-webhook-address': onJob(
    ({ scene, job }) =>
      scene.has('webhook-reachable') && job.webhooks.length > 0 && isPrivate(job.webhookUrl!)
        ? 'called'
        : null,
    'calls',
  ),
} as const satisfies ObserversOf<'1' | '2.1'>;
