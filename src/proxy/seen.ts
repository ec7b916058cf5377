/**
 * `proxy/` promises to pass every call on as it is, and to tell what it saw. It judges nothing, and nothing that goes wrong
 * beside the call itself may change the call.
 */

/** What was seen of the calls that pass, in the order in which it was seen. Plain data. */
export type Seen =
  | {
      readonly kind: 'begin';
      readonly call: number;
      /** ms since 1970, rounded down. */
      readonly atMs: number;
      readonly method: string;
      /** Path and query, as the client sent them. */
      readonly target: string;
      /** Set where the service calls a webhook: the receiver's address. */
      readonly webhook?: string;
    }
  | {
      readonly kind: 'end';
      readonly call: number;
      /** ms since 1970, rounded up. */
      readonly atMs: number;
      readonly request: SeenMessage;
      /** Null: there was no reply, or not all of it. */
      readonly reply: (SeenMessage & { readonly status: number }) | null;
      /** The client did not wait for its end. */
      readonly isAbandoned: boolean;
      /** Set where there was no reply, and the proxy answered 502. */
      readonly isRefused?: true;
      /** Set where the body names a webhook that the service was told to call at the proxy. */
      readonly isWebhookHere?: true;
    };

export interface SeenMessage {
  /** By name in lower case, without the key. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** Its bytes as they were sent; null: it is larger than what is kept, or the answer came before all of it was there. */
  readonly body: Uint8Array | null;
}

export type OnSeen = (seen: Seen) => void;
