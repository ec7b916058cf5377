import type { IncomingMessage, ServerResponse } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import type { CallEvent } from '../../../src/history/events.js';
import { clientOf, sendTogether } from './held-calls.js';

const AT_A_TIME = 3;

let ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.toReversed()) await end();
  ends = [];
});

/** Sends calls that are held back together; gives their lines of the history. */
async function sendHeld(
  count: number,
  take: (incoming: IncomingMessage, outgoing: ServerResponse) => void,
  method = 'POST',
  isFarAway = false,
): Promise<readonly CallEvent[]> {
  const carrier = await clientOf(take, ends, isFarAway);
  const flights = sendTogether(carrier, count, AT_A_TIME, method);
  await Promise.all(flights.map(({ settled }) => settled));
  return flights.map((flight) => carrier.eventOf(flight, 0, 1));
}

async function bodyOf(incoming: IncomingMessage): Promise<string> {
  let text = '';
  for await (const part of incoming) text += String(part);
  return text;
}

describe('calls whose last byte is held back', () => {
  it.each(['POST', 'GET'])('are all under way at once, and end a few at a time (%s)', async (method) => {
    let begun = 0;
    let whole = 0;
    let mostWhole = 0;
    const bodies = new Set<string>();
    const begunAtFirstEnd: number[] = [];
    const calls = await sendHeld(
      10,
      (incoming, outgoing) => {
        begun += 1;
        void bodyOf(incoming).then((text) => {
          begunAtFirstEnd.push(begun);
          bodies.add(text);
          mostWhole = Math.max(mostWhole, ++whole);
          setTimeout(() => {
            whole -= 1;
            outgoing.end('{}');
          }, 20);
        });
      },
      method,
    );
    expect(begunAtFirstEnd[0]).toBe(10);
    expect(mostWhole).toBeLessThanOrEqual(AT_A_TIME);
    expect([...bodies]).toEqual(['{"input":{}}']);
    const helds = calls.map(({ held }) => held!);
    const lastFrom = Math.max(...helds.map(({ fromTick }) => fromTick!));
    expect(Math.min(...helds.map(({ untilTick }) => untilTick!))).toBeGreaterThan(lastFrom);
    for (const { untilTick, overTick, togetherMs } of helds) {
      expect(overTick).toBeGreaterThan(untilTick!);
      expect(togetherMs).toBeGreaterThanOrEqual(900);
    }
  });

  it.each([
    ['nearby', false, 900, 2_000],
    ['far away, where they take longer to arrive', true, 2_000, 10_000],
  ])('are held back for a while %s', async (_, isFarAway, leastMs, mostMs) => {
    const calls = await sendHeld(
      2,
      (incoming, outgoing) => void bodyOf(incoming).then(() => outgoing.end('{}')),
      'POST',
      isFarAway,
    );
    for (const { held } of calls) {
      expect(held!.togetherMs).toBeGreaterThanOrEqual(leastMs);
      expect(held!.togetherMs).toBeLessThan(mostMs);
    }
  });

  it('may be refused before they are whole, which is told of them', async () => {
    let begun = 0;
    const calls = await sendHeld(4, (incoming, outgoing) => {
      begun += 1;
      if (begun > 2) return void outgoing.writeHead(429).end('{}');
      void bodyOf(incoming).then(() => outgoing.end('{}'));
    });
    const refused = calls.filter(({ reply }) => reply?.status === 429);
    expect(refused).toHaveLength(2);
    for (const { held } of refused) expect(held).toMatchObject({ untilTick: null, togetherMs: 0 });
    expect(calls.filter(({ held }) => held!.untilTick !== null)).toHaveLength(2);
  });

  it('hold nobody up where a connection breaks', async () => {
    let begun = 0;
    const calls = await sendHeld(3, (incoming, outgoing) => {
      begun += 1;
      if (begun === 1) return void incoming.socket.destroy();
      void bodyOf(incoming).then(() => outgoing.end('{}'));
    });
    expect(calls.filter(({ lost }) => lost === 'reset')).toHaveLength(1);
    expect(calls.filter(({ reply }) => reply?.status === 200)).toHaveLength(2);
  });
});
