export type { TrafficFile } from './files.js';
export { Traffic, type TrafficSummary } from './read-traffic.js';
export { Parts } from './parts.js';
export type { ApiExchange } from './call-event.js';
export { TrafficHistory } from './history-of.js';
export type { Hint } from './hints/hint.js';
export { Hints } from './hints/hints.js';
export { nameOf } from './addresses.js';
export {
  apiRequestOf,
  isAnsweredByEndpoint,
  isAnsweredInJson,
  looksLikeEndpoint,
  isApiTarget,
  isSubmission,
  jobIn,
  leftOut,
  mayBePerformed,
  submittedJobOf,
  textOf,
} from './requests.js';
export { decoded, heldBodies } from './bodies.js';
export { Digester } from './digest.js';
export { UNKNOWN_REPLY, type Exchange } from './exchange.js';
export type { Interval } from './instants.js';
export { exchangeOfCall } from './exchange-of-call.js';
export { lineOf, missingLine } from './write-line.js';
export { scriptOf } from './script-of.js';
