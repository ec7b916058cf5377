/** A semaphore for each key: at most `permitsMax` holders at the same time, the others wait. */
export interface KeyedSemaphore {
  /**
   * Resolves with the release function, which must be called. @throws the signal's reason when it aborts
   * while waiting
   */
  acquire(name: string, signal: AbortSignal): Promise<() => void>;
}

interface Permits {
  held: number;
  /** In order of arrival. */
  readonly waiting: Set<() => void>;
}

export function createKeyedSemaphore(permitsMax: number): KeyedSemaphore {
  const permitsByKey = new Map<string, Permits>();

  function release(name: string, permits: Permits): void {
    const [next] = permits.waiting;
    if (next !== undefined) {
      permits.waiting.delete(next);
      return next();
    }
    permits.held--;
    if (permits.held === 0) permitsByKey.delete(name);
  }

  return {
    async acquire(name, signal) {
      signal.throwIfAborted();
      let permits = permitsByKey.get(name);
      if (permits === undefined) permitsByKey.set(name, (permits = { held: 0, waiting: new Set() }));
      const { waiting } = permits;
      if (permits.held < permitsMax) {
        permits.held++;
      } else {
        await new Promise<void>((resolve, reject) => {
          const giveUp = () => {
            waiting.delete(goOn);
            reject(signal.reason as Error);
          };
          const goOn = () => {
            signal.removeEventListener('abort', giveUp);
            resolve();
          };
          waiting.add(goOn);
          signal.addEventListener('abort', giveUp, { once: true });
        });
      }
      const mine = permits;
      return () => release(name, mine);
    },
  };
}
