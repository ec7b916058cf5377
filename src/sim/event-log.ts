import { createRollingHash } from '../time/hash.js';
import { TIE_PRIORITIES } from './tie-order.js';
import type { TiePriority } from './tie-order.js';

/** One event of a simulation. */
export interface LogEntry {
  readonly atMs: number;
  readonly priority: TiePriority;
  readonly event: string;
  /** Number of the call, attempt or delivery; 0 when there is none. */
  readonly id: number;
  /** What was sent over the network, or what a worker reported. */
  readonly detail: string;
}

/**
 * Of longer bodies, the fingerprint covers the beginning and the length: hashing a whole one would cost more than
 * its call.
 */
const HASHED_CHARS_MAX = 256;
/** Of still longer ones it covers the length alone: they are padded, and reading their beginning would join them. */
const READ_CHARS_MAX = 65_536;

/** Adds every event to a rolling fingerprint, and passes it to the listener, if there is one. */
export class EventLog {
  count = 0;
  private readonly hash = createRollingHash();
  private readonly listener: ((entry: LogEntry) => void) | undefined;

  constructor(listener: ((entry: LogEntry) => void) | undefined) {
    this.listener = listener;
  }

  /** @param body the rest of `detail`: joined only for a listener, since a body may have megabytes */
  record(
    atMs: number,
    priority: TiePriority,
    event: string,
    id: number,
    detail: string,
    body: string = '',
  ): void {
    this.count += 1;
    this.hash.addInt(atMs);
    this.hash.addInt(TIE_PRIORITIES.indexOf(priority));
    this.hash.addText(event);
    this.hash.addInt(id);
    this.hash.addText(detail);
    this.hash.addInt(body.length);
    if (body.length <= HASHED_CHARS_MAX) this.hash.addText(body);
    else if (body.length <= READ_CHARS_MAX) this.hash.addText(body.slice(0, HASHED_CHARS_MAX));
    this.listener?.({ atMs, priority, event, id, detail: detail + body });
  }

  /** 16 hexadecimal digits, equal for equal runs. */
  fingerprint(): string {
    return this.hash.hex();
  }
}
