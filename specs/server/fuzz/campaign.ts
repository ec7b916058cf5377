import { createRandom } from '../../../src/time/random.js';
import { drawBadRequest } from './draw-request.js';
import { exchange } from './exchange.js';

export interface Campaign {
  /** Draws and sends the next requests, up to this number. */
  sendUntil(end: number): Promise<void>;
  /** What must not happen, one line each. */
  readonly faults: readonly string[];
  /** How often each code was answered; `closed` counts connections that got no answer. */
  readonly counts: ReadonlyMap<string, number>;
  readonly slowestMs: () => number;
}

const AT_ONCE = 48;

/** Bad requests to servers in turn. The same seed draws the same requests, whatever is answered. */
export function createCampaign(ports: readonly number[], seed: number): Campaign {
  const random = createRandom(seed);
  const counts = new Map<string, number>();
  const faults: string[] = [];
  let slowestMs = 0;
  let next = 0;

  async function sendOne(number: number): Promise<void> {
    const bad = drawBadRequest(random.fork(String(number)));
    const { statuses, complaint, closedAfterMs } = await exchange(ports[number % ports.length]!, bad);
    const say = (what: string): void => void faults.push(`#${number} ${bad.kind}: ${what}`);
    if (closedAfterMs === null) say('hangs');
    if (complaint !== null) say(complaint);
    if (statuses.some((status) => status >= 500)) say(`answered ${statuses.join(' ')}`);
    if (bad.refused && statuses.some((status) => status < 400)) say(`accepted: ${statuses.join(' ')}`);
    slowestMs = Math.max(slowestMs, closedAfterMs ?? 0);
    for (const status of statuses.length === 0 ? ['closed'] : statuses.map(String)) {
      counts.set(status, (counts.get(status) ?? 0) + 1);
    }
  }

  return {
    async sendUntil(end) {
      const client = async (): Promise<void> => {
        while (next < end) await sendOne(next++);
      };
      await Promise.all(Array.from({ length: AT_ONCE }, client));
    },
    faults,
    counts,
    slowestMs: () => slowestMs,
  };
}
