import { randomBytes } from 'node:crypto';
import { UsageError } from '../../util/errors.js';
import type { WebhookOptions } from '../../proxy/proxy-server.js';
import { reachOf } from '../../server/webhooks/webhook-reach.js';
import { isOnThisMachine } from '../../target/http/address.js';
import { isLoopback, localNameOf } from '../../util/address.js';

/**
 * How the proxy treats webhooks; undefined: they go past it.
 *
 * @param publicUrl the value of the option; empty: it has none
 * @param host that the proxy listens on
 * @param key of an earlier proxy, whose addresses are still called
 * @param anywhere whether it calls private addresses, too. Else it calls its own machine only where it listens there alone.
 */
export function webhookOptions(
  publicUrl: string | undefined,
  upstream: URL,
  host: string,
  key: string | undefined,
  anywhere: boolean,
): WebhookOptions | undefined {
  const reach = reachOf(anywhere ? 'anywhere' : isLoopback(host) ? 'loopback' : 'public');
  if (publicUrl === undefined) return key === undefined ? undefined : { key, publicUrl: null, reach };
  if (publicUrl === '' && isHere(host) && !isOnThisMachine(upstream.origin))
    throw new UsageError(
      `--rewrite-webhooks requires an address at which ${upstream.host} reaches this proxy, such as https://proxy.example.test`,
    );
  return { key: key ?? randomBytes(32).toString('base64url'), publicUrl: publicUrl || undefined, reach };
}

/** Addresses that mean another machine when they are called from there, or none. */
const isHere = (host: string): boolean => isLoopback(localNameOf(host));
