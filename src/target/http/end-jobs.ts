import { parseAddress } from './address.js';
import { Connection } from './connection.js';
import type { ConnectionOptions } from './connection.js';
import { authorizationOf } from '../authorization.js';
import { cancelJobs, stillAlive, type JobOnEndpoint } from './cleanup.js';

export interface EndJobsOptions extends ConnectionOptions {
  /** `{base_url}`. */
  readonly url: string;
  /** As for `httpTarget`. */
  readonly basePath?: string | undefined;
  readonly apiKey: string | null;
  readonly auth: 'bare' | 'bearer';
  readonly timeoutMs?: number | undefined;
}

const TIMEOUT_MS = 30_000;

/**
 * Cancels jobs that an earlier run left behind. Resolves with those that could not be ended.
 *
 * @throws TargetError when the address is none
 */
export async function endJobs(
  options: EndJobsOptions,
  jobs: readonly JobOnEndpoint[],
): Promise<readonly JobOnEndpoint[]> {
  const { origin, prefix } = parseAddress(options.url);
  const connection = await Connection.to(origin, options);
  const { header } = authorizationOf(options.apiKey === null ? 'none-needed' : options.auth, {
    apiKey: options.apiKey ?? '',
  });
  const cleanup = {
    ...{ connection, prefix, authorization: header, timeoutMs: options.timeoutMs ?? TIMEOUT_MS },
    ...{ rateLimiter: null, speed: 1 },
  };
  const left: JobOnEndpoint[] = [];
  try {
    for (const endpoint of new Set(jobs.map((job) => job.endpoint))) {
      const ids = jobs.filter((job) => job.endpoint === endpoint).map(({ job }) => job);
      const basePath = options.basePath === undefined ? null : { endpoint, path: options.basePath };
      const there = { ...cleanup, basePath };
      const notEnded = (await cancelJobs(there, endpoint, ids)).left.map((job) => ({ endpoint, job }));
      left.push(...(await stillAlive(there, notEnded)));
    }
  } finally {
    await connection.close();
  }
  return left;
}
