/** A slice of `npm run proofs -- clients`: each faulty client is caught in one weather, and correct ones in none. */
import { expect, test } from 'vitest';
import { CLIENT_RULES } from '../../src/client/rules/index.js';
import { CORRECT_CLIENTS } from '../../proof/clients/correct/index.js';
import { FAULTY_CLIENTS } from '../../proof/clients/faults/index.js';
import type { FaultyClient } from '../../proof/clients/faulty-client.js';
import { isCaught } from '../../proof/clients/table.js';
import { inLanes, tryCorrect, tryFaulty } from '../../proof/clients/trial.js';
import { drawnByCommit } from '../support/whole.js';

const AT_ONCE = 16;
const TIMEOUT_MS = 240_000;

/** How many jobs a client creates is compared with how many it creates where nothing goes wrong. */
const weathersOf = ({ breaks, weather }: FaultyClient): readonly string[] =>
  breaks[0] === 'client/one-job' ? ['clear', weather] : [weather];

test.concurrent(
  'each faulty client violates a rule that it breaks, in the weather that shows it',
  {
    timeout: TIMEOUT_MS,
  },
  async ({ expect }) => {
    const rows = await inLanes(FAULTY_CLIENTS, AT_ONCE, async (client) => ({
      client,
      violated: await tryFaulty(client, weathersOf(client), { seed: 1, atOnce: 1 }),
    }));
    // What shows only in time is tried again with the machine to itself.
    const missed: (typeof rows)[number][] = [];
    for (const { client } of rows.filter((row) => !isCaught(row))) {
      const violated = await tryFaulty(client, weathersOf(client), { seed: 1, atOnce: 1 });
      if (!isCaught({ client, violated })) missed.push({ client, violated });
    }
    expect(missed.map(({ client: { id, breaks }, violated }) => ({ id, breaks, violated }))).toEqual([]);
  },
);

test('each rule is broken by a faulty client', () => {
  const broken = new Set<string>(FAULTY_CLIENTS.flatMap(({ breaks }) => breaks));
  expect(CLIENT_RULES.filter(({ id }) => !broken.has(id)).map(({ id }) => id)).toEqual([]);
  expect([...broken].filter((id) => !CLIENT_RULES.some((rule) => rule.id === id))).toEqual([]);
});

/** Of the three the commit draws one. */
test.concurrent.for(drawnByCommit(['node-polling', 'node-streaming', 'node-webhook'], 3))(
  'nothing is found wrong with %s in all weathers',
  { timeout: TIMEOUT_MS },
  async (id, { expect }) => {
    const client = CORRECT_CLIENTS.find((one) => one.id === id)!;
    expect(await tryCorrect(client, { seed: 1, atOnce: 16 })).toEqual([]);
  },
);
