/** No must that recorded traffic decides is said to occur never, or to be judged never, by the reasons for those that stay open. */
import { expect, test } from 'vitest';
import { batchHistory } from '../../proof/trials/conformant-batch.js';
import { runOf, trafficOf } from '../../proof/trials/passive-trial.js';
import { trafficWith } from '../../proof/trials/traffic-trial.js';
import { judge } from '../../src/oracle/index.js';
import { whyOpenInTraffic } from '../../src/oracle/in-traffic/why-open.js';
import { Occurring } from '../../src/oracle/in-traffic/situations.js';
import { REQUIREMENTS } from '../../src/spec/index.js';
import { createRandom } from '../../src/time/random.js';
import { Traffic } from '../../src/traffic/reading/read-traffic.js';
import { Parts } from '../../src/traffic/index.js';
import { drawnByCommit } from '../support/whole.js';

/** Of 100 batches one in 25, which the commit draws. */
const BATCHES = drawnByCommit(
  Array.from({ length: 100 }, (_, batch) => batch),
  25,
);

test('what is decided occurs, and can be judged', { timeout: 600_000 }, () => {
  const histories = [
    trafficWith(null, 5, 30),
    ...BATCHES.map((batch) => batchHistory({ seed: 3, batch }).events),
  ];
  const decided = new Set<string>();
  const wrong = new Set<string>();
  for (const [nth, events] of histories.entries()) {
    const file = trafficOf(events, { keeps: () => true }, createRandom(nth))!;
    const traffic = new Traffic([file]);
    const run = runOf(events, { others: false, complete: true, crashes: false });
    for (const part of new Parts(run, 500).of(traffic.events(run))) {
      const occurring = new Occurring();
      for (const event of part) if (event.kind === 'call') occurring.see(event);
      const { requirements } = judge(part);
      for (const [index, { id }] of REQUIREMENTS.entries()) {
        if (requirements[index]!.decided === 0) continue;
        decided.add(id);
        const { openBecause } = whyOpenInTraffic(id, run, occurring);
        if (openBecause !== 'otherwise') wrong.add(`${id}: ${openBecause}`);
      }
    }
  }
  expect([...wrong]).toEqual([]);
  expect(decided.size).toBeGreaterThan(150);
});
