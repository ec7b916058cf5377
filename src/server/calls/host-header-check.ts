import { isLoopback, nameInHeader } from '../../util/address.js';
import { LOCAL_API_KEY, type ServerOptions } from '../options.js';
import { METRICS_PATH } from '../metrics.js';
import { parseTarget } from './request-target.js';

/** Gives the error for a request with a wrong `host` header; null where nothing is wrong. */
export type HostHeaderCheck = (target: string, host: string | undefined) => string | null;

/**
 * Guards against DNS rebinding: a page of any site can point a name of its own to this machine, send requests
 * here and read the answers; only the `host` header reveals it. A private key keeps such pages out. With the
 * published key, and for `/metrics` of a server on loopback, only requests that name this machine or an
 * allowed name are answered.
 */
export function createHostHeaderCheck({
  apiKeys = [LOCAL_API_KEY],
  host = '127.0.0.1',
  allowedHosts = [],
}: Pick<ServerOptions, 'apiKeys' | 'host' | 'allowedHosts'>): HostHeaderCheck {
  const isPublished = apiKeys.includes(LOCAL_API_KEY);
  const isLocal = isLoopback(host);
  const allowed = new Set(allowedHosts.map((name) => name.toLowerCase()));
  /** The last value that is always accepted: clients send the same one again and again. */
  let accepted: string | undefined;
  return (target, asked) => {
    // Browsers always send the header.
    if (asked === undefined || asked === accepted) return null;
    if (!isPublished && !(isLocal && isForMetrics(target))) return null;
    const name = nameInHeader(asked);
    if (name !== null && (isLoopback(name) || allowed.has(name))) {
      accepted = asked;
      return null;
    }
    const why = isPublished ? `${LOCAL_API_KEY} is a published key` : 'the metrics need no key';
    const instead = isPublished ? ', or give the server a private key (--api-key-file FILE)' : '';
    return (
      `the host ${JSON.stringify(asked.slice(0, SHOWN_MAX))} is not allowed: as ${why}, only localhost and other ` +
      `names of this machine are answered; allow others by --allow-host NAME${instead}`
    );
  };
}

/** The path may be percent-encoded. */
function isForMetrics(target: string): boolean {
  const path = parseTarget(target)?.path;
  return path !== undefined && decodeURIComponent(path) === METRICS_PATH;
}

const SHOWN_MAX = 100;
