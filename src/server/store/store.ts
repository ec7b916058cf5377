/**
 * `store/` keeps what a service has answered true after the process was killed: its state is stored in a
 * folder, and no answer leaves before the state is on disk. It decides nothing about jobs.
 */
import type { SavedChanges, SavedState } from '../../core/saved/saved.js';

/** The thread has ended by itself: whether the changes of the write that was under way are on disk is not known. */
export class WriterEnded extends Error {}

/** Stores the state of one service. */
export interface Store {
  /** The location, for messages. */
  readonly folder: string;
  /** The latest instant of what `read` will give; 0 where nothing is stored. */
  latestMs(): number;
  /**
   * The state as it was when the store was opened or last probed, after each of which it is read once; null where nothing
   * was ever stored. The caller may keep and change the result.
   */
  read(): SavedState | null;
  /**
   * Resolves when all changes are synced to disk. After a rejection none of them is, unless it is by `WriterEnded`, and `probe`
   * must come next.
   */
  write(changes: SavedChanges): Promise<void>;
  /** Resolves when the folder can be written. */
  probe(): Promise<void>;
  isClosed(): boolean;
  close(): Promise<void>;
}

/**
 * The instant from which time continues. In real time it is the wall clock's, since time has passed while the
 * server was down; but time never goes back, even if the machine's clock was set back, or if time ran faster
 * before. With a speed other than 1 the wall clock says nothing: time continues where it stopped.
 */
export function startMs(store: Store, clock: 'real' | 'controlled', speed: number, wallMs: number): number {
  const latestMs = store.latestMs();
  if (clock === 'controlled') return latestMs;
  return speed !== 1 && latestMs > 0 ? latestMs : Math.max(wallMs, latestMs);
}
