import type { CallEvent } from '../history/events.js';
import type { OutgoingCall } from '../runner/api.js';

/** What the runner's call does not say: how it was sent, and what came of it. */
interface Over extends Omit<CallEvent, 'kind' | 'script' | 'lane' | 'endpoint' | 'op' | 'label' | 'request'> {
  readonly auth: CallEvent['request']['auth'];
  /** What was sent, as the history keeps it. */
  readonly body: CallEvent['request']['body'];
}

/** The history's line of a call that is over. */
export function callEventOf(
  sent: OutgoingCall,
  script: number,
  { call, auth, body, ...over }: Over,
): CallEvent {
  const { lane, endpoint, op, label, method, path, query, contentType, illegal } = sent;
  return {
    ...{ kind: 'call', call, script, lane, endpoint, op, label },
    request: { method, path, query, auth, contentType, body, illegal },
    ...over,
  };
}
