/** Lets so many through at the same time for each name; the others wait their turn. */
export interface Turnstiles {
  /** Resolves with the way out, which has to be taken. @throws the signal's reason when it aborts meanwhile */
  enter(name: string, signal: AbortSignal): Promise<() => void>;
}

interface Turnstile {
  inside: number;
  /** In the order of their coming. */
  readonly waiting: Set<() => void>;
}

export function createTurnstiles(atOnceMax: number): Turnstiles {
  const turnstiles = new Map<string, Turnstile>();

  function leave(name: string, turnstile: Turnstile): void {
    const [next] = turnstile.waiting;
    if (next !== undefined) {
      turnstile.waiting.delete(next);
      return next();
    }
    turnstile.inside--;
    if (turnstile.inside === 0) turnstiles.delete(name);
  }

  return {
    async enter(name, signal) {
      signal.throwIfAborted();
      let turnstile = turnstiles.get(name);
      if (turnstile === undefined) turnstiles.set(name, (turnstile = { inside: 0, waiting: new Set() }));
      const { waiting } = turnstile;
      if (turnstile.inside < atOnceMax) {
        turnstile.inside++;
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
      const mine = turnstile;
      return () => leave(name, mine);
    },
  };
}
