/** What the oracle is known to miss, by kind and by what was tried. The numbers may only become smaller. */
import { expect } from 'vitest';
import { WHOLE } from '../../support/whole.js';
import { isLegal, type SmallCall, type SmallWorld } from './reference.js';
import { failedMusts, toldOf } from './told.js';

/** A kind of missed histories: why they are missed, and which they are. The first that applies counts. */
interface Kind {
  readonly why: string;
  applies(world: SmallWorld, calls: readonly SmallCall[]): boolean;
}

const has =
  (op: SmallCall['op'], ...answers: readonly SmallCall['answer'][]): Kind['applies'] =>
  (_, calls) =>
    calls.some((call) => call.op === op && (answers.length === 0 || answers.includes(call.answer)));

const KINDS = {
  told: {
    why: 'as what a purged job is told is open, and what it was told as before is not remembered',
    applies: (_, calls) =>
      has('purge', 1, 2, 3)(_, calls) &&
      calls.some(({ op, job, answer }) =>
        calls.some((one) => op === 'status' && one.op === op && one.job === job && one.answer !== answer),
      ),
  },
  counted: {
    why: 'what a purge says that it removed is held against each job, not against all of them together',
    applies: has('purge'),
  },
  retried: {
    why: 'of the earlier runs of a retried job only the number is known, and each may have cost its worker',
    applies: has('retry', 200),
  },
  cancelled: {
    why: 'a job that was cancelled may have run before, and have cost its worker',
    applies: has('cancel', 200),
  },
  shared: {
    why: 'which of several jobs had the worker first is asked of each alone, not of all of them together',
    applies: ({ jobs }) => jobs.length > 1,
  },
  other: { why: 'nothing is known to be missed for another reason', applies: () => true },
} as const satisfies { readonly [kind: string]: Kind };
type KindId = keyof typeof KINDS;

/** How many of each kind are missed, and how many of 1,000 illegal ones at most, in all that is tried (WHOLE=1). */
const KNOWN = {
  'two calls': { share: 0 },
  'three calls': { share: 2, told: 3, retried: 1 },
  'two jobs': { share: 20, told: 2, counted: 26, retried: 10, cancelled: 8, shared: 11 },
  lives: { share: 35, told: 8, counted: 34, retried: 4, cancelled: 2, shared: 32 },
  'broken rules': { share: 50, told: 2, counted: 5, retried: 2, cancelled: 1, shared: 11 },
  'no broken rule': { share: 0 },
} as const satisfies {
  readonly [scope: string]: { readonly [kind in KindId]?: number } & { readonly share: number };
};

const isMissed = (world: SmallWorld, calls: readonly SmallCall[]): boolean =>
  !isLegal(world, calls) && failedMusts(world, calls).length === 0;

/** As few of the calls as are missed by themselves. */
function leastOf(world: SmallWorld, calls: readonly SmallCall[]): readonly SmallCall[] {
  for (const one of calls) {
    const fewer = calls.filter((call) => call !== one);
    if (isMissed(world, fewer)) return leastOf(world, fewer);
  }
  return calls;
}

/** Holds histories against the reference and the oracle. */
export class Tally {
  readonly counts = { legal: 0, illegal: 0, missed: 0 };
  private readonly accused: string[] = [];
  private readonly missed = new Map<KindId, string[]>();

  /** False: it is illegal. */
  take(world: SmallWorld, calls: readonly SmallCall[]): boolean {
    const isRight = isLegal(world, calls);
    const failed = failedMusts(world, calls);
    this.counts[isRight ? 'legal' : 'illegal'] += 1;
    if (isRight && failed.length > 0) this.accused.push(toldOf(world, calls, failed));
    if (!isRight && failed.length === 0) this.miss(world, leastOf(world, calls));
    return isRight;
  }

  private miss(world: SmallWorld, calls: readonly SmallCall[]): void {
    this.counts.missed += 1;
    const kind = (Object.keys(KINDS) as KindId[]).find((one) => KINDS[one].applies(world, calls))!;
    const like = this.missed.get(kind) ?? [];
    this.missed.set(kind, [...like, toldOf(world, calls, [])]);
  }

  /** Nothing legal is failed, and no more is missed than is known. */
  check(scope: keyof typeof KNOWN): void {
    expect(this.accused, 'legal, but failed').toEqual([]);
    const { share, ...known }: { readonly [kind in KindId]?: number } & { readonly share: number } =
      KNOWN[scope];
    for (const kind of Object.keys(KINDS) as KindId[]) {
      const found = this.missed.get(kind) ?? [];
      const most = known[kind] ?? 0;
      const said = `${kind}: ${KINDS[kind].why}\n\n${found.join('\n')}`;
      // Fewer of all are a reason to write the new number down.
      if (WHOLE) expect(found.length, said).toBe(most);
      else expect(found.length, said).toBeLessThanOrEqual(most);
    }
    const { illegal, missed } = this.counts;
    // A part may have more than its share.
    if (WHOLE) expect(1_000 * missed).toBeLessThanOrEqual(share * illegal);
  }
}
