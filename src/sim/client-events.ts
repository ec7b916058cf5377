/** What happens at the client, with the instant at which the client sees it. */
export type ClientEvent =
  /** The held-back end of a body was sent. */
  | { readonly kind: 'rest-sent'; readonly callId: number; readonly atMs: number }
  /** The request has reached the service, which has not answered yet. A real client would not see this. */
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
      /** When the request reached the service; null when it never did. */
      readonly arrivedMs: number | null;
      readonly why: 'reset' | 'timeout' | 'aborted';
    }
  /** A webhook call has reached its receiver. The client answers it by `answerWebhook`. */
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
  /** The timer set by `wakeAt` has fired. */
  | { readonly kind: 'wake'; readonly atMs: number };

export interface SimReply {
  readonly status: number;
  readonly headers: { readonly [name: string]: string };
  /** The body as sent; empty without a body. */
  readonly bodyText: string;
}
