import type { FaultyClient } from '../faulty-client.js';
import { JOB_FAULTS } from './jobs.js';
import { REQUEST_FAULTS } from './requests.js';
import { RETRY_FAULTS } from './retries.js';
import { WEBHOOK_FAULTS } from './webhooks.js';

/** Those that are slow to show come first. */
export const FAULTY_CLIENTS: readonly FaultyClient[] = [
  ...WEBHOOK_FAULTS,
  ...RETRY_FAULTS,
  ...JOB_FAULTS,
  ...REQUEST_FAULTS,
];
