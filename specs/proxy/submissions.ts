/** Submissions with a webhook, what the proxy makes of them, and a service that takes them. */
import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { rewritten as rewrittenPieces } from '../../src/proxy/read-body.js';
import type { WebhookOptions } from '../../src/proxy/proxy-server.js';
import { WebhookMember } from '../../src/proxy/webhook-member.js';
import { Webhooks } from '../../src/proxy/webhooks.js';
import { reachOf } from '../../src/server/webhooks/webhook-reach.js';
import { forThisTest, listen } from '../support/servers.js';

export const KEY = 'the key of this spec';
export const OWN = 'http://proxy.example';
export const WEBHOOK = 'http://127.0.0.1:7/hook?a=1&b=%20';
export const reach = reachOf('loopback');
export const given: WebhookOptions = { key: KEY, publicUrl: OWN, reach };
export const webhooks = new Webhooks(KEY, OWN, reach);
/** As its submissions are rewritten, whole. */
export const rewritten = (body: string | Buffer, by = webhooks): Buffer => {
  const bytes = Buffer.from(body as string);
  const pieces = Array.from({ length: Math.ceil(bytes.length / 7_001) }, (_, nth) =>
    bytes.subarray(nth * 7_001, (nth + 1) * 7_001),
  );
  const member = new WebhookMember();
  for (const piece of pieces) member.take(piece);
  return Buffer.concat(rewrittenPieces(pieces, member, by) ?? pieces);
};
/** What the service is told in place of the address. */
export const own = (address: string): string =>
  JSON.parse(rewritten(JSON.stringify({ webhook: address })).toString()).webhook;

/** A service that notes the submission, and answers as the test says. */
export async function service(status = 200) {
  const got: { headers: IncomingMessage['headers']; body: string; rawTrailers: readonly string[] }[] = [];
  const { url } = forThisTest(
    await listen((call, answer) => {
      void text(call).then((body) => {
        got.push({ headers: call.headers, body, rawTrailers: call.rawTrailers });
        answer.writeHead(status, { 'content-type': 'application/json' }).end('{"id":"a"}');
      });
    }),
  );
  return { url, got };
}

export const submit = async (url: string, body: string | Buffer, headers: object = {}): Promise<number> =>
  (await fetch(url, { method: 'POST', body: body as string, headers: { ...headers } })).status;

export const SUBMISSION = JSON.stringify({ input: { text: '☃' }, webhook: WEBHOOK });
