import type { ClientRule } from '../rule.js';
import { FINAL_STATE_RULES } from './final-states.js';
import { HTTP_RULES } from './http.js';
import { JOB_RULES } from './jobs.js';
import { LIMIT_RULES } from './limits.js';
import { POLLING_RULES } from './polling.js';
import { RATE_LIMIT_RULES } from './rate-limits.js';
import { REQUEST_RULES } from './requests.js';
import { SUCCESS_RULES } from './success.js';
import { WEBHOOK_RULES } from './webhooks.js';

/** All of them, in the order in which the report names them: what a client sends, then what it does. */
export const CLIENT_RULES: readonly ClientRule[] = [
  ...REQUEST_RULES,
  ...LIMIT_RULES,
  ...SUCCESS_RULES,
  ...FINAL_STATE_RULES,
  ...POLLING_RULES,
  ...RATE_LIMIT_RULES,
  ...JOB_RULES,
  ...WEBHOOK_RULES,
  ...HTTP_RULES,
];
