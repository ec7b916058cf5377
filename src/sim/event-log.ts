import { createRollingHash } from '../time/hash.js';
import { TIE_PRIORITIES } from './tie-order.js';
import type { TiePriority } from './tie-order.js';

/** One thing that happened in a simulation. */
export interface LogEntry {
  readonly atMs: number;
  readonly priority: TiePriority;
  readonly event: string;
  /** Number of the call, attempt or delivery; 0 where there is none. */
  readonly id: number;
  /** Texts that went over the wire, or what a worker reported. */
  readonly detail: string;
}

/** Of longer texts the fingerprint takes the beginning and the length: a 20 MB body would cost more than its call. */
const HASHED_CHARS_MAX = 4_096;

/** Takes every event into a rolling fingerprint, and hands it to a listener if there is one. */
export class EventLog {
  count = 0;
  private readonly hash = createRollingHash();
  private readonly listener: ((entry: LogEntry) => void) | undefined;

  constructor(listener: ((entry: LogEntry) => void) | undefined) {
    this.listener = listener;
  }

  add(atMs: number, priority: TiePriority, event: string, id: number, detail: string): void {
    this.count += 1;
    this.hash.addInt(atMs);
    this.hash.addInt(TIE_PRIORITIES.indexOf(priority));
    this.hash.addText(event);
    this.hash.addInt(id);
    this.hash.addInt(detail.length);
    this.hash.addText(detail.length > HASHED_CHARS_MAX ? detail.slice(0, HASHED_CHARS_MAX) : detail);
    this.listener?.({ atMs, priority: priority, event, id, detail });
  }

  /** 16 hexadecimal digits; equal for equal runs. */
  fingerprint(): string {
    return this.hash.hex();
  }
}
