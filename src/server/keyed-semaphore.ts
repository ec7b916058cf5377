/** Lets so many through at the same time for each name; the others wait their turn. */
export interface KeyedSemaphore {
  /** Resolves with the way out, which has to be taken. @throws the signal's reason when it aborts meanwhile */
  acquire(name: string, signal: AbortSignal): Promise<() => void>;
}

interface Permits {
  held: number;
  /** In the order of their coming. */
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
