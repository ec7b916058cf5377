import type { CoreReply } from '../../core/api.js';
import { operationNamed } from '../../spec/operation-of.js';
import { isObject } from '../../util/json.js';
import { originForm } from '../../util/path.js';

export interface Target {
  /** As sent: not decoded, `..` not resolved. */
  readonly path: string;
  /** Decoded. Of a repeated parameter the first value counts. */
  readonly query: { readonly [name: string]: string };
}

/** Parses the target of a request line; null when it is not valid percent-encoded UTF-8. */
export function parseTarget(target: string): Target | null {
  const relative = originForm(target);
  if (!relative.startsWith('/')) return null;
  const mark = relative.indexOf('?');
  const path = mark === -1 ? relative : relative.slice(0, mark);
  if (!isPercentEncoded(path)) return null;
  if (mark === -1) return { path, query: NO_QUERY };
  const search = relative.slice(mark + 1);
  return isPercentEncoded(search) ? { path, query: parseQuery(search) } : null;
}

const NO_QUERY = Object.freeze(Object.create(null)) as Target['query'];

/** The path segment after the endpoint, such as `run`, valid or not; empty without one. */
export function operationNameIn(target: string): string {
  return /^\/v2\/[^/?]+\/([a-z-]+)/i.exec(originForm(target))?.[1] ?? '';
}

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

/** Whether the text can be decoded, to a text without NUL. */
function isPercentEncoded(text: string): boolean {
  if (!text.includes('%')) return true;
  try {
    return !decodeURIComponent(text).includes('\0');
  } catch {
    return false;
  }
}

function parseQuery(search: string): Target['query'] {
  // No prototype: a parameter may be called `__proto__`.
  const query = Object.create(null) as { [name: string]: string };
  for (const [name, value] of new URLSearchParams(search)) if (!(name in query)) query[name] = value;
  return query;
}
