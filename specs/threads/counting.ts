/** A kind of thread for specs: it counts, waits, and goes wrong. */
import { threadKind, type Outside } from '../../src/threads/thread.js';

const SLICE = new Int32Array(new SharedArrayBuffer(4));

export const COUNTING = threadKind({
  name: 'counting',
  file: new URL('./counting.js', import.meta.url),
  create: (from: number, { isStopped, stopped, tell }: Outside<number>) => {
    let count = from;
    return {
      add(by: number): number {
        count += by;
        tell(count);
        return count;
      },
      async refuse(why: string): Promise<never> {
        throw new RangeError(why);
      },
      /** Never sees a message. */
      spin(): string {
        while (!isStopped()) Atomics.wait(SLICE, 0, 0, 1);
        return 'stopped';
      },
      /** Does not look at what it is told. */
      hang(): void {
        for (;;) Atomics.wait(SLICE, 0, 0, 1);
      },
      untilStopped: (): Promise<string> =>
        new Promise((resolve) => stopped.addEventListener('abort', () => resolve('told'))),
      exit: (): never => process.exit(0),
      fail(): void {
        setImmediate(() => {
          throw new Error('out of luck');
        });
      },
    };
  },
});
