import type { IncomingMessage } from 'node:http';
import { nameIn } from '../host-header-check.js';
import { isLoopback, isLoopbackName } from '../options.js';

/**
 * Whether a request was made by somebody at this very machine, and by no page of another site that his browser
 * shows: such a page may well send requests here, and by a name of its own that leads here it could read the answers.
 */
export function isFromHere({ headers, socket }: IncomingMessage): boolean {
  return (
    isLoopback((socket.remoteAddress ?? '').replace(/^::ffff:/, '')) &&
    isLoopbackName(nameIn(headers.host ?? '') ?? '') &&
    ['same-origin', 'none', undefined].includes(headers['sec-fetch-site']) &&
    (headers.origin === undefined || headers.origin === `http://${headers.host ?? ''}`)
  );
}
