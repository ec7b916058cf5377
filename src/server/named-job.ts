import type { CoreReply } from '../core/api.js';
import { isObject } from '../util/json.js';
import { isPercentEncoded } from './request-target.js';

/** The job that `/v2/ENDPOINT/OPERATION/JOB` names; null for other paths. */
export function jobInPath(target: string): string | null {
  const name = /^\/v2\/[^/?]+\/(?:status|status-sync|stream|cancel|retry)\/([^/?]+)/.exec(target)?.[1];
  return name === undefined || !isPercentEncoded(name) ? null : decodeURIComponent(name);
}

/** The `id` of a job record. */
export function jobInBody({ body }: CoreReply): string | null {
  return isObject(body) && typeof body['id'] === 'string' ? body['id'] : null;
}
