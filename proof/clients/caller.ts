/** How the base client calls: what it sends, and when it tries again. */
import { Agent } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ClientEnvironment } from '../../src/features/client/environment.js';
import type { Behaviour, CallKind, Failure } from './behaviour.js';
import { exchange, type Answer } from './exchange.js';

/** A call that failed, and is not tried again. */
export class CallFailed extends Error {
  readonly failure: Failure;

  constructor(kind: CallKind, failure: Failure) {
    super(`${kind}: ${failure}`);
    this.failure = failure;
  }
}

export interface Caller {
  /** @throws {CallFailed} unless the answer is 2xx */
  call(kind: CallKind, path: string, body?: string): Promise<Answer>;
  close(): void;
}

export function callerOf(environment: ClientEnvironment, behaviour: Behaviour, signal: AbortSignal): Caller {
  const agents: Agent[] = [];
  const agentOf = (): Agent => {
    if (behaviour.connections === 'one-per-call' || agents.length === 0)
      agents.push(new Agent({ keepAlive: true }));
    return agents.at(-1)!;
  };
  const { apiKey, url, endpoint } = environment;
  const { keyIn, contentType, methods, bodyOfReads, bodyOfActions } = behaviour;

  const ownBody = { submission: null, read: bodyOfReads, retry: bodyOfActions, action: bodyOfActions };

  async function once(kind: CallKind, path: string, body: string | null): Promise<Answer | Failure> {
    const target = `${url}${behaviour.versionPath}/${endpoint}${path}`;
    const withKey =
      keyIn === 'query' || keyIn === 'bearer-and-query'
        ? `${target}${path.includes('?') ? '&' : '?'}api_key=${apiKey}`
        : target;
    const headers = {
      ...((keyIn === 'bearer' || keyIn === 'bearer-and-query') && { authorization: `Bearer ${apiKey}` }),
      ...(keyIn === 'bare' && { authorization: apiKey }),
      ...(keyIn === 'x-api-key' && { 'x-api-key': apiKey }),
      ...(body !== null && contentType !== null && { 'content-type': contentType }),
    };
    const timeoutMs = path.startsWith('/runsync') ? behaviour.runsyncMaxMs : behaviour.callMaxMs;
    try {
      return await exchange(withKey, {
        ...{ agent: agentOf(), method: methods[kind], headers, body, timeoutMs, signal },
      });
    } catch (error) {
      signal.throwIfAborted();
      return (error as NodeJS.ErrnoException).code === 'ECONNREFUSED' ? 'unsent' : 'no-reply';
    }
  }

  return {
    async call(kind, path, body) {
      const beganMs = performance.now();
      for (let failures = 1; ; failures++) {
        const answer = await once(kind, path, body ?? ownBody[kind]);
        if (typeof answer === 'object' && answer.status < 300) return answer;
        const failure = typeof answer === 'object' ? answer.status : answer;
        const toldMs = typeof answer === 'object' && behaviour.honoursRetryAfter ? answer.retryAfterMs : 0;
        const pauseMs = Math.max(behaviour.pauseMs(failures), toldMs);
        const isTooLate = performance.now() - beganMs + pauseMs > behaviour.retryForMs;
        if (isTooLate || !behaviour.repeats(kind, failure)) throw new CallFailed(kind, failure);
        await sleep(pauseMs, undefined, { signal });
      }
    },
    close: () => {
      for (const agent of agents) agent.destroy();
    },
  };
}
