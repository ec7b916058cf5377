/** Every fault of the independent server, tried with the shipped suite over HTTP. */
import { FAULTS } from '../specs/naive/faults/wrongs.js';
import { chosen } from './matches-selection.js';
import type { Wish } from './proof-options.js';
import type { NaiveTask } from './trials/naive-trial.js';
import { workOff } from './pool.js';

export async function naive(wish: Wish): Promise<boolean> {
  const { seed, runs, threads, only, real, dedicated, say, write } = wish;
  const clock = real ? 'real' : 'controlled';
  const tried = FAULTS.filter(({ id }) => chosen(id, only));
  const taskOf = (fault: string | null): NaiveTask => ({
    kind: 'naive',
    fault,
    clock,
    dedicated,
    seed,
    runs: real ? 1 : runs,
  });
  // Without a fault nothing may fail.
  const healthy = only.length === 0 || only.includes('none') ? [taskOf(null)] : [];
  const tasks = [...healthy, ...tried.map(({ id }) => taskOf(id))];
  const answers = await workOff(tasks, threads, ({ fault }, failed) => {
    const kills = [...failed].map(([requirement, scenario]) => `${requirement} (${scenario})`);
    if ((fault === null) !== (failed.size === 0))
      say(`${fault ?? 'no fault'}: ${kills.join(', ') || legalOf(fault) || 'missed'}`);
  });
  const rows = tried.map((fault, index) => {
    return { ...fault, failed: Object.fromEntries(answers[healthy.length + index]!) };
  });
  const unseen = rows.filter(({ failed }) => Object.keys(failed).length === 0);
  const missed = unseen.filter(({ legal }) => legal === undefined);
  const how = real ? `real${dedicated ? '-dedicated' : ''}` : clock;
  write(`naive-${how}.json`, `${JSON.stringify({ seed, runs, how, rows }, null, 2)}\n`);
  const legal = unseen.length - missed.length;
  say(
    `${rows.length - unseen.length} of ${rows.length} faults caught, ${legal} legal by an open question (${how})`,
  );
  return missed.length === 0 && healthy.every((_, index) => answers[index]!.size === 0);
}

function legalOf(fault: string | null): string {
  const legal = FAULTS.find(({ id }) => id === fault)?.legal;
  return legal === undefined ? '' : `not caught, legal by ${legal}`;
}
