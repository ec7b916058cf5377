/** How the target answers what section 5 of the document leaves open. */
import { flawsOf } from '../calls/submissions.js';
import { jobBy } from '../cast/cases.js';
import { idInPath } from '../observed/reading.js';
import { isOnJob, observedIn, onCall, onSession, type ObserversOf, type OddCall } from './observers.js';

export const OBSERVED_5 = {
  /** Only where a script has tried both. */
  '5/key-forms': onSession(({ cast: { roll } }) => {
    const { bare, bearer } = roll.keyTaken;
    if (bare === null || bearer === null || (!bare && !bearer)) return null;
    return bare && bearer ? 'both' : bare ? 'bare-only' : 'bearer-only';
  }),
  /** Only where the prefix is taken at all does its spelling matter. */
  '5/bearer-case': onCall(({ scene, call, code }) => {
    if (call.request.auth !== 'lower-bearer' || code === 429) return null;
    if (code !== 401) return 'accepted';
    return scene.cast.roll.keyTaken.bearer === true ? 'refused' : null;
  }),
  '5/unauthorized-before-unknown-endpoint': observedIn('calls'),
  '5/unauthorized-before-malformed': onCall((odd) => {
    const { call, code } = odd;
    if ((call.op !== 'run' && call.op !== 'runsync') || !isKeyless(odd) || flawsOf(call).length === 0)
      return null;
    return code === 401 || code === 400 ? `${code}` : null;
  }),
  '5/unauthorized-before-unknown-job': onCall((odd) => {
    const { scene, call, code } = odd;
    if (!isOnJob(odd) || !isKeyless(odd) || jobBy(scene.cast, idInPath(call)) !== undefined) return null;
    return code === 401 || code === 404 ? `${code}` : null;
  }),
  '5/unknown-endpoint-before-malformed': observedIn('calls'),
  '5/challenge-header': observedIn('calls'),
} as const satisfies ObserversOf<'5'>;

function isKeyless({ call: { request } }: OddCall): boolean {
  return request.auth === 'missing' || request.auth === 'wrong' || request.auth === 'wrong-bearer';
}
