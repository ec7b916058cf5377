/** What HTTP says, and every client of it should know. */
import { addressOf, jsonOf, queryOf } from '../../history/exchange.js';
import { getOrMake } from '../../util/maps.js';
import { END_UNKNOWN, type ClientRule, type Occasion } from '../rule.js';
import type { ClientCall, SeenSession, Session } from '../session.js';
import {
  codeOf,
  failedInPassing,
  gaveUp,
  isOf,
  isSequential,
  isSized,
  isSubmission,
  isSuccess,
  mostOpen,
  operationCalls,
  pauseMs,
  readsByJob,
} from './calls.js';
import { kept, ofCalls, violated } from './occasions.js';
import { isFinal, tellingsOf } from './told.js';

/** So many connections may wait for their next call. */
const IDLE_CONNECTIONS_MAX = 10;
/** How many more than it needs at once, or has jobs. */
const IDLE_MORE_MAX = 5;
/** A call that was refused may be made so often. */
const REFUSED_MAX = 2;
/** So many, so soon after each other, are no wish of a user. */
const REFUSED_OF_A_LOOP = 6;
const BY_ITSELF_WITHIN_MS = 60_000;

export const HTTP_RULES: readonly ClientRule[] = [
  {
    id: 'client/no-repeat-of-refused',
    level: 'should',
    traffic: 'one process',
    needs: ['clock'],
    harm: 'endless',
    text: 'The client does not repeat, unchanged, a call that was refused with 400, 401 or 403, or a submission that was refused with 404.',
    source: {
      kind: 'consequence',
      section: '7',
      why: 'A call that was refused for its content, key or address will be refused again.',
    },
    decidedBy: 'equal calls that were refused, one after the other; one repetition is allowed',
    weather: ['key-rejected', 'key-revoked', 'unknown-endpoint', 'submission-refused'],
    occasions: refusedOf,
  },
  {
    id: 'client/retries-reads',
    level: 'should',
    traffic: 'kept',
    whyOpen: END_UNKNOWN,
    text: 'The client repeats a read that fails once.',
    source: { kind: 'http', reference: 'RFC 9110 §9.2.2' },
    decidedBy:
      'whether a read that broke, or was answered with 5xx, was repeated, where the client ended without success',
    weather: [
      'read-reset',
      'read-half',
      'read-answered-500',
      'read-answered-502',
      'read-answered-503',
      'read-answered-504',
    ],
    occasions: (session) =>
      [...readsByJob(session)].flatMap(([job, reads]) => repeatedReads(session, job, reads)),
  },
  {
    id: 'client/no-body-on-get',
    level: 'should',
    traffic: 'each call',
    text: 'A GET carries no body.',
    source: { kind: 'http', reference: 'RFC 9110 §9.3.1' },
    decidedBy: 'the size of the body of each GET',
    weather: ['clear'],
    occasions: ({ calls }) =>
      ofCalls(
        calls.filter(isSized).filter(({ request }) => request.method === 'GET'),
        ({ bytes }) => (bytes === 0 ? null : 'a GET carries a body'),
      ),
  },
  {
    id: 'client/closes-connections',
    level: 'should',
    traffic: 'nothing',
    whyOpen: 'connections without a call are not recorded',
    text: 'The client reuses its connections, or closes them.',
    source: { kind: 'http', reference: 'RFC 9112 §9.4' },
    decidedBy: 'the most connections that were open at once and carried no call',
    weather: ['clear', 'long-queue', 'long-run'],
    occasions: connectionsOf,
  },
];

function refusedOf(session: SeenSession): readonly Occasion[] {
  const refused = new Map<string, ClientCall[]>();
  for (const call of operationCalls(session)) {
    const name = isRefused(call) ? contentOf(call) : null;
    if (name !== null) getOrMake(refused, name, (): ClientCall[] => []).push(call);
  }
  return [...refused.values()].filter(isSequential).flatMap((calls) => {
    const said = `it made the same call ${calls.length} times, which was refused each time with ${codeOf(calls[0]!)}`;
    if (calls.length <= REFUSED_MAX) return [kept(calls)];
    // A user may have wanted it each time.
    const isSlow = calls.some((call, at) => at > 0 && pauseMs(calls[at - 1]!, call) > BY_ITSELF_WITHIN_MS);
    return session.weather === null && (calls.length < REFUSED_OF_A_LOOP || isSlow)
      ? []
      : [violated(calls, said)];
  });
}

function isRefused(call: ClientCall): boolean {
  const code = codeOf(call);
  return code === 400 || code === 401 || code === 403 || (code === 404 && isSubmission(call));
}

/** Null: its body is not known, so it cannot be compared. */
function contentOf({ request, bytes }: ClientCall): string | null {
  const value = jsonOf(request.body);
  if (bytes !== 0 && value === undefined) return null;
  return JSON.stringify([request.method, addressOf(request), queryOf(request), value ?? null]);
}

function repeatedReads(session: SeenSession, job: string, reads: readonly ClientCall[]): readonly Occasion[] {
  const failed = reads.filter(failedInPassing);
  const [first] = failed;
  if (first === undefined) return [];
  if (reads.indexOf(first) < reads.length - 1) return [kept([first])];
  // That it is cancelled a client learns when it gives up.
  const ended = tellingsOf(session).some(
    ({ job: of, status, call }) => of === job && isFinal(status) && (call === null || !isOf(call, 'cancel')),
  );
  if (!gaveUp(session) || ended || failed.length > 1) return [];
  const what = codeOf(first) === null ? 'broke' : `was answered with ${codeOf(first)}`;
  return [violated([first], `a read ${what}; it did not read the job again, and ended without success`)];
}

function connectionsOf({ idleConnectionsMax, jobs, calls }: Session): readonly Occasion[] {
  const needed = Math.max(jobs.length, mostOpen(calls).length);
  if (idleConnectionsMax > IDLE_CONNECTIONS_MAX && idleConnectionsMax > needed + IDLE_MORE_MAX)
    return [violated([], `it left ${idleConnectionsMax} connections open that carried no call`)];
  return calls.filter(isSuccess).length >= 3 ? [kept([])] : [];
}
