/**
 * `store/` promises that what a service has answered is still so after the process was killed: its memory is kept
 * in a folder, and nothing leaves before it is on disk. It decides nothing about jobs.
 */
import type { SavedChanges, SavedState } from '../../core/saved.js';

/** Where a service's memory is kept. One service at a time. */
export interface Store {
  /** For messages: where it is. */
  readonly folder: string;
  /** The latest instant that is kept; 0 where nothing is. */
  latestMs(): number;
  /** All that is kept; null where nothing has ever been. What it gives may be taken over, lists included. */
  read(): SavedState | null;
  /** Resolves when all of it is on disk, synced. After a rejection none of it is, and `read` must come next. */
  write(changes: SavedChanges): Promise<void>;
  /** Resolves when something can be written. */
  probe(): Promise<void>;
  isClosed(): boolean;
  close(): Promise<void>;
}
