/**
 * `traffic/` promises to read what others have recorded of calls of the API, and to make of it a history that the
 * oracle can judge, or a script that makes the calls again. It adds nothing: what a recording does not show stays unknown. It never judges.
 */
export { Parts } from './parts.js';
export type { ApiExchange } from './call-event.js';
export { TrafficHistory } from './history-of.js';
export { Hints } from './hints/hints.js';
export {
  ASKING,
  isAnsweredByEndpoint,
  isAnsweredInJson,
  isCall,
  isOfApi,
  isSubmission,
  leftOut,
  looksLikeEndpoint,
  mayBePerformed,
  namesAt,
  submittedJobOf,
} from './calls.js';
export { inText, withHeldBodies } from './reading/bodies.js';
export type { Interval } from './instants.js';
export { lineOf, missingLine } from './write-line.js';
