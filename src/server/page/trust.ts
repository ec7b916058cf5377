import type { IncomingMessage } from 'node:http';
import { isLoopback, nameInHeader } from '../../util/address.js';

/** What every answer to a page of this machine says. */
export const PAGE_HEADERS = {
  'cache-control': 'no-store',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

/**
 * Whether a request comes from this machine itself and not from another site's page in a local browser: such
 * a page can send requests here, and through a host name of its own (DNS rebinding) it could read the
 * answers.
 */
export function isFromHere({ headers, socket }: IncomingMessage): boolean {
  return (
    isLoopback(socket.remoteAddress ?? '') &&
    isLoopback(nameInHeader(headers.host ?? '') ?? '') &&
    ['same-origin', 'none', undefined].includes(headers['sec-fetch-site']) &&
    (headers.origin === undefined || headers.origin === `http://${headers.host ?? ''}`)
  );
}
