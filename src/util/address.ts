/**
 * Which hosts are this machine's loopback, and which are in a private network: by how they are written, as no name is looked up. Of
 * names only `localhost` and those that end in `.localhost` are known (RFC 6761); `127.example.com` is any other host.
 */

/** Whether a host always means this machine. @param host an address or a name, as it stands in a URL or without brackets */
export function isLoopback(host: string): boolean {
  const text = plain(host);
  return text === '::1' || /(^|\.)localhost$/.test(text) || (isV4(text) && text.startsWith('127.'));
}

/** Whether a host is loopback, or in a network of 10/8, 172.16/12, 192.168/16, 169.254/16, fc00::/7 or fe80::/10. */
export function isPrivate(host: string): boolean {
  const text = plain(host);
  const isInV4 = isV4(text) && /^(10|192\.168|169\.254|172\.(1[6-9]|2\d|3[01]))\./.test(text);
  return isInV4 || /^(f[cd][\da-f]{2}|fe[89ab][\da-f]):/.test(text) || isLoopback(host);
}

/** The same of the host of an http or https address; false for any other text. */
export const isLoopbackUrl = (url: string): boolean => isLoopback(hostOf(url));
export const isPrivateUrl = (url: string): boolean => isPrivate(hostOf(url));

/** The name in a `host` header, lower case, without port and brackets; null where there is none. */
export function nameInHeader(host: string): string | null {
  const match = /^(?:\[([0-9a-f:.]+)\]|([^\s:/?#@\\[\]]+))(?::\d*)?$/i.exec(host);
  return match === null ? null : (match[1] ?? match[2]!).toLowerCase();
}

/** Where this machine reaches itself if a server listens on the host. */
export const localNameOf = (host: string): string => {
  if (host === '0.0.0.0') return '127.0.0.1';
  return host === '::' ? '::1' : host;
};

/** `http://[::1]:8090`. */
export const urlOf = (scheme: 'http' | 'https', host: string, port: number): string =>
  `${scheme}://${host.includes(':') ? `[${host}]` : host}:${port}`;

function hostOf(url: string): string {
  return /^https?:/i.test(url) && URL.canParse(url) ? new URL(url).hostname : '';
}

const isV4 = (text: string): boolean => /^\d+(\.\d+){3}$/.test(text);

/**
 * As a URL writes it, without brackets, zone and last dot: IPv4 in four decimal numbers, IPv6 short, and as IPv4 where it stands
 * for that (`::ffff:a.b.c.d`). Empty: it is no host.
 */
function plain(host: string): string {
  const bare = host.replace(/^\[(.*)\]$/, '$1');
  const asInUrl = bare.includes(':') ? `[${bare.replace(/%.*$/, '')}]` : bare;
  if (!/^[\w.-]+$|^\[[\da-f:.]+\]$/i.test(asInUrl) || !URL.canParse(`http://${asInUrl}`)) return '';
  const { hostname } = new URL(`http://${asInUrl}`);
  const [, high, low] = /^\[::ffff:([\da-f]+):([\da-f]+)\]$/.exec(hostname) ?? [];
  if (high === undefined) return hostname.replace(/^\[|\]$|\.$/g, '');
  return [high, low!].flatMap((part) => [parseInt(part, 16) >> 8, parseInt(part, 16) & 255]).join('.');
}
