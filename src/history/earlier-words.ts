/** Earlier versions called some things in histories otherwise. What they recorded is still read. */
import type { HistoryEvent } from './events.js';

/** As this version writes it, the id of the second endpoint and the key without its first character. */
export function inPresentWords(event: HistoryEvent): HistoryEvent {
  if (event.kind === 'script' && 'neighbour' in event) {
    const { neighbour, ...rest } = event;
    return { ...rest, secondEndpoint: String(neighbour) };
  }
  const isBeheaded = event.kind === 'call' && (event.request?.auth as string) === 'beheaded';
  return isBeheaded ? { ...event, request: { ...event.request, auth: 'truncated-start' } } : event;
}
