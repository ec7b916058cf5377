/** A call of the API and its reply, free of sockets. */
import type { Endpoint } from './endpoint.js';
import type { Json } from './json.js';

export interface Call {
  readonly method: string;
  /** Decoded path segments, the leading empty one left out. */
  readonly path: readonly string[];
  readonly query: URLSearchParams;
  /** Null when the body is larger than anything this server reads. */
  readonly body: Buffer | null;
  readonly bodyBytes: number;
  readonly contentType: string;
  readonly authorization: string | undefined;
  /** Calls `gone` when the client hangs up before the answer. */
  readonly onGone: (gone: () => void) => void;
}

/** A call whose endpoint and operation are known. */
export interface EndpointCall extends Call {
  readonly endpoint: Endpoint;
  /** The path after the operation. */
  readonly rest: readonly string[];
}

export interface Reply {
  readonly code: number;
  readonly body?: Json;
  /** In place of `body`: why the call was refused. */
  readonly problem?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** In place of `body`: text that is no JSON. */
  readonly text?: string;
  /** Of `text`; NDJSON unless said otherwise. */
  readonly textType?: string;
  readonly hangUp?: true;
}

export type Answer = (reply: Reply) => void;

export const refuse = (code: number, problem: string): Reply => ({ code, problem });

/** Thrown where a call is malformed; its message is the reason. */
export class Refused extends Error {}
