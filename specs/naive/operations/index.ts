/** The operations of section 4, each given a call that has passed authentication, routing and rate limits. */
import type { Answer, EndpointCall } from '../call.js';
import type { Operation } from '../limits.js';
import { cancel } from './cancel.js';
import { health } from './health.js';
import { openai, requests } from './other.js';
import { purge } from './purge.js';
import { retry } from './retry.js';
import { run } from './run.js';
import { runsync } from './runsync.js';
import { status } from './status.js';
import { stream } from './stream.js';

export const OPERATIONS: Readonly<Record<Operation, (call: EndpointCall, answer: Answer) => void>> = {
  run,
  runsync,
  status,
  stream,
  cancel,
  retry,
  'purge-queue': purge,
  health,
  openai,
  requests,
};
