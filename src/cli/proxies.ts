import { UsageError } from '../app/errors.js';
import type { Proxies } from '../target/http/index.js';
import type { Io } from './io.js';

/** This machine is never behind a proxy. */
const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];

/** The proxies that the environment names; null: none. @throws {UsageError} */
export function proxiesIn({ env }: Io): Proxies | null {
  // Lower case goes first, as with curl.
  const read = (name: string): string => env[name] || env[name.toUpperCase()] || '';
  const [http, https, none] = [read('http_proxy'), read('https_proxy'), read('no_proxy')];
  if (http === '' && https === '') return null;
  for (const [name, value] of Object.entries({ HTTP_PROXY: http, HTTPS_PROXY: https }))
    if (value !== '' && !/^https?:$/.test(URL.canParse(value) ? new URL(value).protocol : ''))
      throw new UsageError(`${name} requires an http or https address, not "${value}": mend or unset it`);
  return { http, https, none: none.trim() === '*' ? '*' : [none, ...LOOPBACK].join(',') };
}
