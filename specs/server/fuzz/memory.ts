import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

export interface Memory {
  readonly heapMb: number;
  readonly rssMb: number;
}

/** What is held after everything that can go has gone. */
export async function memoryHeld(): Promise<Memory> {
  for (let round = 0; round < 4; round++) {
    collect();
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  const { heapUsed, external, rss } = process.memoryUsage();
  const mb = (bytes: number): number => Math.round(bytes / 100_000) / 10;
  return { heapMb: mb(heapUsed + external), rssMb: mb(rss) };
}
