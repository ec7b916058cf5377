import { isLoopbackName, LOCAL_API_KEY, type ServerOptions } from './options.js';
import { METRICS_PATH } from './metrics.js';
import { parseTarget } from './request-target.js';

/** What is wrong with the `host` header of a request for this target, for its sender; null where nothing is. */
export type HostHeaderCheck = (target: string, host: string | undefined) => string | null;

/**
 * A page of any site can let a name of its own lead to this machine, and then send requests here and read the answers:
 * only the `host` header gives it away. A key of the user's own keeps it out. The published key, and `/metrics` of a
 * server that nobody else should reach, are answered only where the request names this machine, or a name that was allowed.
 */
export function createHostHeaderCheck({
  apiKeys = [LOCAL_API_KEY],
  host = '127.0.0.1',
  allowedHosts = [],
}: Pick<ServerOptions, 'apiKeys' | 'host' | 'allowedHosts'>): HostHeaderCheck {
  const isPublished = apiKeys.includes(LOCAL_API_KEY);
  const isLocal = isLoopbackName(host);
  const allowed = new Set(allowedHosts.map((name) => name.toLowerCase()));
  return (target, asked) => {
    // No browser leaves it out.
    if (asked === undefined) return null;
    if (!isPublished && !(isLocal && isForMetrics(target))) return null;
    const name = nameIn(asked);
    if (name !== null && (isLoopbackName(name) || allowed.has(name))) return null;
    const why = isPublished ? `${LOCAL_API_KEY} is a key that everybody knows` : 'the metrics want no key';
    const instead = isPublished ? ', or give the server a key of your own (--api-key-file FILE)' : '';
    return (
      `this server is not called ${JSON.stringify(asked.slice(0, SHOWN_MAX))}: as ${why}, only localhost and other ` +
      `names of this machine are answered; name others by --allow-host NAME${instead}`
    );
  };
}

/** Its path may be written in other letters. */
function isForMetrics(target: string): boolean {
  const path = parseTarget(target)?.path;
  return path !== undefined && decodeURIComponent(path) === METRICS_PATH;
}

const SHOWN_MAX = 100;

/** The name in a `host` header, in lower case, without port and brackets; null where it is none. */
export function nameIn(host: string): string | null {
  const match = /^(?:\[([0-9a-f:.]+)\]|([^\s:/?#@\\[\]]+))(?::\d*)?$/i.exec(host);
  return match === null ? null : (match[1] ?? match[2]!).toLowerCase();
}
