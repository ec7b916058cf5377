import { UsageError } from '../../util/errors.js';

/** What stands where users put their own address. */
export const YOUR_ADDRESS = 'https://HOST/v2/ENDPOINT_ID';

/**
 * Where the target is: `{base_url}` without a trailing slash, and the endpoint if the address contains one.
 */
export interface Address {
  readonly baseUrl: string;
  readonly endpoint: string | null;
}

/**
 * Takes `{base_url}`, `{base_url}/v2` or a whole endpoint address ending in `/v2/<endpoint_id>`.
 *
 * @throws {UsageError}
 */
export function parseAddress(text: string): Address {
  if (!/^https?:\/\//i.test(text)) {
    const hint = /^[\w.-]+(:\d+)?(\/|$)/.test(text) ? ` Did you mean http://${text}?` : '';
    throw new UsageError(`"${text}" is not an address: it must begin with http:// or https://.${hint}`);
  }
  if (!URL.canParse(text)) throw new UsageError(`"${text}" is not a valid address`);
  const url = new URL(text);
  if (url.username !== '' || url.password !== '') {
    throw new UsageError(
      'the address must not contain a user or a password: give the key with --api-key-file',
    );
  }
  if (url.search !== '' || url.hash !== '') {
    throw new UsageError(`the address must end before its ? or #: ${url.origin}${url.pathname}`);
  }
  const path = url.pathname.replace(/\/+$/, '');
  const match = /^(.*)\/v2(?:\/([^/]+))?$/.exec(path);
  if (match === null) return { baseUrl: url.origin + path, endpoint: null };
  return {
    baseUrl: url.origin + (match[1] ?? ''),
    endpoint: match[2] === undefined ? null : decoded(match[2]),
  };
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    throw new UsageError(`the endpoint id "${segment}" of the address is not valid percent-encoding`);
  }
}
