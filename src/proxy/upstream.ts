/** The service that calls are passed on to. */
import * as http from 'node:http';
import * as https from 'node:https';
import type { LookupFunction, Socket } from 'node:net';
import type { Reach } from './webhooks.js';

export interface Upstream {
  /** What its `Host` header says. */
  readonly host: string;
  /** What its paths begin with, before that of the call: empty, or without a slash at the end. */
  readonly prefix: string;
  /** A call for the client of this connection. */
  request(client: Socket, call: UpstreamCall): http.ClientRequest;
}

interface UpstreamCall {
  readonly method: string;
  readonly path: string;
  /** Names and values by turns. */
  readonly headers: string[];
}

/** The client's and the upstream's limits hold, not Node's: larger heads than this are no heads. */
export const HEAD_BYTES_MAX = 1 << 20;

/** Calls that a client may send on one connection before it has their answers; Node reads on for ever. */
const WAITING_MAX = 1_000;

/**
 * To each connection of a client belongs one of the upstream. So a call meets an idle connection that is just closed only
 * where it would meet one without the proxy, and what an upstream writes unasked is never taken for another client's reply.
 */
export function createUpstream(url: URL): Upstream {
  const { Agent } = url.protocol === 'https:' ? https : http;
  const agents = new WeakMap<Socket, http.Agent>();
  const agentOf = (client: Socket): http.Agent => {
    const known = agents.get(client);
    if (known !== undefined) return known;
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    agents.set(client, agent);
    client.once('close', () => agent.destroy());
    return agent;
  };
  return {
    host: url.host,
    prefix: url.pathname.replace(/\/+$/u, ''),
    request(client, call) {
      const agent = agentOf(client);
      const [waiting = []] = Object.values(agent.requests);
      if (waiting.length >= WAITING_MAX) client.destroy();
      return send(url, agent, call);
    },
  };
}

/** Where a webhook leads. Each call has a connection of its own: there are few, to many places. */
export const receiverAt = (url: URL, { check, lookup }: Reach): Upstream => ({
  host: url.host,
  prefix: '',
  request(_client, call) {
    check(url);
    return send(url, false, call, lookup);
  },
});

function send(
  url: URL,
  agent: http.Agent | false,
  call: UpstreamCall,
  lookup?: LookupFunction,
): http.ClientRequest {
  const passing = (url.protocol === 'https:' ? https : http).request({
    agent,
    // Without the brackets of IPv6.
    hostname: url.hostname.replace(/^\[|\]$/gu, ''),
    port: url.port,
    ...call,
    lookup,
    maxHeaderSize: HEAD_BYTES_MAX,
  });
  passing.maxHeadersCount = 0;
  return passing;
}
