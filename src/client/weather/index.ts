import { JOB_WEATHER } from './jobs.js';
import { NETWORK_WEATHER } from './network.js';
import type { Weather } from './weather.js';
import { WEBHOOK_WEATHER } from './webhooks.js';

/** All of them, in the order in which the report names them. */
export const WEATHERS: readonly Weather[] = [...JOB_WEATHER, ...NETWORK_WEATHER, ...WEBHOOK_WEATHER];
