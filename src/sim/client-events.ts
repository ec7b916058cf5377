/** What a simulation tells its client, each with the instant at which the client learns of it. */
export type ClientEvent =
  /** The request has reached the service, which has not answered yet. A real client would not know. */
  /** The end of a body that was held back has been sent. */
  | { readonly kind: 'rest-sent'; readonly callId: number; readonly atMs: number }
  | { readonly kind: 'arrived'; readonly callId: number; readonly atMs: number }
  | {
      readonly kind: 'reply';
      readonly callId: number;
      readonly atMs: number;
      readonly arrivedMs: number;
      readonly reply: SimReply;
    }
  | {
      readonly kind: 'lost';
      readonly callId: number;
      readonly atMs: number;
      /** When the request reached the service all the same; null when it never did. */
      readonly arrivedMs: number | null;
      readonly why: 'reset' | 'timeout' | 'aborted';
    }
  /** A webhook call has reached its receiver, who answers by `answerWebhook`. */
  | {
      readonly kind: 'webhook';
      readonly delivery: number;
      readonly attempt: number;
      readonly atMs: number;
      readonly url: string;
      readonly method: string;
      /** Lower-case names. */
      readonly headers: { readonly [name: string]: string };
      readonly bodyText: string;
    }
  /** The alarm set by `wakeAt`. */
  | { readonly kind: 'wake'; readonly atMs: number };

export interface SimReply {
  readonly status: number;
  readonly headers: { readonly [name: string]: string };
  /** As it would stand on the wire; empty without a body. */
  readonly bodyText: string;
}
