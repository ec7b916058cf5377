/** Work that takes real time and belongs to the present instant: webhook calls, answers being written. */
export interface PendingWork {
  readonly size: number;
  /** Keeps the instant open until the promise has settled, either way. */
  add(work: Promise<unknown>): void;
  /** Resolves when no work is left, including work added meanwhile. It never rejects. */
  settled(): Promise<void>;
}

export function createPendingWork(): PendingWork {
  const open = new Set<Promise<void>>();
  return {
    get size() {
      return open.size;
    },
    add(work) {
      const settling: Promise<void> = work.then(
        () => void open.delete(settling),
        () => void open.delete(settling),
      );
      open.add(settling);
    },
    async settled() {
      while (open.size > 0) await Promise.all(open);
    },
  };
}
