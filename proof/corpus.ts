/** `npm run proofs -- corpus`: histories of conformant endpoints, kept to be judged again after each change of the oracle. */
import { chosen } from './matches-selection.js';
import { CORPUS } from './corpus-histories.js';
import type { CorpusTask, Recorded } from './trials/corpus-trial.js';
import { workOff } from './pool.js';
import type { Wish } from './proof-options.js';

const TOLD_EVERY = 100;

export async function corpus({ seed, threads, only, out, say }: Wish): Promise<boolean> {
  const tasks = CORPUS.filter(({ name }) => chosen(name, only)).map(({ name }): CorpusTask => ({
    kind: 'corpus',
    name,
    seed,
    folder: out,
  }));
  if (tasks.length === 0) throw new Error(`no history of the corpus is named ${only.join(' or ')}`);
  const recorded: Recorded[] = [];
  await workOff(tasks, threads, (_, one) => {
    recorded.push(one);
    if (recorded.length % TOLD_EVERY === 0) say(`${recorded.length} of ${tasks.length}`);
  });
  const before = recorded.filter(({ kept }) => kept);
  const histories = recorded.filter(({ calls }) => calls > 0);
  const calls = recorded.reduce((sum, one) => sum + one.calls, 0);
  say(
    `${histories.length} histories with ${calls} calls in ${out}, ${before.length} of them kept from before; ` +
      `${recorded.length - histories.length} have nothing to play`,
  );
  return true;
}
