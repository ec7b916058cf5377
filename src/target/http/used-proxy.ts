/** Which proxy the calls to an address go through, and what is told where it is the proxy that cannot be reached. */
import type { TransportResult } from '../session/transport.js';
import type { ConnectionOptions, Proxies } from './connection.js';

export interface UsedProxy {
  /** Host and port, for people: never a user or a password. */
  readonly host: string;
  readonly hostname: string;
  /** The variable that names it; null where the option does. */
  readonly variable: 'HTTP_PROXY' | 'HTTPS_PROXY' | null;
}

/** Null where calls go straight to the address. */
export function usedProxy(origin: string, { proxy, proxies }: ConnectionOptions): UsedProxy | null {
  if (proxy !== undefined) return named(proxy, null);
  if (proxies === undefined || isReachedWithout(new URL(origin), proxies)) return null;
  const { http, https } = proxies;
  if (origin.startsWith('https:') && https !== '') return named(https, 'HTTPS_PROXY');
  return http === '' ? null : named(http, 'HTTP_PROXY');
}

function named(address: string, variable: UsedProxy['variable']): UsedProxy | null {
  if (!URL.canParse(address)) return null;
  const { host, hostname } = new URL(address);
  return { host, hostname, variable };
}

/** As the agent of undici reads NO_PROXY: whole names and the ends of names, each perhaps with a port. */
function isReachedWithout({ protocol, hostname, port }: URL, { none }: Proxies): boolean {
  if (none === '*') return true;
  const ownPort = port === '' ? (protocol === 'https:' ? '443' : '80') : port;
  return none.split(/[,\s]/).some((entry) => {
    const [, name = entry, onlyPort = ownPort] = /^(.+):(\d+)$/.exec(entry) ?? [];
    const host = name.replace(/^\*?\./, '').toLowerCase();
    return host !== '' && onlyPort === ownPort && (hostname === host || hostname.endsWith(`.${host}`));
  });
}

/** A target behind a proxy is reached by the proxy: who fails to reach anything here fails to reach the proxy. */
const NOT_REACHED = /ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT/;

/** The same, with the proxy named where it is the proxy that cannot be reached. */
export function blamingProxy(used: UsedProxy | null, result: TransportResult): TransportResult {
  if (used === null || result.reply !== null || result.lost !== 'refused') return result;
  const { detail } = result;
  if (!NOT_REACHED.test(detail) && !detail.includes(used.hostname)) return result;
  const source = used.variable === null ? '' : `, which ${used.variable} names,`;
  return { ...result, detail: `the proxy ${used.host}${source} does not: ${detail}` };
}
