import type { Step } from './script.js';

/** Calls that leave an endpoint as it is, and jobs of others alone: they name a job of the script's own endpoint. */
const LEAVES_IT: ReadonlySet<Step['do']> = new Set(['status', 'stream', 'cancel', 'retry', 'health']);

/** In the `endpoint` of a step: the second endpoint of its script. */
export const SECOND_ENDPOINT = '{second-endpoint}';

export const isOnSecondEndpoint = ({ endpoint }: Step): boolean => endpoint === SECOND_ENDPOINT;

/** Whether a script may change its second endpoint, which then has to be one that was made for it. */
export const changesSecondEndpoint = (steps: readonly Step[]): boolean =>
  steps.some((step) => isOnSecondEndpoint(step) && !LEAVES_IT.has(step.do));
