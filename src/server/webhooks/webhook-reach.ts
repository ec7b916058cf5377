import { lookup } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import { isLoopback, isPrivate } from '../../util/address.js';

/** Where webhooks may go: public addresses; these and this machine's loopback; anywhere. @public */
export type WebhookReach = 'public' | 'loopback' | 'anywhere';

/** Webhooks may not call this address. */
export class OutOfReach extends Error {
  override readonly name = 'OutOfReach';

  readonly host: string;

  constructor(host: string) {
    super(`${host} is a private address, which --allow-private-webhooks permits`);
    this.host = host;
  }
}

/** Other IPv4 networks that are not public: IANA's registry of special-purpose addresses, multicast and reserved ones. */
const SPECIAL_V4 = [
  '0.0.0.0/8',
  '100.64.0.0/10',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/3',
];
const SPECIAL = networks([...SPECIAL_V4, '2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20']);
/** All other IPv6 addresses are local, reserved, or stand for an IPv4 address. */
const GLOBAL_V6 = networks(['2000::/3']);

function networks(list: readonly string[]): BlockList {
  const block = new BlockList();
  for (const network of list) {
    const [address = '', bits] = network.split('/');
    block.addSubnet(address, Number(bits), address.includes(':') ? 'ipv6' : 'ipv4');
  }
  return block;
}

/** @param address an IP address; any other text may not be called */
export function mayReach(address: string, reach: WebhookReach): boolean {
  if (reach === 'anywhere') return true;
  const family = isIP(address);
  if (family === 0) return false;
  const v4 = family === 4 ? address : v4Within(address);
  const [text, kind] = v4 === null ? ([address, 'ipv6'] as const) : ([v4, 'ipv4'] as const);
  if (isLoopback(text)) return reach === 'loopback';
  return !isPrivate(text) && !SPECIAL.check(text, kind) && (kind === 'ipv4' || GLOBAL_V6.check(text, kind));
}

/** The IPv4 address that `::ffff:a.b.c.d` and `64:ff9b::a.b.c.d` (NAT64) lead to; null for other addresses. */
function v4Within(address: string): string | null {
  // A URL writes every IPv6 address in one way: short, lower case, in hexadecimal.
  const { hostname } = new URL(`http://[${address.split('%', 1)[0]}]`);
  const match = /^\[(?:::ffff:|64:ff9b::)(?:([0-9a-f]{1,4}):)?([0-9a-f]{1,4})\]$/.exec(hostname);
  if (match === null) return null;
  const [high, low] = [match[1] ?? '0', match[2]!].map((part) => parseInt(part, 16));
  return [high! >> 8, high! & 255, low! >> 8, low! & 255].join('.');
}

/**
 * Resolves a name to its permitted addresses. The connection itself uses this resolution, so a name that
 * resolves differently a moment later (DNS rebinding) gains nothing.
 */
export function lookupWithin(reach: WebhookReach): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, found) => {
      if (error !== null) return callback(error, '', 0);
      const allowed = found.filter(({ address }) => mayReach(address, reach));
      const [first] = allowed;
      if (first === undefined) return callback(new OutOfReach(hostname), '', 0);
      if (options.all === true) callback(null, allowed);
      else callback(null, first.address, first.family);
    });
  };
}

/**
 * Checks a literal IP address, for which `lookup` is not called. URL parsing has already normalized decimal,
 * octal and hexadecimal forms.
 * @throws OutOfReach
 */
export function checkLiteral({ hostname }: URL, reach: WebhookReach): void {
  const host = hostname.replace(/^\[|\]$/g, '');
  if (isIP(host) !== 0 && !mayReach(host, reach)) throw new OutOfReach(hostname);
}

/** What may be called, for those that make the connection themselves. */
export const reachOf = (
  reach: WebhookReach,
): { readonly check: (url: URL) => void; readonly lookup: LookupFunction } => ({
  check: (url) => checkLiteral(url, reach),
  lookup: lookupWithin(reach),
});
