import { createCaller } from '../caller.js';

export interface TimedCall {
  readonly sentMs: number;
  readonly receivedMs: number;
  readonly refused: boolean;
}

const CLIENTS = 4;

/** Clients that exceed the limits for a while in real time. */
export async function overload(
  url: string,
  key: string,
  path: string,
  forMs: number,
): Promise<readonly TimedCall[]> {
  const calls: TimedCall[] = [];
  const caller = createCaller(url, key);
  const endMs = performance.now() + forMs;
  const client = async (): Promise<void> => {
    while (performance.now() < endMs) {
      const sentMs = performance.now();
      const { status } = await caller.post(path);
      calls.push({ sentMs, receivedMs: performance.now(), refused: status === 429 });
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, client));
  return calls.sort((a, b) => a.sentMs - b.sentMs);
}

/** The most calls served that surely lie within one window of that length. */
export function mostServedWithin(calls: readonly TimedCall[], windowMs: number): number {
  const served = calls.filter(({ refused }) => !refused);
  return Math.max(
    0,
    ...served.map(
      ({ sentMs }) =>
        served.filter((call) => call.sentMs >= sentMs && call.receivedMs < sentMs + windowMs).length,
    ),
  );
}

/** The fewest calls served that may lie within the window before a refusal; infinite where nothing was refused. */
export function fewestServedBefore(calls: readonly TimedCall[], windowMs: number): number {
  const served = calls.filter(({ refused }) => !refused);
  return Math.min(
    ...calls
      .filter(({ refused }) => refused)
      .map(
        ({ sentMs, receivedMs }) =>
          served.filter((call) => call.receivedMs > sentMs - windowMs && call.sentMs < receivedMs).length,
      ),
  );
}
