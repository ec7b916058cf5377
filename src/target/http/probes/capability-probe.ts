import { valueOf } from '../../../history/body.js';
import { servedPath, type BasePath } from '../../../history/served-path.js';
import type { Connection } from '../connection.js';
import type { TransportReply, TransportResult } from '../../session/transport.js';

export interface CapabilityProbeOptions {
  readonly connection: Connection;
  /** Scheme, host and port, for people. */
  readonly origin: string;
  readonly prefix: string;
  readonly basePath: BasePath | null;
  readonly endpoint: string;
  readonly timeoutMs: number;
  /** Once aborted, nothing is submitted any more. */
  readonly signal?: AbortSignal | undefined;
}

/** Calls that find out how to talk to the target, before the run. They are part of no history. */
export class CapabilityProbe {
  readonly #options: CapabilityProbeOptions;
  /** How long each answer has taken, in real ms. */
  readonly repliesMs: number[] = [];

  constructor(options: CapabilityProbeOptions) {
    this.#options = options;
  }

  get endpoint(): string {
    return this.#options.endpoint;
  }

  /** The longest that an answer has taken, in real ms. */
  get slowestMs(): number {
    return Math.max(0, ...this.repliesMs);
  }

  /** `{base_url}`, for people. */
  get address(): string {
    return this.#options.origin + this.#options.prefix;
  }

  /** The address that operations of the endpoint are below, for people. */
  get root(): string {
    const { basePath, endpoint } = this.#options;
    return this.address + servedPath(`/v2/${encodeURIComponent(endpoint)}`, basePath);
  }

  get isInterrupted(): boolean {
    return this.#options.signal?.aborted === true;
  }

  get timeoutMs(): number {
    return this.#options.timeoutMs;
  }

  /** The same for another endpoint. */
  at(endpoint: string): CapabilityProbe {
    return new CapabilityProbe({ ...this.#options, endpoint });
  }

  /** The same calls, given up earlier. */
  within(timeoutMs: number): CapabilityProbe {
    return new CapabilityProbe({ ...this.#options, timeoutMs: Math.min(timeoutMs, this.timeoutMs) });
  }

  async ask(
    method: string,
    path: string,
    authorization: string | null,
    body?: unknown,
  ): Promise<TransportResult> {
    const { connection, prefix, basePath, endpoint, timeoutMs } = this.#options;
    const fromMs = performance.now();
    const result = await connection.send({
      method,
      path: prefix + servedPath(`/v2/${encodeURIComponent(endpoint)}${path}`, basePath),
      headers: {
        ...(authorization !== null ? { authorization } : {}),
        ...(body !== undefined ? { 'content-type': 'application/json' } : {}),
      },
      body: body === undefined ? null : JSON.stringify(body),
      timeoutMs,
    });
    this.repliesMs.push(performance.now() - fromMs);
    return result;
  }
}

/** The members of a reply's JSON object; empty for anything else. */
export function membersOf(reply: TransportReply | null): { readonly [name: string]: unknown } {
  const value = valueOf(reply?.text ?? '');
  return value !== null && typeof value === 'object' ? (value as { [name: string]: unknown }) : {};
}

/** Whether its body is JSON, whatever its content type says. */
export function isJsonReply(reply: TransportReply): boolean {
  return valueOf(reply.text) !== undefined;
}
