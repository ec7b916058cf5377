export interface TransportRequest {
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  readonly headers: { readonly [name: string]: string };
  readonly body: string | null;
  /** Real milliseconds after which the call is given up; null for never. */
  readonly timeoutMs: number | null;
  readonly signal?: AbortSignal;
  /** On a connection that no other request has used. */
  readonly fresh?: true;
  /** Its last byte is held back until `rest` resolves; `written` is called when the others have been written. */
  readonly held?: { readonly written: () => void; readonly rest: Promise<void> };
  /** The body is sent in chunks, without its length. */
  readonly chunked?: true;
}

export interface TransportReply {
  readonly status: number;
  readonly headers: { readonly [name: string]: string };
  readonly text: string;
}

export type LostReason = 'timeout' | 'reset' | 'refused' | 'aborted' | 'hung-up' | 'oversize';

/** A reply, or why there is none. */
export type TransportResult =
  | { readonly reply: TransportReply; readonly lost: null }
  | { readonly reply: null; readonly lost: LostReason; readonly detail: string };

/** Sends a request and resolves with its reply. It never rejects. */
export interface Transport {
  /** It cannot hold back the last byte of a body. */
  readonly holdsNothing?: true;
  send(request: TransportRequest): Promise<TransportResult>;
}
