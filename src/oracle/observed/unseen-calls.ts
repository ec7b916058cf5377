/**
 * Calls that no capture shows. Where other clients may use an endpoint, or a capture misses some calls, each job may have
 * been cancelled, retried, purged, streamed, or given another ttl, at any time and any number of times: as by calls whose
 * outcome was lost, which is how the checks see them.
 */
import type { CallEvent, RunEvent, ScriptEvent } from '../../history/events.js';
import { segmentOf } from '../../history/job-path.js';
import { OPERATIONS, type Operation } from '../../spec/index.js';
import { idIn, idInPath } from './recorded-call.js';

/** Why such a call has no reply. */
const UNSEEN = 'unseen';

/** It may have been made, once, often, or never. */
export const isUnseen = ({ lost }: Pick<CallEvent, 'lost'>): boolean => lost === UNSEEN;

/** Scripts of which calls may have been made that the history does not have. */
export class UnseenIn {
  readonly #everywhere: boolean;
  readonly #scripts: ReadonlyMap<number, ScriptEvent>;

  constructor({ capture }: RunEvent, scripts: ReadonlyMap<number, ScriptEvent>) {
    this.#everywhere = capture !== undefined && (capture.others || !capture.complete);
    this.#scripts = scripts;
  }

  has({ script }: CallEvent): boolean {
    return this.#everywhere || this.#scripts.get(script)?.mayMissCalls === true;
  }
}

/** In the order of the history's calls, where those without an end are last. */
export function unseenCalls(
  run: RunEvent,
  scripts: ReadonlyMap<number, ScriptEvent>,
  calls: readonly CallEvent[],
): readonly CallEvent[] {
  const [first] = calls;
  if (run.capture === undefined || first === undefined) return [];
  const earliest = calls.reduce((one, other) => (other.sentTick < one.sentTick ? other : one));
  // What was there before the capture began has an id that no submission in it shows.
  const earlier = [unseen(earliest, 'run', null)];
  const unseenIn = new UnseenIn(run, scripts);
  const meant = calls.filter((call) => unseenIn.has(call));
  if (meant.length === 0) return earlier;
  return [...earlier, unseen(earliest, 'purge-queue', null), ...firstNaming(meant).flatMap(onJob)];
}

/** For each id, the call that is the first to name it, or to be answered with it. */
function firstNaming(calls: readonly CallEvent[]): readonly (readonly [id: string, CallEvent])[] {
  const first = new Map<string, CallEvent>();
  for (const call of calls) {
    const id = call.op === 'run' || call.op === 'runsync' ? idIn(call) : idInPath(call);
    if (id === null) continue;
    const known = first.get(id);
    if (known === undefined || call.sentTick < known.sentTick) first.set(id, call);
  }
  return [...first];
}

const onJob = ([id, call]: readonly [string, CallEvent]): readonly CallEvent[] => [
  unseen(call, 'cancel', id),
  unseen(call, 'retry', id),
  unseen(call, 'stream', id),
  unseen(call, 'status', id, { ttl: 'any' }),
];

function unseen(
  since: CallEvent,
  op: Operation,
  id: string | null,
  query: CallEvent['request']['query'] = {},
): CallEvent {
  const { script, endpoint, sentTick, sentMs } = since;
  return {
    kind: 'call',
    // None of the history's.
    call: -1,
    script,
    lane: 'others',
    endpoint,
    op,
    label: null,
    request: {
      method: METHOD.get(op)!,
      path: `/v2/${segmentOf(endpoint)}/${op}${id === null ? '' : `/${segmentOf(id)}`}`,
      query,
      auth: 'bearer',
      contentType: null,
      body: { as: 'none' },
      illegal: null,
    },
    sentTick,
    endedTick: null,
    sentMs,
    arrivedByMs: null,
    receivedMs: null,
    reply: null,
    lost: UNSEEN,
  };
}

const METHOD = new Map<Operation, string>(OPERATIONS.map(({ op, method }) => [op, method]));
