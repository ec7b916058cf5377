import { UsageError } from '../util/errors.js';
import type { Proxies } from '../target/http/connection.js';
import { isLoopback } from '../util/address.js';
import type { Io } from './io.js';

/** This machine is never behind a proxy: these names of it, and that by which it is asked for. */
const ITS_NAMES = ['localhost', '127.0.0.1', '[::1]'];

/**
 * The proxies that the environment names, if any. One that cannot be used is an error only for an address that needs
 * it: who checks a server of this machine may have any in the environment. Its value is not told, it may have a password.
 *
 * @throws {UsageError}
 */
export function proxiesIn({ env }: Io, url: string | undefined): Proxies | undefined {
  const host = url !== undefined && URL.canParse(url) ? new URL(url).hostname : ITS_NAMES[0]!;
  const read = (name: string): string => {
    // Lower case goes first, and http is meant where no scheme is said, as with curl.
    const value = env[name] || env[name.toUpperCase()] || '';
    const address = value === '' || /^[a-z][a-z0-9+.-]*:\/\//i.test(value) ? value : `http://${value}`;
    if (address === '' || (URL.canParse(address) && /^https?:$/.test(new URL(address).protocol)))
      return address;
    if (isLoopback(host)) return '';
    throw new UsageError(
      `${name.toUpperCase()} is not an http or https address: fix it, unset it, or add --proxy`,
    );
  };
  const [http, https] = [read('http_proxy'), read('https_proxy')];
  if (http === '' && https === '') return undefined;
  const none = env['no_proxy'] || env['NO_PROXY'] || '';
  const here = new Set([...ITS_NAMES, ...(isLoopback(host) ? [host] : [])]);
  return { http, https, none: none.trim() === '*' ? '*' : [none, ...here].join(',') };
}
