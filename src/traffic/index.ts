export type { TrafficFile } from './files.js';
export { Traffic, type TrafficSummary } from './read-traffic.js';
export { Parts } from './parts.js';
