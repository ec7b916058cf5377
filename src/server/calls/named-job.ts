import type { CoreReply } from '../../core/api.js';
import { operationNamed } from '../../spec/operation-of.js';
import { isObject } from '../../util/json.js';
import { isPercentEncoded } from './request-target.js';

/** The job that `/v2/ENDPOINT/OPERATION/JOB` names; null for other paths. */
export function jobInPath(target: string): string | null {
  const [, op = '', name = ''] = /^\/v2\/[^/?]+\/([^/?]+)\/([^/?]+)/.exec(target) ?? [];
  if (operationNamed(op, 'runpod')?.takesJob !== true || !isPercentEncoded(name)) return null;
  return decodeURIComponent(name);
}

/** The `id` of a job record. */
export function jobInBody({ body }: CoreReply): string | null {
  return isObject(body) && typeof body['id'] === 'string' ? body['id'] : null;
}
