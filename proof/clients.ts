/** Faulty clients in the weathers of the rules that they break, and correct clients in all weathers. */
import { chosen } from './matches-selection.js';
import { CORRECT_CLIENTS } from './clients/correct/index.js';
import { FAULTY_CLIENTS } from './clients/faults/index.js';
import { isCaught, markdownOf, scoreOf, unbroken, type CorrectRow, type FaultyRow } from './clients/table.js';
import { inLanes, tryCorrect, tryFaulty, weathersFor } from './clients/trial.js';
import type { FaultyClient } from './clients/faulty-client.js';
import type { Wish } from './proof-options.js';

/** They mostly wait. */
const CLIENTS_AT_ONCE = 3;
const WEATHERS_AT_ONCE = 12;
const WANTED_PERCENT = 95;

export async function clients({ seed, threads, only, say, write }: Wish): Promise<boolean> {
  const lanes = Math.min(threads ?? CLIENTS_AT_ONCE, CLIENTS_AT_ONCE);
  const options = { seed, atOnce: WEATHERS_AT_ONCE };
  let disagreed = 0;
  const attempt = async (client: FaultyClient): Promise<FaultyRow> => ({
    client,
    violated: await tryFaulty(client, weathersFor(client), options).catch((error: Error) => {
      disagreed += 1;
      say(error.message);
      return [];
    }),
  });
  const tried = await inLanes(
    FAULTY_CLIENTS.filter(({ id }) => chosen(id, only)),
    lanes,
    attempt,
  );
  // What shows only in time is tried again with the machine to itself.
  const faulty = await inLanes(tried, 1, async (row) => (isCaught(row) ? row : attempt(row.client)));
  for (const { client, violated } of faulty.filter((row) => !isCaught(row)))
    say(
      `not caught: ${client.id} (breaks ${client.breaks.join(' ')}, violated ${violated.join(' ') || 'nothing'})`,
    );
  const correct = await inLanes(
    CORRECT_CLIENTS.filter(({ id }) => chosen(id, only)),
    lanes,
    async (client): Promise<CorrectRow> => {
      const wrong = await tryCorrect(client, options);
      for (const text of wrong) say(`FALSE ALARM ${client.id}: ${text}`);
      return { client, wrong };
    },
  );
  const missing = only.length > 0 ? [] : unbroken(faulty);
  for (const id of missing) say(`violated by no faulty client: ${id}`);
  say(scoreOf(faulty, correct));
  write('clients.md', markdownOf(faulty, correct));
  return (
    disagreed === 0 &&
    missing.length === 0 &&
    correct.every(({ wrong }) => wrong.length === 0) &&
    faulty.filter(isCaught).length >= (faulty.length * WANTED_PERCENT) / 100
  );
}
