import { networkInterfaces } from 'node:os';
import { isLoopback } from '../../util/address.js';
import { TargetError } from '../errors.js';

/** Where an endpoint is: `{base_url}` taken apart, and the endpoint id where the address holds one. */
export interface Address {
  /** `http://host:port`. */
  readonly origin: string;
  /** What stands before `/v2/…`, without a slash at its end; mostly empty. */
  readonly prefix: string;
  readonly endpoint: string | null;
}

/** Reads `{base_url}` or `{base_url}/v2/<endpoint_id>`. The last `v2` of the path is the API's. */
export function parseAddress(url: string, endpoint?: string): Address {
  const parsed = parseUrl(url);
  const [, prefix = '', inPath = null] = /^(.*?)(?:\/v2(?:\/([^/]+))?)?\/*$/.exec(parsed.pathname) ?? [];
  const named = inPath === null ? null : decoded(inPath);
  if (named !== null && endpoint !== undefined && named !== endpoint) {
    throw new TargetError(
      'configuration',
      `The address names the endpoint ${named} and the option names ${endpoint}`,
      'Give only one of them',
    );
  }
  return {
    origin: parsed.origin,
    prefix: prefix.replace(/\/+$/, ''),
    endpoint: endpoint ?? named,
  };
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    throw new TargetError(
      'configuration',
      `"${segment}" is not a valid percent-encoded endpoint id`,
      'Write a % of the id as %25',
    );
  }
}

export function parseUrl(url: string): URL {
  const parsed = URL.canParse(url) ? new URL(url) : null;
  if (parsed !== null && /^https?:$/.test(parsed.protocol)) return parsed;
  throw new TargetError(
    'configuration',
    `"${url}" is not an address`,
    'Write it like http://127.0.0.1:8080 or https://host/v2/<endpoint_id>',
  );
}

/** True when the host is this machine, so that it can call a receiver on the loopback interface. */
export function isOnThisMachine(origin: string): boolean {
  const host = new URL(origin).hostname.replace(/^\[|\]$/g, '');
  if (isLoopback(host)) return true;
  return Object.values(networkInterfaces()).some((list) => list?.some((entry) => entry.address === host));
}
