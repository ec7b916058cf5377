/** What says that the recorded times are none of the service's clock. */
import { replyIn, type Exchange } from '../history/exchange.js';
import { isObject } from '../util/json.js';

/** The address of a call of test control that moves the clock. */
export const ADVANCE = /\/clock(?:s\/[^/]+)?\/advance$/u;

/** Test control moves the clock of the service, or may, or that clock is faster: no recorded instant is one of that clock. */
export function movesClock(exchange: Exchange): boolean {
  const { target } = exchange.request;
  const isAdvance = ADVANCE.test(target);
  const reply = (isAdvance || target.endsWith('/_control')) && replyIn(exchange);
  if (!isObject(reply)) return false;
  if (isAdvance) return typeof reply['nowMs'] === 'number';
  const { protocol, features, speed = 1 } = reply;
  return (
    protocol === 'test-control/1' && !(Array.isArray(features) && !features.includes('clock') && speed === 1)
  );
}

/** Why nothing is judged by such times, and what may be. */
export const OF_ANOTHER_CLOCK =
  'test control moves the clock of the service, or it has a speed of its own: the times of calls are of another clock, so nothing can be judged by them. Judge the history.ndjson in the report of the check that moves it, which has the times of the service';
