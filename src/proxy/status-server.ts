/** What the proxy tells of itself has an address of its own, so that nothing of it can be reached where clients call. */
import { Buffer } from 'node:buffer';
import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import { isLoopback, nameInHeader } from '../util/address.js';
import { listen, type Address, type Listening } from '../wire/listen.js';

export interface StatusOptions extends Address {
  /** Requests need it, as `Authorization: Bearer TOKEN` or as the password of Basic. Null: they need none. */
  readonly token: string | null;
  readonly answer: (request: Request) => Response | Promise<Response>;
}

/** @throws {Error} if the port cannot be listened on */
export function startStatus({ token, answer, ...address }: StatusOptions): Promise<Listening> {
  const listener = getRequestListener((request) => answer(request), { overrideGlobalObjects: false });
  return listen(address, {
    answer(request, response) {
      if (token !== null && !hasToken(request, token))
        response
          .writeHead(401, { 'www-authenticate': 'Basic realm="runproof"' })
          .end('the token is missing\n');
      else if (token === null && !isLocal(request))
        response.writeHead(403).end('only for requests from this machine, by one of its own names\n');
      else void listener(request, response);
    },
  });
}

function hasToken({ headers: { authorization = '' } }: IncomingMessage, token: string): boolean {
  const [, scheme = '', given = ''] = /^(\w+) +(\S+)$/u.exec(authorization) ?? [];
  if (scheme.toLowerCase() === 'bearer') return isSame(given, token);
  const [, password = ''] = /:(.*)$/su.exec(Buffer.from(given, 'base64').toString()) ?? [];
  return scheme.toLowerCase() === 'basic' && isSame(password, token);
}

const isSame = (left: string, right: string): boolean => timingSafeEqual(digestOf(left), digestOf(right));
const digestOf = (text: string): Buffer => createHash('sha256').update(text).digest();

/** From this machine, and by a name that leads nowhere else: a page from elsewhere may lead one of its own here. */
function isLocal({ socket, headers }: IncomingMessage): boolean {
  return isLoopback(socket.remoteAddress ?? '') && isLoopback(nameInHeader(headers.host ?? '') ?? '');
}
