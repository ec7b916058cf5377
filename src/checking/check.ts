import { parseAddress, parseUrl } from '../target/http/address.js';
import { httpTarget, type HttpTargetOptions } from '../target/http/index.js';
import type { CheckTargetOptions } from './check-options.js';
import { checkTarget, type CheckResult } from './check-target.js';

/** How `check` reaches the service and what it checks there. Every option has a default. @public */
export interface CheckOptions
  extends Omit<HttpTargetOptions, 'url' | 'apiKey' | 'createdJobs'>, Omit<CheckTargetOptions, 'createdJobs'> {
  /** Default null: the service needs no key. */
  readonly apiKey?: string | null | undefined;
}

/**
 * Checks a service at an address: `httpTarget` and `checkTarget` in one, and the target is closed in any case.
 *
 * @param url `{base_url}`, or `{base_url}/v2/<endpoint_id>` (section 1)
 * @throws {RunproofError} `target` if it cannot be used at all, `usage` if the options make no sense. What the service
 *   answers never throws: look at `conforms`, or call `assertConforms`.
 *
 * @example
 *     import { check, LOCAL_API_KEY, startServer } from 'runproof';
 *
 *     const server = await startServer({ clock: 'controlled' });
 *     const { url, controlUrl } = server;
 *     const result = await check(url, { apiKey: LOCAL_API_KEY, controlUrl, only: ['4.2'] });
 *     await server.close();
 *     result.assertConforms();
 *
 * @public
 */
export async function check(url: string, options: CheckOptions = {}): Promise<CheckResult> {
  const { controlUrl, otherEndpoint, basePath: path } = options;
  const { origin, prefix, endpoint } = parseAddress(url, options.endpoint);
  const baseUrl = origin + prefix;
  const hasId = endpoint !== null && path === undefined;
  // From its parts: what is given may hold a user and a password.
  const replayArguments = [
    hasId ? `${baseUrl}/v2/${encodeURIComponent(endpoint)}` : baseUrl,
    ...(otherEndpoint === undefined ? [] : ['--other-endpoint', otherEndpoint]),
    ...(path === undefined ? [] : ['--base-path', path === '' ? '/' : path]),
    ...(controlUrl === undefined ? [] : ['--control', withoutUser(controlUrl)]),
  ];
  const basePath = path === undefined ? null : { endpoint: endpoint ?? '', path };
  const target = await httpTarget({ ...options, apiKey: options.apiKey ?? null, url });
  try {
    return await checkTarget(target, {
      ...options,
      address: options.address ?? { url: baseUrl, basePath, replayArguments },
    });
  } finally {
    await target.close();
  }
}

function withoutUser(url: string): string {
  const { origin, pathname } = parseUrl(url);
  return origin + pathname;
}
