export type { TrafficFile } from './files.js';
export { Traffic, type TrafficSummary } from './read-traffic.js';
export { Parts } from './parts.js';
export { TrafficHistory, type ApiExchange } from './history-of.js';
export { leftOut, nameOf } from './read-traffic.js';
export { apiRequestOf, isAnsweredByEndpoint, isApiTarget } from './requests.js';
export { decoded } from './bodies.js';
